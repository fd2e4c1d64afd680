use super::nesting;
use crate::floor::Point;
use crate::floor::rings::{contains, edges, turn};
use wingbeat_test_support::{Random, tier};

type Plan = Vec<Vec<Point>>;

fn is_on([a, b]: [Point; 2], p: Point) -> bool {
    turn(a, b, p) == 0.0
        && (0..2).all(|i| a[i] <= p[i] && p[i] <= b[i] || b[i] <= p[i] && p[i] <= a[i])
}

/// Whether two edges have a point in common that is the end of neither, or more than one point.
fn cross([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let sides = [turn(a, b, c) * turn(a, b, d), turn(c, d, a) * turn(c, d, b)];
    let mut common: Vec<Point> = [a, b].into_iter().filter(|&p| is_on([c, d], p)).collect();
    common.extend([c, d].into_iter().filter(|&p| is_on([a, b], p) && p != a && p != b));
    sides[0] < 0.0 && sides[1] < 0.0 || common.len() > 1
}

/// Middles of what the corners of one ring cut the edges of another into.
fn middles(ring: &[Point], cut_by: &[Point]) -> Vec<Point> {
    let mut middles = Vec::new();
    for [from, to] in edges(ring) {
        let mut cuts: Vec<Point> =
            cut_by.iter().copied().filter(|&p| is_on([from, to], p)).chain([from, to]).collect();
        cuts.sort_by(super::by_place);
        cuts.dedup();
        middles.extend(
            cuts.windows(2)
                .map(|two| [(two[0][0] + two[1][0]) / 2.0, (two[0][1] + two[1][1]) / 2.0]),
        );
    }
    middles
}

/// What lies in what, by comparing each edge and each ring with all others; `None` where rings
/// meet.
fn by_pairs(rings: &Plan) -> Option<Vec<Vec<usize>>> {
    let all: Vec<(usize, usize, [Point; 2])> = rings
        .iter()
        .enumerate()
        .flat_map(|(r, ring)| edges(ring).enumerate().map(move |(e, ends)| (r, e, ends)))
        .collect();
    for (i, &(ring, edge, one)) in all.iter().enumerate() {
        for &(other_ring, other_edge, other) in &all[i + 1..] {
            let follows =
                edge + 1 == other_edge || edge == 0 && other_edge + 1 == rings[ring].len();
            let touches =
                one.iter().any(|&p| is_on(other, p)) || other.iter().any(|&p| is_on(one, p));
            if cross(one, other) || ring == other_ring && !follows && touches {
                return None;
            }
        }
    }
    let mut within = vec![Vec::new(); rings.len()];
    for (i, one) in rings.iter().enumerate() {
        for (j, other) in rings.iter().enumerate().filter(|&(j, _)| j != i) {
            let middles = middles(one, other);
            let inside = middles.iter().filter(|&&middle| contains(other, middle)).count();
            if inside > 0 && inside < middles.len() {
                return None;
            }
            if inside > 0 {
                within[i].push(j);
            }
        }
    }
    Some(within)
}

fn check(rings: &Plan) -> bool {
    let slices: Vec<&[Point]> = rings.iter().map(Vec::as_slice).collect();
    let found = nesting(&slices);
    let expected = by_pairs(rings);
    let found = found.ok().map(|parents| {
        let around = |ring: usize| {
            let mut around: Vec<usize> =
                std::iter::successors(parents[ring], |&ring| parents[ring]).collect();
            around.sort_unstable();
            around
        };
        (0..rings.len()).map(around).collect::<Vec<_>>()
    });
    assert_eq!(found, expected, "{rings:?}");
    expected.is_some()
}

/// A ring on whole numbers: any corners, or those of a box, a diamond or a triangle.
fn ring(draw: &mut Random, side: usize) -> Vec<Point> {
    let mut point = || [draw.below(side) as f32, draw.below(side) as f32];
    let ([x, y], [u, v]) = (point(), point());
    let mut ring = match draw.below(5) {
        0 => vec![[x, y], [u, y], [u, v], [x, v]],
        1 => {
            let r = 1.0 + draw.below(side / 2) as f32;
            vec![[x - r, y], [x, y - r], [x + r, y], [x, y + r]]
        }
        corners => {
            (0..corners + 1).map(|_| [draw.below(side) as f32, draw.below(side) as f32]).collect()
        }
    };
    ring.dedup();
    while ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    if ring.len() < 3 { self::ring(draw, side) } else { ring }
}

/// `WINGBEAT_FULL=1` tries 200,000.
#[test]
fn it_finds_what_comparing_all_edges_finds() {
    let trials = if tier::full() { 200_000 } else { 5_000 };
    let mut draw = Random::new(1);
    let mut sound = 0;
    for _ in 0..trials {
        let side = 4 + draw.below(12);
        let mut plan: Plan = Vec::new();
        for _ in 0..1 + draw.below(6) {
            plan.push(ring(&mut draw, side));
            if check(&plan) {
                sound += 1;
            } else if draw.below(4) > 0 {
                // Mostly the next is tried without it.
                plan.pop();
            }
        }
    }
    assert!(sound > trials, "{sound} of {trials} plans have rings that do not meet");
}

#[test]
fn rings_may_touch_in_points() {
    let square = |x: f32, y: f32, side: f32| {
        vec![[x, y], [x + side, y], [x + side, y + side], [x, y + side]]
    };
    let diamond = vec![[0.0, 2.0], [2.0, 0.0], [4.0, 2.0], [2.0, 4.0]];
    assert!(check(&vec![square(0.0, 0.0, 4.0), diamond.clone()]), "all corners on edges");
    assert!(check(&vec![square(0.0, 0.0, 2.0), square(2.0, 2.0, 2.0)]), "corner to corner");
    assert!(!check(&vec![square(0.0, 0.0, 2.0), square(2.0, 1.0, 2.0)]), "side by side");
    assert!(!check(&vec![square(0.0, 0.0, 2.0), diamond]), "through a corner");
    // Through a corner that both have, without any two edges that cross.
    let bow = vec![[0.0, 0.0], [4.0, 4.0], [4.0, 0.0], [2.0, 2.0], [0.0, 4.0]];
    assert!(!check(&vec![bow]), "itself");
    // Thousands in one point.
    let fan = |i: usize| vec![[0.0, 0.0], [1e4, 2.0 * i as f32], [1e4, 2.0 * i as f32 + 1.0]];
    let fans: Plan = (0..3000).map(fan).collect();
    let slices: Vec<&[Point]> = fans.iter().map(Vec::as_slice).collect();
    assert!(nesting(&slices).is_ok_and(|parents| parents == vec![None; 3000]));
}

/// Where differences in `f64` round: on a line through the origin, and beside it by 2⁻³⁰.
#[test]
fn sides_of_a_line_are_exact() {
    let (tiny, near, far) = (1.0 / (1u32 << 30) as f32, (1u32 << 30) as f32, (1u64 << 40) as f32);
    for (x, side) in [(tiny, 1.0), (0.0, 0.0), (-tiny, -1.0)] {
        let turned = turn([x, 0.0], [far; 2], [near; 2]);
        assert_eq!(if turned == 0.0 { 0.0 } else { turned.signum() }, side, "{x}");
    }
    // Lines from near the origin through points far out on one ray, in whole numbers of 2⁻²⁰.
    let unit = f64::from(1u32 << 20);
    let whole = |p: Point| p.map(|x| (f64::from(x) * unit) as i128);
    let mut draw = Random::new(2);
    for _ in 0..20_000 {
        let a = [0; 2].map(|_| draw.below(1 << 10) as f32 / (1u32 << 20) as f32);
        let ray = [0; 2].map(|_| (1 + draw.below(1 << 10)) as f32);
        let [b, c] = [0; 2]
            .map(|_| ((1 + draw.below(1 << 10)) << draw.below(20)) as f32)
            .map(|far| ray.map(|x| x * far));
        let [a_whole, b_whole, c_whole] = [a, b, c].map(whole);
        let way = |p: [i128; 2], i: usize| p[i] - a_whole[i];
        let exact = way(b_whole, 0) * way(c_whole, 1) - way(b_whole, 1) * way(c_whole, 0);
        assert_eq!(turn(a, b, c).partial_cmp(&0.0), Some(exact.cmp(&0)), "{a:?} {b:?} {c:?}");
    }
}

#[test]
fn a_hundred_thousand_slanting_edges_are_checked_at_once() {
    let sliver = |i: usize| {
        let x = i as f32;
        vec![[x, 0.0], [x + 1e5, 1e5], [x + 1e5 + 0.4, 1e5], [x + 0.4, 0.0]]
    };
    let initial = std::time::Instant::now();
    for low in [0, 1] {
        // The other way round, edges are put in at the other end of the list.
        let turned = |ring: Vec<Point>| {
            ring.into_iter().map(|[x, y]| if low == 0 { [x, y] } else { [x, -y] }).collect()
        };
        let slivers: Plan = (0..24_999).map(sliver).map(turned).collect();
        let slices: Vec<&[Point]> = slivers.iter().map(Vec::as_slice).collect();
        assert!(nesting(&slices).is_ok_and(|parents| parents == vec![None; 24_999]));
    }
    println!("{:?}", initial.elapsed());
    assert!(initial.elapsed().as_secs() < 60);
}
