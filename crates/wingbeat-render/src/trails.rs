//! Where boids were: the last frames' positions, by id.

use std::collections::VecDeque;

use crate::Boids;

/// A frame that is over.
#[derive(Clone, Debug, Default)]
struct Past {
    ids: Vec<u64>,
    positions: [Vec<f32>; 3],
}

/// The last frames, newest last.
#[derive(Clone, Debug, Default)]
pub struct Trails {
    frames: VecDeque<Past>,
    /// A frame that fell out, to be used again.
    spare: Option<Past>,
}

impl Trails {
    /// Takes a frame, and forgets what is more than `most` frames before it.
    pub fn push(&mut self, boids: &Boids<'_>, most: usize) {
        if most == 0 {
            return;
        }
        while self.frames.len() > most {
            self.spare = self.frames.pop_front();
        }
        let mut past = self.spare.take().unwrap_or_default();
        refill(&mut past.ids, boids.ids);
        for (to, from) in past.positions.iter_mut().zip(boids.positions) {
            refill(to, from);
        }
        self.frames.push_back(past);
    }

    /// Whether no trails are kept.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Who is where in each frame before the newest, newest first: for each a function from a place
    /// in the newest frame.
    pub fn looks<'a>(&'a self, boids: &'a Boids<'_>) -> Vec<Look<'a>> {
        // Mostly no boid came or went: slots are then the same in all frames.
        self.frames
            .iter()
            .rev()
            .skip(1)
            .map(|past| Look { same: past.ids == boids.ids, past })
            .collect()
    }
}

/// A past frame, asked for the boids of the newest.
#[derive(Debug)]
pub struct Look<'a> {
    same: bool,
    past: &'a Past,
}

impl Look<'_> {
    /// Where the `i`-th boid of the newest frame, which has this id, was.
    #[inline]
    pub fn position(&self, i: usize, id: u64) -> Option<[f32; 3]> {
        let place = if self.same { i } else { self.past.ids.binary_search(&id).ok()? };
        let [x, y, z] = &self.past.positions;
        Some([x[place], y[place], z.get(place).copied().unwrap_or(0.0)])
    }
}

fn refill<T: Copy>(to: &mut Vec<T>, from: &[T]) {
    to.clear();
    to.extend_from_slice(from);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boids_are_found_by_id_though_others_come_and_go() {
        let mut trails = Trails::default();
        let frames: [(&[u64], &[f32]); 3] =
            [(&[1, 5], &[0.1, 0.5]), (&[5, 7], &[1.5, 1.7]), (&[2, 5], &[2.2, 2.5])];
        for (ids, x) in frames {
            let columns = [x, x];
            trails.push(&Boids::new(0.0, ids, &columns, &columns).expect("boids"), 2);
        }
        let columns = [frames[2].1; 2];
        let now = Boids::new(0.0, frames[2].0, &columns, &columns).expect("boids");
        let looks = trails.looks(&now);
        let seen = |k: usize, i: usize| looks[k].position(i, now.ids[i]).map(|p| p[0]);
        assert_eq!(
            (looks.len(), seen(0, 1), seen(1, 1), seen(0, 0)),
            (2, Some(1.5), Some(0.5), None)
        );
    }
}
