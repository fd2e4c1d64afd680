//! Which individual is of which species, as a file names them.

use std::collections::HashMap;

/// Most species of a recording: a byte tells which.
pub const MOST_SPECIES: usize = 256;

/// The species of individuals, by id. An individual's species does not change: what is said of it
/// first counts.
///
/// ```
/// let mut species = wingbeat_record::SpeciesById::default();
/// [(4, "hare"), (7, "fox"), (9, "hare"), (4, "fox")].map(|(id, name)| species.tell(id, name));
/// assert_eq!(species.names(), ["hare", "fox"]);
/// assert_eq!([4, 7, 9, 2].map(|id| species.of(id)), [Some(0), Some(1), Some(0), None]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpeciesById {
    names: Vec<String>,
    by_id: HashMap<u64, u8>,
    /// How often another species was named than the first.
    contradictions: u64,
    has_too_many: bool,
}

impl SpeciesById {
    /// Empty so far, with these names at the first places.
    pub fn with_names(names: Vec<String>) -> Self {
        Self { names, ..Self::default() }
    }

    /// Names, in the order in which they were first told. Places in this list are what
    /// [`of`](Self::of) answers.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The species of an individual.
    pub fn of(&self, id: u64) -> Option<u8> {
        self.by_id.get(&id).copied()
    }

    /// Notes the species of an individual, unless it has one already. The 257th name and those
    /// after it have no individuals.
    pub fn tell(&mut self, id: u64, name: &str) {
        if let Some(known) = self.of(id) {
            self.contradictions += u64::from(self.names[usize::from(known)] != name);
            return;
        }
        let place = self.names.iter().position(|known| known == name).unwrap_or(self.names.len());
        if place >= MOST_SPECIES {
            self.has_too_many = true;
            return;
        }
        if place == self.names.len() {
            self.names.push(name.to_string());
        }
        self.by_id.insert(id, place as u8);
    }

    /// Notes the species of many, by their places among `names`.
    ///
    /// # Panics
    /// If a place is beyond them.
    #[inline(never)]
    pub fn tell_all(&mut self, ids: &[u64], species: &[u8], names: &[String]) {
        for (&id, &of) in ids.iter().zip(species) {
            self.tell(id, &names[usize::from(of)]);
        }
    }

    /// Completes what a file says: individuals that it says nothing of are of the species "".
    /// Nothing is left where no species has a name, or too many have.
    pub fn settled(mut self, ids: &[u64], notes: &mut Vec<String>) -> Self {
        if self.names.iter().all(String::is_empty) {
            return Self::default();
        }
        for &id in ids {
            if !self.by_id.contains_key(&id) {
                self.tell(id, "");
            }
        }
        if self.has_too_many || self.names.len() > MOST_SPECIES {
            notes.push(format!("species ignored: allowed are at most {MOST_SPECIES} names"));
            return Self::default();
        }
        if self.contradictions > 0 {
            let count = self.contradictions;
            notes.push(format!(
                "{count} positions name another species than the first of their id, which counts"
            ));
        }
        self
    }
}
