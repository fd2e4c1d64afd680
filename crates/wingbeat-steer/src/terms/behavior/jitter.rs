//! Jitter: the source of one agent's randomness.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::math::noise;

/// Stream numbers of the keyed noise used by the scalar behaviors, far from the engine's own.
pub(crate) mod stream {
    pub(crate) use crate::math::noise::stream::WANDER;
    /// Seeding of the generators that agents own.
    pub(crate) const SEED: u32 = 32;
}

/// One agent's source of random numbers: a generator of its own, or keyed noise.
///
/// Either way the track depends on seed and agent only, **not on how many other agents live** or in
/// which order they move. A generator is remembered with the agent; keyed noise has no memory, so a
/// draw depends on `(seed, id, draw number)` and a batch engine can make the same draws.
///
/// ```
/// use wingbeat_steer::Jitter;
/// let (mut a, mut b, mut c) = (Jitter::owned(1, 7), Jitter::owned(1, 7), Jitter::owned(1, 8));
/// let first = a.uniform(0, 0);
/// assert_eq!(first, b.uniform(0, 0)); // same seed, same agent
/// assert_ne!(first, c.uniform(0, 0)); // another agent
/// ```
/// Source: xoshiro256++ by Blackman and Vigna 2019; the keyed noise is [`noise`].
#[derive(Debug, Clone, PartialEq)]
pub enum Jitter {
    /// A generator owned by the agent.
    Owned(Xoshiro256PlusPlus),
    /// Keyed noise: [`noise::uniform`]`(seed, id, draw number, stream)`.
    Keyed {
        /// Seed of the whole run.
        seed: u64,
        /// The agent.
        id: u64,
    },
}

impl Jitter {
    /// A generator of its own for agent `id` of the run `seed`; agents of one run are unrelated.
    ///
    /// ```
    /// # use wingbeat_steer::Jitter;
    /// assert!((0.0..1.0).contains(&Jitter::owned(1, 2).uniform(0, 0)));
    /// ```
    pub fn owned(seed: u64, id: u64) -> Self {
        let mut state = [0_u8; 32];
        for (word, bytes) in state.chunks_exact_mut(4).enumerate() {
            bytes.copy_from_slice(&noise::bits(seed, id, word as u64, stream::SEED).to_le_bytes());
        }
        Self::Owned(Xoshiro256PlusPlus::from_seed(state))
    }

    /// Keyed noise for agent `id` of the run `seed`.
    ///
    /// ```
    /// # use wingbeat_steer::{Jitter, noise};
    /// assert_eq!(Jitter::keyed(1, 2).uniform(5, 16), noise::uniform(1, 2, 5, 16));
    /// ```
    pub const fn keyed(seed: u64, id: u64) -> Self {
        Self::Keyed { seed, id }
    }

    /// Uniform in [0, 1), from 24 bits. Keyed noise gives the number of (`draw`, `stream`); a
    /// generator its next one.
    ///
    /// ```
    /// # use wingbeat_steer::Jitter;
    /// let mut jitter = Jitter::owned(1, 2);
    /// assert_ne!(jitter.uniform(0, 0), jitter.uniform(1, 0));
    /// ```
    #[inline]
    pub fn uniform(&mut self, draw: u64, stream: u32) -> f32 {
        match self {
            Self::Owned(generator) => (generator.next_u64() >> 40) as f32 * (1.0 / 16_777_216.0),
            Self::Keyed { seed, id } => noise::uniform(*seed, *id, draw, stream),
        }
    }
}
