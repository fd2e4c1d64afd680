//! Settings that are no numbers: choices by their words, and flags.

/// What a setting takes.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// True or false.
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
}

/// The value of a setting.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingValue<'a> {
    /// Of a flag.
    Flag(bool),
    /// Of a choice.
    Word(&'a str),
}

/// One setting a user may make: a field of a rule that is no number.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct SettingInfo {
    /// Its name.
    pub key: &'static str,
    /// What it is, in one sentence.
    pub about: &'static str,
    /// What it takes.
    pub kind: SettingKind,
    /// Value when left out.
    pub default: fn() -> SettingValue<'static>,
}

/// A type of setting.
pub trait Setting: Copy {
    /// What it takes.
    const KIND: SettingKind;
    /// From a value; `None` if it is none of these.
    fn from_value(value: SettingValue<'_>) -> Option<Self>;
    /// Its value.
    fn value(self) -> SettingValue<'static>;
}

impl Setting for bool {
    const KIND: SettingKind = SettingKind::Flag;
    fn from_value(value: SettingValue<'_>) -> Option<Self> {
        if let SettingValue::Flag(flag) = value { Some(flag) } else { None }
    }
    fn value(self) -> SettingValue<'static> {
        SettingValue::Flag(self)
    }
}

/// Declares an enum whose variants a user chooses by their words, as scene files, JSON and serde
/// have them.
macro_rules! choices {
    (
        $(#[$doc:meta])*
        pub enum $choice:ident {
            $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum $choice {
            $(
                $(#[$variant_doc])*
                #[cfg_attr(feature = "serde", serde(rename = $word))]
                $variant,
            )*
        }

        impl $choice {
            /// The words of all, in the order they are listed.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// Its word, as a scene file has it.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl $crate::schema::setting::Setting for $choice {
            const KIND: $crate::schema::setting::SettingKind =
                $crate::schema::setting::SettingKind::Choice(Self::WORDS);

            fn from_value(value: $crate::schema::setting::SettingValue<'_>) -> Option<Self> {
                match value {
                    $($crate::schema::setting::SettingValue::Word($word) => Some(Self::$variant),)*
                    _ => None,
                }
            }

            fn value(self) -> $crate::schema::setting::SettingValue<'static> {
                $crate::schema::setting::SettingValue::Word(self.word())
            }
        }
    };
}
