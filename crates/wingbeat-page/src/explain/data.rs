//! What an explanation holds, as plain data: its field names are the keys of `wingbeat
//! explain --json`, which scripts rely on.

use serde::Serialize;

/// Why one boid goes where it goes in one step. Vectors have a number for each dimension; numbers
/// are written with enough digits to give the same `f32` when they are read.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct ExplanationData {
    /// Name of the scene.
    pub scene: String,
    /// Id of the boid.
    pub boid: u64,
    /// Steps made before the decision.
    pub step: u64,
    /// The answer in one sentence without its subject: what the boid does in the step, and what
    /// contributes most to that.
    pub sentence: String,
    /// Name of the boid's species; left out in a flock without species.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub species: Option<String>,
    /// What the boid has left for its interactions; left out where they cost nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stamina: Option<StaminaData>,
    /// Time the step covers.
    pub dt: f32,
    /// In the engine's coordinates; add `origin` for the scene's.
    pub position: Vec<f32>,
    /// Where the scene's zero lies in the world.
    pub origin: Vec<f64>,
    /// Velocity before the step.
    pub velocity: Vec<f32>,
    /// Unit vector along the velocity; zeros at rest.
    pub heading: Vec<f32>,
    /// Whether it has no heading, and so no field of view narrower than all round.
    pub at_rest: bool,
    /// Whether it steers in this step.
    pub turn: TurnData,
    /// What it decides, in parts.
    pub decision: DecisionData,
    /// The steering that the step uses: the decision's, or the force held since the last turn.
    pub steering: Vec<f32>,
    /// The step that follows from it.
    pub advance: AdvanceData,
}

/// Stamina of one boid.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct StaminaData {
    /// What is left.
    pub left: f32,
    /// All there is when it is full.
    pub capacity: f32,
    /// Whether it is spent and being regained: until it is full, interactions do nothing.
    pub resting: bool,
}

/// Whether a boid steers in this step.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TurnData {
    /// All boids do in every step.
    EveryStep,
    /// It does: this step is its turn.
    Due {
        /// Steps from turn to turn.
        every: u32,
    },
    /// It does not, and goes on with the force of its last turn.
    Holds {
        /// Steps from turn to turn.
        every: u32,
        /// The force of its last turn.
        force: Vec<f32>,
        /// Steps until its turn.
        steps_left: u32,
    },
}

/// A decision in parts.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum DecisionData {
    /// A sum of terms: rules, interactions, drives, obstacles, walls.
    Terms {
        /// `weighted`, `prioritized` or `direction`.
        combine: &'static str,
        /// The terms, in the order in which they are added.
        terms: Vec<TermData>,
        /// Sum of all terms.
        sum: Vec<f32>,
        /// `max_force`, where it cut the sum.
        cut_to: Option<f32>,
        /// The sum after that cut.
        steering: Vec<f32>,
    },
    /// That of a whole model.
    Model {
        /// Name, as in a scene.
        name: &'static str,
        /// The boids it looks at.
        sees: SightData,
        /// What the model says.
        wanted: Vec<f32>,
        /// Push of the walls, where they push; it is one of the terms.
        walls: Option<Vec<f32>>,
        /// Further terms of the flock, in the order in which they are added to it: the host's own
        /// rules, interactions, drives, obstacles, walls.
        terms: Vec<TermData>,
        /// The model's word and all terms added up.
        sum: Vec<f32>,
        /// How they are joined: `alone` (no terms: `wanted`), `sum`, `direction` (of the sum),
        /// `velocity` (the sum's direction times `speed`) or `kept` (the sum is zero: `wanted`).
        joined: &'static str,
        /// The model's constant speed, under `velocity`.
        speed: Option<f32>,
        /// What comes of it.
        steering: Vec<f32>,
    },
}

/// One term of a sum.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct TermData {
    /// `separation`, `alignment`, `cohesion`, `interactions`, `drive[N]`, `rule[N]` of the host,
    /// `obstacles` or `walls`.
    pub term: String,
    /// Of a drive: its name in the scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Of a drive: its kind in the scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// The boids it looks at; `null` of terms that look at none.
    pub sees: Option<SightData>,
    /// The numbers of one of the three rules; `null` of other terms.
    pub rule: Option<RuleData>,
    /// The numbers of a drive; left out of other terms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drive: Option<DriveData>,
    /// The boids that the boid flees, pursues or evades; left out of other terms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interactions: Option<Vec<InteractionData>>,
    /// The obstacle that the term `obstacles` steers round; left out where there is none in the
    /// way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obstacle: Option<ObstacleData>,
    /// Weight times response.
    pub weighted: Vec<f32>,
    /// Under `prioritized`: what was left of `max_force` for it.
    pub budget: Option<f32>,
    /// The part of it that was granted; 1 is all of it.
    pub served: f32,
    /// What enters the sum.
    pub taken: Vec<f32>,
}

/// A drive's numbers. What does not apply to its kind is left out.
#[derive(Debug, Default, Serialize)]
#[non_exhaustive]
pub struct DriveData {
    /// Whether it drives the boid: whether it is for its species and its present state.
    pub applies: bool,
    /// Where it leads the boid, in the engine's coordinates: the goal, the waypoint, the place
    /// behind the leader, the anchor of a tether, the strolling point of a wander.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Vec<f32>>,
    /// From the boid to the target, through the nearest image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<Vec<f32>>,
    /// Length of the offset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<f32>,
    /// The velocity it would have the boid take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub desired: Option<Vec<f32>>,
    /// Of a path: the waypoint the boid makes for, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waypoint: Option<usize>,
    /// Of a path: how many waypoints there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waypoints: Option<usize>,
    /// Id of the boid that this one follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leader: Option<u64>,
    /// Of a goal at which one can arrive: whether the boid has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrived: Option<bool>,
    /// Whether the boid still waits before it sets off.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub waits: bool,
    /// The force.
    pub force: Vec<f32>,
    /// Factor on the force.
    pub weight: f32,
}

/// An interaction in which the boid flees, pursues or evades a boid.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct InteractionData {
    /// `flee`, `pursue` or `evade`.
    pub kind: &'static str,
    /// Name of the species it acts upon.
    pub species: String,
    /// How far it sees them.
    pub radius: f32,
    /// The nearest of them in range; `null` without any, and while the boid rests.
    pub neighbor: Option<NeighborData>,
    /// The force.
    pub force: Vec<f32>,
    /// Factor on the force.
    pub weight: f32,
    /// Weight times force.
    pub weighted: Vec<f32>,
}

/// The obstacle that a boid steers round.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct ObstacleData {
    /// Its name.
    pub name: String,
    /// 1 less the part of the path ahead until the clearance is reached; 0 if it is not.
    pub urgency: f32,
    /// How deep the boid is in the clearance, as a part of that.
    pub depth: f32,
}

/// A rule's numbers, in the order of MODEL.md.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct RuleData {
    /// Sum over the neighbors.
    pub sum: Vec<f32>,
    /// The boid's own value, where it is part of the mean.
    pub included: Option<Vec<f32>>,
    /// The sum divided by its count.
    pub mean: Option<Vec<f32>>,
    /// The boid's own value, where it is subtracted.
    pub subtracted: Option<Vec<f32>>,
    /// Separation's push in a pseudo-random direction, where another boid is at the same place.
    pub parting: Option<Vec<f32>>,
    /// The vector that the response is computed from.
    pub wanted: Vec<f32>,
    /// Whether it is made of 0 − sum.
    #[serde(skip)]
    pub away: bool,
    /// `raw`, `unit`, `steer` or `flee`.
    pub response_kind: &'static str,
    /// The response.
    pub response: Vec<f32>,
    /// Factor on the response.
    pub weight: f32,
}

/// The boids that a rule or model looks at.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct SightData {
    /// Perception radius; `null`: it looks at all boids, however far.
    pub radius: Option<f32>,
    /// Cosine of half the field of view; `null`: all round.
    pub cos_half_view: Option<f32>,
    /// Boids within this are seen at any angle.
    pub near_radius: f32,
    /// At most so many count: the nearest.
    pub nearest: Option<u32>,
    /// Boids in range and out of the field of view.
    pub out_of_sight: usize,
    /// Boids in range and in sight, beyond the nearest that count.
    pub beyond_cap: usize,
    /// The boids that count, in slot order.
    pub neighbors: Vec<NeighborData>,
}

/// One neighbor.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct NeighborData {
    /// Id of the neighbor.
    pub id: u64,
    /// Name of its species; left out in a flock without species.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub species: Option<String>,
    /// From the boid to it.
    pub offset: Vec<f32>,
    /// Length of the offset.
    pub distance: f32,
    /// Degrees from the heading; `null` where there is no heading or no offset.
    pub angle: Option<f32>,
    /// Its velocity.
    pub velocity: Vec<f32>,
    /// Whether it is at the same place as the boid.
    pub coincident: bool,
    /// Whether it is seen only for being within the near radius.
    pub only_near: bool,
    /// What it adds to the rule's sum.
    pub adds: Option<Vec<f32>>,
}

/// From steering to velocity to position.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct AdvanceData {
    /// What it makes of those it would meet; left out in flocks without anticipation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anticipation: Option<AnticipationData>,
    /// Force over mass, where steering is a force.
    pub acceleration: Option<Vec<f32>>,
    /// The velocity without limits.
    pub wanted_velocity: Vec<f32>,
    /// The limit that changed it; docs/EXPLAIN.md lists them.
    pub limit: &'static str,
    /// The limit's number: a speed, or a part of the way.
    pub limit_value: Option<f32>,
    /// The velocity after the limit.
    pub limited_velocity: Vec<f32>,
    /// The position that follows, before the domain's edge is considered.
    pub moved_to: Vec<f32>,
    /// For each axis, whether the domain's edge changed that.
    pub met_edge: Vec<bool>,
    /// What the domain's edge did to the boid: `wraps`, `reflects`, `stops` (a wall) or `lets_out`;
    /// left out where it did nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge: Option<&'static str>,
    /// Name of the obstacle that kept the boid outside of it; left out where none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obstacle: Option<String>,
    /// What other bodies left of its way; left out where none was in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hindered: Option<HinderedData>,
    /// Whether an obstacle overlaps the boid after the step, which has no free place to go to; left
    /// out where none does.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub squeezed: bool,
    /// Position after the step.
    pub position: Vec<f32>,
    /// Velocity after the step.
    pub velocity: Vec<f32>,
}

/// What a boid makes of those it would meet.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct AnticipationData {
    /// The model's name.
    pub model: &'static str,
    /// The velocity it would choose by its steering alone.
    pub preferred: Vec<f32>,
    /// The same after noise and the turn.
    pub asked: Vec<f32>,
    /// How far its wish is turned to the right, radians.
    pub blocked: f32,
    /// Ids of those it looks at.
    pub others: Vec<u64>,
    /// How many walls it looks at.
    pub walls: usize,
    /// The velocity that the model says, or
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vec<f32>>,
    /// the force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force: Option<Vec<f32>>,
}

/// What other bodies left of a way.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct HinderedData {
    /// Ids of those in its way.
    pub by: Vec<u64>,
    /// The way it wanted.
    pub wanted: Vec<f32>,
    /// What is left of it.
    pub way: Vec<f32>,
    /// Rounds of sliding.
    pub slides: usize,
    /// The part of the slid way that is left.
    pub part: f32,
    /// As the step's own `squeezed`.
    pub squeezed: bool,
}
