//! What a table's columns hold, by their names: long tables with a row for each individual and
//! frame, and wide ones with a row for each frame and columns for each individual.

use super::wide::{self, TrackColumns, corners, wide};
use crate::column_names::{ColumnNames, Name, Role};
use crate::units::{LengthUnit, seconds};

/// Where what stands.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Layout {
    pub frame: Option<usize>,
    /// The column, and how many seconds its unit has.
    pub time: Option<(usize, f64)>,
    pub id: Option<usize>,
    pub species: Option<usize>,
    pub sighted: Vec<TrackColumns>,
    pub is_wide: bool,
    /// Whether all rows are of one frame.
    pub is_one_frame: bool,
    /// Whether the two individuals of a wide table may be the corners of a box: rows tell.
    pub may_be_a_box: bool,
    /// Whether an infinite coordinate is what the tracker writes for none: TRex does.
    pub infinite_is_missing: bool,
    /// The column z of a program that writes one for what moves in a plane too.
    pub possible_height: Option<usize>,
    pub unit: Option<LengthUnit>,
    pub notes: Vec<String>,
}

/// Most columns that a message names.
const MOST_NAMED: usize = 12;

impl Layout {
    /// Finds the columns; the refusal says what is missing and which option names it.
    pub fn of(names: &[Name], map: &ColumnNames) -> Result<Self, String> {
        let finder = Finder { names, map };
        let mut layout = Self {
            frame: finder.find(Role::Frame)?,
            id: finder.find(Role::Id)?,
            species: finder.find(Role::Species)?,
            infinite_is_missing: names
                .iter()
                .any(|name| name.base == "missing" || name.base.contains("#wcentroid")),
            ..Self::default()
        };
        layout.find_time(&finder)?;
        if !map.has_positions() {
            wide::refuse_by_name(names)?;
        }
        let position = [0, 1, 2].map(|axis| finder.find(Role::Position(axis)));
        let [x, y, z] = [position[0].clone()?, position[1].clone()?, position[2].clone()?];
        layout.is_one_frame =
            map.may_be_one_frame() && layout.frame.is_none() && layout.time.is_none();
        let wide = if x.is_none() && y.is_none() && layout.id.is_none() && !map.has_positions() {
            wide(names)?
        } else {
            Vec::new()
        };
        if wide.is_empty() {
            let missing: Vec<Role> = [
                (
                    Role::Frame,
                    layout.frame.is_none() && layout.time.is_none() && !layout.is_one_frame,
                ),
                (Role::Position(0), x.is_none()),
                (Role::Position(1), y.is_none()),
            ]
            .into_iter()
            .filter_map(|(role, is_missing)| is_missing.then_some(role))
            .collect();
            if !missing.is_empty() {
                return Err(finder.missing(&missing));
            }
            let position: Vec<usize> = [x, y, z].into_iter().flatten().collect();
            let velocity = finder.velocities(position.len())?;
            layout.possible_height =
                z.filter(|_| may_be_flat(names) && map.of(Role::Position(2)).is_none());
            layout.sighted = vec![TrackColumns { id: None, position, velocity }];
        } else {
            (layout.is_wide, layout.is_one_frame) = (true, false);
            layout.sighted = wide;
            let others: Vec<&Name> =
                layout.unused(names).into_iter().map(|column| &names[column]).collect();
            layout.may_be_a_box = wide::check_others(names, &layout.sighted, &others)?;
        }
        layout.find_units(names)?;
        layout.note_ids(names);
        layout.note_ignored(names);
        Ok(layout)
    }

    /// Whether the names of velocities state a unit: those that are not per second were left aside.
    pub fn has_velocities_per_second(&self, names: &[Name]) -> bool {
        let mut columns = self.sighted.iter().flat_map(|sighted| &sighted.velocity);
        columns.any(|&column| names[column].unit.is_some())
    }

    /// Leaves z aside, which is the same everywhere.
    pub fn flatten(&mut self, names: &[Name], height: f64) {
        for sighted in &mut self.sighted {
            let raw = |axis: usize| {
                sighted.position.get(axis).map_or("", |&column| names[column].raw.as_str())
            };
            let option = format!("--map-columns x={},y={},z={}", raw(0), raw(1), raw(2));
            self.notes.push(format!(
                "{} is {height} in all rows: left aside ({option} takes it)",
                raw(2)
            ));
            sighted.position.truncate(2);
            sighted.velocity.truncate(2);
        }
    }

    /// The column of times; one that counts frames is a column of frames.
    fn find_time(&mut self, finder: &Finder<'_>) -> Result<(), String> {
        let Some(column) = finder.find(Role::Time)? else { return Ok(()) };
        let name = &finder.names[column];
        match name.unit.as_deref() {
            None => self.time = Some((column, 1.0)),
            Some("frame" | "frames") => self.frame = self.frame.or(Some(column)),
            Some(unit) => {
                let factor = seconds(unit).ok_or_else(|| {
                    format!("column {}: allowed is a unit s, ms, min or h", name.raw)
                })?;
                self.time = Some((column, factor));
            }
        }
        Ok(())
    }

    /// Units of lengths; velocities that are in others than positions are left aside.
    fn find_units(&mut self, names: &[Name]) -> Result<(), String> {
        let positions = self.sighted.iter().flat_map(|sighted| &sighted.position);
        let units: Vec<_> = positions.map(|&column| names[column].length()).collect();
        match units.iter().find_map(|unit| unit.err()) {
            Some(unknown) => self.notes.push(format!(
                "lengths are in \"{unknown}\", which is no known unit: taken as they are"
            )),
            None if units.windows(2).any(|pair| pair[0] != pair[1]) => {
                let columns: Vec<&str> = self.sighted[0]
                    .position
                    .iter()
                    .map(|&column| names[column].raw.as_str())
                    .collect();
                return Err(format!("columns {}: allowed is one unit for all", columns.join(", ")));
            }
            None => self.unit = units.first().copied().and_then(Result::ok).flatten(),
        }
        for sighted in &mut self.sighted {
            let other = |column: &usize| {
                let unit = names[*column].unit.as_deref()?;
                let length = unit.split_once('/').filter(|(_, time)| seconds(time) == Some(1.0));
                let fits = length.is_some_and(|(length, _)| {
                    LengthUnit::parse(length) == self.unit && self.unit.is_some()
                });
                (!fits).then_some(unit)
            };
            if let Some(unit) = sighted.velocity.iter().find_map(other) {
                self.notes.push(format!(
                    "the file's velocities are in {unit}, and not in the unit of \
                        positions per s: left aside"
                ));
                sighted.velocity.clear();
            }
        }
        Ok(())
    }

    /// Says whose ids are taken, where a reader could think of others.
    fn note_ids(&mut self, names: &[Name]) {
        match self.id {
            Some(column) if names[column].base != "id" => {
                if let Some(other) = names.iter().find(|name| name.base == "id") {
                    let (taken, other) = (&names[column].raw, &other.raw);
                    self.notes.push(format!(
                        "individuals are told apart by column {taken}, not {other} \
                            (--map-columns id={other})"
                    ));
                }
            }
            None if self.is_wide => {
                let ids = self.sighted.iter().filter_map(|sighted| sighted.id);
                let (first, last) = (ids.clone().min().unwrap_or(0), ids.max().unwrap_or(0));
                self.notes.push(format!(
                    "a row for each frame, with columns for individuals {first} to {last}"
                ));
                if self.frame.is_none() && self.time.is_none() {
                    self.notes.push("no column of frames or times: rows are frames, from 0".into());
                }
            }
            None => self.notes.push(
                "no column says who: all rows are of one individual (--map-columns id=NAME)".into(),
            ),
            Some(_) => {}
        }
    }

    /// Columns that hold nothing which is read.
    pub fn unused(&self, names: &[Name]) -> Vec<usize> {
        let known = [self.frame, self.time.map(|(column, _)| column), self.id, self.species];
        let used = |column: usize| {
            let of = |sighted: &TrackColumns| {
                sighted.position.contains(&column) || sighted.velocity.contains(&column)
            };
            known.contains(&Some(column)) || self.sighted.iter().any(of)
        };
        (0..names.len()).filter(|&column| !used(column) && !names[column].raw.is_empty()).collect()
    }

    fn note_ignored(&mut self, names: &[Name]) {
        let ignored: Vec<&str> =
            self.unused(names).into_iter().map(|column| names[column].raw.as_str()).collect();
        if !ignored.is_empty() {
            self.notes.push(format!("columns ignored: {}", listed(&ignored)));
        }
    }
}

/// Whether z may be no more than the height of the ground: of TrackMate's spots, and of Viswalk's
/// pedestrians.
fn may_be_flat(names: &[Name]) -> bool {
    is_spots(names)
        || names.iter().any(|name| ["coordcentx", "coord_cent_x"].contains(&name.base.as_str()))
}

/// Whether these are the columns of TrackMate's spots.
pub(super) fn is_spots(names: &[Name]) -> bool {
    ["POSITION_X", "TRACK_ID"]
        .iter()
        .all(|column| names.iter().any(|name| name.raw.split(' ').next() == Some(column)))
}

/// Names apart by commas, of which a message has room for some.
fn listed(names: &[&str]) -> String {
    let shown = names[..names.len().min(MOST_NAMED)].join(", ");
    if names.len() > MOST_NAMED {
        format!("{shown} and {} more", names.len() - MOST_NAMED)
    } else {
        shown
    }
}

/// Finds columns by what they are called.
struct Finder<'a> {
    names: &'a [Name],
    map: &'a ColumnNames,
}

impl Finder<'_> {
    fn find(&self, role: Role) -> Result<Option<usize>, String> {
        if let Some(wanted) = self.map.of(role) {
            let mut places = self
                .names
                .iter()
                .enumerate()
                .filter(|(_, name)| name.raw == wanted)
                .map(|(place, _)| place);
            let found = places.next();
            if places.next().is_some() {
                let allowed = "allowed is a column whose name stands once in the header";
                return Err(format!("--map-columns {}={wanted}: {allowed}", role.name()));
            }
            let raw: Vec<&str> = self.names.iter().map(|name| name.raw.as_str()).collect();
            return found.map(Some).ok_or_else(|| {
                format!("--map-columns {}={wanted}: allowed are {}", role.name(), listed(&raw))
            });
        }
        if self.map.has_positions() && matches!(role, Role::Position(_) | Role::Velocity(_)) {
            return Ok(None);
        }
        let is_taken =
            |name: &Name| Role::ALL.into_iter().any(|other| self.map.of(other) == Some(&name.raw));
        let ranked = self.names.iter().enumerate().filter(|(_, name)| !is_taken(name));
        let ranked = ranked.filter_map(|(column, name)| Some((role.rank(&name.base)?, column)));
        let Some((rank, column)) = ranked.clone().min() else { return Ok(None) };
        if ranked.filter(|(other, _)| *other == rank).count() > 1 {
            let (base, role) = (&self.names[column].base, role.name());
            return Err(format!(
                "column {base} appears twice: allowed is once, or the name of one: \
                --map-columns {role}=NAME"
            ));
        }
        Ok(Some(column))
    }

    /// All columns of velocities, or none.
    fn velocities(&self, dimensions: usize) -> Result<Vec<usize>, String> {
        let found = [
            self.find(Role::Velocity(0))?,
            self.find(Role::Velocity(1))?,
            self.find(Role::Velocity(2))?,
        ];
        if dimensions == 2 && found[2].is_some() {
            return Err("a column vz without a column z: allowed is both or none".into());
        }
        if found.iter().all(Option::is_none) {
            return Ok(Vec::new());
        }
        let lacking = (0..dimensions).find(|&axis| found[axis].is_none());
        match lacking {
            Some(axis) => Err(self.missing(&[Role::Velocity(axis)])),
            None => Ok(found.into_iter().flatten().collect()),
        }
    }

    fn missing(&self, roles: &[Role]) -> String {
        let raw: Vec<&str> = self.names.iter().map(|name| name.raw.as_str()).collect();
        let header = crate::text::shortened_to(&raw.join(","), 110);
        let option: Vec<String> =
            roles.iter().map(|role| format!("{}=NAME", role.name())).collect();
        let (role, option) = (roles[0].name(), option.join(","));
        let missing = format!("column {role} is missing from the header \"{header}\"");
        if let Some([x, y, ..]) = corners(self.names)
            && roles.contains(&Role::Position(0))
        {
            let (x, y, option) = (
                raw[x],
                raw[y],
                option.replace("x=NAME,y=NAME", &format!("x={},y={}", raw[x], raw[y])),
            );
            return format!(
                "{missing}, where {x},{y} are a corner of a box: allowed is \
                --map-columns {option}, which takes it"
            );
        }
        let allowed = "allowed is frame,id,x,y[,z] and perhaps time,species,vx,vy[,vz]";
        format!("{missing}: {allowed}, or --map-columns {option}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(header: &str, map: &str) -> Result<Layout, String> {
        let names: Vec<Name> = header.split(',').map(Name::parse).collect();
        let map = if map.is_empty() { ColumnNames::default() } else { map.parse().expect("a map") };
        Layout::of(&names, &map)
    }

    #[test]
    fn pairs_of_columns_are_individuals() {
        for (header, ids) in [
            ("time,x1,y1,x2,y2", vec![1, 2]),
            ("seconds,x_0,y_0,x_1,y_1", vec![0, 1]),
            ("frame,fish0_x,fish0_y,fish7_x,fish7_y", vec![0, 7]),
            ("Frame,X1 (cm),Y1 (cm)", vec![1]),
            ("frame,x_mouse1,y_mouse1,x_mouse2,y_mouse2", vec![1, 2]),
            ("pos_x_3,pos_y_3", vec![3]),
            ("1_x,1_y,2_x,2_y", vec![1, 2]),
        ] {
            let found = layout(header, "").expect(header);
            assert_eq!(
                found.sighted.iter().filter_map(|sighted| sighted.id).collect::<Vec<_>>(),
                ids,
                "{header}"
            );
        }
        assert_eq!(layout("time,y1,x1", "").expect("a table").sighted[0].position, [2, 1]);
        for (header, expected) in [
            ("time,x1,y1,x2", "individual 2 has no column y"),
            ("time,x1,y1,X1", "X1 appears twice"),
            // Parts of one body, and things of different kinds, are no individuals.
            ("frame,pose0_x,pose0_y", "--map-columns x=NAME,y=NAME"),
            ("frame,head_x,head_y,tail_x,tail_y", "--map-columns x=NAME,y=NAME"),
            ("frame,fish1_x,fish1_y,rock2_x,rock2_y", "column x is missing"),
            ("frame,id,x1,y1", "column x is missing"),
        ] {
            let refusal = layout(header, "").expect_err(header);
            assert!(refusal.contains(expected), "{refusal}");
        }
    }

    #[test]
    fn what_is_named_counts_before_what_is_usual() {
        let found = layout("frame,id,x,y,X1,Y1,z", "x=X1,y=Y1").expect("a table");
        assert_eq!((found.id, &found.sighted[0].position[..]), (Some(1), &[4, 5][..]));
        let refusal = layout("frame,id,x,y", "x=X,y=y").expect_err("no such column");
        assert_eq!(refusal, "--map-columns x=X: allowed are frame, id, x, y");
        let twice = layout("frame,id,X,Y,X", "x=X,y=Y").expect_err("two of one name");
        assert_eq!(
            twice,
            "--map-columns x=X: allowed is a column whose name stands once in the header"
        );
        assert_eq!(layout("frame,id,track,x,y", "").expect("a table").id, Some(2));
        assert_eq!(layout("frame,id,track,x,y", "id=id").expect("a table").id, Some(1));
        assert!(
            layout("frame,id,X,x,y", "")
                .is_err_and(|refusal| refusal.contains("--map-columns x=NAME"))
        );
    }

    #[test]
    fn units_of_columns_agree() {
        assert_eq!(
            layout("frame,x/cm,y/cm", "").expect("a table").unit,
            Some(LengthUnit::Centimeter)
        );
        assert!(
            layout("frame,x/cm,y/m", "")
                .is_err_and(|refusal| refusal.contains("allowed is one unit for all"))
        );
        let velocity =
            |header: &str| layout(header, "").expect("a table").sighted[0].velocity.len();
        assert_eq!(velocity("frame,x (cm),y (cm),vx (cm/s),vy (cm/s)"), 2);
        assert_eq!(velocity("frame,x (cm),y (cm),vx (m/s),vy (m/s)"), 0);
        assert_eq!(velocity("frame,x,y,vx (px/frame),vy (px/frame)"), 0);
        assert_eq!(layout("time [ms],x,y", "").expect("a table").time, Some((0, 0.001)));
        assert!(
            layout("time [d],x,y", "").is_err_and(|refusal| refusal.contains("s, ms, min or h"))
        );
        assert_eq!(layout("t [frame],x,y", "").expect("a table").frame, Some(0));
    }
}
