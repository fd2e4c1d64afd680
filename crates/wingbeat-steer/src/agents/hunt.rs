//! Hunters and prey: the steering manager's demonstration, as rules of its own.

use crate::schema::parameter_info::Parameters;
use crate::{Agent, ParamError, Steering, Vector, Wander};

/// What a hunter or a prey is doing. Its colour in the pictures: wander grey, seek green, pursue
/// red, evade blue, rest amber.
///
/// ```
/// use wingbeat_steer::{HuntParameters, Hunter, Mood};
/// assert_eq!(Hunter::new(HuntParameters::default())?.mood(), Mood::Wander);
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mood {
    /// Wandering, with nothing else to do.
    Wander,
    /// Seeking the pointer (prey).
    Seek,
    /// Chasing a prey (hunter).
    Pursue,
    /// Running from a hunter (prey).
    Evade,
    /// Wandering to recover (hunter).
    Rest,
}

parameters! {
    /// Numbers of the hunt. Stamina rates, pointer range and slowing radius are the source's; the
    /// ranges of sight and the store of stamina are ours.
    ///
    /// ```
    /// use wingbeat_steer::HuntParameters;
    /// assert_eq!(HuntParameters::default().chase_cost, 2.0);
    /// ```
    /// Source: the demonstration of the steering manager, the fourth of the five source systems.
    pub struct HuntParameters in "hunt." {
        range: f32 = 200.0, "length", 0.0 => 1e12, "How far a hunter sees prey and a prey sees \
            hunters.", "more chases, earlier escapes";
        stamina: f32 = 200.0, "1", 1e-9 => 1e9, "A rested hunter's stamina.", "longer chases and \
            longer rests";
        chase_cost: f32 = 2.0, "1/time", 0.0 => 1e9, "Stamina spent while chasing.", "shorter \
            chases";
        recovery: f32 = 1.0, "1/time", 0.0 => 1e9, "Stamina regained while resting.", "shorter \
            rests";
        pointer_range: f32 = 300.0, "length", 0.0 => 1e12, "How far a prey is drawn to the \
            pointer.", "it is drawn from further away";
        pointer_slowing_radius: f32 = 30.0, "length", 0.0 => 1e12, "Within this distance of the \
            pointer prey slow down.", "earlier and gentler braking";
    }
}

impl HuntParameters {
    fn checked(self) -> Result<Self, ParamError> {
        self.check_ranges("hunt")?;
        Ok(self)
    }
}

/// A hunter's mind.
///
/// - Wandering: the closest prey within range becomes the target, kept until exhaustion.
/// - Pursuing: stamina falls by chase_cost·dt; at 0 it drops the prey and rests.
/// - Resting: wanders while stamina grows by recovery·dt; when full it wanders again.
///
/// ```
/// use wingbeat_steer::{
///     Body, HuntParameters, Hunter, Jitter, Mood, Steering, Wander, WanderParameters,
/// };
/// let (wolf, hare) = (
///     Body::new([0.0, 0.0], [1.0, 0.0], 3.0, 1.0)?,
///     Body::new([50.0, 0.0], [1.0, 0.0], 2.0, 1.0)?,
/// );
/// let mut steering = Steering::new(&wolf, 1.0)?;
/// let mut wander = Wander::new(WanderParameters::default(), Jitter::owned(1, 0))?;
/// let mut hunter = Hunter::new(HuntParameters::default())?;
/// hunter.steer(&mut steering, &mut wander, &[hare], 1.0);
/// assert_eq!((hunter.mood(), hunter.target(), hunter.stamina()), (Mood::Pursue, Some(0), 198.0));
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
/// Source: the demonstration of the steering manager.
#[derive(Debug, Clone, PartialEq)]
pub struct Hunter {
    parameters: HuntParameters,
    stamina: f32,
    mood: Mood,
    target: Option<usize>,
}

impl Hunter {
    /// A rested, wandering hunter.
    ///
    /// # Errors
    /// A parameter outside its range (see [`HuntParameters`]).
    ///
    /// ```
    /// # use wingbeat_steer::{HuntParameters, Hunter};
    /// let bad = HuntParameters { stamina: 0.0, ..Default::default() };
    /// assert_eq!(Hunter::new(bad).unwrap_err().field, "hunt.stamina");
    /// ```
    pub fn new(parameters: HuntParameters) -> Result<Self, ParamError> {
        let parameters = parameters.checked()?;
        Ok(Self { parameters, stamina: parameters.stamina, mood: Mood::Wander, target: None })
    }

    /// What it is doing: wander, pursue or rest.
    ///
    /// ```
    /// # use wingbeat_steer::{HuntParameters, Hunter, Mood};
    /// assert_eq!(Hunter::new(HuntParameters::default())?.mood(), Mood::Wander);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn mood(&self) -> Mood {
        self.mood
    }

    /// What is left of its stamina.
    ///
    /// ```
    /// # use wingbeat_steer::{HuntParameters, Hunter};
    /// assert_eq!(Hunter::new(HuntParameters::default())?.stamina(), 200.0);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn stamina(&self) -> f32 {
        self.stamina
    }

    /// The prey it pursues, as its index in the list it was given.
    ///
    /// ```
    /// # use wingbeat_steer::{HuntParameters, Hunter};
    /// assert_eq!(Hunter::new(HuntParameters::default())?.target(), None);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn target(&self) -> Option<usize> {
        self.target
    }

    /// Makes up its mind and adds the forces to `steering`. The list of prey must keep its order; a
    /// target that has left it is dropped.
    ///
    /// ```
    /// use wingbeat_steer::{
    ///     Body, HuntParameters, Hunter, Jitter, Mood, Steering, Wander, WanderParameters,
    /// # };
    /// # let wolf = Body::new([0.0, 0.0], [1.0, 0.0], 3.0, 1.0)?;
    /// # let mut steering = Steering::new(&wolf, 1.0)?;
    /// # let mut wander = Wander::new(WanderParameters::default(), Jitter::owned(1, 0))?;
    /// # let mut hunter = Hunter::new(HuntParameters::default())?;
    /// let none: [Body<[f32; 2]>; 0] = [];
    /// hunter.steer(&mut steering, &mut wander, &none, 1.0);
    /// assert_eq!(steering.terms()[0].name, "wander");
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn steer<V: Vector>(
        &mut self,
        steering: &mut Steering<V>,
        wander: &mut Wander<V>,
        prey: &[impl Agent<V>],
        dt: f32,
    ) {
        let dt = crate::agents::behavior::time_step(dt);
        if self.mood == Mood::Rest {
            self.stamina += self.parameters.recovery * dt;
            if self.stamina >= self.parameters.stamina {
                (self.stamina, self.mood) = (self.parameters.stamina, Mood::Wander);
            }
        }
        if self.mood == Mood::Wander {
            self.target = nearest(steering.position(), prey, self.parameters.range);
        }
        let quarry = self.target.and_then(|index| prey.get(index));
        let Some(quarry) = quarry else {
            if self.mood == Mood::Pursue {
                (self.mood, self.target) = (Mood::Wander, None);
            }
            steering.wander(wander, dt);
            return;
        };
        self.mood = Mood::Pursue;
        steering.pursue(quarry);
        self.stamina -= self.parameters.chase_cost * dt;
        if self.stamina <= 0.0 {
            (self.stamina, self.mood, self.target) = (0.0, Mood::Rest, None);
        }
    }
}

/// A prey's mind: evade the nearest hunter in range, else seek the pointer if it is in range, else
/// wander.
///
/// ```
/// use wingbeat_steer::{
///     Body, HuntParameters, Jitter, Mood, Prey, Steering, Wander, WanderParameters,
/// };
/// let (hare, wolf) = (
///     Body::new([0.0, 0.0], [1.0, 0.0], 3.0, 1.0)?,
///     Body::new([50.0, 0.0], [1.0, 0.0], 2.0, 1.0)?,
/// );
/// let mut steering = Steering::new(&hare, 1.0)?;
/// let mut wander = Wander::new(WanderParameters::default(), Jitter::owned(1, 0))?;
/// let mut prey = Prey::new(HuntParameters::default())?;
/// prey.steer(&mut steering, &mut wander, &[wolf], None, 1.0);
/// assert_eq!(prey.mood(), Mood::Evade);
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
/// Source: the demonstration of the steering manager.
#[derive(Debug, Clone, PartialEq)]
pub struct Prey {
    parameters: HuntParameters,
    mood: Mood,
}

impl Prey {
    /// A wandering prey.
    ///
    /// # Errors
    /// A parameter outside its range (see [`HuntParameters`]).
    ///
    /// ```
    /// # use wingbeat_steer::{HuntParameters, Prey};
    /// let bad = HuntParameters { range: -1.0, ..Default::default() };
    /// assert_eq!(Prey::new(bad).unwrap_err().field, "hunt.range");
    /// ```
    pub fn new(parameters: HuntParameters) -> Result<Self, ParamError> {
        Ok(Self { parameters: parameters.checked()?, mood: Mood::Wander })
    }

    /// What it is doing: wander, seek or evade.
    ///
    /// ```
    /// # use wingbeat_steer::{HuntParameters, Mood, Prey};
    /// assert_eq!(Prey::new(HuntParameters::default())?.mood(), Mood::Wander);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn mood(&self) -> Mood {
        self.mood
    }

    /// Makes up its mind and adds the forces to `steering`. Without hunters in the list it ignores
    /// them.
    ///
    /// ```
    /// use wingbeat_steer::{
    ///     Body, HuntParameters, Jitter, Mood, Prey, Steering, Wander, WanderParameters,
    /// # };
    /// # let hare = Body::new([0.0, 0.0], [1.0, 0.0], 3.0, 1.0)?;
    /// # let mut steering = Steering::new(&hare, 1.0)?;
    /// # let mut wander = Wander::new(WanderParameters::default(), Jitter::owned(1, 0))?;
    /// # let mut prey = Prey::new(HuntParameters::default())?;
    /// let none: [Body<[f32; 2]>; 0] = [];
    /// prey.steer(&mut steering, &mut wander, &none, Some([100.0, 0.0]), 1.0);
    /// assert_eq!(prey.mood(), Mood::Seek);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn steer<V: Vector>(
        &mut self,
        steering: &mut Steering<V>,
        wander: &mut Wander<V>,
        hunters: &[impl Agent<V>],
        pointer: Option<V>,
        dt: f32,
    ) {
        let position = steering.position();
        let in_reach = |place: &V| place.minus(position).norm() <= self.parameters.pointer_range;
        if let Some(hunter) = nearest(position, hunters, self.parameters.range) {
            self.mood = Mood::Evade;
            steering.evade(&hunters[hunter]);
        } else if let Some(pointer) = pointer.filter(in_reach) {
            self.mood = Mood::Seek;
            steering.arrive(pointer, self.parameters.pointer_slowing_radius);
        } else {
            self.mood = Mood::Wander;
            steering.wander(wander, dt);
        }
    }
}

/// Index of the nearest agent within `range`; of equally near ones the first.
fn nearest<V: Vector>(position: V, agents: &[impl Agent<V>], range: f32) -> Option<usize> {
    let mut best: Option<(usize, f32)> = None;
    for (index, agent) in agents.iter().enumerate() {
        let distance = agent.position().minus(position).norm();
        if distance <= range && best.is_none_or(|(_, shortest)| distance < shortest) {
            best = Some((index, distance));
        }
    }
    best.map(|(index, _)| index)
}
