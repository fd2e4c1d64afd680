//! What Arrow and Parquet share: a long table with a row for each boid and frame,
//! `frame,time,id[,species],x,y[,z],vx,vy[,vz]`.
//!
//! <https://arrow.apache.org/docs/format/Columnar.html>

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int32Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, Float32Array, Float64Array, Int64Array, LargeStringArray, PrimitiveArray,
    RecordBatch, StringArray, UInt64Array,
};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use crate::clock::Clock;
use crate::column_names::Name;
use crate::limits::{FARTHEST, LAST_FRAME};
use crate::row::Row;
use crate::rows::Rows;
use crate::species::SpeciesById;
use crate::table::Layout;
use crate::{About, ColumnNames, RecordError, Snapshot};

const POSITION: [&str; 3] = ["x", "y", "z"];
const VELOCITY: [&str; 3] = ["vx", "vy", "vz"];

/// The table's columns.
pub(super) fn schema(about: &About) -> SchemaRef {
    let dimensions = about.dimensions;
    let species = (!about.species.is_empty()).then_some(("species", DataType::Utf8));
    let fixed = [("frame", DataType::Int64), ("time", DataType::Float64), ("id", DataType::UInt64)]
        .into_iter()
        .chain(species);
    let floats = POSITION[..dimensions]
        .iter()
        .chain(&VELOCITY[..dimensions])
        .map(|&name| (name, DataType::Float32));
    let field = |(name, kind)| Field::new(name, kind, false);
    Arc::new(Schema::new(fixed.chain(floats).map(field).collect::<Vec<_>>()))
}

/// A frame as rows of the table.
pub(super) fn batch(
    schema: &SchemaRef,
    about: &About,
    now: &Snapshot,
) -> Result<RecordBatch, ArrowError> {
    let (n, number) = (now.len(), about.number(now.step));
    let mut columns: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::from(vec![number; n])),
        Arc::new(Float64Array::from(vec![now.time; n])),
        Arc::new(UInt64Array::from(now.ids.clone())),
    ];
    if !about.species.is_empty() {
        columns.push(Arc::new(StringArray::from_iter((0..n).map(|i| about.species_name(now, i)))));
    }
    columns.extend(
        now.columns().map(|column| Arc::new(Float32Array::from(column.clone())) as ArrayRef),
    );
    RecordBatch::try_new(schema.clone(), columns)
}

/// Collects the rows of batches.
pub(super) struct Collector {
    rows: Rows,
    clock: Clock,
    columns: TableColumns,
}

/// Columns by their names in the table.
struct TableColumns {
    frame: String,
    id: String,
    /// And how many seconds its unit has.
    time: Option<(String, f64)>,
    species: Option<String>,
    position: Vec<String>,
    velocity: Vec<String>,
}

impl Collector {
    /// A table of these columns, found by name as those of text tables are; unknown ones are named
    /// in a note and ignored.
    pub fn new(shown: &str, schema: &Schema, map: &ColumnNames) -> Result<Self, RecordError> {
        let names: Vec<Name> =
            schema.fields().iter().map(|field| Name::parse(field.name())).collect();
        let mut layout = Layout::of(&names, map).map_err(|why| RecordError::data(shown, why))?;
        let required = |column: Option<usize>, role: &str| {
            let allowed = "allowed is frame,id,x,y[,z] and perhaps time,species,vx,vy[,vz]";
            let missing = || {
                RecordError::data(
                    shown,
                    format!("column {role} is missing: {allowed}, or --map-columns {role}=NAME"),
                )
            };
            column.map(|column| names[column].raw.clone()).ok_or_else(missing)
        };
        let named = |columns: &[usize]| {
            columns.iter().map(|&column| names[column].raw.clone()).collect::<Vec<_>>()
        };
        let columns = TableColumns {
            frame: required(layout.frame, "frame")?,
            id: required(layout.id, "id")?,
            time: layout.time.map(|(column, factor)| (names[column].raw.clone(), factor)),
            species: layout.species.map(|column| names[column].raw.clone()),
            position: named(&layout.sighted[0].position),
            velocity: named(&layout.sighted[0].velocity),
        };
        let mut rows = Rows::new(shown);
        rows.has_velocities_per_second = layout.has_velocities_per_second(&names);
        (rows.dimensions, rows.has_velocities) =
            (columns.position.len(), !columns.velocity.is_empty());
        (rows.unit, rows.notes) = (layout.unit, std::mem::take(&mut layout.notes));
        Ok(Self { rows, clock: Clock::default(), columns })
    }

    pub fn take(&mut self, batch: &RecordBatch) -> Result<(), RecordError> {
        let shown = self.rows.shown.clone();
        let column = |name: &str| {
            let column = batch.column_by_name(name).and_then(|array| Column::of(array.as_ref()));
            let allowed = "32- or 64-bit whole numbers or floats";
            column.ok_or_else(|| {
                RecordError::data(
                    &shown,
                    format!("column {name} has another type: allowed are {allowed}"),
                )
            })
        };
        let all =
            |names: &[String]| names.iter().map(|name| column(name)).collect::<Result<Vec<_>, _>>();
        let columns = &self.columns;
        let (frame, id) = (column(&columns.frame)?, column(&columns.id)?);
        let time = columns
            .time
            .as_ref()
            .map(|(name, factor)| Ok::<_, RecordError>((column(name)?, *factor)))
            .transpose()?;
        let (position, velocity) = (all(&columns.position)?, all(&columns.velocity)?);
        let species =
            columns.species.as_ref().map(|name| Labels::of(batch, name, &shown)).transpose()?;
        for i in 0..batch.num_rows() {
            let refuse = |name: &str, allowed: &str| {
                RecordError::data(
                    format!("{shown} row {i}"),
                    format!("column {name}: allowed is {allowed}"),
                )
            };
            let number = frame.whole(i).and_then(|frame| i64::try_from(frame).ok());
            let number = number.filter(|frame| (-LAST_FRAME..=LAST_FRAME).contains(frame));
            let number = number.ok_or_else(|| {
                refuse("frame", &format!("a whole number, {} to {LAST_FRAME}", -LAST_FRAME))
            })?;
            let who = id.whole(i).and_then(|id| u64::try_from(id).ok());
            let who =
                who.ok_or_else(|| refuse("id", &format!("a whole number, 0 to {}", u64::MAX)))?;
            let spread = |columns: &[Column<'_>], else_: f64| {
                let mut wide = [else_; 3];
                for (value, column) in wide.iter_mut().zip(columns) {
                    *value = column.float(i);
                    if value.abs() > FARTHEST {
                        return Err(refuse(
                            "x to vz",
                            &format!("-{FARTHEST:e} to {FARTHEST:e}, or nothing"),
                        ));
                    }
                }
                Ok(wide)
            };
            let place = spread(&position, 0.0)?;
            let moves =
                if self.rows.has_velocities { spread(&velocity, 0.0)? } else { [f64::NAN; 3] };
            if let Some((time, factor)) = &time {
                self.clock.tick(number, time.float(i) * factor);
            }
            species.iter().for_each(|species| species.tell(i, who, &mut self.rows.species));
            self.rows.push(Row { frame: number, id: who, position: place, velocity: moves })?;
        }
        Ok(())
    }

    pub fn finish(mut self) -> Rows {
        self.clock.tell(&mut self.rows);
        self.rows
    }
}

/// Names, as texts of any kind or as numbers.
enum Labels<'a> {
    Texts(&'a StringArray),
    LongTexts(&'a LargeStringArray),
    /// Places in a list of few texts, and the list: categories of pandas.
    Places(Vec<usize>, Box<Labels<'a>>, &'a dyn Array),
    Numbers(Column<'a>),
}

impl<'a> Labels<'a> {
    fn of(batch: &'a RecordBatch, name: &str, shown: &str) -> Result<Self, RecordError> {
        let labels = batch.column_by_name(name).and_then(|array| Self::of_array(array.as_ref()));
        labels.ok_or_else(|| {
            RecordError::data(
                shown,
                "column species has another type: allowed are texts and numbers",
            )
        })
    }

    fn of_array(array: &'a dyn Array) -> Option<Self> {
        if let Some(dictionary) = array.as_any_dictionary_opt() {
            let list = Self::of_array(dictionary.values().as_ref())?;
            // Where the list is empty, every row is null.
            let is_empty = dictionary.values().is_empty();
            let places = if is_empty { vec![0; array.len()] } else { dictionary.normalized_keys() };
            return Some(Self::Places(places, Box::new(list), array));
        }
        let texts =
            array.as_string_opt().map(Self::Texts).or(array.as_string_opt().map(Self::LongTexts));
        texts.or(Column::of(array).map(Self::Numbers))
    }

    /// Tells the species of an individual, which stands in row `i`; "" where there is nothing.
    fn tell(&self, i: usize, who: u64, species: &mut SpeciesById) {
        match self {
            Self::Texts(array) => {
                species.tell(who, if array.is_null(i) { "" } else { array.value(i) })
            }
            Self::LongTexts(array) => {
                species.tell(who, if array.is_null(i) { "" } else { array.value(i) })
            }
            Self::Places(_, _, array) if array.is_null(i) => species.tell(who, ""),
            Self::Places(places, list, _) => list.tell(places[i], who, species),
            Self::Numbers(column) if column.is_null(i) => species.tell(who, ""),
            Self::Numbers(column) => species.tell(who, &column.float(i).to_string()),
        }
    }
}

/// Numbers of any common kind.
enum Column<'a> {
    F32(&'a PrimitiveArray<Float32Type>),
    F64(&'a PrimitiveArray<Float64Type>),
    I32(&'a PrimitiveArray<Int32Type>),
    I64(&'a PrimitiveArray<Int64Type>),
    U32(&'a PrimitiveArray<UInt32Type>),
    U64(&'a PrimitiveArray<UInt64Type>),
}

impl<'a> Column<'a> {
    fn of(array: &'a dyn Array) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Float32 => Self::F32(array.as_primitive()),
            DataType::Float64 => Self::F64(array.as_primitive()),
            DataType::Int32 => Self::I32(array.as_primitive()),
            DataType::Int64 => Self::I64(array.as_primitive()),
            DataType::UInt32 => Self::U32(array.as_primitive()),
            DataType::UInt64 => Self::U64(array.as_primitive()),
            _ => return None,
        })
    }

    fn is_null(&self, i: usize) -> bool {
        match self {
            Self::F32(array) => array.is_null(i),
            Self::F64(array) => array.is_null(i),
            Self::I32(array) => array.is_null(i),
            Self::I64(array) => array.is_null(i),
            Self::U32(array) => array.is_null(i),
            Self::U64(array) => array.is_null(i),
        }
    }

    /// NaN where there is none.
    fn float(&self, i: usize) -> f64 {
        if self.is_null(i) {
            return f64::NAN;
        }
        match self {
            Self::F32(array) => array.value(i).into(),
            Self::F64(array) => array.value(i),
            Self::I32(array) => array.value(i).into(),
            Self::I64(array) => array.value(i) as f64,
            Self::U32(array) => array.value(i).into(),
            Self::U64(array) => array.value(i) as f64,
        }
    }

    /// A whole number, also as a float.
    fn whole(&self, i: usize) -> Option<i128> {
        if self.is_null(i) {
            return None;
        }
        match self {
            Self::I32(array) => Some(array.value(i).into()),
            Self::I64(array) => Some(array.value(i).into()),
            Self::U32(array) => Some(array.value(i).into()),
            Self::U64(array) => Some(array.value(i).into()),
            _ => Some(self.float(i))
                .filter(|x| x.fract() == 0.0 && x.abs() <= LAST_FRAME as f64)
                .map(|x| x as i128),
        }
    }
}
