//! What Python stores beside numbers: a pickle, of which the few instructions are read that dictionaries of NumPy's arrays are made of.
//!
//! A pickle is a program for a machine with a stack. This one has values alone: nothing is imported, called or built but the arrays,
//! numbers and types of NumPy listed in [`Callable::of`]; whatever else a pickle names is refused by its name. Protocols 2 to 5.
//!
//! Every value costs at least one byte of the file, there are at most [`MOST_VALUES`], and texts and arrays stay where they lie in the
//! file: memory is bounded by the file's size. Values are numbered, so that lists that hold themselves are no danger either.
//!
//! <https://github.com/python/cpython/blob/main/Lib/pickletools.py> explains the instructions.

mod machine;

use std::io::Cursor;
use std::ops::Range;

use super::NpyReader;
use super::header::Header;
use machine::Machine;

/// Most values of a pickle: dictionaries of trackers have some hundreds, and their arrays count as one each.
const MOST_VALUES: usize = 1 << 22;

/// The number of a value.
pub(crate) type Id = usize;

#[derive(Clone, Debug)]
enum Value {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// Where it lies in the file.
    Text(Range<usize>),
    Bytes(Range<usize>),
    /// Bytes that lie nowhere in the file, as protocol 2 has them.
    Owned(Vec<u8>),
    /// Also tuples and sets.
    List(Vec<Id>),
    Dict(Vec<(Id, Id)>),
    Callable(Callable),
    Kind(Kind),
    Array(Array),
    /// Something harmless that is not looked at: a path.
    Other,
}

/// A dtype: `f8` and its byte order.
#[derive(Clone, Debug)]
struct Kind {
    name: String,
    order: char,
}

#[derive(Clone, Debug, Default)]
struct Array {
    descr: String,
    shape: Vec<u64>,
    is_fortran: bool,
    /// The value that has its bytes, or, of an array of objects, their list.
    data: Option<Id>,
}

/// What a pickle may name.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Callable {
    Reconstruct,
    FromBuffer,
    Scalar,
    Ndarray,
    Dtype,
    Encode,
    OrderedDict,
    Set,
    Path,
}

impl Callable {
    fn of(module: &str, name: &str) -> Option<Self> {
        // NumPy 2 renamed core to _core.
        let module = module.replace("numpy._core", "numpy.core");
        Some(match (module.as_str(), name) {
            ("numpy.core.multiarray", "_reconstruct") => Self::Reconstruct,
            ("numpy.core.numeric", "_frombuffer") => Self::FromBuffer,
            ("numpy.core.multiarray", "scalar") => Self::Scalar,
            ("numpy", "ndarray") => Self::Ndarray,
            ("numpy", "dtype") => Self::Dtype,
            ("_codecs", "encode") => Self::Encode,
            ("collections", "OrderedDict") => Self::OrderedDict,
            ("builtins" | "__builtin__", "set" | "frozenset") => Self::Set,
            ("pathlib" | "pathlib._local", "PosixPath" | "PurePosixPath" | "WindowsPath" | "PureWindowsPath") => Self::Path,
            _ => return None,
        })
    }
}

/// The values of a pickle.
#[derive(Debug)]
pub(crate) struct Pickle<'a> {
    bytes: &'a [u8],
    values: Vec<Value>,
    root: Id,
}

impl<'a> Pickle<'a> {
    /// Reads a pickle.
    pub fn read(bytes: &'a [u8]) -> Result<Self, String> {
        let (values, root) = Machine::run(bytes)?;
        Ok(Self { bytes, values, root })
    }

    /// What belongs to a key of the dictionary that was saved as an array of one object; an error where it was none.
    pub fn get(&self, key: &str) -> Result<Option<Id>, String> {
        let mut root = &self.values[self.root];
        if let Value::Array(array) = root
            && let Some(Value::List(objects)) = array.data.map(|data| &self.values[data])
            && let &[only] = objects.as_slice()
        {
            root = &self.values[only];
        }
        let Value::Dict(entries) = root else { return Err("an object array that is no dictionary".into()) };
        // Of two with one key the last counts, as in Python.
        Ok(entries.iter().rev().find(|(name, _)| self.text(*name) == Some(key)).map(|(_, value)| *value))
    }

    /// The keys of the dictionary, those that are texts.
    pub fn keys(&self) -> Vec<&str> {
        let dict = self.values.iter().rev().find_map(|value| if let Value::Dict(entries) = value { Some(entries) } else { None });
        dict.into_iter().flatten().filter_map(|(name, _)| self.text(*name)).collect()
    }

    pub fn text(&self, id: Id) -> Option<&str> {
        let Value::Text(range) = &self.values[id] else { return None };
        std::str::from_utf8(&self.bytes[range.clone()]).ok()
    }

    pub fn number(&self, id: Id) -> Option<f64> {
        match self.values[id] {
            Value::Int(whole) => Some(whole as f64),
            Value::Float(float) => Some(float),
            _ => None,
        }
    }

    /// The texts of a list.
    pub fn texts(&self, id: Id) -> Option<Vec<&str>> {
        let Value::List(items) = &self.values[id] else { return None };
        items.iter().map(|&item| self.text(item)).collect()
    }

    /// An array, as if it were a file of its own; `None` of other values.
    pub fn array(&self, id: Id) -> Option<NpyReader<Cursor<&[u8]>>> {
        let Value::Array(array) = &self.values[id] else { return None };
        let from = match array.data.map(|data| &self.values[data]) {
            Some(Value::Bytes(range)) => &self.bytes[range.clone()],
            Some(Value::Owned(bytes)) => bytes,
            _ => return None,
        };
        let header = Header { descr: array.descr.clone(), is_fortran: array.is_fortran, shape: array.shape.clone() };
        Some(NpyReader { from: Cursor::new(from), header, left: from.len() as u64 })
    }
}

#[cfg(test)]
mod tests;
