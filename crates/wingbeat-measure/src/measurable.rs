//! What can be measured whatever its dimension: flocks of scenes and frames of recordings.

use wingbeat::Flock;
use wingbeat_record::{Frame, Row};
use wingbeat_scene::AnyFlock;

use crate::{Curves, Each, Observables, State, Wanted, measure};

/// Fewer are measured by the calling thread: to wake others takes as long.
const WORTH_THREADS: usize = 500;

/// Individuals at one moment, in the plane or in space: a flock's boids, or a recording's frame,
/// which lives in the domain that its file states, or in open space where it states none.
///
/// ```
/// use wingbeat_measure::{Measurable, Wanted};
/// use wingbeat_record::{Options, read};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("two.csv");
/// std::fs::write(&path, "frame,id,x,y\n0,1,0,0\n0,2,5,0\n1,1,0,2\n1,2,5,2\n")?;
/// let recording = read(&path, &Options { fps: Some(10.0), ..Options::default() })?;
/// let first = recording.frame(0)?.measure(Wanted::POLARIZATION | Wanted::MEAN_SPEED, None);
/// assert_eq!((first.polarization, first.mean_speed), (Some(1.0), Some(20.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Measurable {
    /// Several observables at once, neighbors and groups within this radius (length). See
    /// [`State::measure`].
    fn measure(&self, wanted: Wanted, radius: Option<f64>) -> Observables;

    /// What is said of every individual, by ascending id. See [`State::each`].
    fn each(&self, wanted: Wanted, radius: Option<f64>) -> Each;

    /// Ids and velocities, by ascending id; in the plane the third component is 0.
    fn velocities(&self) -> (Vec<u64>, Vec<[f64; 3]>);

    /// Adds this moment to curves, by its number. See [`Curves::add`].
    fn add_to(&self, curves: &mut Curves, number: i64);

    /// All observables: [`measure`](Self::measure) with all wanted.
    fn observables(&self, radius: Option<f64>) -> Observables {
        self.measure(Wanted::ALL, radius)
    }
}

/// The same expression for either flock.
macro_rules! either {
    ($any:expr, $flock:ident => $value:expr) => {
        match $any {
            AnyFlock::Two($flock) => $value,
            AnyFlock::Three($flock) => $value,
        }
    };
}

impl Measurable for AnyFlock {
    fn measure(&self, wanted: Wanted, radius: Option<f64>) -> Observables {
        either!(self, flock => measure(&flock.frame(), flock.domain(), wanted, radius))
    }

    fn each(&self, wanted: Wanted, radius: Option<f64>) -> Each {
        either!(self, flock => state(flock).each(wanted, radius))
    }

    fn velocities(&self) -> (Vec<u64>, Vec<[f64; 3]>) {
        either!(self, flock => {
            let ids = flock.frame().living().iter().map(|id| id.get()).collect();
            (ids, state(flock).velocities())
        })
    }

    fn add_to(&self, curves: &mut Curves, number: i64) {
        either!(self, flock => curves.add_frame(number, &flock.frame(), flock.domain()));
    }
}

fn state<const D: usize>(flock: &Flock<D>) -> State<'_, D> {
    State::of(&flock.frame(), flock.domain())
}

/// All threads of rayon's global pool measure a frame that is worth their waking.
impl Measurable for Frame<'_> {
    fn measure(&self, wanted: Wanted, radius: Option<f64>) -> Observables {
        match self.dimensions() {
            2 => state_of::<2>(self).measure(wanted, radius),
            _ => state_of::<3>(self).measure(wanted, radius),
        }
    }

    fn each(&self, wanted: Wanted, radius: Option<f64>) -> Each {
        match self.dimensions() {
            2 => state_of::<2>(self).each(wanted, radius),
            _ => state_of::<3>(self).each(wanted, radius),
        }
    }

    fn velocities(&self) -> (Vec<u64>, Vec<[f64; 3]>) {
        self.rows.iter().map(|row| (row.id, row.velocity)).unzip()
    }

    fn add_to(&self, curves: &mut Curves, number: i64) {
        let ids: Vec<u64> = self.rows.iter().map(|row| row.id).collect();
        match self.dimensions() {
            2 => curves.add::<2>(number, &ids, &state_of(self)),
            _ => curves.add::<3>(number, &ids, &state_of(self)),
        }
    }
}

fn state_of<const D: usize>(frame: &Frame<'_>) -> State<'static, D> {
    let first = |v: &[f64; 3]| -> [f64; D] { std::array::from_fn(|a| v[a]) };
    let column = |of: fn(&Row) -> &[f64; 3]| -> Vec<[f64; D]> {
        frame.rows.iter().map(|row| first(of(row))).collect()
    };
    let (positions, velocities) = (column(|row| &row.position), column(|row| &row.velocity));
    let state = State::new(&positions, &velocities, frame.edges().domain::<D>());
    if frame.rows.len() < WORTH_THREADS { state } else { state.on_all_threads() }
}
