//! Arrow IPC files (Feather, version 2), for pandas, R, Polars and DuckDB: a batch a frame.
//!
//! <https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format>

use std::io::{self, BufReader};
use std::path::Path;

use arrow_ipc::reader::FileReader;
use arrow_ipc::writer::FileWriter;
use arrow_schema::SchemaRef;

use super::columnar::{Collector, batch, schema};
use crate::rows::Rows;
use crate::sink::Sink;
use crate::source::Source;
use crate::whole_file::WholeFile;
use crate::{About, RecordError, Snapshot};

pub(super) fn read(source: Source<'_>) -> Result<Rows, RecordError> {
    let shown = source.shown;
    let refuse = |error: arrow_schema::ArrowError| {
        RecordError::data(
            &shown,
            format!("not an Arrow IPC file ({error}): allowed is what Feather version 2 is"),
        )
    };
    let reader = FileReader::try_new(BufReader::new(source.file), None).map_err(refuse)?;
    let mut table = Collector::new(&shown, &reader.schema(), source.columns)?;
    for batch in reader {
        table.take(&batch.map_err(refuse)?)?;
    }
    Ok(table.finish())
}

pub(super) struct ArrowSink {
    writer: FileWriter<WholeFile>,
    schema: SchemaRef,
    about: About,
}

impl ArrowSink {
    pub fn create(path: &Path, about: &About) -> io::Result<Self> {
        let schema = schema(about);
        let writer =
            FileWriter::try_new(WholeFile::create(path)?, &schema).map_err(io::Error::other)?;
        Ok(Self { writer, schema, about: about.clone() })
    }
}

impl Sink for ArrowSink {
    fn frame(&mut self, now: &Snapshot) -> io::Result<()> {
        let batch = batch(&self.schema, &self.about, now).map_err(io::Error::other)?;
        self.writer.write(&batch).map_err(io::Error::other)
    }

    fn finish(mut self: Box<Self>) -> io::Result<u64> {
        self.writer.finish().map_err(io::Error::other)?;
        self.writer.into_inner().map_err(io::Error::other)?.finish()
    }
}
