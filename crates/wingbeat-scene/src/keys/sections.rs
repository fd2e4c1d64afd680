//! What sections of a scene set that is no part of the engine's: how many boids, where they start,
//! the edges of their world.

use wingbeat::steer::parameters::{Setting, SettingKind, parameter};
use wingbeat::steer::{parameters, settings, words};
use wingbeat::{memory::MAX_BOIDS, steer::Boundary};
use wingbeat_record::LengthUnit;

use super::key::{Key, insert_after};

/// A point where the table of keys asks for one: what it says of points holds in the plane and in
/// space.
pub(super) type AnyPoint = [f32; 2];

settings! {
    /// The top of the file.
    pub(crate) struct HeadKeys in "" {}
    settings {
        about: String = String::new(), "One line for `wingbeat presets`.";
        unit: Option<String> = None, shown "none: a scene's own length and time", takes
            SettingKind::Choice(LengthUnit::SYMBOLS), "What a length of 1 is: axes, tables, pages \
            and recordings say it, and times are seconds then. No number changes.";
    }
}

settings! {
    /// `[page]`.
    pub(crate) struct PageKeys in "page." {}
    settings {
        title: String = String::new(), "Heading of the scene's page. Left out: the scene's name.";
        text: String = String::new(), "A few sentences beside the flock, in Markdown: paragraphs, \
            *emphasis*, **strong**, `code`, [links](https://example.org).";
        sliders: String = String::new(), shown "the weights of the rules, or the first numbers of \
            the model", "Keys that come first on the page, one a line, each with a sentence after \
            a colon; or keys alone, with commas between. All others are under \"more\".";
    }
}

settings! {
    /// `[flock]`, but for its time step.
    pub(crate) struct FlockKeys in "flock." {}
    settings {
        boids: Option<u64> = None, shown "required unless an initial state is given",
            in "boids" from 0.0 => MAX_BOIDS as f64, "How many boids.";
        dimensions: Option<u64> = None, shown "3", in "" from 2.0 => 3.0, "2 for the plane, 3 for \
            space.";
        seed: u64 = 1, "Key of all randomness: the same seed gives the same bits on every machine.";
        steps: u64 = 500, in "steps", "How many steps a run makes.";
        steer_every: u32 = 1, in "steps" from 1.0 => parameters::limit::STEER_EVERY as f64, "Every \
            boid steers once in this many steps, in turns by id, and holds its force in between \
            (and whether it is busy, with species). Larger: cheaper steps and later reactions, \
            forces being (steer_every - 1)/2 steps old on average.";
    }
}

words! {
    /// What boids start in.
    pub(crate) enum SpawnShape {
        #[default]
        Box = "box",
        Ball = "ball",
        Ring = "ring",
        Circle = "circle",
        Lattice = "lattice",
    }
}

impl SpawnShape {
    /// Whether it has a center and a radius.
    pub fn is_round(self) -> bool {
        matches!(self, Self::Ball | Self::Ring | Self::Circle)
    }
}

words! {
    /// What goal each boid has of its own.
    pub(crate) enum SpawnGoal {
        #[default]
        None = "none",
        Opposite = "opposite",
        Random = "random",
    }
}

settings! {
    /// `[spawn]`, and that of a species.
    #[derive(Clone, Debug)]
    pub(crate) struct SpawnKeys<P: Setting> in "spawn." {}
    settings {
        shape: Option<SpawnShape> = None, shown "uniform in the domain's box", "Where boids start: \
            uniform in a box or ball, or on a circle in the x-y plane (ring), at equal distances \
            on such a circle (circle), or on a lattice. Left out in an `open` domain: a box of \
            spacing^D per boid.";
        spacing: Option<f64> = None, shown "1", in "length" from 1e-9 => 1e12, "Mean distance \
            between boids. Sizes the shape, and a domain whose min and max are left out, from the \
            count, so that `--boids` keeps the density.";
        min: Option<P> = None, shown "sized", in "length" from -1e30 => 1e30, "Lowest corner of a \
            box or lattice; needs spawn.max.";
        max: Option<P> = None, shown "sized", in "length" from -1e30 => 1e30, "Highest corner of \
            a box or lattice; needs spawn.min.";
        center: Option<P> = None, shown "the domain's middle", in "length" from -1e30 => 1e30,
            "Middle of the shape.";
        radius: Option<f64> = None, shown "sized", in "length" from 1e-9 => 1e12, "Radius of a \
            ball, ring or circle.";
        speed: Option<f32> = None, shown "1", in "length/time" from 0.0 => 1e9, "Mean speed at the \
            start.";
        speed_spread: f32 = 0.0, in "length/time" from 0.0 => 1e9, "Speeds are uniform within \
            speed ± this, never below 0.";
        heading: Option<P> = None, shown "every direction alike", in "" from -1e30 => 1e30,
            "Common heading at the start; any length but zero.";
        spread: f32 = 0.0, in "degrees" from 0.0 => 180.0, "How far headings may lie from \
            spawn.heading.";
        goal: SpawnGoal = SpawnGoal::None, "A goal of its own for everyone, to which drives of the \
            kind goal lead: the place opposite of its own, seen from spawn.goal_center, or another \
            place of the same shape. Who comes from a source has none.";
        goal_center: Option<P> = None, shown "the domain's middle, or zeros", in "length" from
            -1e30 => 1e30, "Opposite: the point halfway.";
    }
}

settings! {
    /// `[domain]`, but for the push of its walls.
    pub(crate) struct DomainKeys<P: Setting> in "domain." {}
    settings {
        kind: Option<String> = None, shown "\"open\"", takes SettingKind::Choice(Boundary::NAMES),
            "What lies beyond an edge: nothing in particular, the opposite face, a wall that \
            pushes, a mirror, or nothing from which any boid comes back. Left out with a floor: \
            reflecting.";
        min: Option<P> = None, shown "the floor's, or sized by spawn.spacing, about 0", in "length"
            from -1e30 => 1e30, "Lowest corner; needs domain.max. Given, the spawn follows it.";
        max: Option<P> = None, shown "the floor's, or sized by spawn.spacing, about 0", in "length"
            from -1e30 => 1e30, "Highest corner; needs domain.min.";
        origin: Option<P> = None, shown "zeros", in "length" from -1e30 => 1e30, "Where the \
            scene's own zero lies in the world, kept in f64: initial states and `--final` files \
            hold world coordinates, everything else is relative to it. Keeps far worlds exact.";
    }
}

settings! {
    /// `[floor]`.
    pub(crate) struct FloorKeys in "floor." {}
    settings {
        file: Option<String> = None, shown "none", "A .wkt file of what boids walk on: POLYGON, \
            MULTIPOLYGON or GEOMETRYCOLLECTION of these, 2-D only. In a scene file the path is \
            relative to that file.";
        wkt: Option<String> = None, shown "none", "In place of a file: its text.";
    }
}

settings! {
    /// `[initial]`.
    pub(crate) struct InitialKeys<P: Setting> in "initial." {}
    settings {
        file: Option<String> = None, shown "none", "A .csv or .npy file of a state, or a recording \
            (.wbr, .npz, .xyz, .txt of the pedestrian archives), to start from; it sets the count. \
            In a scene file the path is relative to that file.";
        frame: Option<i64> = None, shown "the first of a recording", "Which frame of a recording; \
            a .csv or .npy with it is read as one.";
        scale: f64 = 1.0, in "1" from 1e-9 => 1e9, "Lengths of the file are multiplied by this: \
            0.01 reads centimetres as metres.";
        time_scale: f64 = 1.0, in "1" from 1e-9 => 1e9, "Times of the file are multiplied by this: \
            velocities by scale / time_scale.";
        center: Option<P> = None, shown "not moved", in "length", takes SettingKind::PointOrTrue,
            "Moves the middle of the file's bounding box to this point; true: to the domain's \
            middle.";
    }
}

/// Keys of what a scene is about: how many boids, where they start, and the edges of their world.
pub(super) fn keys() -> Vec<Key> {
    let parameter = |key: &str| {
        let section = key.split('.').next().unwrap_or(key);
        Key::number(section, parameter(key).expect("the engine's table has this parameter"))
    };
    let mut keys = Key::all::<FlockKeys>("flock");
    insert_after(&mut keys, "flock.seed", parameter("flock.dt"));
    keys.extend(Key::all::<SpawnKeys<AnyPoint>>("spawn"));
    keys.extend(Key::all::<DomainKeys<AnyPoint>>("domain"));
    keys.extend(["domain.margin", "domain.strength"].map(parameter));
    keys.extend(Key::all::<FloorKeys>("floor"));
    keys.extend(Key::all::<InitialKeys<AnyPoint>>("initial"));
    keys
}
