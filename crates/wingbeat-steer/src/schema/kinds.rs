//! Tables that are of several kinds, of which one key chooses and each has keys of its own.

use crate::schema::setting::{SettingInfo, SettingValue};

/// One kind.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct KindInfo {
    /// Its word, as a scene file has it.
    pub word: &'static str,
    /// What it has.
    pub settings: &'static [SettingInfo],
}

impl KindInfo {
    #[doc(hidden)]
    pub const fn new(word: &'static str, settings: &'static [SettingInfo]) -> Self {
        Self { word, settings }
    }
}

/// An enum of which a word chooses the variant.
///
/// ```
/// use wingbeat_steer::{ObstacleShape, parameters::{Kinds, SettingValue}};
/// let mut ball = ObstacleShape::<[f32; 2]>::of_kind("sphere").expect("a kind");
/// assert!(ball.choose("radius", &SettingValue::Number(2.0)));
/// assert!(!ball.choose("points", &SettingValue::Number(2.0)));
/// assert_eq!(ball, ObstacleShape::Sphere { center: [0.0, 0.0], radius: 2.0 });
/// ```
pub trait Kinds: Sized {
    /// All kinds, in the order they are listed.
    const KINDS: &'static [KindInfo];
    /// One of the kind of this word, its settings as usual.
    fn of_kind(word: &str) -> Option<Self>;
    /// The word of its kind.
    fn kind(&self) -> &'static str;
    /// Makes the setting `key`; false where its kind has none of this name, or it takes no such
    /// value. Ranges are not checked.
    fn choose(&mut self, key: &str, value: &SettingValue) -> bool;
}

/// Declares such an enum: `Variant = "word" { settings }`, settings as those of `settings!`.
macro_rules! kinds {
    (
        $(#[$meta:meta])*
        pub enum $name:ident<$v:ident: $bound:ident> {
            $($(#[$variant_meta:meta])* $variant:ident = $word:literal {
                $($key:ident: $type:ty = $usual:expr $(, shown $shown:literal)?
                    $(, in $unit:literal $(from $low:expr => $high:expr)?)? $(, takes $kind:expr)?,
                    $about:literal;)*
            })*
        }
    ) => {
        $(#[$meta])*
        pub enum $name<$v> {
            $($(#[$variant_meta])* $variant {
                $(
                    #[doc = $about]
                    #[doc = $crate::row_doc!(
                        $usual, [$($shown)?] [$($unit $(; $low, $high)?)?]
                    )]
                    $key: $type,
                )*
            },)*
        }

        impl<$v: $bound> $crate::parameters::Kinds for $name<$v> {
            const KINDS: &'static [$crate::parameters::KindInfo] =
                &[$($crate::parameters::KindInfo::new($word, &[
                    $($crate::row! {
                        $key: $type = $usual, [$($shown)?]
                        [$($unit $(; $low, $high)?)?] [$($kind)?] $about
                    },)*
                ])),*];

            fn of_kind(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant { $($key: $usual,)* }),)*
                    _ => None,
                }
            }

            fn kind(&self) -> &'static str {
                match self { $(Self::$variant { .. } => $word,)* }
            }

            fn choose(&mut self, key: &str, value: &$crate::parameters::SettingValue) -> bool {
                match (self, key) {
                    $($((Self::$variant { $key, .. }, stringify!($key)) => {
                        $crate::parameters::Setting::from_value(value)
                            .map(|value| *$key = value)
                            .is_some()
                    })*)*
                    _ => false,
                }
            }
        }
    };
}
