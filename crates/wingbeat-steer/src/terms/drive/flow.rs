//! Flow: along a grid of vectors.

use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::space::domain::floor;
use crate::terms::drive::definition::{DriveDefinition, Driven, Field, check_place};
use crate::terms::drive::delay::within;
use crate::terms::drive::even::even;
use crate::terms::drive::march::{flood, march};
use crate::{Domain, ParamError, Vector, math, schema::limit};

/// Most nodes of a field, so that every number of one is exact in `f32`.
const MOST_NODES: usize = 1 << 24;

/// Drives boids along a field.
///
/// Formula, f the field at the boid's position: f·max_speed − v, or f itself with `raw`. Where f =
/// 0 the force is 0: boids do not brake where there is no flow. From each of the times in `later`
/// on, the field beside it takes the place of the one before: a step that begins at time t follows
/// the last of those whose time is ≤ t.
///
/// ```
/// use wingbeat_steer::drive::{Flow, FlowField};
/// let whirl =
///     FlowField::from_function([-5.0; 2], [5.0; 2], [11, 11], |[x, y]: [f32; 2]| [-y, x])?;
/// let flow = Flow::new(whirl);
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
/// Source: Reynolds 1999 (flow field following).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "V: crate::Vector + serde::Serialize",
        deserialize = "V: crate::Vector + serde::Deserialize<'de>"
    ))
)]
pub struct Flow<V> {
    /// The field: in units of the maximum speed, or with `raw` of force.
    pub field: FlowField<V>,
    /// Whether the field is the force itself. Default no.
    pub raw: bool,
    /// Fields that are followed later, each with the time from which it is, 0 to 1e12, ascending:
    /// ways that are others once a door has closed. Default: none.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub later: Vec<(f64, FlowField<V>)>,
}

impl<V> Flow<V> {
    /// Along a field in units of the maximum speed, whatever the time.
    pub fn new(field: FlowField<V>) -> Self {
        Self { field, raw: false, later: Vec::new() }
    }

    /// The field that is followed at a step that begins at this time.
    pub fn field_at(&self, time: f64) -> &FlowField<V> {
        let begun = self.later.partition_point(|(from, _)| *from <= time);
        begun.checked_sub(1).map_or(&self.field, |last| &self.later[last].1)
    }
}

impl<V: Vector> DriveDefinition<V> for Flow<V> {
    const NAME: &'static str = "flow";

    fn check(&self, at: &Field<'_>, _domain: &Domain<V>) -> Result<(), ParamError> {
        let mut last = None;
        for (i, &(time, _)) in self.later.iter().enumerate() {
            let key = format!("later[{i}]");
            within(at, &key, time, 0.0, 1e12)?;
            if let Some(before) = last.filter(|before| time <= *before) {
                return Err(ParamError::new(
                    at.key(&key),
                    time,
                    format!("above {before}, the time before it"),
                ));
            }
            last = Some(time);
        }
        Ok(())
    }

    /// `None` where the field is the force itself or 0.
    fn desired(&self, boid: &Driven<'_, V>) -> Option<V> {
        let flow = self.field_at(boid.time).at(boid.position);
        (!self.raw && flow.largest() != 0.0).then(|| flow.times(boid.max_speed))
    }

    fn force(&self, _place: usize, boid: &Driven<'_, V>) -> V {
        match self.desired(boid) {
            Some(desired) => desired.minus(boid.velocity),
            None => self.field_at(boid.time).at(boid.position),
        }
    }
}

choices! {
    /// What a field is beyond its grid.
    #[non_exhaustive]
    pub enum Outside {
        /// What it is at the nearest point of the grid.
        #[default]
        Clamp = "clamp",
        /// Zero.
        Zero = "zero",
    }
}

/// A grid of vectors in the box from `min` to `max`, nodes on its faces included, and linear
/// interpolation between them.
///
/// Interpolation: per axis t = (x − min)·((n − 1)/(max − min)), kept within 0…n − 1; i = floor(t),
/// at most n − 2; f = t − i. Then between the 2ᴰ nodes about it, a + (b − a)·f along the first
/// axis, then the second, then the third. Images of a periodic box are not looked at: let the field
/// end at the box.
///
/// ```
/// use wingbeat_steer::drive::FlowField;
/// let field = FlowField::new(
///     [0.0, 0.0],
///     [2.0, 1.0],
///     [2, 2],
///     vec![[1.0, 0.0], [3.0, 0.0], [1.0, 0.0], [3.0, 0.0]],
/// )?;
/// assert_eq!(field.at([1.0, 0.5]), [2.0, 0.0]);
/// assert_eq!(field.at([9.0, 0.5]), [3.0, 0.0]); // beyond the grid: the nearest point of it
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "serial::FieldRecord<V>",
        into = "serial::FieldRecord<V>",
        bound(
            serialize = "V: crate::Vector + serde::Serialize",
            deserialize = "V: crate::Vector + serde::Deserialize<'de>"
        )
    )
)]
pub struct FlowField<V> {
    min: V,
    max: V,
    shape: [usize; 3],
    /// Nodes per length.
    per_length: V,
    values: Arc<Vec<V>>,
    outside: Outside,
}

/// Which ways a field leads along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// The shortest: [`FlowField::toward`].
    Shortest,
    /// Those that share the floor: [`FlowField::even`].
    Even,
    /// Any, from where there are some: [`FlowField::reached`].
    Reached,
}

/// What finds the directions at the nodes of a grid, from goals' nodes and what is blocked.
type Find = fn([usize; 3], [f64; 3], &[usize], &[bool]) -> Vec<[f64; 3]>;

/// Where in a grid a position lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The node before it, along each axis.
    pub node: [usize; 3],
    /// How far it is from there to the next, 0 to 1.
    pub part: [f32; 3],
    /// Whether it lies in the grid.
    pub inside: bool,
}

impl<V: Vector> FlowField<V> {
    /// A field from its vectors, the first axis running fastest (as of a row-major array indexed
    /// `[z][y][x]`).
    ///
    /// # Errors
    /// A shape that has not one number of nodes an axis, 2 or more each, at most 2²⁴ in all; values
    /// that are not as many (`flow.values`); a box without extent or out of range; a component
    /// outside −1e9…1e9.
    pub fn new(
        min: V,
        max: V,
        shape: impl AsRef<[usize]>,
        values: Vec<V>,
    ) -> Result<Self, ParamError> {
        let (shape, per_length) = check_grid(min, max, shape.as_ref())?;
        let nodes = shape.iter().product::<usize>();
        if values.len() != nodes {
            let sides: Vec<_> = shape[..V::DIMENSIONS].iter().map(|n| format!("{n}")).collect();
            let allowed = format!("{nodes} vectors, for a grid of {}", sides.join(" by "));
            return Err(ParamError::new(
                "flow.values",
                format!("{} vectors", values.len()),
                allowed,
            ));
        }
        for (i, value) in values.iter().enumerate() {
            let wrong =
                |&a: &usize| value.axis(a).is_nan() || value.axis(a).abs() > limit::MAGNITUDE;
            if let Some(a) = (0..V::DIMENSIONS).find(wrong) {
                return Err(ParamError::new(
                    format!("flow.values[{i}][{a}]"),
                    value.axis(a),
                    "-1e9 to 1e9",
                ));
            }
        }
        Ok(Self { min, max, shape, per_length, values: Arc::new(values), outside: Outside::Clamp })
    }

    /// A field from a function of the position, called for every node.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn from_function(
        min: V,
        max: V,
        shape: impl AsRef<[usize]>,
        function: impl FnMut(V) -> V,
    ) -> Result<Self, ParamError> {
        let (sides, _) = check_grid(min, max, shape.as_ref())?;
        let values = (0..sides.iter().product())
            .map(|node| place_of(min, max, &sides, node))
            .map(function)
            .collect();
        Self::new(min, max, shape, values)
    }

    /// The field of unit vectors that lead to the nearest of some goals around whatever is blocked,
    /// by fast marching: arrival times T with |∇T| = 1 from the goals' nodes (of blocked goals:
    /// none) through all nodes not blocked, first order, upwind; the direction at a node is −∇T
    /// made a unit vector of the same upwind differences. At a goal's node it is 0. Blocked nodes
    /// next to free ones lead back to them and on as they do (the sum of the directions to them and
    /// of their own, made a unit vector), and so on inwards; places that cannot be reached lead
    /// nowhere: 0.
    ///
    /// It is made in `f64`, single-threaded, ties in the queue going to the node of the smaller
    /// number, so it is the same on every machine. O(n·log n) for n nodes: about a second a
    /// million.
    ///
    /// ```
    /// use wingbeat_steer::{Vector, drive::FlowField};
    /// // A wall at x = 5 with a door at y above 8.
    /// let wall = |[x, y]: [f32; 2]| (x - 5.0).abs() < 0.3 && y < 8.0;
    /// let field = FlowField::toward([0.0; 2], [10.0; 2], [41, 41], &[[9.0, 1.0]], wall)?;
    /// assert!(field.at([2.0, 1.0])[1] > 0.5); // up, to the door
    /// assert!(field.at([7.0, 7.0])[1] < -0.5);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    /// Source: Sethian 1996 (fast marching); continuum crowds, Treuille et al. 2006, for its use.
    ///
    /// # Errors
    /// As [`new`](Self::new); no goal, or one outside the grid or whose nearest node is blocked
    /// (`flow.goals[i]`).
    pub fn toward(
        min: V,
        max: V,
        shape: impl AsRef<[usize]>,
        goals: &[V],
        blocked: impl FnMut(V) -> bool,
    ) -> Result<Self, ParamError> {
        Self::of_kind(FieldKind::Shortest, [min, max], shape.as_ref(), goals, blocked)
    }

    /// A field whose ways share the floor: those of a crowd that stands everywhere and leaves by
    /// the goals without getting denser anywhere.
    ///
    /// Formula: unit(−∇φ) with −∇²φ = 1 on free nodes, φ = 0 at the nodes nearest to the goals and
    /// no flow into what is blocked or over the grid's edge. Shortest ways
    /// ([`toward`](Self::toward)) all meet in the inner corner of a turn; these use its whole
    /// width, and where two goals can be reached each draws from a part of the floor that suits its
    /// width. They are somewhat longer for one boid alone, and much quicker for a crowd: 500 people
    /// go round the corner of a corridor 20 m wide in half of the time (decision 0034). From
    /// blocked nodes ways lead out as in [`toward`](Self::toward). O(n); the arithmetic is f64 in
    /// one order.
    ///
    /// ```
    /// use wingbeat_steer::drive::FlowField;
    /// // A corridor that turns left: along the outer wall the way follows the wall.
    /// let inner = |[x, y]: [f32; 2]| x < 6.0 && y > 4.0;
    /// let [even, shortest] = [FlowField::even, FlowField::toward].map(|find| {
    ///     find([0.0; 2], [10.0; 2], [41, 41], &[[8.0, 10.0]], inner).unwrap().at([3.0, 0.0])
    /// });
    /// assert!(even[1] < 0.1 && shortest[1] > 0.5);
    /// ```
    ///
    /// # Errors
    /// As [`toward`](Self::toward).
    pub fn even(
        min: V,
        max: V,
        shape: impl AsRef<[usize]>,
        goals: &[V],
        blocked: impl FnMut(V) -> bool,
    ) -> Result<Self, ParamError> {
        Self::of_kind(FieldKind::Even, [min, max], shape.as_ref(), goals, blocked)
    }

    /// Which nodes [`toward`](Self::toward) would give a way, without finding it: there the vector
    /// is not 0, and leads nowhere in particular. O(n), a tenth of the time: for callers that ask
    /// whether a field can be made, and which boids it leaves out.
    ///
    /// # Errors
    /// As [`toward`](Self::toward).
    pub fn reached(
        min: V,
        max: V,
        shape: impl AsRef<[usize]>,
        goals: &[V],
        blocked: impl FnMut(V) -> bool,
    ) -> Result<Self, ParamError> {
        Self::of_kind(FieldKind::Reached, [min, max], shape.as_ref(), goals, blocked)
    }

    /// A field of any kind.
    ///
    /// # Errors
    /// As [`toward`](Self::toward).
    pub fn of_kind(
        kind: FieldKind,
        [min, max]: [V; 2],
        shape: &[usize],
        goals: &[V],
        mut blocked: impl FnMut(V) -> bool,
    ) -> Result<Self, ParamError> {
        let find: Find = match kind {
            FieldKind::Shortest => march,
            FieldKind::Even => even,
            FieldKind::Reached => flood,
        };
        let (sides, per_length) = check_grid(min, max, shape)?;
        if goals.is_empty() {
            return Err(ParamError::new("flow.goals", 0, "at least one"));
        }
        let nodes = sides.iter().product::<usize>();
        let blocked: Vec<bool> =
            (0..nodes).map(|node| blocked(place_of(min, max, &sides, node))).collect();
        let mut seeds = Vec::new();
        for (i, &goal) in goals.iter().enumerate() {
            let node = nearest_node(min, max, per_length, &sides, goal);
            let allowed = "inside the grid, its nearest node not blocked";
            match node.filter(|&node| !blocked[node]) {
                Some(node) => seeds.push(node),
                None => {
                    return Err(ParamError::new(
                        format!("flow.goals[{i}]"),
                        format!("{goal:?}"),
                        allowed,
                    ));
                }
            }
        }
        let spacing = core::array::from_fn(|a| {
            if a < V::DIMENSIONS { 1.0 / f64::from(per_length.axis(a)) } else { 1.0 }
        });
        let ways = find(sides, spacing, &seeds, &blocked);
        let values = ways.into_iter().map(|way| V::from_fn(|a| way[a] as f32)).collect();
        Self::new(min, max, shape, values)
    }

    /// The same field, with something else beyond its grid.
    #[must_use]
    pub fn outside(self, outside: Outside) -> Self {
        Self { outside, ..self }
    }

    /// The box its nodes span.
    pub fn bounds(&self) -> (V, V) {
        (self.min, self.max)
    }

    /// Nodes along each axis, 1 beyond the dimensions.
    pub fn shape(&self) -> [usize; 3] {
        self.shape
    }

    /// The vectors, first axis fastest.
    pub fn values(&self) -> &[V] {
        &self.values
    }

    /// What it is beyond its grid.
    pub fn beyond(&self) -> Outside {
        self.outside
    }

    /// Nodes per length along each axis: (n − 1)/(max − min), rounded.
    pub fn per_length(&self) -> V {
        self.per_length
    }

    /// The cell of a position.
    pub fn cell(&self, position: V) -> Cell {
        let mut cell = Cell { node: [0; 3], part: [0.0; 3], inside: true };
        for a in 0..V::DIMENSIONS {
            let last = (self.shape[a] - 1) as f32;
            let raw = (position.axis(a) - self.min.axis(a)) * self.per_length.axis(a);
            let t = math::clamp(raw, 0.0, last);
            let node = math::min(floor(t), last - 1.0);
            cell.inside = cell.inside && raw >= 0.0 && raw <= last;
            (cell.node[a], cell.part[a]) = (node as usize, t - node);
        }
        cell
    }

    /// The field at a position.
    pub fn at(&self, position: V) -> V {
        let cell = self.cell(position);
        if self.outside == Outside::Zero && !cell.inside {
            return V::origin();
        }
        let between = |a: V, b: V, part: f32| a.plus(b.minus(a).times(part));
        let along_x = |y: usize, z: usize| {
            let first = cell.node[0]
                + self.shape[0] * ((cell.node[1] + y) + self.shape[1] * (cell.node[2] + z));
            between(self.values[first], self.values[first + 1], cell.part[0])
        };
        let along_y = |z: usize| between(along_x(0, z), along_x(1, z), cell.part[1]);
        if V::DIMENSIONS == 2 { along_y(0) } else { between(along_y(0), along_y(1), cell.part[2]) }
    }
}

/// The shape, one number an axis and 1 beyond, and nodes per length.
fn check_grid<V: Vector>(min: V, max: V, shape: &[usize]) -> Result<([usize; 3], V), ParamError> {
    if shape.len() != V::DIMENSIONS {
        return Err(ParamError::new(
            "flow.shape",
            format!("{shape:?}"),
            format!("{} numbers of nodes", V::DIMENSIONS),
        ));
    }
    let mut sides = [1; 3];
    sides[..shape.len()].copy_from_slice(shape);
    let nodes = sides.iter().try_fold(1usize, |product, &n| product.checked_mul(n));
    if shape.iter().any(|&n| n < 2) || nodes.is_none_or(|nodes| nodes > MOST_NODES) {
        let allowed = format!("2 nodes or more an axis, at most {MOST_NODES} in all");
        return Err(ParamError::new("flow.shape", format!("{shape:?}"), allowed));
    }
    check_place("flow.min", min, &Domain::open())?;
    check_place("flow.max", max, &Domain::open())?;
    for a in 0..V::DIMENSIONS {
        if max.axis(a) - min.axis(a) < limit::SMALLEST {
            return Err(ParamError::new(
                format!("flow.max[{a}]"),
                max.axis(a),
                format!("above flow.min[{a}] = {}", min.axis(a)),
            ));
        }
    }
    Ok((sides, V::from_fn(|a| (sides[a] - 1) as f32 / (max.axis(a) - min.axis(a)))))
}

/// Where a node is.
fn place_of<V: Vector>(min: V, max: V, shape: &[usize; 3], node: usize) -> V {
    let mut rest = node;
    V::from_fn(|a| {
        let i = rest % shape[a];
        rest /= shape[a];
        let (low, high) = (f64::from(min.axis(a)), f64::from(max.axis(a)));
        (low + (high - low) * (i as f64 / (shape[a] - 1) as f64)) as f32
    })
}

/// The node nearest to a place in the grid.
fn nearest_node<V: Vector>(
    min: V,
    max: V,
    per_length: V,
    shape: &[usize; 3],
    place: V,
) -> Option<usize> {
    let (mut node, mut stride) = (0, 1);
    for a in 0..V::DIMENSIONS {
        let x = place.axis(a);
        if !(x >= min.axis(a) && x <= max.axis(a)) {
            return None;
        }
        let i = floor((x - min.axis(a)) * per_length.axis(a) + 0.5) as usize;
        node += stride * i.min(shape[a] - 1);
        stride *= shape[a];
    }
    Some(node)
}

/// Reading and writing with serde.
#[cfg(feature = "serde")]
mod serial {
    use alloc::vec::Vec;

    use serde::{Deserialize, Serialize};

    use crate::terms::drive::flow::{FlowField, Outside};
    use crate::{ParamError, Vector};

    /// A field by its grid.
    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(crate) struct FieldRecord<V> {
        min: V,
        max: V,
        /// Nodes along each axis.
        shape: Vec<usize>,
        values: Vec<V>,
        #[serde(default)]
        outside: Outside,
    }

    impl<V: Vector> From<FlowField<V>> for FieldRecord<V> {
        fn from(field: FlowField<V>) -> Self {
            let (min, max) = field.bounds();
            let shape = field.shape()[..V::DIMENSIONS].to_vec();
            Self { min, max, shape, values: field.values().to_vec(), outside: field.beyond() }
        }
    }

    impl<V: Vector> TryFrom<FieldRecord<V>> for FlowField<V> {
        type Error = ParamError;

        fn try_from(grid: FieldRecord<V>) -> Result<Self, ParamError> {
            Ok(Self::new(grid.min, grid.max, grid.shape, grid.values)?.outside(grid.outside))
        }
    }
}
