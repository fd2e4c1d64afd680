//! Serializes whole columns as little-endian bytes; per-element framing would dominate the size.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Boid, BoidId};

/// Room that is made beforehand for what says how long it is: more has to be there first.
const MOST_AHEAD: usize = 1 << 16;

/// Bytes as such, where a format has them; a list of numbers where it has not.
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_byte_buf(Reader).map(Self)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
        Ok(bytes)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Vec<u8>, A::Error> {
        let mut bytes = Vec::with_capacity(from.size_hint().unwrap_or(0).min(MOST_AHEAD));
        while let Some(byte) = from.next_element()? {
            bytes.push(byte);
        }
        Ok(bytes)
    }
}

/// Words of so many bytes, which the bytes must be a multiple of.
fn words<const N: usize>(bytes: &[u8]) -> Result<impl Iterator<Item = [u8; N]> + '_, String> {
    if !bytes.len().is_multiple_of(N) {
        return Err(format!("{} bytes: allowed is a multiple of {N}", bytes.len()));
    }
    Ok(bytes.chunks_exact(N).map(|word| crate::arrays::from_fn(|i| word[i])))
}

/// Columns of memory.
///
/// Loops are in functions that are compiled here: those of serde's types are compiled where a
/// checkpoint is written, and not optimized there.
pub(super) mod column {
    use super::*;

    pub fn serialize<S: Serializer>(bits: &[u32], to: S) -> Result<S::Ok, S::Error> {
        Bytes(packed(bits)).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u32>, D::Error> {
        unpacked(&Bytes::deserialize(from)?.0).map_err(D::Error::custom)
    }

    #[inline(never)]
    fn packed(bits: &[u32]) -> Vec<u8> {
        bits.iter().flat_map(|bits| bits.to_le_bytes()).collect()
    }

    #[inline(never)]
    fn unpacked(bytes: &[u8]) -> Result<Vec<u32>, String> {
        Ok(words(bytes)?.map(u32::from_le_bytes).collect())
    }
}

/// Boids: their ids, and then positions and velocities, boid by boid.
pub(crate) mod boids {
    use super::*;

    pub fn serialize<S: Serializer, const D: usize>(
        boids: &[Boid<D>],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let [ids, states] = packed(boids);
        (Bytes(ids), Bytes(states)).serialize(to)
    }

    pub fn deserialize<'de, F: Deserializer<'de>, const D: usize>(
        from: F,
    ) -> Result<Vec<Boid<D>>, F::Error> {
        let (Bytes(ids), Bytes(states)) = Deserialize::deserialize(from)?;
        unpacked(&ids, &states).map_err(F::Error::custom)
    }

    #[inline(never)]
    pub fn packed<const D: usize>(boids: &[Boid<D>]) -> [Vec<u8>; 2] {
        let mut ids = Vec::with_capacity(boids.len() * 8);
        let mut states = Vec::with_capacity(boids.len() * 8 * D);
        for boid in boids {
            ids.extend_from_slice(&boid.id.get().to_le_bytes());
            for number in boid.position.iter().chain(&boid.velocity) {
                states.extend_from_slice(&number.to_le_bytes());
            }
        }
        [ids, states]
    }

    #[inline(never)]
    pub fn unpacked<const D: usize>(ids: &[u8], states: &[u8]) -> Result<Vec<Boid<D>>, String> {
        let ids: Vec<_> = words(ids)?.map(|id| BoidId::new(u64::from_le_bytes(id))).collect();
        let states: Vec<_> = words(states)?.map(f32::from_le_bytes).collect();
        if states.len() != ids.len() * 2 * D {
            return Err(format!(
                "{} numbers: allowed is {} for each of {} boids",
                states.len(),
                2 * D,
                ids.len()
            ));
        }
        let boid = |(id, state): (BoidId, &[f32])| {
            let half = |begin: usize| crate::arrays::from_fn(|a| state[begin + a]);
            Boid { id, position: half(0), velocity: half(D) }
        };
        Ok(ids.into_iter().zip(states.chunks_exact(2 * D)).map(boid).collect())
    }
}
