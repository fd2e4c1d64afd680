use wingbeat_steer::noise;

use super::*;
use crate::simd::{Level, Work, dispatch};

struct Search<'a, const D: usize> {
    tree: &'a ObstacleTree<D>,
    at: ([f64; D], [f64; D]),
    found: &'a mut TreeHits,
}

impl<const D: usize> Work for Search<'_, D> {
    fn run<S: Simd>(self, s: S) {
        self.tree.list(s, self.at.0, self.at.1, self.found);
    }
}

/// Whether two boxes meet, one of them seen through an image and made larger by `slack` to all
/// sides.
fn meets<const D: usize>(
    tree: &ObstacleTree<D>,
    found: u64,
    at: &([f64; D], [f64; D]),
    slack: f64,
) -> bool {
    let ((below, above), shift) = (tree.boxes[index(found)], tree.shift(found).map(f64::from));
    (0..D).all(|a| {
        f64::from(below[a]) + shift[a] - slack <= at.1[a]
            && at.0[a] <= f64::from(above[a]) + shift[a] + slack
    })
}

/// Trees of one to three levels, filled again and again as their boxes move, searched at all
/// levels: a boid that meets the box is found through every image, none twice, in order, and none
/// that is further off than the slack.
fn finds_all<const D: usize>(seed: u64, count: usize, periodic: bool) {
    let side = 40.0;
    let draw = |i: usize, which: u32| noise::uniform(seed, i as u64, u64::from(which), 0);
    let (min, max) = ([0.0; D], [side; D]);
    let domain = if periodic { Domain::periodic(min, max) } else { Domain::open() };
    let mut tree = ObstacleTree::<D>::new(&domain, 2);
    let mut found = TreeHits::default();
    let workers = Workers::<()>::new(Some(2), 64).expect("two threads");
    for step in 0..KEEP_ORDER as usize + 5 {
        let ends = |i: usize| {
            let (mut low, mut high) = ([0.0; D], [0.0; D]);
            // A few large ones among many small ones.
            let half = if i % 50 == 7 { 6.0 } else { 0.6 };
            for a in 0..D {
                let middle = draw(i, a as u32) * side + step as f32 * (draw(i, 9) - 0.5);
                (low[a], high[a]) = (middle - half, middle + half);
            }
            (low, high)
        };
        tree.fill(count, ends, &workers);
        for search in 0..3 {
            let mut at = ([0.0; D], [0.0; D]);
            for a in 0..D {
                at.0[a] =
                    f64::from(draw(1000 * step + search, 20 + a as u32) * side * 1.2 - 0.1 * side);
                at.1[a] = at.0[a] + f64::from(draw(search, 30) * 5.0);
            }
            let all = (0..count as u64)
                .flat_map(|i| (0..5_u64.pow(D as u32)).map(move |image| i << 8 | image));
            let counts = |&found: &u64| {
                periodic
                    || tree.shift(found) == [0.0; D] && found & 0xff == u64::from(DIRECT[D - 1])
            };
            let wanted: Vec<u64> =
                all.filter(counts).filter(|&i| meets(&tree, i, &at, 0.0)).collect();
            for level in Level::available() {
                dispatch(level, Search { tree: &tree, at, found: &mut found });
                let list = &found.list;
                let place = format!(
                    "seed {seed}, {count} boxes, {D}-D, periodic {periodic}, step \
                    {step}, {level}, {at:?}"
                );
                assert!(list.windows(2).all(|pair| pair[0] < pair[1]), "{place}: {list:?}");
                assert!(
                    wanted.iter().all(|i| list.binary_search(i).is_ok()),
                    "{place}: {list:?} without all of {wanted:?}"
                );
                assert!(
                    list.iter().all(|&i| meets(&tree, i, &at, 1e-3)),
                    "{place}: {list:?} for {wanted:?}"
                );
            }
        }
    }
}

#[test]
fn boids_that_meet_the_box_are_found() {
    for (seed, count) in [1, 15, 16, 17, 63, 64, 65, 300, 1024, 1025, 2500].into_iter().enumerate()
    {
        for periodic in [false, true] {
            finds_all::<2>(seed as u64, count, periodic);
            finds_all::<3>(seed as u64 + 100, count.min(400), periodic);
        }
    }
    let mut empty = ObstacleTree::<2>::new(&Domain::open(), 1);
    for _ in 0..=KEEP_ORDER + 1 {
        empty.fill(0, |_| unreachable!(), &Workers::<()>::caller());
    }
    let mut found = TreeHits::default();
    empty.list_plainly([-1e9; 2], [1e9; 2], &mut found);
    assert!(found.list.is_empty());
}
