//! Parquet, for pandas, R, Polars, DuckDB and Spark: columns compressed with Snappy, which every
//! reader knows.
//!
//! <https://parquet.apache.org/docs/file-format/>

use std::io;
use std::path::Path;

use ::parquet::arrow::ArrowWriter;
use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use ::parquet::basic::Compression;
use ::parquet::file::properties::WriterProperties;
use arrow_schema::SchemaRef;

use super::columnar::{Collector, batch, schema};
use crate::rows::Rows;
use crate::sink::Sink;
use crate::source::Source;
use crate::whole_file::WholeFile;
use crate::{About, RecordError, Snapshot};

/// Rows to a group, which the writer holds in memory: some 50 MB.
const GROUP: usize = 1 << 20;

pub(super) fn read(source: Source<'_>) -> Result<Rows, RecordError> {
    let shown = source.shown;
    let refuse = |error: &dyn std::fmt::Display| {
        RecordError::data(
            &shown,
            format!("not a Parquet file ({error}): allowed is a table frame,id,x,y[,z]"),
        )
    };
    let file = source.file.file().map_err(|error| RecordError::cannot_read(&shown, &error))?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| refuse(&error))?;
    let total = u64::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0);
    let mut table = Collector::new(&shown, builder.schema(), source.columns)?;
    let mut done = 0;
    for batch in builder.build().map_err(|error| refuse(&error))? {
        if !source.file.go_on(done, total) {
            return Err(RecordError::Stopped);
        }
        let batch = batch.map_err(|error| refuse(&error))?;
        table.take(&batch)?;
        done += batch.num_rows() as u64;
    }
    Ok(table.finish())
}

pub(super) struct ParquetSink {
    writer: ArrowWriter<WholeFile>,
    schema: SchemaRef,
    about: About,
}

impl ParquetSink {
    pub fn create(path: &Path, about: &About) -> io::Result<Self> {
        let schema = schema(about);
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(GROUP));
        let writer = ArrowWriter::try_new(
            WholeFile::create(path)?,
            schema.clone(),
            Some(properties.build()),
        );
        Ok(Self { writer: writer.map_err(io::Error::other)?, schema, about: about.clone() })
    }
}

impl Sink for ParquetSink {
    fn frame(&mut self, now: &Snapshot) -> io::Result<()> {
        let batch = batch(&self.schema, &self.about, now).map_err(io::Error::other)?;
        self.writer.write(&batch).map_err(io::Error::other)
    }

    fn finish(self: Box<Self>) -> io::Result<u64> {
        self.writer.into_inner().map_err(io::Error::other)?.finish()
    }
}
