//! The cells of a row.

use std::ops::Range;

use super::dialect::Separator;

/// A row: a line, and where its cells are.
#[derive(Default)]
pub(super) struct Record {
    line: String,
    cells: Vec<Range<usize>>,
}

impl Record {
    pub fn take(&mut self, line: &str, separator: Separator) {
        self.line.clear();
        self.line.push_str(line);
        self.cells.clear();
        let begin = |cell: &str| cell.as_ptr() as usize - self.line.as_ptr() as usize;
        let range = |cell: &str| begin(cell)..begin(cell) + cell.len();
        separator.each(&self.line, |cell| self.cells.push(range(cell)));
    }

    /// Takes cells as they are.
    pub fn set(&mut self, cells: &[String]) {
        self.line.clear();
        self.cells.clear();
        for cell in cells {
            let start = self.line.len();
            self.line.push_str(cell);
            self.cells.push(start..self.line.len());
        }
    }

    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Removes the last cell.
    pub fn pop(&mut self) {
        self.cells.pop();
    }

    /// Removes so many cells at the start.
    pub fn skip(&mut self, count: usize) {
        self.cells.drain(..count);
    }

    pub fn cell(&self, column: usize) -> &str {
        &self.line[self.cells[column].clone()]
    }

    pub fn all(&self) -> impl Iterator<Item = &str> {
        (0..self.cells.len()).map(|column| self.cell(column))
    }
}
