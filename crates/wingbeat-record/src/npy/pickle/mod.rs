//! What Python stores beside numbers: a pickle, of which the few instructions are read that
//! dictionaries of NumPy's arrays are made of.
//!
//! A pickle is a program for a machine with a stack. This one has values alone: nothing is
//! imported, called or built but the arrays, numbers and types of NumPy listed in [`Callable::of`];
//! whatever else a pickle names is refused by its name. Protocols 2 to 5.
//!
//! Every value costs at least one byte of the file and has one size, there are at most
//! [`MOST_VALUES`], texts and numbers of arrays stay where they lie in the file, and what several
//! values share is not copied: memory is bounded by the file's size. Values are numbered, so that
//! lists that hold themselves are no danger either.
//!
//! <https://github.com/python/cpython/blob/main/Lib/pickletools.py> explains the instructions.

mod machine;

use std::io::Cursor;
use std::ops::Range;

use super::NpyReader;
use super::header::Header;
use machine::Machine;

/// Most values of a pickle: dictionaries of trackers have some hundreds, and their arrays count as
/// one each.
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
    Kind(PickledType),
    /// None until its parts are told.
    Array(Option<PickledArray>),
    /// Something harmless that is not looked at: a path.
    Other,
}

/// A dtype: `f8` and its byte order.
#[derive(Clone, Debug)]
struct PickledType {
    /// Where it lies in the file.
    name: Range<usize>,
    order: char,
}

/// An array, by the numbers of its parts.
#[derive(Clone, Copy, Debug)]
struct PickledArray {
    kind: Id,
    shape: Id,
    is_fortran: bool,
    /// What has its bytes, or, of an array of objects, their list.
    data: Id,
}

fn kind_of(values: &[Value], id: Id) -> Option<&PickledType> {
    if let Value::Kind(kind) = &values[id] { Some(kind) } else { None }
}

/// How long an array's sides are.
fn sides_of(values: &[Value], shape: Id) -> Result<Vec<u64>, String> {
    let Value::List(sides) = &values[shape] else {
        return Err("no list where one is needed".into());
    };
    // NumPy's own limit.
    if sides.len() > 64 {
        return Err("an array of more than 64 axes".into());
    }
    let side = |&id: &Id| match values[id] {
        Value::Int(side) => u64::try_from(side).map_err(|_| "a shape below 0".to_string()),
        _ => Err("a shape that is no number".into()),
    };
    sides.iter().map(side).collect()
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
            (
                "pathlib" | "pathlib._local",
                "PosixPath" | "PurePosixPath" | "WindowsPath" | "PureWindowsPath",
            ) => Self::Path,
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

    /// What belongs to a key of the dictionary that was saved as an array of one object; an error
    /// where it was none.
    pub fn get(&self, key: &str) -> Result<Option<Id>, String> {
        let mut root = &self.values[self.root];
        if let Value::Array(Some(array)) = root
            && let Value::List(objects) = &self.values[array.data]
            && let &[only] = objects.as_slice()
        {
            root = &self.values[only];
        }
        let Value::Dict(entries) = root else {
            return Err("an object array that is no dictionary".into());
        };
        // Of two with one key the last counts, as in Python.
        Ok(entries
            .iter()
            .rev()
            .find(|(name, _)| self.text(*name) == Some(key))
            .map(|(_, value)| *value))
    }

    /// The keys of the dictionary, those that are texts.
    pub fn keys(&self) -> Vec<&str> {
        let dict =
            self.values.iter().rev().find_map(|value| {
                if let Value::Dict(entries) = value { Some(entries) } else { None }
            });
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
        let Value::Array(Some(PickledArray { kind, shape, is_fortran, data })) = self.values[id]
        else {
            return None;
        };
        let from = match &self.values[data] {
            Value::Bytes(range) => &self.bytes[range.clone()],
            Value::Owned(bytes) => bytes,
            _ => return None,
        };
        let PickledType { name, order } = kind_of(&self.values, kind)?;
        let name = std::str::from_utf8(&self.bytes[name.clone()]).ok()?;
        let order = if matches!(order, '<' | '>') { *order } else { '|' };
        let header = Header {
            descr: format!("{order}{name}"),
            is_fortran,
            shape: sides_of(&self.values, shape).ok()?,
        };
        Some(NpyReader { from: Cursor::new(from), header, left: from.len() as u64 })
    }
}

#[cfg(test)]
mod tests;
