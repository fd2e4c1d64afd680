//! Flocks of several species: the fast step equals the textbook bit for bit, captures and stamina included; who is far away, or of
//! a species that nobody heeds, changes nobody's bits; evasion saves lives and chasing tires.

use crate::common::*;
use wingbeat::steer::{TextbookFlock, Vector};
use wingbeat::*;

/// A flock of several species, and who is of which.
struct Zoo<const D: usize> {
    case: Case<D>,
    kinds: Vec<usize>,
}

/// Rules of one species, drawn like those of a flock.
fn kind(place: usize, radius: f32, form: u32, random: &mut Random) -> Species {
    let mut params = Params::default();
    let rules = if form == 0 { 7 } else { random.below(8) };
    if rules & 1 != 0 {
        let any = random.one_of(&separations());
        params.separation = Some(if form < 2 { Separation::default() } else { any });
    }
    // What is averaged is one for all.
    if rules & 2 != 0 {
        params.alignment = Some(Alignment { include_self: random.coin(), ..Default::default() });
    }
    if rules & 4 != 0 {
        params.cohesion = Some(random.one_of(&cohesions()));
    }
    perceive(&mut params, radius * random.one_of(&[1.0, 0.6]), random);
    let Params { agent, separation, alignment, cohesion, .. } = params;
    let agent = AgentLimits { max_speed: random.one_of(&[2.0, 1.0, 3.5]), min_speed: agent.min_speed * 0.5, ..agent };
    let stamina = random.coin().then(|| Stamina { capacity: 3.0 * random.unit() + 0.1, drain: 2.0, recover: 5.0 });
    Species { name: format!("kind{place}"), agent, separation, alignment, cohesion, stamina }
}

fn zoo<const D: usize>(seed: u64) -> Zoo<D>
where
    [f32; D]: Vector,
{
    use InteractionKind::{Evade, Flee, Flock, Ignore, Pursue};
    let mut random = Random::new(seed);
    let radius = random.one_of(&[1.0, 1.0, 0.3, 60.0]);
    let count = random.one_of(&[1, 2, 2, 3, 4, 7]);
    let form = random.below(3) as u32;
    let mut params = Params { species: (0..count).map(|i| kind(i, radius, form, &mut random)).collect(), ..Default::default() };
    let mut chases = vec![0; count];
    for who in 0..count {
        for whom in 0..count {
            let kind = random.one_of(&[Ignore, Flock, Flock, Flee, Pursue, Pursue, Evade]);
            if random.coin() || (kind.chases() && chases[who] == 4) {
                continue;
            }
            chases[who] += usize::from(kind.chases());
            let capture = if kind == Pursue && random.coin() { radius * 0.15 } else { 0.0 };
            let (radius, weight) = (radius * random.one_of(&[1.0, 0.4]), random.one_of(&[1.0, 3.0, -0.5]));
            params.interactions.push(Interaction { who, whom, kind, radius, weight, capture_radius: capture });
        }
    }
    (params.combine, params.priority) = combine(random.below(COMBINES), &mut random);
    if random.coin() {
        params.priority = vec![Term::Interactions, Term::Walls];
    }
    // Rules of length 0 need a box all the same.
    let (kind, state) = (random.one_of(&KINDS), random.one_of(&STATES));
    let domain = domain(kind, radius, &mut random);
    let boids = boids(state, &domain, radius, &mut random);
    let kinds = boids.iter().map(|_| random.below(count)).collect();
    let dt = random.one_of(&[0.02, 0.3, 1.0]);
    Zoo { case: Case { seed, name: format!("{kind} {state} form {form}"), params, domain, boids, dt }, kinds }
}

impl<const D: usize> Zoo<D>
where
    [f32; D]: Vector,
{
    fn textbook(&self, random: &mut Random) -> TextbookFlock<[f32; D]> {
        let mut book = textbook(&self.case);
        for (boid, &species) in self.case.boids.iter().zip(&self.kinds) {
            let own = random.below(4) == 0;
            let traits = Traits {
                species,
                max_speed: own.then_some(0.7),
                mass: (own && random.coin()).then_some(2.5),
                ..Traits::default()
            };
            book.traits.insert(boid.id, traits);
        }
        book
    }

    fn engine(&self, book: &TextbookFlock<[f32; D]>, level: Level, threads: usize, storage: Storage) -> Flock<D> {
        let built = builder(&self.case, level, threads, storage).species(self.kinds.clone()).batch(37).build();
        let mut flock = built.unwrap_or_else(|refused| panic!("seed {} {}: {refused}", self.case.seed, self.case.name));
        for (&id, &traits) in &book.traits {
            if traits.max_speed.is_some() {
                flock.set_traits(BoidId::new(id), traits).unwrap();
            }
        }
        flock
    }
}

type Row<const D: usize> = (u64, [u32; D], [u32; D], u32, bool);

fn rows<const D: usize>(flock: &Flock<D>) -> Vec<Row<D>>
where
    [f32; D]: Vector,
{
    let row = |boid: Boid<D>| {
        let traits = flock.traits(boid.id).unwrap();
        (boid.id.get(), boid.position.map(f32::to_bits), boid.velocity.map(f32::to_bits), traits.spent.to_bits(), traits.resting)
    };
    flock.frame().by_id().map(row).collect()
}

fn book_rows<const D: usize>(book: &TextbookFlock<[f32; D]>) -> Vec<Row<D>> {
    let row = |boid: &steer::TextbookBoid<[f32; D]>| {
        let traits = book.traits[&boid.id];
        (boid.id, boid.position.map(f32::to_bits), boid.velocity.map(f32::to_bits), traits.spent.to_bits(), traits.resting)
    };
    let mut rows: Vec<_> = book.boids.iter().map(row).collect();
    rows.sort_unstable();
    rows
}

/// Captures there were.
fn agrees_with_textbook<const D: usize>(seed: u64) -> usize
where
    [f32; D]: Vector,
{
    let zoo = zoo::<D>(seed);
    let mut random = Random::new(seed ^ 0x5eed);
    let mut book = zoo.textbook(&mut random);
    let levels = Level::available().into_iter();
    let storages = [Storage::Automatic, Storage::Sparse];
    let engine = |level| zoo.engine(&book, level, random.one_of(&[1, 1, 3]), random.one_of(&storages));
    let mut flocks: Vec<Flock<D>> = levels.map(engine).collect();
    let mut captures = 0;
    for step in 0..12 {
        book.step_by(zoo.case.dt);
        captures += book.captured.len();
        let wanted = book_rows(&book);
        for flock in &mut flocks {
            let at = format!("seed {seed} {} {D}-D {} step {step}\n{:?}", zoo.case.name, flock.level(), zoo.case.params);
            flock.step(TimeStep::new(zoo.case.dt).unwrap());
            let event = |event: &Event| match *event {
                Event::Captured { captor, prey } => (captor.get(), prey.get()),
                _ => panic!("{event:?}: {at}"),
            };
            assert_eq!(flock.events().iter().map(event).collect::<Vec<_>>(), book.captured, "captures: {at}");
            for (found, wanted) in rows(flock).iter().zip(&wanted) {
                assert_eq!(found, wanted, "id, position, velocity, spent, resting: {at}");
            }
            assert_eq!(flock.len(), wanted.len(), "{at}");
        }
    }
    captures
}

#[test]
fn species_equal_the_textbook() {
    let full = std::env::var_os("WINGBEAT_FULL").is_some_and(|v| v == "1");
    let seeds = if full { 3000 } else { 250 };
    let captures: usize = (0..seeds).map(|seed| agrees_with_textbook::<2>(seed) + agrees_with_textbook::<3>(seed)).sum();
    assert!(captures > seeds as usize, "{captures} captures: the cases hold too few");
}
