//! Obstacles that stand still, found by their boxes: what is asked about places before a flock is
//! built, node by node and start by start.

use alloc::vec::Vec;

use super::box_tree::{BoxTree, Corners};
use super::{Near, ObstacleSet, ObstacleShape};
use crate::terms::drive::{FieldKind, FlowField};
use crate::{ParamError, Vector};

/// Obstacles with the bounding box of each, in a tree.
///
/// Its loops over nodes and obstacles are compiled here, for arrays of two numbers and of three:
/// programs that are compiled without optimization ask about a million nodes, too.
#[derive(Clone, Debug)]
pub struct ObstacleBoxes<V> {
    obstacles: ObstacleSet<V>,
    boxes: Vec<Corners>,
    tree: BoxTree,
}

impl<V: Vector> ObstacleBoxes<V> {
    /// Of obstacles that stand still.
    #[inline(never)]
    pub fn new(obstacles: ObstacleSet<V>) -> Self {
        let boxes: Vec<Corners> =
            (0..obstacles.obstacles().list.len()).map(|i| obstacles.bounds(i)).collect();
        let tree = BoxTree::new(&boxes);
        Self { obstacles, boxes, tree }
    }

    /// The obstacles.
    pub fn obstacles(&self) -> &ObstacleSet<V> {
        &self.obstacles
    }

    /// Whether any of those whose box comes as near to a position is what is looked for. Boxes are
    /// asked before shapes: they are far cheaper.
    fn any_about(&self, position: V, reach: f64, is_it: impl FnMut(usize) -> bool) -> bool {
        let domain = self.obstacles.domain();
        let images: &[f64] =
            if domain.is_periodic() { &[0.0, -1.0, 1.0, -2.0, 2.0] } else { &[0.0] };
        let meets = move |a: usize, low: f64, high: f64| {
            let side = if domain.is_periodic() { f64::from(domain.side(a)) } else { 0.0 };
            images.iter().any(|image| {
                (low - reach..=high + reach).contains(&(f64::from(position.axis(a)) + image * side))
            })
        };
        let all = |(low, high): &Corners| (0..V::DIMENSIONS).all(|a| meets(a, low[a], high[a]));
        self.tree.any(&self.boxes, all, is_it)
    }

    /// What [`is_near`](Self::is_near) looks at at most for every `step`-th node of a grid: shapes,
    /// and of those with many corners the corners.
    #[inline(never)]
    pub fn looks(&self, corners: [V; 2], shape: &[usize], step: usize, reach: f32) -> usize {
        let nodes = (0..shape.iter().product()).step_by(step);
        nodes.map(|node| self.looks_from(place_of(node, corners, shape), reach)).sum()
    }

    fn looks_from(&self, position: V, reach: f32) -> usize {
        let mut looks = 0;
        self.any_about(position, f64::from(reach), |i| {
            looks += match &self.obstacles.obstacles().list[i].shape {
                ObstacleShape::Polygon { points } => points.len(),
                _ => 1,
            };
            false
        });
        looks
    }

    /// The first obstacle that a position lies inside of, and how far from its surface.
    #[inline(never)]
    pub fn holder(&self, position: V) -> Option<(usize, f64)> {
        let mut holder: Option<usize> = None;
        // The first of the list.
        self.any_about(position, 0.0, |i| {
            if holder.is_none_or(|first| i < first) && self.obstacles.holds(i, position) {
                holder = Some(i);
            }
            false
        });
        holder.map(|holder| (holder, -self.obstacles.distance(holder, position)))
    }

    /// Whether a position lies inside of one.
    #[inline(never)]
    pub fn holds(&self, position: V) -> bool {
        self.any_about(position, 0.0, |i| self.obstacles.holds(i, position))
    }

    /// Whether an obstacle is nearer to a position than `reach`, or holds it.
    #[inline(never)]
    pub fn is_near(&self, position: V, reach: f32) -> bool {
        // Wider than the reach by more than distances round.
        let slack = f64::from(reach) * 1.001 + 1e-6 * f64::from(Vector::largest(position));
        let is_near = |i| {
            self.obstacles.distance(i, position) < f64::from(reach)
                || self.obstacles.holds(i, position)
        };
        self.any_about(position, slack, is_near)
    }

    /// The field of ways to the nearest of some goals, along which no obstacle is nearer than
    /// `clearance`.
    ///
    /// # Errors
    /// As [`FlowField::toward`].
    #[inline(never)]
    pub fn flow_field(
        &self,
        kind: FieldKind,
        corners: [V; 2],
        shape: &[usize],
        goals: &[V],
        clearance: f32,
    ) -> Result<FlowField<V>, ParamError> {
        FlowField::of_kind(kind, corners, shape, goals, |place| self.is_near(place, clearance))
    }

    /// The nodes of a grid inside of a region, which is the only one of its set: how deep each
    /// lies, where it is, and whether it is free of obstacles as near as `clearance`.
    #[inline(never)]
    pub fn nodes_inside(
        &self,
        region: &ObstacleSet<V>,
        [min, max]: [V; 2],
        shape: &[usize],
        clearance: f32,
    ) -> Vec<(f64, V, bool)> {
        let (low, high) = region.bounds(0);
        let place = |node| place_of(node, [min, max], shape);
        let is_within = |place: &V| {
            (0..V::DIMENSIONS).all(|a| (low[a]..=high[a]).contains(&f64::from(place.axis(a))))
        };
        (0..shape.iter().product())
            .map(place)
            .filter(is_within)
            .map(|place| (-region.distance(0, place), place))
            .filter(|(depth, _)| *depth >= 0.0)
            .map(|(depth, place)| (depth, place, !self.is_near(place, clearance)))
            .collect()
    }

    /// Whether no way of a field begins at a position: none from the free nodes next to it, as far
    /// as they are seen from it. (Blocked nodes lead out of obstacles, and that may be on the far
    /// side of a wall.) At the nodes `ends` ways end.
    #[inline(never)]
    pub fn is_lost(
        &self,
        position: V,
        field: &FlowField<V>,
        ends: &[[usize; 3]],
        clearance: f32,
    ) -> bool {
        let (low, high) = field.bounds();
        let (cell, shape) = (field.cell(position), field.shape());
        for ring in 0..=RINGS {
            let first = cell.node.map(|node| node.saturating_sub(ring));
            let mut last = shape.map(|nodes| nodes - 1);
            for a in 0..3 {
                last[a] = last[a].min(cell.node[a] + 1 + ring);
            }
            let (mut free, mut blocked) = (Vec::new(), 0);
            for z in first[2]..=last[2] {
                for y in first[1]..=last[1] {
                    for x in first[0]..=last[0] {
                        let node = x + shape[0] * (y + shape[1] * z);
                        let place = place_of(node, [low, high], &shape);
                        match self.is_near(place, clearance) {
                            true => blocked += 1,
                            false => free.push(([x, y, z], node, place)),
                        }
                    }
                }
            }
            // Half a cell of clearance: nothing stands between nodes that are all free.
            let mut seen = free
                .iter()
                .filter(|(.., place)| blocked == 0 || self.is_free(position, *place))
                .peekable();
            if seen.peek().is_some() {
                return !seen.any(|(node, number, _)| {
                    field.values()[*number] != V::origin() || ends.contains(node)
                });
            }
        }
        field.at(position) == V::origin()
    }

    /// Whether nothing stands between two positions.
    #[inline(never)]
    pub fn is_free(&self, from: V, to: V) -> bool {
        self.obstacles.keep_outside(from, to, V::origin(), 1.0, &mut &*self).met.is_none()
    }

    #[inline(never)]
    pub(crate) fn list_boxes(&self, low: [f64; 3], high: [f64; 3], list: &mut Vec<u32>) {
        list.clear();
        let is_periodic = self.obstacles.domain().is_periodic();
        let meets = |(least, most): &Corners| {
            is_periodic || (0..V::DIMENSIONS).all(|a| least[a] <= high[a] && low[a] <= most[a])
        };
        self.tree.any(&self.boxes, meets, |i| {
            list.push(i as u32);
            false
        });
        list.sort_unstable();
    }
}

/// How many cells further free nodes are looked for, where all nodes of a position's cell are
/// blocked or behind a wall.
const RINGS: usize = 2;

/// The place of a node of a grid over a box, the first axis being the fastest.
fn place_of<V: Vector>(mut node: usize, [min, max]: [V; 2], shape: &[usize]) -> V {
    V::from_fn(|a| {
        let along = node % shape[a];
        node /= shape[a];
        let (low, high) = (f64::from(min.axis(a)), f64::from(max.axis(a)));
        (low + (high - low) * (along as f64 / (shape[a] - 1) as f64)) as f32
    })
}

/// Obstacles are found by their boxes.
impl<V: Vector> Near for &ObstacleBoxes<V> {
    fn list(&mut self, low: [f64; 3], high: [f64; 3], list: &mut Vec<u32>) {
        self.list_boxes(low, high, list);
    }
}
