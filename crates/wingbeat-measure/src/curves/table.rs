//! A curve as a table.

/// What a curve has come to: columns of one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurveTable {
    /// The curve's name.
    pub name: &'static str,
    /// How many of the columns, the first ones, say where; the next one is what is there.
    pub axes: usize,
    /// The columns.
    pub columns: Vec<CurveColumn>,
}

/// One column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurveColumn {
    /// Its name, as in the head of a file.
    pub name: &'static str,
    /// Its unit in `length` and `time`, empty for pure numbers and counts.
    pub unit: &'static str,
    /// A value for each row.
    pub values: Vec<f64>,
}

impl CurveTable {
    /// A table of these columns.
    pub(super) fn of<const K: usize>(
        axes: usize,
        heads: [(&'static str, &'static str); K],
        rows: &[[f64; K]],
    ) -> Self {
        let column = |(i, (name, unit))| CurveColumn {
            name,
            unit,
            values: rows.iter().map(|row: &[f64; K]| row[i]).collect(),
        };
        Self { name: "", axes, columns: heads.into_iter().enumerate().map(column).collect() }
    }
}
