//! Which numbers of a run become columns of the table.

use wingbeat::observe::{Observables, Wanted};

use crate::events::EventReport;
use crate::failure::Failure;

/// The numbers asked for, by name: observables averaged over time, and what the events of a whole run tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns(Vec<&'static str>);

impl Columns {
    /// What was typed, names apart by commas; the usual observables if nothing was.
    pub fn parse(text: Option<&String>) -> Result<Self, Failure> {
        let Some(text) = text else { return Ok(Self(Wanted::USUAL.names().collect())) };
        let mut names = Vec::new();
        for name in text.split(',').map(str::trim) {
            let known = Observables::NAMES.into_iter().chain(EventReport::COLUMNS).find(|known| *known == name);
            let known = known.filter(|known| !names.contains(known));
            let allowed = || format!("each once of {}, {}", Observables::NAMES.join(", "), EventReport::COLUMNS.join(", "));
            names.push(known.ok_or_else(|| Failure::value("--columns", name, &allowed()))?);
        }
        Ok(Self(names))
    }

    /// In the order asked for.
    pub fn names(&self) -> &[&'static str] {
        &self.0
    }

    /// The observables among them: only these are measured.
    pub fn wanted(&self) -> Wanted {
        let observables = self.0.iter().filter_map(|name| name.parse().ok());
        observables.fold(Wanted::NONE, |all, one: Wanted| all | one)
    }
}
