//! The rows of Parquet files as batches: a few row groups are decoded at a time, on all cores.

use std::collections::VecDeque;
use std::path::PathBuf;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use rankgauge_core::progress;
use rayon::prelude::*;

use crate::limits::TooMuch;
use crate::panics::caught;
use crate::parquet_files::{Group, Leaf, Loaded, Source, Texts};
use crate::parquet_pages::corrupt;
use crate::pool::in_pool;

/// So many bytes of row groups are unpacked at a time, or one group.
const BYTES_AT_ONCE: i64 = 1 << 27;

/// The rows of files in their order; a few row groups are decoded at a time.
#[derive(Debug, Clone)]
pub struct Batches {
    pub sources: Vec<Source>,
    schema: SchemaRef,
    pub groups: VecDeque<Group>,
    ready: VecDeque<RecordBatch>,
    pub limit: u64,
    left: u64,
    /// How many bytes there are, until the first are read.
    unbegun: Option<usize>,
}

impl Batches {
    /// Open files whose columns have the same types; none if DuckDB must read them. The pages that are read may not
    /// claim more bytes than the limit.
    pub fn open(paths: &[PathBuf], names: &[String], rows: Option<usize>, limit: u64) -> Option<Self> {
        let open = |texts| Self::open_as(paths, names, rows, limit, texts);
        open(Texts::AsStored).or_else(|| if paths.len() > 1 { open(Texts::Views) } else { None })
    }

    fn open_as(paths: &[PathBuf], names: &[String], rows: Option<usize>, limit: u64, texts: Texts) -> Option<Self> {
        let open = || paths.iter().map(|path| Source::open(path, names, texts)).collect::<Option<Vec<_>>>();
        let sources = caught(open)??;
        let schema = sources.first()?.schema(names)?;
        let groups =
            || sources.iter().enumerate().map(|(place, source)| source.groups(place)).collect::<Option<Vec<_>>>();
        let groups = caught(groups)??.into_iter().flatten().collect();
        let have_types = sources.iter().all(|source| source.schema(names).as_ref() == Some(&schema));
        let groups = first_groups(groups, rows.unwrap_or(usize::MAX));
        let (ready, left, unbegun) = (VecDeque::new(), limit, Some(groups.iter().map(size).sum()));
        have_types.then(|| Batches { sources, schema, groups, ready, limit, left, unbegun })
    }

    /// Open the same columns of the same files again, which may have changed.
    pub fn reopen(&self) -> Option<Self> {
        let paths: Vec<PathBuf> = self.sources.iter().map(|source| source.path.clone()).collect();
        Batches::open(&paths, &self.names(), None, self.limit)
    }

    /// The names of the columns.
    pub fn names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Whether no file was changed since it was opened.
    pub fn are_as_opened(&self) -> bool {
        self.sources.iter().all(Source::is_as_opened)
    }

    /// The row groups that are decoded next.
    fn next_groups(&mut self) -> Vec<Group> {
        let count = count_at_once(&self.groups, 8 * rayon::current_num_threads());
        self.groups.drain(..count).collect()
    }

    /// Decode the next row groups, each column of each on its own.
    fn decode(&mut self) -> Result<(), ArrowError> {
        if let Some(bytes) = self.unbegun.take() {
            progress::begin(bytes);
        }
        let groups = self.next_groups();
        let units: Vec<(Group, Leaf)> = groups
            .iter()
            .flat_map(|&group| self.sources[group.source].columns.iter().map(move |&leaf| (group, leaf)))
            .collect();
        let load = |&(group, leaf): &(Group, Leaf)| each(|| self.sources[group.source].load(group.index, leaf));
        let loaded = units.par_iter().map(load).collect::<Result<Vec<Loaded>, ArrowError>>()?;
        let claimed = loaded.iter().fold(0_u64, |sum, loaded| sum.saturating_add(loaded.claimed));
        let left = self.left.checked_sub(claimed).ok_or(TooMuch(self.limit))?;
        let decode = |(&(group, leaf), loaded): (&(Group, Leaf), Loaded)| {
            each(|| self.sources[group.source].decode(group, leaf, loaded.window))
        };
        let pairs = units.par_iter().zip(loaded);
        let columns = pairs.map(decode).collect::<Result<Vec<Vec<ArrayRef>>, ArrowError>>()?;
        let width = self.schema.fields().len();
        for arrays in columns.chunks(width) {
            for batch in 0..arrays.first().map_or(0, Vec::len) {
                let row = arrays.iter().map(|column| column[batch].clone()).collect();
                self.ready.push_back(RecordBatch::try_new(self.schema.clone(), row)?);
            }
        }
        self.left = left;
        progress::add(groups.iter().map(size).sum());
        Ok(())
    }
}

/// How many of the first row groups are unpacked together, at most so many.
pub fn count_at_once<'a>(groups: impl IntoIterator<Item = &'a Group>, most: usize) -> usize {
    let mut bytes = 0_i64;
    let mut is_taken = |group: &Group| {
        bytes = bytes.saturating_add(group.bytes);
        bytes == group.bytes || bytes <= BYTES_AT_ONCE
    };
    groups.into_iter().take(most).take_while(|group| is_taken(group)).count()
}

/// How many bytes a row group takes; files may say anything.
pub fn size(group: &Group) -> usize {
    group.bytes.clamp(0, 1 << 40) as usize
}

/// As many row groups as have so many rows together, the last of them in part.
fn first_groups(groups: VecDeque<Group>, mut rows: usize) -> VecDeque<Group> {
    let mut first = VecDeque::new();
    for group in groups {
        let kept = group.rows.min(rows);
        first.push_back(Group { rows: kept, ..group });
        rows -= kept;
        if rows == 0 {
            break;
        }
    }
    first
}

/// Work on a thread of the pool: a decoder panics on data that is not what it says.
fn each<T>(work: impl FnOnce() -> Result<T, ArrowError>) -> Result<T, ArrowError> {
    caught(work).unwrap_or_else(|| Err(corrupt("columns that are not what they say")))
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && !self.groups.is_empty() {
            let decoded = in_pool(false, None, || self.decode());
            let decoded = decoded.unwrap_or_else(|_| Err(ArrowError::ComputeError("no threads".into())));
            if let Err(error) = decoded {
                self.groups.clear();
                return Some(Err(error));
            }
        }
        self.ready.pop_front().map(Ok)
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
