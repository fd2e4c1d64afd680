//! What readers read from.

use std::path::Path;

use crate::column_names::ColumnNames;
use crate::watch::Watched;

/// What a reader is given: an open file.
#[derive(Debug)]
pub struct Source<'a> {
    /// The file.
    pub file: Watched<'a>,
    /// Which columns hold what, where the user names them.
    pub columns: &'a ColumnNames,
    /// The path, as the user knows it.
    pub shown: String,
    /// For readers that open it themselves, or files beside it.
    pub path: &'a Path,
    /// How long the file is.
    pub bytes: u64,
    /// A frame and an id that rows contradict each other of: lines are to be named.
    pub sought: Option<(i64, u64)>,
}
