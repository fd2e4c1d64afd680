//! MessagePack, read with as little code as can be. Of what is asked for only that is compiled: the
//! reader of rmp-serde is compiled for each struct with all that could stand in its place, 4 kB for
//! each of 130.

use std::fmt;
use std::io::Read;

use serde::de::{
    DeserializeOwned, DeserializeSeed, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
    value::StringDeserializer,
};
use serde::{Deserializer, forward_to_deserialize_any};

/// How deep values may lie in others.
const DEEPEST: u32 = 100;

/// Why something cannot be read.
#[derive(Debug)]
pub(super) struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl serde::de::Error for Error {
    #[inline(never)]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// Reads one value; what follows it is left.
pub(super) fn read<T: DeserializeOwned>(from: &mut dyn Read) -> Result<T, Error> {
    T::deserialize(&mut MessagePackReader { from, first: None, deep: 0 })
}

struct MessagePackReader<'r> {
    from: &'r mut dyn Read,
    /// The first byte of the next value, where it was looked at.
    first: Option<u8>,
    deep: u32,
}

/// A value, of lists and tables only how long they are.
enum Token {
    Nil,
    Flag(bool),
    Unsigned(u64),
    Signed(i64),
    F32(f32),
    F64(f64),
    Text(String),
    Bytes(Vec<u8>),
    List(usize),
    Table(usize),
}

impl MessagePackReader<'_> {
    #[inline(never)]
    fn number(&mut self, bytes: usize) -> Result<u64, Error> {
        let mut number = [0; 8];
        self.from.read_exact(&mut number[8 - bytes..]).map_err(|error| Error(error.to_string()))?;
        Ok(u64::from_be_bytes(number))
    }

    /// Memory grows with what is there, and not with what is said to be there.
    #[inline(never)]
    fn bytes(&mut self, count: u64) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let read = (&mut *self.from).take(count).read_to_end(&mut bytes);
        match read {
            Ok(read) if read as u64 == count => Ok(bytes),
            Ok(_) => Err(Error("it ends early".into())),
            Err(error) => Err(Error(error.to_string())),
        }
    }

    #[inline(never)]
    fn text(&mut self, count: u64) -> Result<Token, Error> {
        let text = String::from_utf8(self.bytes(count)?);
        text.map(Token::Text).map_err(|_| Error("a text that is no UTF-8".into()))
    }

    fn peek(&mut self) -> Result<u8, Error> {
        match self.first {
            Some(first) => Ok(first),
            None => self.number(1).map(|first| *self.first.insert(first as u8)),
        }
    }

    #[inline(never)]
    fn next(&mut self) -> Result<Token, Error> {
        let first = self.peek()?;
        self.first = None;
        // Lengths and numbers of 1, 2, 4 and 8 bytes follow each other.
        let bytes = |least: u8| 1 << (first - least);
        Ok(match first {
            0x00..=0x7f => Token::Unsigned(first.into()),
            0x80..=0x8f => Token::Table((first & 15).into()),
            0x90..=0x9f => Token::List((first & 15).into()),
            0xa0..=0xbf => self.text((first & 31).into())?,
            0xc0 => Token::Nil,
            0xc2 | 0xc3 => Token::Flag(first == 0xc3),
            0xc4..=0xc6 => {
                let count = self.number(bytes(0xc4))?;
                Token::Bytes(self.bytes(count)?)
            }
            0xca => Token::F32(f32::from_bits(self.number(4)? as u32)),
            0xcb => Token::F64(f64::from_bits(self.number(8)?)),
            0xcc..=0xcf => Token::Unsigned(self.number(bytes(0xcc))?),
            0xd0 => Token::Signed((self.number(1)? as i8).into()),
            0xd1 => Token::Signed((self.number(2)? as i16).into()),
            0xd2 => Token::Signed((self.number(4)? as i32).into()),
            0xd3 => Token::Signed(self.number(8)? as i64),
            0xd9..=0xdb => {
                let count = self.number(bytes(0xd9))?;
                self.text(count)?
            }
            0xdc | 0xdd => Token::List(self.number(2 * bytes(0xdc))? as usize),
            0xde | 0xdf => Token::Table(self.number(2 * bytes(0xde))? as usize),
            0xe0..=0xff => Token::Signed((first as i8).into()),
            _ => return Err(Error(format!("byte {first:#04x} where a value begins"))),
        })
    }

    #[inline(never)]
    fn list(&mut self) -> Result<usize, Error> {
        match self.next()? {
            Token::List(count) => Ok(count),
            _ => Err(Error("something else than a list".into())),
        }
    }

    #[inline(never)]
    fn table(&mut self) -> Result<usize, Error> {
        match self.next()? {
            Token::Table(count) => Ok(count),
            _ => Err(Error("something else than a table".into())),
        }
    }

    #[inline(never)]
    fn name(&mut self) -> Result<String, Error> {
        match self.next()? {
            Token::Text(name) => Ok(name),
            _ => Err(Error("something else than a name".into())),
        }
    }

    #[inline(never)]
    fn go_in(&mut self) -> Result<(), Error> {
        self.deep += 1;
        if self.deep > DEEPEST { Err(Error("values too deep in others".into())) } else { Ok(()) }
    }
}

/// What is left of a list or table.
struct Items<'i, 'r> {
    reader: &'i mut MessagePackReader<'r>,
    left: usize,
}

impl<'de> SeqAccess<'de> for Items<'_, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(&mut *self.reader).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de> MapAccess<'de> for Items<'_, '_> {
    type Error = Error;

    fn next_key_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        self.next_element_seed(seed)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(&mut *self.reader)
    }
}

/// A variant with something in it.
impl<'de> EnumAccess<'de> for &mut MessagePackReader<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Error> {
        Ok((seed.deserialize(&mut *self)?, self))
    }
}

impl<'de> VariantAccess<'de> for &mut MessagePackReader<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Err(Error("a variant with something in it".into()))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_map(visitor)
    }
}

impl<'de> Deserializer<'de> for &mut MessagePackReader<'_> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    // Of numbers and texts there are few types.
    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string unit unit_struct ignored_any
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.next()? {
            Token::Nil => visitor.visit_unit(),
            Token::Flag(flag) => visitor.visit_bool(flag),
            Token::Unsigned(number) => visitor.visit_u64(number),
            Token::Signed(number) => visitor.visit_i64(number),
            Token::F32(number) => visitor.visit_f32(number),
            Token::F64(number) => visitor.visit_f64(number),
            Token::Text(text) => visitor.visit_string(text),
            Token::Bytes(bytes) => visitor.visit_byte_buf(bytes),
            Token::List(left) => {
                self.go_in()?;
                let value = visitor.visit_seq(Items { reader: &mut *self, left })?;
                self.deep -= 1;
                Ok(value)
            }
            Token::Table(left) => {
                self.go_in()?;
                let value = visitor.visit_map(Items { reader: &mut *self, left })?;
                self.deep -= 1;
                Ok(value)
            }
        }
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(&self.name()?)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_byte_buf(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.next()? {
            Token::Bytes(bytes) => visitor.visit_byte_buf(bytes),
            _ => Err(Error("something else than bytes".into())),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.peek()? == 0xc0 {
            self.first = None;
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let left = self.list()?;
        self.go_in()?;
        let mut items = Items { reader: &mut *self, left };
        let value = visitor.visit_seq(&mut items)?;
        if items.left > 0 {
            return Err(Error(format!("{} values too many in a list", items.left)));
        }
        self.deep -= 1;
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let left = self.table()?;
        self.go_in()?;
        let value = visitor.visit_map(Items { reader: &mut *self, left })?;
        self.deep -= 1;
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_map(visitor)
    }

    /// A variant without anything in it is its name; another is a table of one.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if matches!(self.peek()?, 0xa0..=0xbf | 0xd9..=0xdb) {
            return visitor.visit_enum(StringDeserializer::new(self.name()?));
        }
        if self.table()? != 1 {
            return Err(Error("something else than one variant".into()));
        }
        self.go_in()?;
        let value = visitor.visit_enum(&mut *self)?;
        self.deep -= 1;
        Ok(value)
    }
}

#[cfg(test)]
mod tests;
