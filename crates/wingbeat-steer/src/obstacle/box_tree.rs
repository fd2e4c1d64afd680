//! Boxes in a tree, so that of a million obstacles a place looks at a few.
//!
//! ```text
//! split(boxes): around all of them a box; where they are many, halve them at the median along its
//!               longest side, split each half
//! visit(meets): from the root on, into every half whose box meets what is asked for
//! ```

use alloc::vec;
use alloc::vec::Vec;

/// Lowest and highest corner.
pub(super) type Corners = ([f64; 3], [f64; 3]);

/// Boxes that are not split any more: looking at so many costs about as much as another level.
const FEW: usize = 4;

#[derive(Clone, Debug)]
pub(super) struct BoxTree {
    nodes: Vec<Node>,
    /// Numbers of the boxes, those of each leaf together.
    order: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Node {
    corners: Corners,
    kind: NodeKind,
}

#[derive(Clone, Debug)]
enum NodeKind {
    /// Places in the order.
    KeyValue(core::ops::Range<usize>),
    /// The second half; the first is the next node.
    Halves(usize),
}

impl BoxTree {
    pub fn new(boxes: &[Corners]) -> Self {
        let mut tree = Self { nodes: Vec::new(), order: (0..boxes.len() as u32).collect() };
        tree.split(boxes, 0..boxes.len());
        tree
    }

    fn split(&mut self, boxes: &[Corners], part: core::ops::Range<usize>) {
        let order = &mut self.order[part.clone()];
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for (least, most) in order.iter().map(|&i| boxes[i as usize]) {
            for a in 0..3 {
                low[a] = if least[a] < low[a] { least[a] } else { low[a] };
                high[a] = if most[a] > high[a] { most[a] } else { high[a] };
            }
        }
        let node = self.nodes.len();
        self.nodes.push(Node { corners: (low, high), kind: NodeKind::KeyValue(part.clone()) });
        if part.len() <= FEW {
            return;
        }
        let longest = (0..3).fold(0, |longest, a| {
            if high[a] - low[a] > high[longest] - low[longest] { a } else { longest }
        });
        let middle = |i: &u32| boxes[*i as usize].0[longest] + boxes[*i as usize].1[longest];
        let half = part.len() / 2;
        order.select_nth_unstable_by(half, |one, other| middle(one).total_cmp(&middle(other)));
        self.split(boxes, part.start..part.start + half);
        self.nodes[node].kind = NodeKind::Halves(self.nodes.len());
        self.split(boxes, part.start + half..part.end);
    }

    /// Whether any of the boxes that `meets` says yes to is what is looked for; they come in no
    /// particular order.
    pub fn any(
        &self,
        boxes: &[Corners],
        meets: impl Fn(&Corners) -> bool,
        mut is_it: impl FnMut(usize) -> bool,
    ) -> bool {
        // As deep as the logarithm of the largest number.
        let mut waiting = vec![0];
        while let Some(node) = waiting.pop() {
            let Node { corners, kind } = &self.nodes[node];
            if !meets(corners) {
                continue;
            }
            match kind {
                NodeKind::Halves(second) => waiting.extend([*second, node + 1]),
                NodeKind::KeyValue(part) => {
                    let mut leaf = self.order[part.clone()].iter().map(|&i| i as usize);
                    if leaf.any(|i| meets(&boxes[i]) && is_it(i)) {
                        return true;
                    }
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_what_looking_at_all_finds() {
        let mut random = wingbeat_test_support::Random::new(1);
        let mut draw = || f64::from(random.unit());
        for count in [0, 1, 4, 5, 300] {
            let boxes: Vec<Corners> = (0..count)
                .map(|_| {
                    let low = [draw(), draw(), draw()];
                    (low, low.map(|x| x + 0.3 * draw()))
                })
                .collect();
            let tree = BoxTree::new(&boxes);
            for _ in 0..200 {
                let place = [draw(), draw(), draw()];
                let meets =
                    |(low, high): &Corners| (0..3).all(|a| (low[a]..=high[a]).contains(&place[a]));
                let mut found = Vec::new();
                assert!(!tree.any(&boxes, meets, |i| {
                    found.push(i);
                    false
                }));
                found.sort_unstable();
                let all: Vec<usize> = (0..count).filter(|&i| meets(&boxes[i])).collect();
                assert_eq!(found, all);
            }
        }
    }
}
