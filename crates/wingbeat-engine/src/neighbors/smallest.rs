//! The smallest of many numbers, in every lane:
//!
//! ```text
//! new  ← eight numbers, sorted by a fixed network of minima and maxima
//! kept ← the smaller half of kept (ascending) and new (descending),
//!        which a fixed network brings into order
//! next ← min(next, the larger half)                       the smallest of all that fell out
//! ```
//!
//! Eight new ones at a time are sorted and merged into those kept, by networks of minima and maxima
//! that are the same in every lane: 14 to 28 operations a number, where putting each in its place
//! takes two for each number kept.

use std::cell::Cell;

use crate::simd::{Float, MAX_LANES, Outlined, Simd};

/// Numbers merged at once.
pub(crate) const BATCH: usize = 8;

/// Merges numbers into ascending ones, as a function of its own.
pub(crate) struct Merge<'a, S: Simd> {
    /// Eight, or eight, sixteen or thirty-two and then the smallest of all that fell out.
    pub kept: &'a [Cell<S::F>],
    pub new: &'a [Cell<[f32; MAX_LANES]>],
}

impl<S: Simd> Outlined<S> for Merge<'_, S> {
    #[inline(always)]
    fn run(self, s: S) {
        match self.kept.len() {
            8 => merge_all::<S, 8, false>(s, self.kept, self.new),
            9 => merge_all::<S, 8, true>(s, self.kept, self.new),
            17 => merge_all::<S, 16, true>(s, self.kept, self.new),
            _ => merge_all::<S, 32, true>(s, self.kept, self.new),
        }
    }
}

/// How many to keep where the `k` smallest are wanted.
pub(crate) fn kept_for(k: usize) -> usize {
    match k {
        0..=8 => 8,
        9..=16 => 16,
        _ => 32,
    }
}

#[inline(always)]
fn exchange<S: Simd, const N: usize>(numbers: &mut [S::F; N], i: usize, j: usize) {
    (numbers[i], numbers[j]) = (numbers[i].min(numbers[j]), numbers[i].max(numbers[j]));
}

/// Batcher's network for eight.
#[inline(always)]
fn sorted<S: Simd>(mut numbers: [S::F; BATCH]) -> [S::F; BATCH] {
    macro_rules! exchange {
        ($($i:literal $j:literal),*) => { $(exchange::<S, BATCH>(&mut numbers, $i, $j);)* };
    }
    exchange!(0 1, 2 3, 4 5, 6 7, 0 2, 1 3, 4 6, 5 7, 1 2, 5 6);
    exchange!(0 4, 1 5, 2 6, 3 7, 2 4, 3 5, 1 2, 3 4, 5 6);
    numbers
}

#[inline(always)]
fn merge_all<S: Simd, const N: usize, const NEXT: bool>(
    s: S,
    kept: &[Cell<S::F>],
    all: &[Cell<[f32; MAX_LANES]>],
) {
    let infinite = s.splat(f32::INFINITY);
    let (mut numbers, mut next) = ([infinite; N], if NEXT { kept[N].get() } else { infinite });
    for i in 0..N {
        numbers[i] = kept[i].get();
    }
    let batches = all.chunks_exact(BATCH);
    let rest = batches.remainder();
    for batch in batches {
        merge_into::<S, N>(&mut numbers, &mut next, sorted::<S>(batch_of(s, batch)));
    }
    if !rest.is_empty() {
        merge_into::<S, N>(&mut numbers, &mut next, sorted::<S>(batch_of(s, rest)));
    }
    for i in 0..N {
        kept[i].set(numbers[i]);
    }
    // Without it, no operation that finds it is left in the loop.
    if NEXT {
        kept[N].set(next);
    }
}

/// Up to eight numbers of every lane; infinite where there are no more.
#[inline(always)]
fn batch_of<S: Simd>(s: S, cells: &[Cell<[f32; MAX_LANES]>]) -> [S::F; BATCH] {
    let mut new = [s.splat(f32::INFINITY); BATCH];
    for i in 0..BATCH {
        if i < cells.len() {
            new[i] = s.load(&cells[i].get(), 0);
        }
    }
    new
}

#[inline(always)]
fn merge_into<S: Simd, const N: usize>(
    numbers: &mut [S::F; N],
    next: &mut S::F,
    new: [S::F; BATCH],
) {
    // The smaller halves of an ascending and a descending sequence: first up, then down.
    for i in 0..BATCH {
        let (old, new) = (numbers[N - BATCH + i], new[BATCH - 1 - i]);
        numbers[N - BATCH + i] = old.min(new);
        *next = next.min(old.max(new));
    }
    if N == 32 {
        halve::<S, N, 16>(numbers);
    }
    if N >= 16 {
        halve::<S, N, 8>(numbers);
    }
    halve::<S, N, 4>(numbers);
    halve::<S, N, 2>(numbers);
    halve::<S, N, 1>(numbers);
}

/// Every 2·HALF numbers into the smaller and the larger half.
#[inline(always)]
fn halve<S: Simd, const N: usize, const HALF: usize>(numbers: &mut [S::F; N]) {
    for pair in 0..N / 2 {
        let i = pair / HALF * 2 * HALF + pair % HALF;
        exchange::<S, N>(numbers, i, i + HALF);
    }
}
