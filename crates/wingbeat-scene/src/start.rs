//! The domain, and where boids start in it. Sizes that are left out follow the count, so that the
//! density stays the same.

use std::ops::Range;

use wingbeat::steer::Vector;
use wingbeat::{Domain, Shape, Spawn, SpeciesId, steer::Boundary};

use crate::SceneError;
use crate::document::Document;
use crate::floor::Floor;
use crate::keys::{DomainKeys, SpawnGoal, SpawnKeys, SpawnShape};

/// A box in the scene's own coordinates, in f64 until all of its numbers are known.
#[derive(Clone, Copy, Debug)]
struct Region<const D: usize> {
    min: [f64; D],
    max: [f64; D],
}

impl<const D: usize> Region<D> {
    fn cube(center: [f64; D], side: f64) -> Self {
        Self { min: center.map(|c| c - side * 0.5), max: center.map(|c| c + side * 0.5) }
    }

    /// A box in the plane; a floor is refused in space.
    fn flat([min, max]: [[f64; 2]; 2]) -> Self {
        Self { min: std::array::from_fn(|a| min[a % 2]), max: std::array::from_fn(|a| max[a % 2]) }
    }

    fn center(&self) -> [f64; D] {
        std::array::from_fn(|a| self.min[a] + (self.max[a] - self.min[a]) * 0.5)
    }

    /// How far the nearest face is from a point.
    fn room_about(&self, center: [f64; D]) -> f64 {
        (0..D).fold(f64::INFINITY, |room, a| {
            let (below, above) = (center[a] - self.min[a], self.max[a] - center[a]);
            let nearer = if below < above { below } else { above };
            if nearer < room { nearer } else { room }
        })
    }
}

/// The domain for `count` boids: as given, or about the floor, or a box of spacing^D per boid about
/// zero.
pub(crate) fn domain<const D: usize>(
    document: &Document,
    count: usize,
    floor: Option<&Floor>,
) -> Result<Domain<[f32; D]>, SceneError> {
    let keys = document.read("domain", DomainKeys::default());
    let boundary = match keys.kind.as_deref().unwrap_or(document.usual_domain()) {
        "periodic" => Boundary::Periodic,
        "walled" => Boundary::Walled {
            margin: document.narrow("domain.margin").unwrap_or(0.0),
            strength: document.narrow("domain.strength").unwrap_or(0.0),
        },
        "reflecting" => Boundary::Reflecting,
        "absorbing" => Boundary::Absorbing,
        _ => Boundary::Open,
    };
    let given = given_box(document, "domain", keys.min, keys.max)?;
    if boundary == Boundary::Open {
        return Ok(Domain::open());
    }
    let about_floor = floor.map(|floor| Region::flat(floor.usual_domain()));
    let region = given.or(about_floor).unwrap_or_else(|| {
        Region::cube(
            [0.0; D],
            side_for::<D>(Keys::<D>::new(document, "spawn".into(), floor).spacing(), count),
        )
    });
    let domain =
        Domain { boundary, min: region.min.map(|x| x as f32), max: region.max.map(|x| x as f32) };
    domain.check(0.0).map_err(|refusal| document.refuse_param(refusal))?;
    Ok(domain)
}

/// The goal that everyone has of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OwnGoal<const D: usize> {
    None,
    /// As far beyond this point as it starts before it.
    Opposite([f64; D]),
    /// Another place of the start's shape.
    Random,
}

/// Boids that start alike: those of all species without a spawn of their own, or those of one that
/// has it.
#[derive(Clone, Debug)]
pub(crate) struct Group<const D: usize> {
    pub spawn: Spawn<D>,
    /// Key of their random numbers.
    pub seed: u64,
    /// Section of the keys that say where they start.
    pub section: String,
    /// The key that says how fast.
    pub speed_key: String,
    /// Where they want to go.
    pub goal: OwnGoal<D>,
    /// Their species, and which boids of the flock they are.
    pub members: Vec<(SpeciesId, Range<usize>)>,
}

impl<const D: usize> Group<D> {
    /// How many they are.
    pub fn count(&self) -> usize {
        self.members.iter().map(|(_, boids)| boids.len()).sum()
    }
}

/// Where and how boids start in `domain`, `shares` of them of each species in turn. Those of
/// species without a spawn of their own are drawn together, as if there were no others; every other
/// species has random numbers of its own. So another species with a spawn of its own, last in the
/// file, changes no boid's place.
pub(crate) fn groups<const D: usize>(
    document: &Document,
    domain: &Domain<[f32; D]>,
    shares: &[usize],
    seed: u64,
    floor: Option<&Floor>,
) -> Result<Vec<Group<D>>, SceneError> {
    let mut common = Vec::new();
    let mut own = Vec::new();
    let tables = document.tables("species");
    let mut first = 0;
    for (species, &share) in shares.iter().enumerate() {
        let members = (SpeciesId::new(species), first..first + share);
        first += share;
        let section = tables
            .get(species)
            .map(|table| format!("{table}.spawn"))
            .filter(|section| document.has_section(section));
        match section {
            Some(section) => own.push((section, members)),
            None => common.push(members),
        }
    }
    let mut groups = Vec::new();
    if !common.is_empty() {
        groups.push(("spawn".to_string(), seed, common));
    }
    // Multiples of an odd number: a stream of its own for every species. (Draws that are repeated
    // have those of another number.)
    let stream =
        |species: SpeciesId| (species.get() as u64 + 1).wrapping_mul(0xD1B5_4A32_D192_ED03);
    groups.extend(
        own.into_iter()
            .map(|(section, members)| (section, seed ^ stream(members.0), vec![members])),
    );
    let group = |(section, seed, members): (String, u64, Vec<(SpeciesId, Range<usize>)>)| {
        let count = members.iter().map(|(_, boids)| boids.len()).sum();
        let keys = Keys::<D>::new(document, section, floor);
        let spawn = spawn(&keys, domain, count)?;
        // The engine's own check; a file's numbers may fit and their sum not.
        spawn.check().map_err(|mut refusal| {
            refusal.field = refusal.field.replacen("spawn", &keys.place, 1);
            document.refuse_param(refusal)
        })?;
        let goal = own_goal(&keys, domain)?;
        Ok(Group { spawn, seed, goal, speed_key: keys.name("speed"), section: keys.place, members })
    };
    groups.into_iter().map(group).collect()
}

/// The keys that say how boids start: those of `[spawn]`, or of a species with what it inherits.
struct Keys<'a, const D: usize> {
    document: &'a Document,
    section: String,
    /// Section of the keys that say where: a species gives all of them anew, or none.
    place: String,
    /// What the scene's boids start on.
    floor: Option<&'a Floor>,
    given: SpawnKeys<[f64; D]>,
}

impl<'a, const D: usize> Keys<'a, D> {
    fn new(document: &'a Document, section: String, floor: Option<&'a Floor>) -> Self {
        let gives = |key| document.has(&format!("{section}.{key}"));
        let is_placed = ["shape", "min", "max", "center", "radius"].into_iter().any(gives);
        let place = if is_placed { section.clone() } else { "spawn".to_string() };
        let mut common: SpawnKeys<[f64; D]> = document.read("spawn", SpawnKeys::default());
        if place != "spawn" {
            (common.shape, common.center, common.radius) = (None, None, None);
            (common.min, common.max) = (None, None);
        }
        let given = document.read(&section, common);
        Self { document, section, place, floor, given }
    }

    /// The name of a key that says where.
    fn place(&self, key: &str) -> String {
        format!("{}.{key}", self.place)
    }

    /// The name of another key: the species', or that of `[spawn]` where the species does not give
    /// it.
    fn name(&self, key: &str) -> String {
        let own = format!("{}.{key}", self.section);
        if self.document.has(&own) { own } else { format!("spawn.{key}") }
    }

    fn spacing(&self) -> f64 {
        self.given.spacing.unwrap_or(1.0)
    }

    fn refuse(&self, key: &str, allowed: &str) -> SceneError {
        self.document.refuse(&self.place(key), allowed)
    }
}

/// Where and how `count` boids start.
fn spawn<const D: usize>(
    keys: &Keys<'_, D>,
    domain: &Domain<[f32; D]>,
    count: usize,
) -> Result<Spawn<D>, SceneError> {
    let (document, usual) = (keys.document, Spawn::<D>::default());
    let heading = keys.given.heading.map(|heading| heading.map(|c| c as f32));
    if heading.is_some_and(|heading| heading.largest() == 0.0) {
        return Err(document
            .refuse(&keys.name("heading"), "a direction: at least one number that is not 0"));
    }
    let model = document.model();
    Ok(Spawn {
        shape: shape(keys, domain, count)?,
        speed: keys.given.speed.unwrap_or(model.map_or(usual.speed, |model| model.usual().speed)),
        speed_spread: keys.given.speed_spread,
        heading,
        heading_spread: keys.given.spread,
    })
}

fn own_goal<const D: usize>(
    keys: &Keys<'_, D>,
    domain: &Domain<[f32; D]>,
) -> Result<OwnGoal<D>, SceneError> {
    let center = keys.given.goal_center;
    match keys.given.goal {
        SpawnGoal::Opposite => {
            let middle = std::array::from_fn(|a| {
                f64::from(domain.min[a]) * 0.5 + f64::from(domain.max[a]) * 0.5
            });
            let usual = if domain.boundary == Boundary::Open { [0.0; D] } else { middle };
            Ok(OwnGoal::Opposite(center.unwrap_or(usual)))
        }
        _ if center.is_some() => Err(keys.document.refuse(
            &keys.name("goal_center"),
            &format!("given with {} = opposite", keys.name("goal")),
        )),
        SpawnGoal::Random => Ok(OwnGoal::Random),
        SpawnGoal::None => Ok(OwnGoal::None),
    }
}

/// Side of a square or cube that gives each boid spacing^D.
fn side_for<const D: usize>(spacing: f64, count: usize) -> f64 {
    let count = count.max(1) as f64;
    spacing * if D == 2 { count.sqrt() } else { libm::cbrt(count) }
}

/// The box of `SECTION.min` and `SECTION.max`, where they are given.
fn given_box<const D: usize>(
    document: &Document,
    section: &str,
    min: Option<[f64; D]>,
    max: Option<[f64; D]>,
) -> Result<Option<Region<D>>, SceneError> {
    let (min_key, max_key) = (format!("{section}.min"), format!("{section}.max"));
    match (min, max) {
        (Some(min), Some(max)) => {
            for a in 0..D {
                if min[a] >= max[a] {
                    let allowed = format!("above {min_key} on every axis: {} on axis {a}", min[a]);
                    return Err(document.refuse(&max_key, &allowed));
                }
            }
            Ok(Some(Region { min, max }))
        }
        (Some(_), None) => {
            Err(document.refuse(&min_key, &format!("given together with {max_key}")))
        }
        (None, Some(_)) => {
            Err(document.refuse(&max_key, &format!("given together with {min_key}")))
        }
        (None, None) => Ok(None),
    }
}

/// The box that the domain's keys give.
fn domain_box<const D: usize>(document: &Document) -> Result<Option<Region<D>>, SceneError> {
    let keys = document.read("domain", DomainKeys::default());
    given_box(document, "domain", keys.min, keys.max)
}

fn shape<const D: usize>(
    keys: &Keys<'_, D>,
    domain: &Domain<[f32; D]>,
    count: usize,
) -> Result<Shape<D>, SceneError> {
    let (given, shape_key) = (&keys.given, keys.place("shape"));
    let shape = given.shape.unwrap_or_default();
    let corner = given.min.map(|_| "min").or(given.max.map(|_| "max"));
    if let Some(key) = corner.filter(|_| shape.is_round()) {
        let allowed = format!(
            "given with {shape_key} box or lattice (a ball, ring or circle has center and radius)"
        );
        return Err(keys.refuse(key, &allowed));
    }
    if !shape.is_round() && given.radius.is_some() {
        let allowed = format!(
            "given with {shape_key} ball, ring or circle (a box or lattice has min and max)"
        );
        return Err(keys.refuse("radius", &allowed));
    }
    let of_domain = domain_box(keys.document)?;
    let bounds = (domain.boundary != Boundary::Open)
        .then(|| Region { min: domain.min.map(f64::from), max: domain.max.map(f64::from) })
        .or(of_domain)
        .or(keys.floor.map(|floor| Region::flat(floor.bounds())));
    // The shape fits into the domain, unless the domain was given and a spacing sizes the shape.
    let fitted = bounds.filter(|_| !(given.spacing.is_some() && keys.document.has("domain.min")));
    let center = given.center.unwrap_or_else(|| bounds.map_or([0.0; D], |b| b.center()));
    let shape = if shape.is_round() {
        round_shape(keys, shape, fitted, center, count)
    } else {
        box_shape(keys, shape, (of_domain, fitted), center, count)?
    };
    within(keys, domain, &shape)?;
    Ok(shape)
}

fn round_shape<const D: usize>(
    keys: &Keys<'_, D>,
    shape: SpawnShape,
    fitted: Option<Region<D>>,
    center: [f64; D],
    count: usize,
) -> Shape<D> {
    use std::f64::consts::PI;
    let boids = count.max(1) as f64;
    let sized = || match (shape, D) {
        (SpawnShape::Ring | SpawnShape::Circle, _) => keys.spacing() * boids / (2.0 * PI),
        (_, 2) => keys.spacing() * (boids / PI).sqrt(),
        _ => keys.spacing() * libm::cbrt(boids * 3.0 / (4.0 * PI)),
    };
    // Slightly smaller than the domain, so that rounding to f32 keeps it inside.
    let largest = fitted.map(|region| region.room_about(center) * (1.0 - 1e-6));
    let radius = keys.given.radius.or(largest).unwrap_or_else(sized) as f32;
    let center = center.map(|c| c as f32);
    match shape {
        SpawnShape::Ring => Shape::Ring { center, radius },
        SpawnShape::Circle => Shape::Circle { center, radius },
        _ => Shape::Ball { center, radius },
    }
}

fn box_shape<const D: usize>(
    keys: &Keys<'_, D>,
    shape: SpawnShape,
    (of_domain, fitted): (Option<Region<D>>, Option<Region<D>>),
    center: [f64; D],
    count: usize,
) -> Result<Shape<D>, SceneError> {
    let SpawnKeys { min, max, .. } = keys.given;
    let given = given_box(keys.document, &keys.place, min, max)?;
    // Without a shape the spawn follows a domain that is given, whatever the spacing.
    let left_out = keys.given.shape.is_none() && keys.given.center.is_none();
    let follows = if left_out { of_domain.or(fitted) } else { fitted };
    let sized = || Region::cube(center, side_for::<D>(keys.spacing(), count));
    let region = given.or(follows).unwrap_or_else(sized);
    let (min, max) = (region.min.map(|x| x as f32), region.max.map(|x| x as f32));
    let is_lattice = shape == SpawnShape::Lattice;
    Ok(if is_lattice { Shape::Lattice { min, max } } else { Shape::Box { min, max } })
}

/// Refuses a start that reaches outside the domain. The engine would refuse its boids one by one,
/// without naming the key.
fn within<const D: usize>(
    keys: &Keys<'_, D>,
    domain: &Domain<[f32; D]>,
    shape: &Shape<D>,
) -> Result<(), SceneError> {
    if domain.boundary == Boundary::Open {
        return Ok(());
    }
    let (min, max) = shape.bounds();
    for a in 0..D {
        if min[a] < domain.min[a] || max[a] > domain.max[a] {
            let culprits = ["radius", "max", "center"].map(|key| keys.place(key)).into_iter();
            let culprits =
                culprits.chain([keys.name("spacing"), keys.place("shape"), "domain.max".into()]);
            let key = culprits
                .into_iter()
                .find(|key| keys.document.has(key))
                .unwrap_or_else(|| keys.place("shape"));
            let allowed = format!(
                "what keeps the start inside the domain, {} to {} on axis {a} (it spans {} to {})",
                domain.min[a], domain.max[a], min[a], max[a]
            );
            return Err(keys.document.refuse(&key, &allowed));
        }
    }
    Ok(())
}
