//! SIMD levels: detected once, printable, and forcible; results never depend on them.

use std::fmt;
use std::str::FromStr;

use wingbeat_steer::ParamError;

/// A set of vector instructions the kernel is compiled for.
///
/// ```
/// use wingbeat::Level;
/// assert!(Level::available().contains(&Level::detect()));
/// assert_eq!("portable".parse(), Ok(Level::Portable));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Level {
    /// What the target always has: SSE2 on x86-64, NEON on AArch64, simd128 or plain scalars
    /// elsewhere.
    Portable,
    /// AVX2, 8 lanes.
    Avx2,
    /// AVX-512 F, VL, BW and DQ, 16 lanes.
    Avx512,
}

impl Level {
    /// Boids worked on at once.
    pub(crate) fn lanes(self) -> usize {
        match self {
            Self::Portable => 4,
            Self::Avx2 => 8,
            Self::Avx512 => 16,
        }
    }

    /// Every level there is, lowest first.
    pub const ALL: &[Self] = &[Self::Portable, Self::Avx2, Self::Avx512];

    /// The best level there is here.
    pub fn detect() -> Self {
        Self::available().into_iter().max().unwrap_or(Self::Portable)
    }

    /// The levels that this CPU has and this program was compiled for, lowest first.
    pub fn available() -> Vec<Self> {
        Self::ALL.iter().copied().filter(|level| level.is_available()).collect()
    }

    /// Whether this CPU has the level and this program was compiled for it.
    pub fn is_available(self) -> bool {
        self.is_compiled() && self.is_in_cpu()
    }

    /// Whether this program was compiled for the level. The portable one always is; a clone's own
    /// builds have the best one of their machine beside it, others all, as the environment
    /// variable `WINGBEAT_BUILD_LEVELS` says when the engine is compiled: `here`, or `all`.
    pub const fn is_compiled(self) -> bool {
        match self {
            Self::Portable => true,
            Self::Avx2 => cfg!(level_avx2),
            Self::Avx512 => cfg!(level_avx512),
        }
    }

    fn is_in_cpu(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                // Every CPU with AVX2 has the other four; a virtual machine may hide one.
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                Self::Avx2.is_in_cpu()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }

    /// The level's name, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// Names of levels, comma-separated.
    pub(crate) fn list(levels: &[Self]) -> String {
        levels.iter().map(|level| level.name()).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = ParamError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.iter().find(|level| level.name() == name);
        found.copied().ok_or_else(|| ParamError::new("level", name, Self::list(Self::ALL)))
    }
}
