//! What stands before the rows of a table: comments, what programs say of themselves, the header.

use std::io::Read;

use super::dialect::{Comments, Separator};
use crate::RecordError;
use crate::column_names::Name;
use crate::text::Lines;

/// Everything up to the header.
#[derive(Default)]
pub(super) struct Head {
    /// Empty where the file ends before it.
    pub header: String,
    pub comments: Comments,
    /// The separator that a line `sep=;` states.
    separator: Option<Separator>,
    /// What rows are of, as PTV Vissim says before the names: `$PEDESTRIAN:NO;SIMSEC;…`.
    object: Option<String>,
    /// Whether it is a table of NetLogo's BehaviorSpace.
    pub is_behavior_space: bool,
}

impl Head {
    /// Reads up to the header.
    pub fn read<R: Read>(lines: &mut Lines<R>) -> Result<Self, RecordError> {
        let mut head = Self::default();
        while let Some((line, _)) = lines.next()? {
            if head.is_behavior_space && !line.contains("[run number]") {
                // The model, the experiment, the date and the size of the world.
                continue;
            }
            if let Some(comment) = line.strip_prefix('#') {
                if comment.starts_with("filename,") && comment.contains("region_shape_attributes") {
                    // An older VGG Image Annotator begins its header like a comment.
                    head.header = comment.to_string();
                    break;
                }
                head.comments.take(comment);
            } else if let Some(comment) = line.strip_prefix('*') {
                head.comments.take(comment);
            } else if let Some(separator) =
                line.strip_prefix("sep=").and_then(|rest| rest.chars().next())
            {
                // What spreadsheets write for each other.
                head.separator = Some(Separator::Byte(separator));
            } else if line.trim_start_matches('"').starts_with("BehaviorSpace results") {
                head.is_behavior_space = true;
            } else if let Some((object, names)) =
                line.strip_prefix('$').and_then(|line| line.split_once(':'))
            {
                (head.object, head.header) = (Some(object.to_lowercase()), names.to_string());
                break;
            } else if !line.trim().is_empty() && line.trim() != "$VISION" {
                head.header = line.to_string();
                break;
            }
        }
        Ok(head)
    }

    /// What separates cells: as a line before the header says, else what the header has.
    pub fn separator(&self) -> Separator {
        self.separator.unwrap_or_else(|| Separator::of(&self.header))
    }

    /// The names in the header.
    pub fn names(&self) -> Vec<Name> {
        let names =
            if self.header.is_empty() { Vec::new() } else { self.separator().names(&self.header) };
        let mut names: Vec<Name> = names.iter().map(|name| Name::parse(name)).collect();
        if let (Some(object), Some(number)) =
            (&self.object, names.iter_mut().find(|name| name.base == "no"))
        {
            // The number of the pedestrian; elsewhere NO may count rows.
            number.base = format!("{object}_no");
        }
        names
    }
}
