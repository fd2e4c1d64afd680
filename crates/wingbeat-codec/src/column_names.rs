//! What the columns of a table are called, and in which unit they are: `x`, `pos_x`, `X#wcentroid
//! (cm)`, `time [ms]`.

use std::fmt;
use std::str::FromStr;

use crate::RecordError;
use crate::text::shortened;
use crate::units::{LengthUnit, seconds};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Frame,
    Time,
    Id,
    Species,
    Position(usize),
    Velocity(usize),
}

const AXES: [&str; 3] = ["x", "y", "z"];
const SPEEDS: [&str; 3] = ["vx", "vy", "vz"];

impl Role {
    pub const ALL: [Self; 10] = [
        Self::Frame,
        Self::Time,
        Self::Id,
        Self::Species,
        Self::Position(0),
        Self::Position(1),
        Self::Position(2),
        Self::Velocity(0),
        Self::Velocity(1),
        Self::Velocity(2),
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Frame => "frame",
            Self::Time => "time",
            Self::Id => "id",
            Self::Species => "species",
            Self::Position(axis) => AXES[axis],
            Self::Velocity(axis) => SPEEDS[axis],
        }
    }

    /// Names that a column of this role goes by in files of trackers, the surest first: where a
    /// file has several, the first counts. `track` comes before `id`, which in files of trackR and
    /// TrackMate numbers what was seen and not who it was.
    fn synonyms(self) -> Vec<String> {
        let listed = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
        match self {
            Self::Frame => listed(&[
                "frame",
                "frames",
                "fr",
                "frame_number",
                "framenumber",
                "frame_nr",
                "frame_no",
                "frame_num",
                "frame_id",
                "frame_idx",
                "frame_index",
                "t_frame",
                "step",
                "time_step",
                "timestep",
            ]),
            Self::Time => {
                let known = [
                    "time",
                    "t",
                    "seconds",
                    "second",
                    "sec",
                    "timestamp",
                    "position_t",
                    "timestep_time",
                ];
                listed(&[&known[..], &["sim_sec", "simsec"]].concat())
            }
            Self::Id => listed(&[
                "track_fixed",
                "track",
                "track_id",
                "trackid",
                "id",
                "individual",
                "individual_id",
                "particle",
                "particle_id",
                "agent",
                "agent_id",
                "person",
                "person_id",
                "person_nr",
                "ped_id",
                "pedestrian",
                "pedestrian_id",
                "pedestrian_no",
                "vehicle",
                "vehicle_id",
                "vehicle_no",
                "animal",
                "animal_id",
                "fish",
                "fish_id",
                "object",
                "object_id",
                "identity",
            ]),
            Self::Species => listed(&["species"]),
            Self::Position(axis) => {
                let x = AXES[axis];
                vec![
                    format!("{x}#wcentroid"),
                    x.to_string(),
                    format!("pos_{x}"),
                    format!("{x}_pos"),
                    format!("pos{x}"),
                    format!("{x}pos"),
                    format!("position_{x}"),
                    format!("{x}_position"),
                    format!("{x}_coord"),
                    format!("{x}_coordinate"),
                    format!("centroid_{x}"),
                    format!("{x}_centroid"),
                    format!("center_{x}"),
                    format!("{x}_center"),
                    format!("coordcent{x}"),
                    format!("coord_cent_{x}"),
                    format!("person_{x}"),
                    format!("vehicle_{x}"),
                ]
            }
            Self::Velocity(axis) => {
                let x = AXES[axis];
                let all = [
                    "v{}",
                    "v_{}",
                    "vel_{}",
                    "{}_vel",
                    "velocity_{}",
                    "{}_velocity",
                    "v{}#wcentroid",
                ];
                all.map(|form| form.replace("{}", x)).to_vec()
            }
        }
    }

    /// How sure a name is of this role: its place among the synonyms.
    pub fn rank(self, base: &str) -> Option<usize> {
        self.synonyms().iter().position(|known| known == base)
    }
}

/// A column's name as it stands in the header, and what it says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Name {
    pub raw: String,
    /// In small letters, without the unit, `_` for what separates words.
    pub base: String,
    pub unit: Option<String>,
}

impl Name {
    pub fn parse(cell: &str) -> Self {
        let raw = cell.to_string();
        let (base, unit) = with_unit(cell);
        // `[step]`: in brackets altogether.
        let (base, unit) =
            if base.is_empty() { (unit.unwrap_or(base), None) } else { (base, unit) };
        let base =
            words(without_processor(base.trim())).to_lowercase().replace([' ', '.', '-'], "_");
        let mut name = Self {
            raw,
            base: base.trim_matches('_').to_string(),
            unit: unit.map(|unit| unit.trim().to_string()),
        };
        // `x_cm`, `time_ms`: a suffix is a unit where the rest is a known name and the unit is one
        // of its kind.
        if let (None, Some((rest, unit))) = (&name.unit, name.base.rsplit_once('_')) {
            let is_length = LengthUnit::parse(unit).is_some()
                && (0..3).any(|axis| Role::Position(axis).rank(rest).is_some());
            let is_time = seconds(unit).is_some() && Role::Time.rank(rest).is_some();
            if is_length || is_time {
                (name.unit, name.base) = (Some(unit.to_string()), rest.to_string());
            }
        }
        name
    }

    /// The unit of length that the name states; an error where it states something else.
    pub fn length(&self) -> Result<Option<LengthUnit>, &str> {
        self.unit.as_deref().map(|unit| LengthUnit::parse(unit).ok_or(unit)).transpose()
    }
}

/// A name without the number of the processor that Vadere writes behind it: `x-PID1`.
fn without_processor(name: &str) -> &str {
    let (before, number) = name.rsplit_once("-PID").unwrap_or((name, ""));
    if number.is_empty() || number.contains(|c: char| !c.is_ascii_digit()) { name } else { before }
}

/// A name whose words are apart: `pedestrianId` and `AgentID` are two words each.
fn words(name: &str) -> String {
    let mut apart = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if c.is_uppercase() && apart.ends_with(char::is_lowercase) {
            apart.push('_');
        }
        apart.push(c);
    }
    apart
}

/// A name before its unit, and the unit: `x (cm)`, `x [cm]`, `x/cm`.
fn with_unit(cell: &str) -> (&str, Option<&str>) {
    for (open, close) in [('(', ')'), ('[', ']')] {
        if let Some((base, unit)) = cell.strip_suffix(close).and_then(|cell| cell.rsplit_once(open))
        {
            return (base, Some(unit));
        }
    }
    match cell.split_once('/') {
        Some((base, unit)) => (base, Some(unit)),
        None => (cell, None),
    }
}

/// Which columns of a table hold what, by their names in its header: `x=X1,y=Y1,id=fish`. Names are
/// exact, in capital and small letters too. What is not named is found by its usual name.
///
/// ```
/// let names: wingbeat_record::ColumnNames = "x=X1, y=Y1".parse()?;
/// assert_eq!(names.to_string(), "x=X1,y=Y1");
/// assert!("x=X1,w=W1".parse::<wingbeat_record::ColumnNames>().is_err());
/// # Ok::<(), wingbeat_record::RecordError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnNames(Vec<(Role, String)>, bool);

impl ColumnNames {
    /// The same of a table that may lack frames and times: then all of it is one frame, and without
    /// ids each row is an individual.
    pub fn of_one_frame(self) -> Self {
        Self(self.0, true)
    }

    pub(crate) fn may_be_one_frame(&self) -> bool {
        self.1
    }

    /// Whether nothing is named.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The column that was named for this role.
    pub(crate) fn of(&self, role: Role) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == role).map(|(_, name)| name.as_str())
    }

    /// Whether some column of positions was named: then those that were not are not looked for.
    pub(crate) fn has_positions(&self) -> bool {
        self.0.iter().any(|(role, _)| matches!(role, Role::Position(_)))
    }
}

impl FromStr for ColumnNames {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Self, RecordError> {
        let refuse = |what: &str| {
            let allowed = format!(
                "ROLE=COLUMN apart by commas, with roles {}{what}",
                Role::ALL.map(Role::name).join(", ")
            );
            RecordError::Option { name: "map-columns", value: shortened(text), allowed }
        };
        let mut names: Vec<(Role, String)> = Vec::new();
        for part in text.split(',') {
            let (role, column) = part.split_once('=').ok_or_else(|| refuse(""))?;
            let role = Role::ALL
                .into_iter()
                .find(|known| known.name() == role.trim())
                .ok_or_else(|| refuse(""))?;
            if column.trim().is_empty() || names.iter().any(|(known, _)| *known == role) {
                return Err(refuse(", each once"));
            }
            names.push((role, column.trim().to_string()));
        }
        let has = |role| names.iter().any(|(known, _)| *known == role);
        if has(Role::Position(0)) != has(Role::Position(1))
            || has(Role::Position(2)) && !has(Role::Position(0))
        {
            return Err(refuse("; x and y go together, z with them"));
        }
        Ok(Self(names, false))
    }
}

impl fmt::Display for ColumnNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> =
            self.0.iter().map(|(role, name)| format!("{}={name}", role.name())).collect();
        f.write_str(&parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_and_in_which_unit() {
        for (cell, base, unit) in [
            ("x", "x", None),
            ("X [cm]", "x", Some("cm")),
            ("x/cm", "x", Some("cm")),
            ("Y (px)", "y", Some("px")),
            ("x_cm", "x", Some("cm")),
            ("pos_x_px", "pos_x", Some("px")),
            ("time_ms", "time", Some("ms")),
            ("t_frame", "t_frame", None),
            ("X#wcentroid (cm)", "x#wcentroid", Some("cm")),
            ("vx (cm/s)", "vx", Some("cm/s")),
            ("vx/cm/s", "vx", Some("cm/s")),
            ("frame index", "frame_index", None),
            ("Frame-Number", "frame_number", None),
            ("[step]", "step", None),
            ("pedestrianId", "pedestrian_id", None),
            ("AgentID", "agent_id", None),
            ("x-PID12", "x", None),
            ("x-PID", "x_pid", None),
            // Neither is a coordinate with a unit of time, nor a length of anything else.
            ("x_s", "x_s", None),
            ("area_px", "area_px", None),
        ] {
            let name = Name::parse(cell);
            assert_eq!((name.base.as_str(), name.unit.as_deref()), (base, unit), "{cell}");
        }
    }

    #[test]
    fn a_map_names_each_role_once() {
        for bad in [
            "",
            "x",
            "x=",
            "x=a,x=b,y=c",
            "x=a",
            "y=b",
            "z=c",
            "X=a,y=b",
            "x=a,y=b,w=c",
            "x=a,,y=b",
        ] {
            let refusal = bad.parse::<ColumnNames>().expect_err(bad).to_string();
            assert!(
                refusal.starts_with("map-columns = ") && refusal.contains("ROLE=COLUMN"),
                "{refusal}"
            );
        }
        let names: ColumnNames = "x=pos (cm), y=b=c,id=who".parse().expect("a map");
        assert_eq!(
            (names.of(Role::Position(0)), names.of(Role::Position(1))),
            (Some("pos (cm)"), Some("b=c"))
        );
        assert_eq!(
            (names.of(Role::Id), names.of(Role::Frame), names.has_positions()),
            (Some("who"), None, true)
        );
    }
}
