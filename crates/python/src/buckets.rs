//! Rows of one side on disk, in buckets by the hash of the query: what is larger than memory is evaluated part by part.
//!
//! All buckets share one file, which has no name any more once it is open: it is gone with the process, whatever ends it.

use std::fs::{File, OpenOptions, remove_file};
use std::io::{Seek, Write};
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchReader};
use arrow_ipc::CompressionType;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::{IpcWriteOptions, StreamWriter};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use arrow_select::interleave::interleave;
use pyo3::prelude::*;
use rankgauge_core::id_kinds::IdKind;
use rankgauge_core::progress;
use rankgauge_core::{Side, query_hash::query_hash};
use rayon::prelude::*;

use crate::arrow_checks::checked;
use crate::bucket_rows::{Faults, Layout, Rows, compact};
use crate::columns::{Column, Fault};
use crate::errors::{column_error, problem};
use crate::files::read_at;
use crate::frames::{Roles, annotation_kind};
use crate::id_chunks::{id_chunks, id_kind};
use crate::panics::caught;
use crate::pool::in_pool;
use crate::streams::{Stream, inconsistent, size};

/// How many bits of the hash choose among the buckets.
const BITS: u32 = 7;
const COUNT: usize = 1 << BITS;
/// How many queries are kept in the order in which they came.
const MOST_FIRST: usize = 10_000;

/// Some rows of a bucket in the file.
#[derive(Debug)]
struct Piece {
    start: u64,
    length: usize,
    /// How many bytes they take in memory.
    size: u64,
    /// The lowest and the highest hash.
    hashes: (u64, u64),
}

/// The rows of one side, read once from a stream and kept on disk.
#[pyclass(frozen, module = "rankgauge._core")]
#[derive(Debug)]
pub struct Buckets {
    file: Arc<File>,
    layout: Layout,
    by_bucket: Vec<Vec<Piece>>,
    /// The bits that all hashes begin with, and how many they are.
    prefix: (u64, u32),
    kind: Option<IdKind>,
    #[pyo3(get)]
    rows: usize,
    first_queries: Vec<String>,
}

#[pymethods]
impl Buckets {
    /// Write the rows of a stream into a folder; about `window` bytes of them are held at once.
    #[new]
    #[pyo3(signature = (stream, roles, *, judged, folder, window, label=None))]
    fn new(
        py: Python<'_>,
        stream: &Stream,
        roles: Roles,
        judged: bool,
        folder: PathBuf,
        window: usize,
        label: Option<&str>,
    ) -> PyResult<Self> {
        let kind = annotation_kind(roles.annotation_role.as_deref())?;
        let side = if judged { Side::Judgments } else { Side::Ranking };
        let annotation = kind.zip(roles.annotation);
        let (query, item, value) = (roles.query, roles.item, roles.value);
        let layout = Layout { side, query, item, value, annotation };
        let file = unnamed(&folder).map_err(|error| unwritten(py, &folder, &error))?;
        let (reader, most) = (stream.take_reader()?, stream.most_bytes);
        Buckets::write(py, reader, most, Spill::new(file, layout, (0, 0), window), &folder, label)
    }

    /// The rows of one bucket, split into buckets by the next bits of the hash.
    fn split(&self, py: Python<'_>, bucket: usize, folder: PathBuf, window: usize) -> PyResult<Self> {
        let file = unnamed(&folder).map_err(|error| unwritten(py, &folder, &error))?;
        let (low, _) = self.hashes(bucket, bucket);
        let spill = Spill::new(file, self.layout.clone(), (low, self.prefix.1 + BITS), window);
        Buckets::write(py, self.reader(bucket, bucket), None, spill, &folder, None)
    }

    /// How many bytes the rows of each bucket take in memory.
    fn sizes(&self) -> Vec<u64> {
        self.by_bucket.iter().map(|pieces| pieces.iter().map(|piece| piece.size).sum()).collect()
    }

    /// How many bytes there are on disk.
    #[getter]
    fn bytes(&self) -> usize {
        self.by_bucket.iter().flatten().map(|piece| piece.length).sum()
    }

    /// The lowest and the highest hash that rows of these buckets may have.
    fn hashes(&self, first: usize, last: usize) -> (u64, u64) {
        let (prefix, used) = self.prefix;
        let shift = u64::BITS - used - BITS;
        (prefix | (first as u64) << shift, prefix | (last as u64) << shift | ((1 << shift) - 1))
    }

    /// The lowest and the highest hash of the rows of a bucket; none where it is empty.
    fn hashes_of(&self, bucket: usize) -> Option<(u64, u64)> {
        let hashes = self.by_bucket.get(bucket)?.iter().map(|piece| piece.hashes);
        hashes.reduce(|all, piece| (all.0.min(piece.0), all.1.max(piece.1)))
    }

    /// Whether there are bits left to split a bucket by.
    fn can_split(&self) -> bool {
        self.prefix.1 + 2 * BITS <= u64::BITS
    }

    /// The rows of some buckets, in the order in which they came.
    fn stream(&self, first: usize, last: usize) -> Stream {
        Stream::from_reader(self.reader(first, last), None)
    }

    /// The ids of the first queries, in the order in which they came.
    fn first_queries(&self) -> Vec<String> {
        self.first_queries.clone()
    }

    /// What the ids of the queries were: `text` or `whole`.
    #[getter]
    fn kind(&self) -> &str {
        self.kind.unwrap_or_default().name()
    }
}

impl Buckets {
    fn reader(&self, first: usize, last: usize) -> Box<Pieces> {
        let chosen = self.by_bucket.get(first..=last).unwrap_or_default().iter().flatten();
        let extents: Vec<(u64, usize)> = chosen.map(|piece| (piece.start, piece.length)).collect();
        let fields: Vec<Field> =
            self.layout.names().into_iter().map(|name| Field::new(name, arrow_schema::DataType::Null, true)).collect();
        Box::new(Pieces {
            file: self.file.clone(),
            extents: extents.into_iter(),
            schema: Arc::new(Schema::new(fields)),
        })
    }

    fn write(
        py: Python<'_>,
        reader: Box<dyn RecordBatchReader + Send>,
        most: Option<u64>,
        mut spill: Spill,
        folder: &std::path::Path,
        label: Option<&str>,
    ) -> PyResult<Self> {
        let written = py.detach(|| caught(|| spill.all(reader, most)).unwrap_or_else(|| Err(inconsistent().into())));
        match written.and_then(|()| spill.into_buckets()) {
            Err(Fault::Disk(error)) => Err(unwritten(py, folder, &error)),
            other => other.map_err(|fault| column_error(py, label, fault)),
        }
    }
}

/// Collects rows and writes them to disk, bucket by bucket.
struct Spill {
    file: File,
    layout: Layout,
    by_bucket: Vec<Vec<Piece>>,
    prefix: (u64, u32),
    /// How many bytes are held at once.
    window: usize,
    held: Vec<Rows>,
    size: usize,
    rows: usize,
    faults: Faults,
    kind: Option<IdKind>,
    first_queries: Vec<String>,
    /// The hashes of the first queries.
    seen: std::collections::HashSet<u64>,
}

impl Spill {
    fn new(file: File, layout: Layout, prefix: (u64, u32), window: usize) -> Self {
        let by_bucket = (0..COUNT).map(|_| Vec::new()).collect();
        let (held, faults, first_queries, seen) = Default::default();
        let (size, rows, kind) = (0, 0, None);
        Spill { file, layout, by_bucket, prefix, window, held, size, rows, faults, kind, first_queries, seen }
    }

    fn all(&mut self, reader: Box<dyn RecordBatchReader + Send>, most: Option<u64>) -> Result<(), Fault> {
        let schema = reader.schema();
        let names = self.layout.names();
        let indices = names.iter().map(|name| schema.index_of(name)).collect::<Result<Vec<_>, _>>()?;
        let limit = most.unwrap_or(u64::MAX);
        let mut left = limit;
        let is_first = self.prefix.1 == 0;
        if is_first {
            progress::begin_rows();
        }
        for batch in reader {
            let batch = batch?;
            let arrays: Vec<ArrayRef> =
                indices.iter().map(|&index| checked(batch.column(index).clone())).collect::<Result<_, _>>()?;
            let bytes = arrays.iter().map(size).sum::<Result<u64, _>>()?;
            left = left.checked_sub(bytes).ok_or(Fault::TooMuch(limit))?;
            self.add(&arrays, bytes as usize)?;
            if is_first {
                progress::add_rows(batch.num_rows());
            }
            // Long work can be interrupted.
            Python::attach(|py| py.check_signals()).map_err(Fault::Python)?;
        }
        self.flush()
    }

    fn add(&mut self, arrays: &[ArrayRef], bytes: usize) -> Result<(), Fault> {
        let Some(length) = arrays.first().map(|array| array.len()).filter(|&length| length > 0) else {
            return Ok(());
        };
        // A batch may be larger than the window.
        let pieces = bytes.div_ceil(self.window.max(1)).min(length);
        let step = length.div_ceil(pieces);
        for start in (0..length).step_by(step) {
            let some: Vec<ArrayRef> = arrays.iter().map(|array| array.slice(start, step.min(length - start))).collect();
            self.add_rows(&some, bytes / pieces)?;
        }
        Ok(())
    }

    fn add_rows(&mut self, arrays: &[ArrayRef], bytes: usize) -> Result<(), Fault> {
        let rows = self.layout.rows(arrays, self.rows, &mut self.faults);
        self.note_queries(&arrays[0])?;
        self.rows += arrays[0].len();
        let Some(rows) = rows else {
            self.held.clear();
            return Ok(()); // later rows are only checked for faults of earlier columns, which are reported first
        };
        let differs = self.held.last().is_some_and(|last| last.batch.schema() != rows.batch.schema());
        if differs || self.size + bytes > self.window {
            self.flush()?;
        }
        self.size += bytes;
        self.held.push(rows);
        Ok(())
    }

    /// Take note of what the ids of queries are, and which come first.
    fn note_queries(&mut self, queries: &ArrayRef) -> Result<(), Fault> {
        let column = Column { name: String::new(), chunks: vec![queries.clone()] };
        self.kind = Some(IdKind::common(self.kind.into_iter().chain([id_kind(&column)])));
        if self.first_queries.len() < MOST_FIRST && self.prefix.1 == 0 && self.faults.is_empty() {
            for chunk in id_chunks(&column) {
                chunk?.each(|_, id| {
                    if self.first_queries.len() < MOST_FIRST && self.seen.insert(query_hash(id)) {
                        self.first_queries.push(String::from_utf8_lossy(id).into_owned());
                    }
                });
            }
        }
        Ok(())
    }

    /// Write what is held, bucket by bucket.
    fn flush(&mut self) -> Result<(), Fault> {
        let held = std::mem::take(&mut self.held);
        self.size = 0;
        if held.is_empty() || !self.faults.is_empty() {
            return Ok(());
        }
        let by_bucket = rows_by_bucket(&held, self.prefix.1);
        let batches: Vec<&RecordBatch> = held.iter().map(|rows| &rows.batch).collect();
        // Encoded together, a few buckets at a time: more would only take memory.
        for (group, chosen) in by_bucket.chunks(16).enumerate() {
            let encode = || chosen.par_iter().map(|rows| encoded(&batches, &held, rows)).collect::<Result<Vec<_>, _>>();
            let encoded = in_pool(false, None, encode).map_err(Fault::Python)??;
            for (index, (bytes, size, hashes)) in encoded.into_iter().enumerate() {
                if bytes.is_empty() {
                    continue;
                }
                let start = self.file.stream_position().map_err(Fault::Disk)?;
                self.file.write_all(&bytes).map_err(Fault::Disk)?;
                self.by_bucket[group * 16 + index].push(Piece { start, length: bytes.len(), size, hashes });
            }
        }
        Ok(())
    }

    fn into_buckets(self) -> Result<Buckets, Fault> {
        if let Some(fault) = self.faults.first() {
            return Err(fault);
        }
        let (file, layout, by_bucket, prefix) = (Arc::new(self.file), self.layout, self.by_bucket, self.prefix);
        let (kind, rows, first_queries) = (self.kind, self.rows, self.first_queries);
        Ok(Buckets { file, layout, by_bucket, prefix, kind, rows, first_queries })
    }
}

/// The rows of each bucket as (batch, row), in the order in which they came.
fn rows_by_bucket(held: &[Rows], used: u32) -> Vec<Vec<(usize, usize)>> {
    let bucket = |hash: u64| ((hash << used) >> (u64::BITS - BITS)) as usize;
    let mut counts = vec![0; COUNT];
    held.iter().flat_map(|rows| &rows.hashes).for_each(|&hash| counts[bucket(hash)] += 1);
    let mut by_bucket: Vec<Vec<(usize, usize)>> = counts.into_iter().map(Vec::with_capacity).collect();
    for (batch, rows) in held.iter().enumerate() {
        rows.hashes.iter().enumerate().for_each(|(row, &hash)| by_bucket[bucket(hash)].push((batch, row)));
    }
    by_bucket
}

/// Bytes, the size in memory, and the lowest and the highest hash of some rows.
type Encoded = (Vec<u8>, u64, (u64, u64));

fn encoded(batches: &[&RecordBatch], held: &[Rows], rows: &[(usize, usize)]) -> Result<Encoded, ArrowError> {
    if rows.is_empty() {
        return Ok((Vec::new(), 0, (0, 0)));
    }
    let mut arrays = Vec::new();
    for index in 0..batches[0].num_columns() {
        let columns: Vec<&dyn Array> = batches.iter().map(|batch| batch.column(index).as_ref()).collect();
        arrays.push(compact(interleave(&columns, rows)?));
    }
    let schema = batches[0].schema();
    let fields = schema.fields().iter().zip(&arrays);
    let fields: Vec<Field> =
        fields.map(|(field, array)| Field::new(field.name(), array.data_type().clone(), true)).collect();
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)?;
    let size = batch.columns().iter().map(size).sum::<Result<u64, _>>()?;
    let options = IpcWriteOptions::default().try_with_compression(Some(CompressionType::LZ4_FRAME))?;
    let mut writer = StreamWriter::try_new_with_options(Vec::new(), &batch.schema(), options)?;
    writer.write(&batch)?;
    let hashes = rows.iter().map(|&(batch, row)| held[batch].hashes[row]);
    let bounds = hashes.fold((u64::MAX, 0), |(low, high), hash| (low.min(hash), high.max(hash)));
    Ok((writer.into_inner()?, size, bounds))
}

/// The batches of some buckets, one after the other.
struct Pieces {
    file: Arc<File>,
    /// Where each batch starts in the file, and its length.
    extents: std::vec::IntoIter<(u64, usize)>,
    schema: SchemaRef,
}

impl Iterator for Pieces {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (start, length) = self.extents.next()?;
        let read = || {
            let mut bytes = vec![0; length];
            read_at(&self.file, &mut bytes, start)?;
            progress::add(length);
            let batch = StreamReader::try_new(&bytes[..], None)?.next();
            batch.unwrap_or_else(|| Err(inconsistent()))
        };
        Some(read())
    }
}

impl RecordBatchReader for Pieces {
    /// The names of the columns; each batch says of what type they are.
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

/// A new file whose name is removed at once, so that it is gone with the process.
fn unnamed(folder: &std::path::Path) -> std::io::Result<File> {
    let mut attempt = 0;
    loop {
        let path = folder.join(format!("rankgauge-{}-{attempt}", std::process::id()));
        match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
            Ok(file) => return remove_file(&path).map(|()| file),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => attempt += 1,
            Err(error) => return Err(error),
        }
    }
}

fn unwritten(py: Python<'_>, folder: &std::path::Path, error: &std::io::Error) -> PyErr {
    problem(py, "no-room-on-disk", &folder.display().to_string(), &[("got", error.to_string())])
}
