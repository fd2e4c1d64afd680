//! Values of options as types: what can be typed is read where arguments are, and refused there
//! with what is allowed. What only a scene, a recording or another option can refuse is refused
//! later.

use std::ffi::OsStr;
use std::marker::PhantomData;
use std::net::IpAddr;
use std::ops::Deref;
use std::str::FromStr;

use clap::builder::{TypedValueParser, ValueParserFactory};
use clap::error::ErrorKind;
use clap::{Arg, Command};
use wingbeat::Level;
use wingbeat_measure::{Observables, Wanted};

use crate::failure::refusal;

/// What a text is refused with.
#[derive(Debug)]
pub struct Refused {
    /// What is wrong in it; all of it where that is `None`.
    part: Option<String>,
    allowed: String,
}

impl Refused {
    /// Of the text only this part is wrong.
    pub fn part(part: &str, allowed: String) -> Self {
        Self { part: Some(part.to_string()), allowed }
    }

    /// The same as a value of this option.
    pub fn of(self, flag: &str, text: &str) -> String {
        refusal(flag, self.part.as_deref().unwrap_or(text), &self.allowed)
    }
}

impl<S: Into<String>> From<S> for Refused {
    fn from(allowed: S) -> Self {
        Self { part: None, allowed: allowed.into() }
    }
}

/// A value of an option.
pub trait OptionValue: Clone + Send + Sync + Sized + 'static {
    /// Reads it.
    fn read(text: &str) -> Result<Self, Refused>;
}

/// A value, and its text as it was typed: what is refused later is told in the user's words.
#[derive(Clone, Debug, PartialEq)]
pub struct Given<T> {
    pub text: String,
    value: T,
}

impl<T> Given<T> {
    /// As if it had been typed.
    pub fn of(text: String, value: T) -> Self {
        Self { text, value }
    }
}

impl<T> Deref for Given<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// The value of an option that may be left out.
pub fn given<T: Copy>(option: &Option<Given<T>>) -> Option<T> {
    option.as_ref().map(|given| given.value)
}

/// Reads an option's value.
#[derive(Clone)]
pub struct Reader<T>(PhantomData<T>);

impl<T: OptionValue> TypedValueParser for Reader<T> {
    type Value = Given<T>;

    fn parse_ref(
        &self,
        _: &Command,
        option: Option<&Arg>,
        text: &OsStr,
    ) -> Result<Given<T>, clap::Error> {
        let text = text.to_string_lossy().into_owned();
        T::read(&text).map(|value| Given { text: text.clone(), value }).map_err(|refused| {
            let flag = format!("--{}", option.and_then(Arg::get_long).unwrap_or_default());
            clap::Error::raw(ErrorKind::ValueValidation, refused.of(&flag, &text))
        })
    }
}

impl<T: OptionValue> ValueParserFactory for Given<T> {
    type Parser = Reader<T>;

    fn value_parser() -> Reader<T> {
        Reader(PhantomData)
    }
}

/// A command whose options, and those of its subcommands, take numbers below 0, for the check to
/// refuse in its own words.
pub fn with_negative_numbers(command: Command) -> Command {
    let names: Vec<String> =
        command.get_subcommands().map(|command| command.get_name().to_string()).collect();
    let command = command.mut_args(|option| {
        if option.is_positional() || !option.get_action().takes_values() {
            option
        } else {
            option.allow_negative_numbers(true)
        }
    });
    names
        .into_iter()
        .fold(command, |command, name| command.mut_subcommand(name, with_negative_numbers))
}

/// A whole number, A to B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Whole<const A: u64, const B: u64>(pub u64);

/// How many steps or frames lie between two that are taken.
pub type Every = Whole<1, { u64::MAX }>;

impl<const A: u64, const B: u64> OptionValue for Whole<A, B> {
    fn read(text: &str) -> Result<Self, Refused> {
        let number = text.parse().ok().filter(|number| (A..=B).contains(number));
        let up_to = if B == u64::MAX { format!(" from {A}") } else { format!(", {A} to {B}") };
        number.map(Self).ok_or_else(|| format!("a whole number{up_to}").into())
    }
}

/// A finite number.
impl OptionValue for f64 {
    fn read(text: &str) -> Result<Self, Refused> {
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| "a finite number".into())
    }
}

/// A finite number above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Positive(pub f64);

impl OptionValue for Positive {
    fn read(text: &str) -> Result<Self, Refused> {
        let number = f64::read(text)?;
        if number > 0.0 { Ok(Self(number)) } else { Err("a number above 0".into()) }
    }
}

/// Corners of a line or a rectangle.
impl OptionValue for [f64; 4] {
    fn read(text: &str) -> Result<Self, Refused> {
        let numbers: Option<Vec<f64>> =
            text.split(',').map(|part| f64::read(part.trim()).ok()).collect();
        numbers
            .and_then(|numbers| numbers.try_into().ok())
            .ok_or_else(|| "four finite numbers apart by commas".into())
    }
}

/// A value that its own reader reads, and refuses.
pub fn parsed<T: FromStr>(text: &str, allowed: impl Into<String>) -> Result<T, Refused> {
    text.parse().map_err(|_| allowed.into().into())
}

impl OptionValue for IpAddr {
    fn read(text: &str) -> Result<Self, Refused> {
        parsed(text, "an IP address, for example 127.0.0.1 or ::1")
    }
}

impl OptionValue for Level {
    fn read(text: &str) -> Result<Self, Refused> {
        parsed(text, Self::ALL.iter().map(|level| level.name()).collect::<Vec<_>>().join(", "))
    }
}

/// Names of observables apart by commas.
impl OptionValue for Wanted {
    fn read(text: &str) -> Result<Self, Refused> {
        text.split(',').map(str::trim).try_fold(Self::NONE, |all, name| {
            let one = name.parse::<Self>();
            one.map(|one| all | one).map_err(|_| Refused::part(name, Observables::NAMES.join(", ")))
        })
    }
}

/// One of a few words.
pub trait Word: Copy + Send + Sync + 'static {
    const WORDS: &[(&str, Self)];
}

/// A [`Word`] as an option's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneOf<T>(pub T);

impl<T: Word> OptionValue for OneOf<T> {
    fn read(text: &str) -> Result<Self, Refused> {
        let found = T::WORDS.iter().find(|(word, _)| *word == text);
        let allowed = || T::WORDS.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" or ");
        found.map(|(_, value)| Self(*value)).ok_or_else(|| allowed().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed<T: OptionValue>(text: &str) -> String {
        T::read(text).err().expect("a refusal").allowed
    }

    #[test]
    fn numbers_are_refused_by_their_range() {
        assert!(matches!(Whole::<1, 1024>::read("1024"), Ok(Whole(1024))));
        for text in ["0", "1025", "-1", "2.5", "", "x"] {
            assert_eq!(allowed::<Whole<1, 1024>>(text), "a whole number, 1 to 1024", "{text}");
        }
        assert_eq!(allowed::<Every>("0"), "a whole number from 1");
        assert_eq!(allowed::<Positive>("inf"), "a finite number");
        assert_eq!(allowed::<Positive>("-1"), "a number above 0");
        assert!(matches!(<[f64; 4]>::read("-1, 2,3,4e2"), Ok([-1.0, 2.0, 3.0, 400.0])));
        for text in ["1,2,3", "1,2,3,4,5", "1,2,3,nan", "1,,2,3"] {
            assert_eq!(allowed::<[f64; 4]>(text), "four finite numbers apart by commas", "{text}");
        }
    }

    #[test]
    fn of_several_names_the_wrong_one_is_told() {
        let refused = Wanted::read("milling, spin").expect_err("a refusal");
        assert_eq!(refused.part.as_deref(), Some("spin"));
    }
}
