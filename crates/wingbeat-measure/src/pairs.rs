//! Pairs within a reach of each other, leaf by leaf.

use crate::tree::{BoxGaps, KdTree, Node};

/// More nodes than can wait on the way down: one a halving, of fewer than 2³², and the root.
const DEEPEST: usize = 33;

/// All leaves that may hold an individual within a reach, whose square is given, of an individual
/// in this one: itself too. A list, as what is done with each would otherwise be compiled without
/// the instructions of a level.
#[inline(always)]
pub(crate) fn near<const D: usize>(
    tree: &KdTree<D>,
    gaps: BoxGaps<D>,
    leaf: Node,
    reach_sq: f64,
    found: &mut Vec<Node>,
) {
    found.clear();
    let own = tree.bounds(leaf);
    let mut waiting = [tree.root(); DEEPEST];
    let mut count = 1;
    while count > 0 {
        count -= 1;
        let mut node = waiting[count];
        while gaps.least_sq(own, tree.bounds(node)) <= reach_sq {
            if node.is_leaf() {
                found.push(node);
                break;
            }
            let (first, second) = node.halves();
            waiting[count] = second;
            count += 1;
            node = first;
        }
    }
}

/// The largest square whose root is not above the reach: comparing with it asks the same as to take
/// every root.
pub(crate) fn square_of(reach: f64) -> f64 {
    let mut square = reach * reach;
    while square.sqrt() > reach {
        square = square.next_down();
    }
    while square.next_up().sqrt() <= reach {
        square = square.next_up();
    }
    square
}
