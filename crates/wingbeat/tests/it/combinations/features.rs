//! Features of flocks, their options, which of them go together, and choices that cover every pair.

use wingbeat::steer::Advance;
use wingbeat::steer::Model;
use wingbeat::steer::anticipation::anticipations;
use wingbeat::steer::model::models;

use crate::common::Random;

pub const SPECIES: usize = 0;
pub const RULES: usize = 1;
pub const NEAREST: usize = 2;
pub const TURNS: usize = 3;
pub const MODEL: usize = 4;
pub const DRIVES: usize = 5;
pub const OBSTACLES: usize = 6;
pub const HOST: usize = 7;
pub const DOMAIN: usize = 8;
pub const DIMENSIONS: usize = 9;
pub const COMBINATION: usize = 10;
pub const LEVEL: usize = 11;
pub const ORDER: usize = 12;
pub const BODIES: usize = 13;
pub const ANTICIPATION: usize = 14;
pub const GATES: usize = 15;
pub const TIMES: usize = 16;
pub const PASSES: usize = 17;
pub const FEATURES: usize = 18;

/// One option of each feature.
pub type Choice = [usize; FEATURES];

/// Two options: feature and place, feature and place.
pub type Pairing = ((usize, usize), (usize, usize));

/// The options of every feature, by name; the first of most is that the flock does without.
pub fn options() -> [Vec<String>; FEATURES] {
    let named = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    let mut with_models = named(&["none"]);
    with_models.extend(models().map(|model| model.name().to_string()));
    let mut with_anticipations = named(&["none"]);
    with_anticipations.extend(anticipations().map(|model| model.name().to_string()));
    [
        named(&["none", "two that mingle", "three that hunt", "eighteen"]),
        named(&["none", "shared sight", "own sights", "of all kinds", "further rules"]),
        named(&["all", "a rule's nearest", "max_neighbors"]),
        named(&["every step", "every third"]),
        with_models,
        named(&["none", "goal, wander", "leader to look at, path, noise", "many"]),
        named(&["none", "standing", "moving", "not steered round"]),
        named(&["none", "one", "two", "a closure", "one, and a closure"]),
        named(&["open", "periodic", "tiny", "walled", "reflecting", "absorbing"]),
        named(&["2-D", "3-D"]),
        named(&["weighted", "prioritized", "direction"]),
        // The same everywhere, so that all machines draw the same flocks.
        named(&["first level", "second level", "third level"]),
        named(&["slots", "slots, sparse", "crowds", "crowds, sparse"]),
        named(&["none", "of one size", "of many", "crowded"]),
        with_anticipations,
        named(&["none", "exits", "sources", "exits, sources"]),
        named(&["always", "windows, hours", "delays, turnstiles", "all of these"]),
        named(&["three rules in a loop", "a pass a rule"]),
    ]
}

/// Whether two options mean nothing together: rules, their passes or a combination beside a model,
/// which takes their place; the nearest of a rule where there is none; a model of the plane in
/// space; anticipation without bodies, and forces where steering is none; times without drives;
/// passes without rules.
pub fn contradict((f, a): (usize, usize), (g, b): (usize, usize)) -> bool {
    let one_way = |(f, a): (usize, usize), (g, b): (usize, usize)| match (f, g) {
        (MODEL, RULES | COMBINATION | PASSES) => a > 0 && b > 0,
        (MODEL, NEAREST) => a > 0 && b == 1,
        (MODEL, DIMENSIONS) => {
            b == 1 && a > 0 && models().nth(a - 1).is_some_and(|model| model.is_planar())
        }
        (RULES, NEAREST) => a == 0 && b == 1,
        (ANTICIPATION, BODIES) => a > 0 && b == 0,
        (DRIVES, TIMES) => a == 0 && b > 0,
        (RULES, PASSES) => a == 0 && b > 0,
        (ANTICIPATION, COMBINATION) => says_forces(a) && b == 2,
        (ANTICIPATION, MODEL) => {
            let takes =
                |model: Model| matches!(model.advance(), Advance::Accelerate | Advance::Unlimited);
            says_forces(a) && b > 0 && !models().nth(b - 1).is_some_and(takes)
        }
        _ => false,
    };
    one_way((f, a), (g, b)) || one_way((g, b), (f, a))
}

/// Whether a model of anticipation says forces.
pub fn says_forces(option: usize) -> bool {
    option > 0 && anticipations().nth(option - 1).is_some_and(|model| !model.is_velocity())
}

/// All pairs of options of different features that go together.
pub fn pairings(options: &[Vec<String>; FEATURES]) -> Vec<Pairing> {
    let all: Vec<_> =
        (0..FEATURES).flat_map(|f| (0..options[f].len()).map(move |a| (f, a))).collect();
    let pairs = all.iter().flat_map(|&one| all.iter().map(move |&other| (one, other)));
    pairs.filter(|&(one, other)| one.0 < other.0 && !contradict(one, other)).collect()
}

pub fn holds(choice: &Choice, &((f, a), (g, b)): &Pairing) -> bool {
    choice[f] == a && choice[g] == b
}

/// A choice that holds a pair of options: features in random order, each with the option that meets
/// most others for the first time.
pub fn grown(
    pair: &Pairing,
    missing: &[Pairing],
    options: &[Vec<String>; FEATURES],
    random: &mut Random,
) -> Option<Choice> {
    let mut taken: Vec<(usize, usize)> = vec![pair.0, pair.1];
    let mut rest: Vec<usize> = (0..FEATURES).filter(|f| *f != pair.0.0 && *f != pair.1.0).collect();
    while !rest.is_empty() {
        let f = rest.swap_remove(random.below(rest.len()));
        let first = random.below(options[f].len());
        let mut best = None;
        for a in (0..options[f].len()).map(|a| (a + first) % options[f].len()) {
            if taken.iter().any(|&other| contradict((f, a), other)) {
                continue;
            }
            let met = |other: &&(usize, usize)| {
                missing.contains(&((f, a).min(**other), (f, a).max(**other)))
            };
            let news = taken.iter().filter(met).count();
            if best.is_none_or(|(most, _)| news > most) {
                best = Some((news, a));
            }
        }
        taken.push((f, best?.1));
    }
    let mut choice = [0; FEATURES];
    taken.iter().for_each(|&(f, a)| choice[f] = a);
    Some(choice)
}

/// Choices such that every pair of options that go together is in one of them.
pub fn covering(random: &mut Random) -> Vec<Choice> {
    let options = options();
    let all = pairings(&options);
    let (mut missing, mut choices) = (all.clone(), Vec::new());
    while let Some(pair) = missing.first() {
        // An order of features may end where nothing goes with what was taken; another will not.
        if let Some(choice) = (0..100).find_map(|_| grown(pair, &missing, &options, random)) {
            missing.retain(|pair| !holds(&choice, pair));
            choices.push(choice);
        } else {
            panic!("no flock holds {pair:?}");
        }
    }
    assert!(
        all.iter().all(|pair| choices.iter().any(|choice| holds(choice, pair))),
        "every pair is in a flock"
    );
    choices
}

/// Any choice without a contradiction.
pub fn any_choice(random: &mut Random) -> Choice {
    let options = options();
    loop {
        let choice: Choice = std::array::from_fn(|f| random.below(options[f].len()));
        let all: Vec<_> = choice.iter().copied().enumerate().collect();
        if !all.iter().any(|&one| all.iter().any(|&other| contradict(one, other))) {
            return choice;
        }
    }
}
