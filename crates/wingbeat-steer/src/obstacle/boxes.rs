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

    /// What [`is_near`](Self::is_near) looks at at most: shapes, and of those with many corners the
    /// corners.
    #[inline(never)]
    pub fn looks(&self, position: V, reach: f32) -> usize {
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
        let place = |mut node: usize| {
            V::from_fn(|a| {
                let along = node % shape[a];
                node /= shape[a];
                let (low, high) = (f64::from(min.axis(a)), f64::from(max.axis(a)));
                (low + (high - low) * (along as f64 / (shape[a] - 1) as f64)) as f32
            })
        };
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

/// Obstacles are found by their boxes.
impl<V: Vector> Near for &ObstacleBoxes<V> {
    fn list(&mut self, low: [f64; 3], high: [f64; 3], list: &mut Vec<u32>) {
        self.list_boxes(low, high, list);
    }
}
