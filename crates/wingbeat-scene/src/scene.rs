//! A scene: a file's content, read and checked.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use wingbeat::steer::Anticipation;
use wingbeat::{Params, SpeciesId, TimeStep};
use wingbeat_record::{LengthUnit, read_text};

use crate::advice::closest;
use crate::document::Document;
use crate::keys::FlockKeys;
use crate::{Override, PRESETS, Ramp, SceneError, Start, preset, ramp, rules, update};

/// A scene, read and checked: everything a run needs except the [`Machine`](crate::Machine) it runs
/// on.
///
/// ```
/// use wingbeat_scene::{Machine, Scene};
/// let text = "[flock]\nboids = 50\ndimensions = 2\n[cohesion]\nradius = 2.0\n";
/// let scene = Scene::parse("small.toml", text, &[])?;
/// let mut built = scene.build(&Machine::default())?;
/// built.flock.step(scene.dt());
/// assert_eq!(built.flock.len(), 50);
/// # Ok::<(), wingbeat_scene::SceneError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scene {
    pub(crate) document: Document,
    /// Where relative paths inside the file start.
    pub(crate) folder: PathBuf,
    boids: Option<usize>,
    dimensions: usize,
    seed: u64,
    dt: TimeStep,
    steps: u64,
    steer_every: u32,
    pub(crate) params: Params,
    pub(crate) ramps: Vec<Ramp>,
    /// Boids that the flock starts with, in place of those that the scene spawns or reads.
    pub(crate) start: Option<Arc<Start>>,
}

/// Bytes of the longest scene file: one with the longest floor plan and a thousand times as much as
/// any preset has besides.
pub const MOST_TEXT: u64 = 16 << 20;

impl Scene {
    /// Reads a preset by its name, or else a TOML file by its path, with `overrides` on top.
    ///
    /// # Errors
    /// When there is no such preset or file, or something in it is not accepted.
    pub fn load(source: &str, overrides: &[Override]) -> Result<Self, SceneError> {
        if let Some(preset) = preset(source) {
            return Self::parse(preset.name, preset.text, overrides);
        }
        let path = Path::new(source);
        let text = read_text(path, MOST_TEXT).map_err(|error| {
            if error.kind() == std::io::ErrorKind::NotFound && !source.contains(['/', '\\', '.']) {
                let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
                let meant = closest(source, names.iter().copied()).unwrap_or_default();
                let message = format!(
                    "no preset and no file of this name: nearest preset is {meant}; presets are {}",
                    names.join(", ")
                );
                return SceneError::file(source, message);
            }
            SceneError::file(source, format!("cannot read the scene: {}", reason(&error)))
        })?;
        Ok(Self::parse(source, &text, overrides)?.in_folder(path.parent().unwrap_or(Path::new(""))))
    }

    /// Reads a scene from a text; `name` is what messages call it.
    ///
    /// # Errors
    /// When something in it is not accepted.
    pub fn parse(name: &str, text: &str, overrides: &[Override]) -> Result<Self, SceneError> {
        let document = Document::parse(name, text, overrides)?;
        document.check()?;
        let keys = document.read("flock", FlockKeys::default());
        let boids = keys.boids.and_then(|count| usize::try_from(count).ok());
        let counts: Vec<i64> = document
            .tables("species")
            .iter()
            .filter_map(|table| document.whole(&format!("{table}.count")))
            .collect();
        // Each fits a `usize` of 32 bits, their sum need not: so many are refused when the flock is
        // built.
        let total = || usize::try_from(counts.iter().sum::<i64>()).unwrap_or(usize::MAX);
        let boids = boids.or((!counts.is_empty()).then(total));
        if boids.is_none() && !document.has("initial.file") {
            return Err(document.refuse(
                "flock.boids",
                "a whole number: how many boids (or initial.file, or --initial)",
            ));
        }
        if document.has_section("initial") && !document.has("initial.file") {
            return Err(document.refuse("initial.file", "a path: the file to start from"));
        }
        let usual = document.model().map(|model| model.usual());
        let dt = document.narrow("flock.dt").or(usual.map(|usual| usual.dt)).unwrap_or(0.02);
        let dt = TimeStep::new(dt).map_err(|refusal| document.refuse_param(refusal))?;
        let scene = Self {
            boids,
            dimensions: match keys.dimensions {
                Some(dimensions) => dimensions as usize,
                None => usual.map_or(3, |usual| usual.dimensions),
            },
            seed: keys.seed,
            dt,
            steps: keys.steps,
            steer_every: keys.steer_every,
            params: rules::params(&document)?,
            ramps: {
                update::check(&document)?;
                ramp::read(&document)?
            },
            folder: PathBuf::new(),
            start: None,
            document,
        };
        scene.check_lesson()?;
        Ok(scene)
    }

    /// The same scene with its relative paths starting in `folder`, as [`load`](Self::load) has
    /// them start beside the file.
    pub fn in_folder(mut self, folder: &Path) -> Self {
        self.folder = folder.to_path_buf();
        self
    }

    /// The same scene, its flock starting with these boids rather than those it spawns or reads
    /// from a file: as a recording of it has them in its first frame.
    #[must_use]
    pub fn with_start(mut self, start: Arc<Start>) -> Self {
        self.start = Some(start);
        self
    }

    /// The file the boids start from, if there is one: relative to the folder of the scene, or as
    /// given on the command line.
    pub fn initial_file(&self) -> Option<PathBuf> {
        self.file("initial.file")
    }

    /// All files that the scene names, to be read when its flock is built: the initial state, and
    /// fields of drives.
    pub fn files(&self) -> Vec<PathBuf> {
        let named = self.document.leaves().map(|(key, _)| key).filter(|key| key.ends_with(".file"));
        named.filter_map(|key| self.file(key)).collect()
    }

    /// The path that a key has as its value: relative to the folder of the scene, or as given on
    /// the command line.
    pub(crate) fn file(&self, key: &str) -> Option<PathBuf> {
        let file = self.document.text(key)?;
        Some(if self.document.is_override(key) { file.into() } else { self.folder.join(file) })
    }

    /// The file's path as given, or the preset's name.
    pub fn name(&self) -> &str {
        self.document.name()
    }

    /// The scene's one line about itself; empty if it has none.
    pub fn about(&self) -> &str {
        self.document.text("about").unwrap_or("")
    }

    /// The unit of its lengths, `unit` at the top of the file; its times are seconds then. `None`
    /// where it says none.
    ///
    /// ```
    /// use wingbeat_scene::Scene;
    /// let scene = Scene::parse("hall.toml", "unit = \"m\"\n[flock]\nboids = 5\n", &[])?;
    /// assert_eq!(scene.unit().map(|unit| unit.to_string()).as_deref(), Some("m"));
    /// # Ok::<(), wingbeat_scene::SceneError>(())
    /// ```
    pub fn unit(&self) -> Option<LengthUnit> {
        self.document.text("unit").and_then(LengthUnit::parse)
    }

    /// How many boids the scene asks for. An initial state may bring another count; `None` where
    /// only that gives one.
    pub fn boids(&self) -> Option<usize> {
        self.boids
    }

    /// 2 or 3.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Seed of all randomness.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Time one step covers.
    pub fn dt(&self) -> TimeStep {
        self.dt
    }

    /// How many steps a run makes.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Every boid steers once in this many steps.
    pub fn steer_every(&self) -> u32 {
        self.steer_every
    }

    /// The species of each of `count` boids: all of the file's first species, then all of its
    /// second, …; empty without species.
    pub(crate) fn species_by_id(&self, count: usize) -> Vec<SpeciesId> {
        let shares = self.species_shares(count);
        shares
            .iter()
            .enumerate()
            .flat_map(|(species, &share)| std::iter::repeat_n(SpeciesId::new(species), share))
            .collect()
    }

    /// How many of `count` boids are of each species; empty without species. Shares are rounded by
    /// the largest remainder, so that they add up to `count`.
    pub(crate) fn species_shares(&self, count: usize) -> Vec<usize> {
        let document = &self.document;
        let count_of = |table: &&str| {
            document.whole(&format!("{table}.count")).map_or(0, |count| count as u128)
        };
        let given: Vec<u128> = document.tables("species").iter().map(count_of).collect();
        let total: u128 = given.iter().sum();
        if given.is_empty() {
            return Vec::new();
        }
        // Counts that are all 0 give no proportion: every boid is of the first species.
        let given =
            if total == 0 { (0..given.len()).map(|i| u128::from(i == 0)).collect() } else { given };
        let total = total.max(1);
        let wanted = |share: u128| share * count as u128;
        let mut shares: Vec<usize> =
            given.iter().map(|&share| (wanted(share) / total) as usize).collect();
        let mut by_remainder: Vec<usize> = (0..given.len()).collect();
        by_remainder.sort_by_key(|&i| std::cmp::Reverse(wanted(given[i]) % total));
        let lacking = count - shares.iter().sum::<usize>();
        by_remainder.iter().take(lacking).for_each(|&i| shares[i] += 1);
        shares
    }

    /// What its boids are called: people where they leave by exits or look ahead as walkers do, and
    /// not as ORCA's robots.
    pub fn noun(&self) -> &'static str {
        let walks = |how: &Anticipation| !matches!(how, Anticipation::Orca(_));
        let is_crowd = self.has_exits() || self.params.anticipation.as_ref().is_some_and(walks);
        if is_crowd { "people" } else { "boids" }
    }

    /// Whether it has exits.
    pub fn has_exits(&self) -> bool {
        !self.document.tables("exit").is_empty()
    }

    /// Names of its exits, in the order of the file.
    pub fn exits(&self) -> Vec<&str> {
        self.document
            .tables("exit")
            .into_iter()
            .filter_map(|table| table.strip_prefix("exit."))
            .collect()
    }

    /// The rules and limits.
    pub fn params(&self) -> &Params {
        &self.params
    }
}

/// Why a file could not be read, without the operating system's error number.
pub(crate) fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::InvalidData => "it is not UTF-8 text".to_string(),
        _ => wingbeat_record::io_reason(error),
    }
}
