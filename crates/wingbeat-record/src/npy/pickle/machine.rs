//! The machine that a pickle is a program for: a stack of values, and a memo of those that come
//! again.

use std::collections::HashMap;
use std::ops::Range;

use super::{Callable, Id, MOST_VALUES, PickledArray, PickledType, Value, kind_of, sides_of};
use crate::text::shortened;

/// The machine that a pickle is a program for.
pub(super) struct Machine<'a> {
    bytes: &'a [u8],
    at: usize,
    values: Vec<Value>,
    stack: Vec<Id>,
    /// Heights of the stack.
    marks: Vec<usize>,
    memo: HashMap<u64, Id>,
    /// Bytes of all [`Value::Owned`].
    owned: usize,
}

impl<'a> Machine<'a> {
    /// Runs a pickle: its values, and the one that is left.
    pub fn run(bytes: &'a [u8]) -> Result<(Vec<Value>, Id), String> {
        let (values, stack, marks) = (Vec::new(), Vec::new(), Vec::new());
        let mut machine =
            Self { bytes, at: 0, values, stack, marks, memo: HashMap::new(), owned: 0 };
        let root = machine
            .follow_all()
            .map_err(|why| format!("a pickle, at byte {}: {why}", machine.at))?;
        Ok((machine.values, root))
    }

    /// Follows the instructions up to the last; the value that is left.
    fn follow_all(&mut self) -> Result<Id, String> {
        loop {
            let instruction = self.take(1)?.start;
            if self.bytes[instruction] == b'.' {
                return self.pop();
            }
            self.follow(self.bytes[instruction])?;
        }
    }

    fn follow(&mut self, instruction: u8) -> Result<(), String> {
        match instruction {
            // The protocol, and how long a frame is.
            0x80 => self.protocol(),
            0x95 => self.take(8).map(drop),
            b'(' => {
                self.marks.push(self.stack.len());
                self.bounded()
            }
            b'0' => self.pop().map(drop),
            b'1' => self.since_mark().map(drop),
            b'2' => {
                let last = *self.stack.last().ok_or(EMPTY)?;
                self.push_id(last)
            }
            b'h' | b'j' | b'q' | b'r' | 0x94 => self.remember(instruction),
            b'c' | 0x93 => self.name(instruction),
            b'R' | 0x81 => self.call(),
            b'b' => self.build(),
            b')' | b']' | b'}' | 0x8f | b't' | b'l' | b'd' | 0x91 | 0x85..=0x87 => {
                self.collection(instruction)
            }
            b'a' | b'e' | 0x90 | b's' | b'u' => self.fill(instruction),
            _ => self.constant(instruction),
        }
    }

    fn protocol(&mut self) -> Result<(), String> {
        let version = self.number(1)?;
        if (2..=5).contains(&version) {
            Ok(())
        } else {
            Err(format!("protocol {version}: allowed is 2 to 5"))
        }
    }

    /// None, truths, numbers, texts, bytes.
    fn constant(&mut self, instruction: u8) -> Result<(), String> {
        let value = match instruction {
            b'N' => Value::None,
            0x88 => Value::Bool(true),
            0x89 => Value::Bool(false),
            b'K' => Value::Int(self.number(1)? as i64),
            b'M' => Value::Int(self.number(2)? as i64),
            b'J' => Value::Int(i64::from(self.number(4)? as u32 as i32)),
            0x8a | 0x8b => self.long(instruction)?,
            b'G' => Value::Float(f64::from_bits(self.number(8)?.swap_bytes())),
            0x8c => Value::Text(self.sized(1)?),
            b'X' => Value::Text(self.sized(4)?),
            0x8d => Value::Text(self.sized(8)?),
            b'C' => Value::Bytes(self.sized(1)?),
            b'B' => Value::Bytes(self.sized(4)?),
            0x8e | 0x96 => Value::Bytes(self.sized(8)?),
            _ => {
                return Err(format!(
                    "instruction {instruction:#04x}: allowed are those for dictionaries, lists, \
                        texts, numbers and arrays"
                ));
            }
        };
        self.push(value)
    }

    /// A whole number of any length, two's complement; one that is too long for 64 bits as a float.
    fn long(&mut self, instruction: u8) -> Result<Value, String> {
        let range = self.sized(if instruction == 0x8a { 1 } else { 4 })?;
        let bytes = &self.bytes[range];
        if bytes.len() > 8 {
            return Ok(Value::Other);
        }
        let negative = bytes.last().is_some_and(|&top| top >= 0x80);
        let start = if negative { u64::MAX } else { 0 };
        Ok(Value::Int(
            bytes.iter().rev().fold(start, |bits, &byte| bits << 8 | u64::from(byte)) as i64
        ))
    }

    fn remember(&mut self, instruction: u8) -> Result<(), String> {
        match instruction {
            b'h' | b'j' => {
                let place = self.number(if instruction == b'h' { 1 } else { 4 })?;
                let found = *self
                    .memo
                    .get(&place)
                    .ok_or_else(|| format!("memo {place}: allowed is one that was filled"))?;
                self.push_id(found)
            }
            _ => {
                let place = match instruction {
                    b'q' => self.number(1)?,
                    b'r' => self.number(4)?,
                    _ => self.memo.len() as u64,
                };
                let last = *self.stack.last().ok_or(EMPTY)?;
                self.memo.insert(place, last);
                self.bounded()
            }
        }
    }

    /// Something of a module, by name.
    fn name(&mut self, instruction: u8) -> Result<(), String> {
        let [module, name] = if instruction == b'c' {
            [self.line()?, self.line()?]
        } else {
            let (name, module) = (self.pop()?, self.pop()?);
            [self.text(module)?, self.text(name)?]
        };
        let of =
            |range: &Range<usize>| std::str::from_utf8(&self.bytes[range.clone()]).unwrap_or("?");
        let (module, name) = (of(&module), of(&name));
        let callable = Callable::of(module, name).ok_or_else(|| {
            let named = shortened(&format!("{module}.{name}"));
            format!(
                "it calls {named}, which is refused: allowed are NumPy's arrays, numbers and \
                types, and paths"
            )
        })?;
        self.push(Value::Callable(callable))
    }

    fn call(&mut self) -> Result<(), String> {
        let (arguments, callable) = (self.pop()?, self.pop()?);
        let Value::Callable(callable) = self.values[callable] else {
            return Err("a call of what is no function".into());
        };
        // As many as the longest call has: a list may be given to any number of calls.
        let arguments: Vec<Id> = self.list(arguments)?.iter().copied().take(8).collect();
        let argument =
            |place: usize| arguments.get(place).copied().ok_or("a call with too few arguments");
        let value = match callable {
            Callable::Reconstruct => Value::Array(None),
            Callable::Ndarray => {
                return Err("numpy.ndarray is called: allowed is _reconstruct".into());
            }
            Callable::Dtype => {
                let range = self.text(argument(0)?)?;
                // At most the longest name of a kind: U and a length.
                let name = std::str::from_utf8(&self.bytes[range.clone()])
                    .ok()
                    .filter(|name| name.len() <= 32);
                let name = name.ok_or("a dtype without a name")?;
                let order = name
                    .chars()
                    .next()
                    .filter(|c| matches!(c, '<' | '>' | '|' | '='))
                    .unwrap_or('|');
                let bare = name.trim_start_matches(['<', '>', '|', '=']);
                Value::Kind(PickledType { name: range.end - bare.len()..range.end, order })
            }
            Callable::Scalar => self.scalar(argument(0)?, argument(1).ok())?,
            Callable::FromBuffer => {
                let order = self.text(argument(3)?)?;
                let is_fortran = &self.bytes[order] == b"F";
                self.array(argument(1)?, argument(2)?, is_fortran, argument(0)?)?
            }
            Callable::Encode => self.encoded(argument(0)?)?,
            Callable::OrderedDict => Value::Dict(Vec::new()),
            Callable::Set => match arguments.first() {
                // The list itself, and not a copy: a list may be made a set any number of times.
                Some(&items) => return self.push_id(items),
                None => Value::List(Vec::new()),
            },
            Callable::Path => Value::Other,
        };
        self.push(value)
    }

    /// One number of an array's kind.
    fn scalar(&self, kind: Id, bytes: Option<Id>) -> Result<Value, String> {
        let PickledType { name, order } =
            kind_of(&self.values, kind).ok_or("a number without a dtype")?;
        let name = &self.bytes[name.clone()];
        let bytes: &[u8] = match bytes.map(|bytes| &self.values[bytes]) {
            Some(Value::Bytes(range)) => &self.bytes[range.clone()],
            Some(Value::Owned(bytes)) => bytes,
            _ => return Ok(Value::Other),
        };
        let mut eight = [0; 8];
        let Some(part) = eight.get_mut(..bytes.len()) else { return Ok(Value::Other) };
        part.copy_from_slice(bytes);
        if *order == '>' {
            part.reverse();
        }
        let bits = u64::from_le_bytes(eight);
        let unused = 64 - 8 * bytes.len() as u32;
        Ok(match (name, bytes.len()) {
            (b"f8", 8) => Value::Float(f64::from_bits(bits)),
            (b"f4", 4) => Value::Float(f64::from(f32::from_bits(bits as u32))),
            (b"b1", 1) => Value::Bool(bits != 0),
            (b"i1" | b"i2" | b"i4" | b"i8", 1..=8) => {
                Value::Int(((bits << unused) as i64) >> unused)
            }
            (b"u1" | b"u2" | b"u4", 1..=4) => Value::Int(bits as i64),
            _ => Value::Other,
        })
    }

    /// Bytes that were written as a text of characters below 256.
    fn encoded(&mut self, text: Id) -> Result<Value, String> {
        let range = self.text(text)?;
        let text =
            std::str::from_utf8(&self.bytes[range]).map_err(|_| "a text that is not UTF-8")?;
        // One text may be encoded any number of times: all of them together have at most the file's
        // bytes.
        self.owned += text.len();
        if self.owned > self.bytes.len() {
            return Err("more bytes than the file has".into());
        }
        let bytes: Option<Vec<u8>> =
            text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
        bytes.map(Value::Owned).ok_or_else(|| "bytes with a character above 255".into())
    }

    fn build(&mut self) -> Result<(), String> {
        let (state, object) = (self.pop()?, self.pop()?);
        let built = match &self.values[object] {
            Value::Array(_) => {
                // The version came later.
                let state = self.list(state)?;
                let state = if state.len() == 5 { &state[1..] } else { state };
                let &[shape, kind, order, data] = state else {
                    return Err("an array without shape, dtype, order and data".into());
                };
                self.array(kind, shape, matches!(self.values[order], Value::Bool(true)), data)?
            }
            Value::Kind(kind) => {
                let order =
                    self.list(state)?.get(1).copied().ok_or("a dtype without a byte order")?;
                let order = self.text(order)?;
                let order = self.bytes[order].first().copied().unwrap_or(b'|');
                Value::Kind(PickledType { order: char::from(order), ..kind.clone() })
            }
            Value::Other => return self.push_id(object),
            _ => return Err("a state of what has none".into()),
        };
        self.values[object] = built;
        self.push_id(object)
    }

    /// An array is the numbers of its parts: one shape may be given to any number of arrays, and is
    /// not copied.
    fn array(&self, kind: Id, shape: Id, is_fortran: bool, data: Id) -> Result<Value, String> {
        kind_of(&self.values, kind).ok_or("an array without a dtype")?;
        sides_of(&self.values, shape)?;
        Ok(Value::Array(Some(PickledArray { kind, shape, is_fortran, data })))
    }

    fn collection(&mut self, instruction: u8) -> Result<(), String> {
        let value = match instruction {
            b')' | b']' | 0x8f => Value::List(Vec::new()),
            b'}' => Value::Dict(Vec::new()),
            b'd' => Value::Dict(pairs(&self.since_mark()?)?),
            b't' | b'l' | 0x91 => Value::List(self.since_mark()?),
            // Tuples of one to three.
            _ => {
                let from =
                    self.stack.len().checked_sub(usize::from(instruction - 0x84)).ok_or(EMPTY)?;
                Value::List(self.stack.split_off(from))
            }
        };
        self.push(value)
    }

    /// Puts values into the list or dictionary below them.
    fn fill(&mut self, instruction: u8) -> Result<(), String> {
        let items = match instruction {
            b'a' => vec![self.pop()?],
            b's' => {
                let (value, key) = (self.pop()?, self.pop()?);
                vec![key, value]
            }
            _ => self.since_mark()?,
        };
        let target = *self.stack.last().ok_or(EMPTY)?;
        match (&mut self.values[target], instruction) {
            (Value::List(list), b'a' | b'e' | 0x90) => list.extend(items),
            (Value::Dict(entries), b's' | b'u') => entries.extend(pairs(&items)?),
            _ => return Err("an entry of what has none".into()),
        }
        Ok(())
    }

    fn push(&mut self, value: Value) -> Result<(), String> {
        self.values.push(value);
        self.push_id(self.values.len() - 1)
    }

    fn push_id(&mut self, id: Id) -> Result<(), String> {
        self.stack.push(id);
        self.bounded()
    }

    fn bounded(&self) -> Result<(), String> {
        let most =
            self.values.len().max(self.stack.len()).max(self.marks.len()).max(self.memo.len());
        if most > MOST_VALUES { Err(format!("more than {MOST_VALUES} values")) } else { Ok(()) }
    }

    fn pop(&mut self) -> Result<Id, String> {
        let above = self.marks.last().copied().unwrap_or(0);
        if self.stack.len() > above {
            self.stack.pop().ok_or_else(|| EMPTY.into())
        } else {
            Err(EMPTY.into())
        }
    }

    /// What was pushed since the last mark.
    fn since_mark(&mut self) -> Result<Vec<Id>, String> {
        let mark = self.marks.pop().ok_or("no mark to go back to")?;
        if mark > self.stack.len() { Err(EMPTY.into()) } else { Ok(self.stack.split_off(mark)) }
    }

    fn list(&self, id: Id) -> Result<&[Id], String> {
        if let Value::List(items) = &self.values[id] {
            Ok(items)
        } else {
            Err("no list where one is needed".into())
        }
    }

    fn text(&self, id: Id) -> Result<Range<usize>, String> {
        if let Value::Text(range) = &self.values[id] {
            Ok(range.clone())
        } else {
            Err("no text where one is needed".into())
        }
    }

    /// So many bytes.
    fn take(&mut self, count: usize) -> Result<Range<usize>, String> {
        let end = self
            .at
            .checked_add(count)
            .filter(|&end| end <= self.bytes.len())
            .ok_or("the pickle ends in the middle")?;
        let range = self.at..end;
        self.at = end;
        Ok(range)
    }

    /// A number of so many bytes, the lowest first.
    fn number(&mut self, bytes: usize) -> Result<u64, String> {
        let range = self.take(bytes)?;
        Ok(self.bytes[range].iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte)))
    }

    /// Bytes behind their count.
    fn sized(&mut self, bytes: usize) -> Result<Range<usize>, String> {
        let count = self.number(bytes)?;
        self.take(usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// Up to the end of a line.
    fn line(&mut self) -> Result<Range<usize>, String> {
        let rest = &self.bytes[self.at..];
        let length =
            rest.iter().position(|&byte| byte == b'\n').ok_or("the pickle ends in the middle")?;
        let range = self.take(length)?;
        self.take(1)?;
        Ok(range)
    }
}

const EMPTY: &str = "an empty stack";

/// Keys and values, one after the other.
fn pairs(items: &[Id]) -> Result<Vec<(Id, Id)>, String> {
    if items.len() % 2 == 1 {
        return Err("a key without a value".into());
    }
    Ok(items.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
}
