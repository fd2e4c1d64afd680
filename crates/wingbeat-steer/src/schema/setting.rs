//! Settings: what a user may set that is no `f32` between two others: choices, flags, whole
//! numbers, times, texts, points and lists, each declared once, where its field is.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;

use crate::schema::error::Decimal;
use crate::{ParamError, Vector};

/// The largest coordinate of the world.
pub const FARTHEST: f64 = 1e30;

/// Most points of a list.
pub const MOST_POINTS: usize = 10_000;

/// What a setting takes.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingKind {
    /// A number, whole or not.
    Number {
        /// Smallest accepted.
        min: f64,
        /// Largest accepted.
        max: f64,
        /// Whether `min` itself is refused.
        above_min: bool,
    },
    /// A whole number.
    Whole {
        /// Smallest accepted.
        min: i64,
        /// Largest accepted.
        max: i64,
    },
    /// `true` or `false`.
    Flag,
    /// Any text.
    Text,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// As many numbers as there are dimensions, each at most so large in size.
    Point(f64),
    /// A point, or `true` for "the middle of the domain".
    PointOrTrue,
    /// A list of points, at most 10,000.
    Points {
        /// How many at least.
        least: usize,
        /// How large coordinates may be in size.
        most: f64,
    },
    /// A list of pairs of whole numbers, 0 and above.
    Pairs,
    /// A list of distinct terms out of these, and `drive.NAME`.
    Terms(&'static [&'static str]),
}

impl SettingKind {
    /// A number above one, and at most another.
    pub const fn above(min: f64, max: f64) -> Self {
        Self::Number { min, max, above_min: true }
    }

    /// The same with another range: of numbers, of whole ones, or of coordinates, which are as
    /// large in size at most as `max`.
    pub const fn within(self, min: f64, max: f64) -> Self {
        match self {
            Self::Number { above_min, .. } => Self::Number { min, max, above_min },
            Self::Whole { .. } => Self::Whole { min: min as i64, max: max as i64 },
            Self::Point(_) => Self::Point(max),
            Self::Points { least, .. } => Self::Points { least, most: max },
            other => other,
        }
    }
}

impl SettingKind {
    /// Whether it takes a value, in so many dimensions.
    pub fn takes(&self, value: &SettingValue, dimensions: usize) -> bool {
        match (*self, value) {
            (Self::Number { min, max, above_min }, value) => value.number().is_some_and(|x| {
                // Narrowing may swallow a tiny number: 1e-60 is above 0, but not in f32.
                let above = if above_min { x > min && x as f32 > min as f32 } else { x >= min };
                above && x <= max
            }),
            (Self::Whole { min, max }, SettingValue::Whole(n)) => (min..=max).contains(n),
            (Self::Flag, SettingValue::Flag(_))
            | (Self::Text, SettingValue::Text(_))
            | (Self::PointOrTrue, SettingValue::Flag(true)) => true,
            (Self::Choice(words), SettingValue::Text(word)) => words.contains(&word.as_str()),
            (Self::Point(most), value) => is_point(value, dimensions, most),
            (Self::PointOrTrue, value) => is_point(value, dimensions, FARTHEST),
            (Self::Points { least, most }, SettingValue::List(points)) => {
                (least..=MOST_POINTS).contains(&points.len())
                    && points.iter().all(|point| is_point(point, dimensions, most))
            }
            (Self::Pairs, value) => pairs(value).is_some(),
            (Self::Terms(terms), SettingValue::List(items)) => {
                let is_known = |term: &str| {
                    terms.contains(&term) || term.strip_prefix("drive.").is_some_and(is_name)
                };
                let once = |(i, item): (usize, &SettingValue)| {
                    item.text().is_some_and(is_known) && !items[..i].contains(item)
                };
                items.iter().enumerate().all(once)
            }
            _ => false,
        }
    }

    /// What it takes, in words.
    pub fn allowed(&self, dimensions: usize) -> String {
        let within = |most: f64| format!("{} to {}", Decimal(-most), Decimal(most));
        match *self {
            Self::Number { min, max, above_min: true } => {
                format!("a number above {}, at most {}", Decimal(min), Decimal(max))
            }
            Self::Number { min, max, above_min: false } => {
                format!("a number, {} to {}", Decimal(min), Decimal(max))
            }
            Self::Whole { min, max } => format!("a whole number, {min} to {max}"),
            Self::Flag => "true or false".into(),
            Self::Text => "a text in quotes".into(),
            Self::Choice(words) => words.join(", "),
            Self::Point(most) => {
                format!("a list of {dimensions} numbers (one per dimension), each {}", within(most))
            }
            Self::PointOrTrue => format!("true, or {}", Self::Point(FARTHEST).allowed(dimensions)),
            Self::Points { least, most } => format!(
                "a list of {least} to {MOST_POINTS} points of {dimensions} numbers (one per \
                dimension), each {}",
                within(most)
            ),
            Self::Pairs => "a list of pairs of whole numbers, 0 and above".into(),
            Self::Terms(terms) => {
                format!("a list of distinct terms out of {}, drive.NAME", terms.join(", "))
            }
        }
    }
}

fn is_point(value: &SettingValue, dimensions: usize, most: f64) -> bool {
    let within = |item: &SettingValue| item.number().is_some_and(|x| x.abs() <= most);
    value.items().is_some_and(|items| items.len() == dimensions && items.iter().all(within))
}

/// Whether a user's name for a table is short and plain enough for commands and messages.
pub fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 64
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// The value of a setting.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub enum SettingValue {
    /// A number, whole or not.
    Number(f64),
    /// A whole number of a setting that takes only those.
    Whole(i64),
    /// `true` or `false`.
    Flag(bool),
    /// A text, or one of a choice.
    Text(String),
    /// A point, a list of points, of pairs, or of terms.
    List(Vec<SettingValue>),
}

impl SettingValue {
    /// A number; whole numbers count.
    pub fn number(&self) -> Option<f64> {
        match *self {
            Self::Number(number) => Some(number),
            Self::Whole(whole) => Some(whole as f64),
            _ => None,
        }
    }

    /// `true` or `false`.
    pub fn flag(&self) -> Option<bool> {
        if let Self::Flag(flag) = *self { Some(flag) } else { None }
    }

    /// A whole number.
    pub fn whole(&self) -> Option<i64> {
        if let Self::Whole(whole) = *self { Some(whole) } else { None }
    }

    /// A text, or the word of a choice.
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The items of a list.
    pub fn items(&self) -> Option<&[Self]> {
        if let Self::List(items) = self { Some(items) } else { None }
    }
}

/// One setting a user may make.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct SettingInfo {
    /// Its name.
    pub key: &'static str,
    /// What it is, in one sentence or two.
    pub about: &'static str,
    /// Unit, in terms of the scene's own length and time; empty where there is none.
    pub unit: &'static str,
    /// What it takes.
    pub kind: SettingKind,
    /// Value when left out; `None` where no value says what holds then.
    pub default: fn() -> Option<SettingValue>,
    /// What holds when it is left out, in words, where the value does not say it: "no bound";
    /// "required" where it may not be left out.
    pub shown: &'static str,
}

impl SettingInfo {
    #[doc(hidden)]
    pub const fn new(
        key: &'static str,
        [about, unit, shown]: [&'static str; 3],
        kind: SettingKind,
        default: fn() -> Option<SettingValue>,
    ) -> Self {
        Self { key, about, unit, kind, default, shown }
    }

    /// Refuses a number or a coordinate outside the range; `field` is the name to report. What
    /// holds when it is left out is accepted, be it a bound that is none.
    ///
    /// # Errors
    /// Names the number, and what is allowed.
    pub(crate) fn check(
        &self,
        field: impl Display,
        value: &SettingValue,
    ) -> Result<(), ParamError> {
        let usual = (self.default)();
        if usual.as_ref() == Some(value) {
            return Ok(());
        }
        let may_be_none = usual == Some(SettingValue::Number(f64::INFINITY));
        self.kind.check(&field, value).map_err(|mut refusal| {
            refusal.allowed += if may_be_none { ", or inf" } else { "" };
            refusal
        })
    }
}

impl SettingKind {
    /// Whether there are numbers or coordinates to check.
    pub(crate) const fn has_range(&self) -> bool {
        matches!(self, Self::Number { .. } | Self::Point(_) | Self::Points { .. })
    }

    fn check(&self, field: &dyn Display, value: &SettingValue) -> Result<(), ParamError> {
        let each = |kind: Self| {
            let mut items = value.items().unwrap_or_default().iter().enumerate();
            items.try_for_each(|(i, item)| kind.check(&format_args!("{field}[{i}]"), item))
        };
        match (*self, value) {
            (Self::Number { min, max, above_min }, &SettingValue::Number(x)) => {
                if x <= max && (x > min || !above_min && x == min) {
                    return Ok(());
                }
                let (low, high) = (Decimal(min), Decimal(max));
                let allowed = if above_min {
                    format!("above {low}, at most {high}")
                } else {
                    format!("{low} to {high}")
                };
                Err(ParamError::new(field, Decimal(x), allowed))
            }
            (Self::Point(most), _) => each(ANY_NUMBER.within(-most, most)),
            (Self::Points { most, .. }, _) => each(Self::Point(most)),
            _ => Ok(()),
        }
    }
}

/// A type of setting.
pub trait Setting: Sized {
    /// What it takes, before a field narrows its range.
    const KIND: SettingKind;
    /// From a value; `None` if it is none of these.
    fn from_value(value: &SettingValue) -> Option<Self>;
    /// Its value; `None` of what is left out.
    fn value(&self) -> Option<SettingValue>;
}

/// Types of one value: what they take, from a value, to a value.
macro_rules! setting {
    ($($type:ty: $kind:expr, $from:expr, $to:expr;)*) => {$(
        impl Setting for $type {
            const KIND: SettingKind = $kind;
            fn from_value(value: &SettingValue) -> Option<Self> {
                ($from)(value)
            }
            fn value(&self) -> Option<SettingValue> {
                ($to)(self)
            }
        }
    )*};
}

const ANY_NUMBER: SettingKind =
    SettingKind::Number { min: f64::NEG_INFINITY, max: f64::INFINITY, above_min: false };
const FROM_ZERO: SettingKind = SettingKind::Whole { min: 0, max: i64::MAX };

setting! {
    bool: SettingKind::Flag, SettingValue::flag, |flag: &bool| Some(SettingValue::Flag(*flag));
    // The decimal that an f32 is the nearest to: as people write it.
    f32: ANY_NUMBER, |value: &SettingValue| value.number().map(|x| x as f32),
        |x: &f32| x.to_string().parse().ok().map(SettingValue::Number);
    f64: ANY_NUMBER, SettingValue::number, |x: &f64| Some(SettingValue::Number(*x));
    i64: SettingKind::Whole { min: i64::MIN, max: i64::MAX }, SettingValue::whole,
        |n: &i64| Some(SettingValue::Whole(*n));
    u64: FROM_ZERO, |value: &SettingValue| value.whole()?.try_into().ok(),
        |n: &u64| i64::try_from(*n).ok().map(SettingValue::Whole);
    u32: FROM_ZERO, |value: &SettingValue| value.whole()?.try_into().ok(),
        |n: &u32| Some(SettingValue::Whole(i64::from(*n)));
    String: SettingKind::Text, |value: &SettingValue| value.text().map(String::from),
        |text: &String| Some(SettingValue::Text(text.clone()));
    Vec<(u64, u64)>: SettingKind::Pairs, pairs, |pairs: &Vec<(u64, u64)>| {
        let pair = |&(a, b): &(u64, u64)| Some(SettingValue::List([a.value()?, b.value()?].into()));
        pairs.iter().map(pair).collect::<Option<_>>().map(SettingValue::List)
    };
    Vec<String>: SettingKind::Terms(&[]), |value: &SettingValue| {
        value.items()?.iter().map(String::from_value).collect()
    }, |texts: &Vec<String>| {
        texts.iter().map(String::value).collect::<Option<_>>().map(SettingValue::List)
    };
}

fn pairs(value: &SettingValue) -> Option<Vec<(u64, u64)>> {
    let pair = |item: &SettingValue| match item.items()? {
        [a, b] => Some((u64::from_value(a)?, u64::from_value(b)?)),
        _ => None,
    };
    value.items()?.iter().map(pair).collect()
}

impl<T: Setting> Setting for Option<T> {
    const KIND: SettingKind = T::KIND;
    fn from_value(value: &SettingValue) -> Option<Self> {
        T::from_value(value).map(Some)
    }
    fn value(&self) -> Option<SettingValue> {
        self.as_ref()?.value()
    }
}

/// A point.
impl<V: Vector> Setting for V {
    const KIND: SettingKind = SettingKind::Point(f64::INFINITY);
    fn from_value(value: &SettingValue) -> Option<Self> {
        let items = value.items().filter(|items| items.len() == V::DIMENSIONS)?;
        let numbers: Option<Vec<f32>> = items.iter().map(f32::from_value).collect();
        numbers.map(|numbers| V::from_fn(|a| numbers[a]))
    }
    fn value(&self) -> Option<SettingValue> {
        let numbers = (0..V::DIMENSIONS).map(|a| self.axis(a).value());
        numbers.collect::<Option<_>>().map(SettingValue::List)
    }
}

/// A point in `f64`.
impl<const D: usize> Setting for [f64; D] {
    const KIND: SettingKind = SettingKind::Point(f64::INFINITY);
    fn from_value(value: &SettingValue) -> Option<Self> {
        let numbers: Option<Vec<f64>> = value.items()?.iter().map(SettingValue::number).collect();
        numbers?.try_into().ok()
    }
    fn value(&self) -> Option<SettingValue> {
        self.iter().map(f64::value).collect::<Option<_>>().map(SettingValue::List)
    }
}

/// Points.
impl<V: Vector> Setting for Vec<V> {
    const KIND: SettingKind = SettingKind::Points { least: 0, most: f64::INFINITY };
    fn from_value(value: &SettingValue) -> Option<Self> {
        value.items()?.iter().map(V::from_value).collect()
    }
    fn value(&self) -> Option<SettingValue> {
        self.iter().map(V::value).collect::<Option<_>>().map(SettingValue::List)
    }
}

/// Declares an enum whose variants a user chooses by their words.
#[doc(hidden)]
#[macro_export]
macro_rules! words {
    (
        $(#[$meta:meta])*
        $visible:vis enum $choice:ident {
            $($(#[$variant_meta:meta])* $variant:ident = $word:literal,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        $visible enum $choice {
            $($(#[$variant_meta])* $variant,)*
        }

        impl $choice {
            /// The words of all, in the order they are listed.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// Its word, as a scene file has it.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl $crate::parameters::Setting for $choice {
            const KIND: $crate::parameters::SettingKind =
                $crate::parameters::SettingKind::Choice(Self::WORDS);

            fn from_value(value: &$crate::parameters::SettingValue) -> Option<Self> {
                match value.text()? {
                    $($word => Some(Self::$variant),)*
                    _ => None,
                }
            }

            fn value(&self) -> Option<$crate::parameters::SettingValue> {
                Some($crate::parameters::SettingValue::Text(self.word().into()))
            }
        }
    };
}

/// The same with serde, which has the words, too.
macro_rules! choices {
    (
        $(#[$meta:meta])*
        pub enum $choice:ident {
            $($(#[$variant_meta:meta])* $variant:ident = $word:literal,)*
        }
    ) => {
        $crate::words! {
            $(#[$meta])*
            #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
            pub enum $choice {
                $(
                    $(#[$variant_meta])*
                    #[cfg_attr(feature = "serde", serde(rename = $word))]
                    $variant = $word,
                )*
            }
        }
    };
}
