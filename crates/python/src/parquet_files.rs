//! Files of the Apache Parquet format, decoded on all cores: flat columns of texts, numbers, booleans and dates. DuckDB
//! reads what is left: lists, decimals, points in time, rare codecs and encodings.

use std::collections::HashSet;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use arrow_array::ArrayRef;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};
use bytes::{Buf, Bytes};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::basic::{Compression, Encoding};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, PageIndexPolicy};
use parquet::file::reader::{ChunkReader, Length};
use pyo3::prelude::*;

use crate::panics::caught;
use crate::parquet_pages::{Pages, claimed_bytes, corrupt};

/// Larger footers are left to DuckDB: what is parsed takes many times their size.
const LONGEST_FOOTER: u64 = 1 << 24;
/// So many rows are in a batch at most.
const ROWS_AT_ONCE: usize = 1 << 20;
/// From here on a column is decoded in batches of few rows: the texts of one may not pass 2^31 bytes.
const LARGE_COLUMN: i64 = 1 << 30;
const FEW_ROWS: usize = 1 << 13;

/// The names of the columns of a file; none if DuckDB must say what they are.
#[pyfunction]
pub fn parquet_names(py: Python<'_>, path: PathBuf) -> Option<Vec<String>> {
    let metadata = py.detach(|| caught(|| load(&path)))??;
    let names: Vec<String> = metadata.schema().fields().iter().map(|field| field.name().clone()).collect();
    // DuckDB renames columns whose names are the same but for their case.
    let distinct: HashSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
    (distinct.len() == names.len()).then_some(names)
}

/// The metadata of a file; the types are those of Parquet, whatever its writer had in memory.
fn load(path: &Path) -> Option<ArrowReaderMetadata> {
    let mut file = File::open(path).ok()?;
    let mut trailer = [0; 8];
    file.seek(SeekFrom::End(-8)).ok()?;
    file.read_exact(&mut trailer).ok()?;
    let [first, second, third, fourth, ..] = trailer;
    let is_short = u64::from(u32::from_le_bytes([first, second, third, fourth])) <= LONGEST_FOOTER;
    is_short.then(|| ArrowReaderMetadata::load(&file, options()).ok()).flatten()
}

fn options() -> ArrowReaderOptions {
    ArrowReaderOptions::new().with_skip_arrow_metadata(true).with_page_index_policy(PageIndexPolicy::Skip)
}

/// A file, and the columns that are read of it.
#[derive(Debug, Clone)]
pub struct Source {
    pub path: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
    pub metadata: ArrowReaderMetadata,
    pub columns: Vec<Leaf>,
}

/// A column: which of the leaves of the schema it is, and what pages it has.
#[derive(Debug, Clone, Copy)]
pub struct Leaf {
    pub index: usize,
    pub pages: Pages,
}

/// As what columns of texts are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Texts {
    /// As they are stored.
    AsStored,
    /// As views, which several files have in common whose texts are stored in different ways.
    Views,
}

impl Source {
    /// Open a file; none if DuckDB must read it.
    pub fn open(path: &Path, names: &[String], texts: Texts) -> Option<Source> {
        let metadata = load(path)?;
        let leaves: Option<Vec<(Leaf, FieldRef)>> = names.iter().map(|name| leaf(&metadata, name, texts)).collect();
        let leaves = leaves?;
        let typed = |field: &FieldRef| {
            let wanted = leaves.iter().find(|(_, wanted)| wanted.name() == field.name());
            wanted.map_or_else(|| field.clone(), |(_, wanted)| wanted.clone())
        };
        let schema = Schema::new(metadata.schema().fields().iter().map(typed).collect::<Vec<FieldRef>>());
        let options = options().with_schema(Arc::new(schema));
        let metadata = ArrowReaderMetadata::try_new(metadata.metadata().clone(), options).ok()?;
        let (length, modified) = state(path)?;
        let columns = leaves.into_iter().map(|(leaf, _)| leaf).collect();
        Some(Source { path: path.into(), length, modified, metadata, columns })
    }

    /// Whether the file was not changed since it was opened.
    pub fn is_as_opened(&self) -> bool {
        state(&self.path) == Some((self.length, self.modified))
    }

    pub fn schema(&self, names: &[String]) -> Option<SchemaRef> {
        let field = |name: &String| self.metadata.schema().field_with_name(name).ok().cloned();
        Some(Arc::new(Schema::new(names.iter().map(field).collect::<Option<Vec<Field>>>()?)))
    }

    /// Where a column of a row group begins, and how many bytes it has.
    pub fn range(&self, group: usize, leaf: Leaf) -> Result<(u64, usize), ArrowError> {
        let (start, length) = self.metadata.metadata().row_group(group).column(leaf.index).byte_range();
        match start.checked_add(length).is_some_and(|end| end <= self.length) {
            true => Ok((start, length as usize)),
            false => Err(corrupt("a column beyond its end")),
        }
    }

    /// Read bytes of the file, and put them behind others.
    pub fn append(&self, start: u64, count: u64, bytes: &mut Vec<u8>) -> std::io::Result<()> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(start))?;
        bytes.reserve(count as usize);
        let read = file.take(count).read_to_end(bytes)?;
        if read as u64 == count { Ok(()) } else { Err(ErrorKind::UnexpectedEof.into()) }
    }

    /// Read the bytes of a column of a row group, after a check of what its pages claim.
    pub fn load(&self, group: usize, leaf: Leaf) -> Result<Loaded, ArrowError> {
        let (start, length) = self.range(group, leaf)?;
        let mut bytes = Vec::new();
        self.append(start, length as u64, &mut bytes)?;
        let group = self.metadata.metadata().row_group(group);
        let is_gzip = matches!(group.column(leaf.index).compression(), Compression::GZIP(_));
        let claimed = claimed_bytes(&bytes, leaf.pages, u64::try_from(group.num_rows()).unwrap_or(0), is_gzip)?;
        Ok(Loaded { window: Window { start, bytes: bytes.into() }, claimed })
    }

    /// Decode a column of a row group.
    pub fn decode(&self, group: Group, leaf: Leaf, window: Window) -> Result<Vec<ArrayRef>, ArrowError> {
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(window, self.metadata.clone())
            .with_row_groups(vec![group.index])
            .with_projection(ProjectionMask::leaves(self.metadata.parquet_schema(), [leaf.index]))
            .with_batch_size(group.rows_at_once)
            .with_limit(group.rows)
            .build()?;
        let arrays = reader.map(|batch| Ok(batch?.column(0).clone())).collect::<Result<Vec<ArrayRef>, ArrowError>>()?;
        match arrays.iter().map(|array| array.len()).sum::<usize>() == group.rows {
            true => Ok(arrays),
            false => Err(corrupt("a column of other rows than it says")),
        }
    }

    /// The row groups of the file, which is one of many; none if they have other rows than the file or a column says.
    pub fn groups(&self, source: usize) -> Option<Vec<Group>> {
        let groups = self.metadata.metadata().row_groups();
        let rows = groups.iter().try_fold(0_i64, |sum, group| sum.checked_add(group.num_rows()))?;
        let has_rows =
            |leaf: &Leaf| groups.iter().all(|group| group.column(leaf.index).num_values() == group.num_rows());
        if rows != self.metadata.metadata().file_metadata().num_rows() || !self.columns.iter().all(has_rows) {
            return None;
        }
        let groups = self.metadata.metadata().row_groups().iter().enumerate().map(|(index, group)| {
            let rows = usize::try_from(group.num_rows()).ok()?;
            let sizes = || self.columns.iter().map(|leaf| group.column(leaf.index).uncompressed_size());
            let rows_at_once = if sizes().any(|size| size >= LARGE_COLUMN) { FEW_ROWS } else { ROWS_AT_ONCE.min(rows) };
            let bytes = sizes().try_fold(0_i64, |sum, size| sum.checked_add(size.max(0)))?;
            Some(Group { source, index, rows, rows_at_once: rows_at_once.max(1), bytes })
        });
        groups.collect()
    }
}

/// The length of a file, and when it was changed last.
fn state(path: &Path) -> Option<(u64, Option<SystemTime>)> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.len(), metadata.modified().ok()))
}

/// The column of that name, and the type as which it is read; none if DuckDB must read it.
fn leaf(metadata: &ArrowReaderMetadata, name: &str, texts: Texts) -> Option<(Leaf, FieldRef)> {
    let schema = metadata.parquet_schema();
    let root = metadata.schema().index_of(name).ok()?;
    let index = (0..schema.num_columns()).find(|&leaf| schema.get_column_root_idx(leaf) == root)?;
    let column = schema.column(index);
    let field = metadata.schema().field(root);
    let is_flat = column.path().parts().len() == 1 && column.max_rep_level() == 0;
    let chunks = || metadata.metadata().row_groups().iter().map(|group| group.column(index));
    let is_text = *field.data_type() == DataType::Utf8;
    if !is_flat || !(is_text || is_plain(field.data_type())) || !chunks().all(|chunk| is_ours(chunk, is_text)) {
        return None;
    }
    let (data_type, pages) = match field.data_type() {
        DataType::Utf8 if texts == Texts::Views => (DataType::Utf8View, Pages::CodedTexts),
        DataType::Utf8 if chunks().all(is_coded) => (coded_texts(), Pages::CodedTexts),
        DataType::Utf8 if chunks().all(|chunk| chunk.dictionary_page_offset().is_none()) => {
            (DataType::Utf8, Pages::PlainTexts)
        }
        // Views, because a dictionary may have long texts that come again and again.
        DataType::Utf8 => (DataType::Utf8View, Pages::CodedTexts),
        other => (other.clone(), Pages::Numbers),
    };
    Some((Leaf { index, pages }, Arc::new(Field::new(name, data_type, field.is_nullable()))))
}

fn coded_texts() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
}

/// Whether values of a type are the same as those that DuckDB would make of them.
fn is_plain(data_type: &DataType) -> bool {
    use DataType::{Boolean, Date32, Float32, Float64};
    data_type.is_integer() || matches!(data_type, Boolean | Float32 | Float64 | Date32)
}

/// Whether the codec and the encodings of a column are among those that are read here.
fn is_ours(chunk: &ColumnChunkMetaData, is_text: bool) -> bool {
    let codec = chunk.compression();
    let is_common = matches!(codec, Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::LZ4_RAW);
    let is_packed = is_common || matches!(codec, Compression::ZSTD(_) | Compression::GZIP(_));
    // RLE and BIT_PACKED are those of the levels.
    let encodings = chunk.encodings().all(|encoding| match encoding {
        Encoding::PLAIN | Encoding::RLE | Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY => true,
        Encoding::DELTA_BINARY_PACKED | Encoding::BYTE_STREAM_SPLIT => !is_text,
        _ => false,
    });
    is_packed && encodings && chunk.file_path().is_none()
}

/// Whether all values of a column are numbers of its dictionary.
fn is_coded(chunk: &ColumnChunkMetaData) -> bool {
    let is_dictionary = |encoding| matches!(encoding, Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY);
    let pages = chunk.page_encoding_stats_mask();
    let are_all = pages.is_none_or(|pages| pages.encodings().all(is_dictionary));
    are_all && chunk.dictionary_page_offset().is_some() && chunk.encodings().any(is_dictionary)
}

/// A row group of one of the files.
#[derive(Debug, Clone, Copy)]
pub struct Group {
    pub source: usize,
    pub index: usize,
    /// How many rows are read.
    pub rows: usize,
    pub rows_at_once: usize,
    /// How many bytes the columns have unpacked, as the file says.
    pub bytes: i64,
}

/// The bytes of a column of a row group, and how many they claim to unpack to.
#[derive(Debug)]
pub struct Loaded {
    pub window: Window,
    pub claimed: u64,
}

/// The bytes of a part of a file.
#[derive(Debug)]
pub struct Window {
    start: u64,
    bytes: Bytes,
}

impl Window {
    fn slice(&self, start: u64) -> Result<Bytes, ParquetError> {
        let start = start.checked_sub(self.start).filter(|&start| start <= self.bytes.len() as u64);
        let start = start.ok_or_else(|| ParquetError::EOF("a page outside of its column".into()))?;
        Ok(self.bytes.slice(start as usize..))
    }
}

impl Length for Window {
    fn len(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

impl ChunkReader for Window {
    type T = bytes::buf::Reader<Bytes>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(self.slice(start)?.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let bytes = self.slice(start)?;
        let is_cut = || ParquetError::EOF("a page beyond its column".into());
        (length <= bytes.len()).then(|| bytes.slice(..length)).ok_or_else(is_cut)
    }
}
