//! The domain, and where boids start in it. Sizes that are left out follow the count, so that the density stays the same.

use wingbeat::steer::Vector;
use wingbeat::{Boundary, Domain, Shape, Spawn};

use crate::SceneError;
use crate::document::Document;

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

/// The domain for `count` boids: as given, or a box of spacing^D per boid about zero.
pub(crate) fn domain<const D: usize>(document: &Document, count: usize) -> Result<Domain<[f32; D]>, SceneError> {
    let usual = document.model().is_some_and(|model| model.usual().periodic).then_some("periodic");
    let boundary = match document.text("domain.kind").or(usual) {
        Some("periodic") => Boundary::Periodic,
        Some("walled") => Boundary::Walled {
            margin: document.narrow("domain.margin").unwrap_or(0.0),
            strength: document.narrow("domain.strength").unwrap_or(0.0),
        },
        Some("reflecting") => Boundary::Reflecting,
        Some("absorbing") => Boundary::Absorbing,
        _ => Boundary::Open,
    };
    let given = given_box::<D>(document, "domain")?;
    if boundary == Boundary::Open {
        return Ok(Domain::open());
    }
    let region = given.unwrap_or_else(|| Region::cube([0.0; D], side_for::<D>(spacing(document), count)));
    let domain = Domain { boundary, min: region.min.map(|x| x as f32), max: region.max.map(|x| x as f32) };
    domain.check(0.0).map_err(|refusal| document.refuse_param(refusal))?;
    Ok(domain)
}

/// Where and how `count` boids start in `domain`.
pub(crate) fn spawn<const D: usize>(
    document: &Document,
    domain: &Domain<[f32; D]>,
    count: usize,
) -> Result<Spawn<D>, SceneError> {
    let usual = Spawn::<D>::default();
    let heading = document.point::<D>("spawn.heading");
    if heading.is_some_and(|h| h.map(|c| c as f32).largest() == 0.0) {
        return Err(document.refuse("spawn.heading", "a direction: at least one number that is not 0"));
    }
    Ok(Spawn {
        shape: shape(document, domain, count)?,
        speed: document.narrow("spawn.speed").unwrap_or(document.model().map_or(usual.speed, |model| model.usual().speed)),
        speed_spread: document.narrow("spawn.speed_spread").unwrap_or(usual.speed_spread),
        heading: heading.map(|h| h.map(|c| c as f32)),
        heading_spread: document.narrow("spawn.spread").unwrap_or(usual.heading_spread),
    })
}

fn spacing(document: &Document) -> f64 {
    document.number("spawn.spacing").unwrap_or(1.0)
}

/// Side of a square or cube that gives each boid spacing^D.
fn side_for<const D: usize>(spacing: f64, count: usize) -> f64 {
    let count = count.max(1) as f64;
    spacing * if D == 2 { count.sqrt() } else { libm::cbrt(count) }
}

/// `SECTION.min` and `SECTION.max`, where they are given.
fn given_box<const D: usize>(document: &Document, section: &str) -> Result<Option<Region<D>>, SceneError> {
    let (min_key, max_key) = (format!("{section}.min"), format!("{section}.max"));
    match (document.point::<D>(&min_key), document.point::<D>(&max_key)) {
        (Some(min), Some(max)) => {
            for a in 0..D {
                if min[a] >= max[a] {
                    let allowed = format!("above {min_key} on every axis: {} on axis {a}", min[a]);
                    return Err(document.refuse(&max_key, &allowed));
                }
            }
            Ok(Some(Region { min, max }))
        }
        (Some(_), None) => Err(document.refuse(&min_key, &format!("given together with {max_key}"))),
        (None, Some(_)) => Err(document.refuse(&max_key, &format!("given together with {min_key}"))),
        (None, None) => Ok(None),
    }
}

fn shape<const D: usize>(document: &Document, domain: &Domain<[f32; D]>, count: usize) -> Result<Shape<D>, SceneError> {
    let name = document.text("spawn.shape").unwrap_or("box");
    let round = matches!(name, "ball" | "ring");
    for key in ["spawn.min", "spawn.max"] {
        if round && document.has(key) {
            return Err(document.refuse(key, "given with spawn.shape box or lattice (a ball or ring has center and radius)"));
        }
    }
    if !round && document.has("spawn.radius") {
        return Err(document.refuse("spawn.radius", "given with spawn.shape ball or ring (a box or lattice has min and max)"));
    }
    let bounds = (domain.boundary != Boundary::Open)
        .then(|| Region { min: domain.min.map(f64::from), max: domain.max.map(f64::from) })
        .or(given_box::<D>(document, "domain")?);
    // The shape fits into the domain, unless the domain was given and a spacing sizes the shape.
    let fitted = bounds.filter(|_| !(document.has("spawn.spacing") && document.has("domain.min")));
    let center = document.point::<D>("spawn.center").unwrap_or_else(|| bounds.map_or([0.0; D], |b| b.center()));
    let shape = if round {
        round_shape(document, name, fitted, center, count)
    } else {
        box_shape(document, name, fitted, center, count)?
    };
    within(document, domain, &shape)?;
    Ok(shape)
}

fn round_shape<const D: usize>(
    document: &Document,
    name: &str,
    fitted: Option<Region<D>>,
    center: [f64; D],
    count: usize,
) -> Shape<D> {
    use std::f64::consts::PI;
    let boids = count.max(1) as f64;
    let sized = || match (name, D) {
        ("ring", _) => spacing(document) * boids / (2.0 * PI),
        (_, 2) => spacing(document) * (boids / PI).sqrt(),
        _ => spacing(document) * libm::cbrt(boids * 3.0 / (4.0 * PI)),
    };
    // Slightly smaller than the domain, so that rounding to f32 keeps it inside.
    let largest = fitted.map(|region| region.room_about(center) * (1.0 - 1e-6));
    let radius = document.number("spawn.radius").or(largest).unwrap_or_else(sized) as f32;
    let center = center.map(|c| c as f32);
    if name == "ring" { Shape::Ring { center, radius } } else { Shape::Ball { center, radius } }
}

fn box_shape<const D: usize>(
    document: &Document,
    name: &str,
    fitted: Option<Region<D>>,
    center: [f64; D],
    count: usize,
) -> Result<Shape<D>, SceneError> {
    let given = given_box::<D>(document, "spawn")?;
    let left_out = !document.has("spawn.shape") && !document.has("spawn.center");
    // Without a shape the spawn follows a domain that is given, whatever the spacing.
    let follows = if left_out { given_box::<D>(document, "domain")?.or(fitted) } else { fitted };
    let sized = || Region::cube(center, side_for::<D>(spacing(document), count));
    let region = given.or(follows).unwrap_or_else(sized);
    let (min, max) = (region.min.map(|x| x as f32), region.max.map(|x| x as f32));
    Ok(if name == "lattice" { Shape::Lattice { min, max } } else { Shape::Box { min, max } })
}

/// Refuses a start that reaches outside the domain. The engine would refuse its boids one by one, without naming the key.
fn within<const D: usize>(document: &Document, domain: &Domain<[f32; D]>, shape: &Shape<D>) -> Result<(), SceneError> {
    if domain.boundary == Boundary::Open {
        return Ok(());
    }
    let (min, max) = shape.bounds();
    for a in 0..D {
        if min[a] < domain.min[a] || max[a] > domain.max[a] {
            let culprit = ["spawn.radius", "spawn.max", "spawn.center", "spawn.spacing", "spawn.shape", "domain.max"];
            let key = culprit.into_iter().find(|key| document.has(key)).unwrap_or("spawn.shape");
            let allowed = format!(
                "what keeps the start inside the domain, {} to {} on axis {a} (it spans {} to {})",
                domain.min[a], domain.max[a], min[a], max[a]
            );
            return Err(document.refuse(key, &allowed));
        }
    }
    Ok(())
}
