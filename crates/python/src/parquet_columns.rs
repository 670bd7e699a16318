//! The columns of Parquet files that hold a ranking or judgments: nothing but ids and finite numbers in every row.

use arrow_array::RecordBatchReader;
use arrow_schema::DataType;
use parquet::basic::{Compression, Encoding};
use rankgauge_core::id_kinds::{IdKind, IdKinds};
use rankgauge_core::ids::{Ids, Interner};
use rankgauge_core::long_scores::EXACT;
use rankgauge_core::table::MOST_ROWS;

use crate::frames::Roles;
use crate::groups::Groups;
use crate::parquet_batches::Batches;
use crate::parquet_chunks::{Chunk, Sink};
use crate::parquet_files::{Group, Source};
use crate::parquet_values::{Conversion, Heads, NumberHeads, Numbers};

/// A file has at most so many times its own bytes in memory: rows that it only claims to have take none.
const MOST_PACKED: u64 = 64;
/// A row takes so many bytes in each column, besides its texts.
pub const WIDTH: u64 = 8;

/// How many rows there are, if all of their row groups are read, and the files are large enough to have so many.
pub fn row_count(batches: &Batches) -> Option<usize> {
    let (mut rows, mut bytes) = (0_usize, 0_u64);
    for group in &batches.groups {
        let source = &batches.sources[group.source];
        if usize::try_from(source.metadata.metadata().row_group(group.index).num_rows()) != Ok(group.rows) {
            return None;
        }
        rows = rows.checked_add(group.rows)?;
        for &leaf in &source.columns {
            bytes = bytes.checked_add(source.range(group.index, leaf).ok()?.1 as u64)?;
        }
    }
    let is_plausible = rows as u64 <= bytes.saturating_mul(MOST_PACKED) / WIDTH;
    (0 < rows && rows <= MOST_ROWS && is_plausible).then_some(rows)
}

/// Whether all pages of the columns are packed and encoded in the ways of `parquet_chunks`, as a file says.
pub fn has_plain_pages(source: &Source) -> bool {
    let groups = source.metadata.metadata().row_groups().iter();
    let mut chunks = groups.flat_map(|group| source.columns.iter().map(|leaf| group.column(leaf.index)));
    chunks.all(|chunk| {
        let is_delta = |encoding| matches!(encoding, Encoding::DELTA_BINARY_PACKED | Encoding::BYTE_STREAM_SPLIT);
        let missing = chunk.statistics().and_then(|statistics| statistics.null_count_opt());
        chunk.compression() != Compression::LZ4_RAW && !chunk.encodings().any(is_delta) && missing.unwrap_or(0) == 0
    })
}

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Text,
    Int32,
    Int64,
    Float32,
    Float64,
}

impl Type {
    fn of(data_type: &DataType) -> Option<Self> {
        match data_type {
            DataType::Utf8 | DataType::Utf8View => Some(Type::Text),
            DataType::Dictionary(_, values) if **values == DataType::Utf8 => Some(Type::Text),
            DataType::Int32 => Some(Type::Int32),
            DataType::Int64 => Some(Type::Int64),
            DataType::Float32 => Some(Type::Float32),
            DataType::Float64 => Some(Type::Float64),
            _ => None,
        }
    }

    fn of_ids(self) -> Option<IdKind> {
        match self {
            Type::Text => Some(IdKind::Text),
            Type::Int32 | Type::Int64 => Some(IdKind::Whole),
            Type::Float32 | Type::Float64 => None,
        }
    }

    /// Read whole numbers into their rows, and return how many bytes the pages claim.
    pub fn read_whole(self, chunk: Chunk<'_>, rows: &mut [i64]) -> Option<u64> {
        match self {
            Type::Int32 => chunk.read(&mut Numbers::<_, WholeOfInt32, 4>::new(rows)),
            Type::Int64 => chunk.read(&mut Numbers::<_, WholeOfInt64, 8>::new(rows)),
            Type::Text | Type::Float32 | Type::Float64 => None,
        }
    }

    /// Read finite numbers that floats hold exactly.
    pub fn read_numbers(self, chunk: Chunk<'_>, rows: &mut [f64]) -> Option<u64> {
        match self {
            Type::Int32 => chunk.read(&mut Numbers::<_, FloatOfInt32, 4>::new(rows)),
            Type::Int64 => chunk.read(&mut Numbers::<_, FloatOfInt64, 8>::new(rows)),
            Type::Float32 => chunk.read(&mut Numbers::<_, FloatOfFloat32, 4>::new(rows)),
            Type::Float64 => chunk.read(&mut Numbers::<_, FloatOfFloat64, 8>::new(rows)),
            Type::Text => None,
        }
    }

    /// Rows of whole numbers that are read page by page.
    pub fn whole_rows(self) -> Option<Box<dyn PendingNumbers<i64>>> {
        match self {
            Type::Int32 => Some(Box::new(Numbers::<_, WholeOfInt32, 4>::new(Vec::new()))),
            Type::Int64 => Some(Box::new(Numbers::<_, WholeOfInt64, 8>::new(Vec::new()))),
            Type::Text | Type::Float32 | Type::Float64 => None,
        }
    }

    /// Rows of finite numbers that are read page by page.
    pub fn number_rows(self) -> Option<Box<dyn PendingNumbers<f64>>> {
        match self {
            Type::Int32 => Some(Box::new(Numbers::<_, FloatOfInt32, 4>::new(Vec::new()))),
            Type::Int64 => Some(Box::new(Numbers::<_, FloatOfInt64, 8>::new(Vec::new()))),
            Type::Float32 => Some(Box::new(Numbers::<_, FloatOfFloat32, 4>::new(Vec::new()))),
            Type::Float64 => Some(Box::new(Numbers::<_, FloatOfFloat64, 8>::new(Vec::new()))),
            Type::Text => None,
        }
    }
}

/// Numbers of a column that is read page by page.
pub trait PendingNumbers<T>: Sink + Send {
    fn rows(&self) -> &Vec<T>;

    fn rows_mut(&mut self) -> &mut Vec<T>;
}

impl<C: Conversion<N>, const N: usize> PendingNumbers<C::Value> for Numbers<Vec<C::Value>, C, N> {
    fn rows(&self) -> &Vec<C::Value> {
        &self.rows
    }

    fn rows_mut(&mut self) -> &mut Vec<C::Value> {
        &mut self.rows
    }
}

/// A conversion as a type, so that the loops over numbers are compiled for each.
macro_rules! conversion {
    ($name:ident, $stored:ty, $bytes:literal, $value:ty, $convert:expr, $is_exact:expr) => {
        struct $name;

        impl Conversion<$bytes> for $name {
            type Value = $value;

            #[inline]
            fn convert(bytes: [u8; $bytes]) -> $value {
                $convert(<$stored>::from_le_bytes(bytes))
            }

            #[inline]
            fn is_exact(value: $value) -> bool {
                $is_exact(value)
            }
        }
    };
}

conversion!(WholeOfInt32, i32, 4, i64, i64::from, |_| true);
conversion!(WholeOfInt64, i64, 8, i64, |number| number, |_| true);
conversion!(FloatOfInt32, i32, 4, f64, f64::from, |_| true);
conversion!(FloatOfInt64, i64, 8, f64, |number| number as f64, |value: f64| value.abs() < EXACT);
conversion!(FloatOfFloat32, f32, 4, f64, f64::from, f64::is_finite);
conversion!(FloatOfFloat64, f64, 8, f64, |number| number, f64::is_finite);

/// The place of a column among those that are read, and its type.
pub type Place = (usize, Type);

/// The columns of rows.
#[derive(Debug, Clone, Copy)]
pub struct Columns {
    pub query: Place,
    pub item: Place,
    pub value: Place,
    pub kinds: IdKinds,
}

impl Columns {
    /// The columns of these roles; none if one of them has another type, or if there are annotations too.
    pub fn find(batches: &Batches, roles: &Roles) -> Option<Self> {
        let schema = batches.schema();
        let find = |name: &str| {
            let place = schema.index_of(name).ok()?;
            Some((place, Type::of(schema.field(place).data_type())?))
        };
        let (query, item, value) = (find(&roles.query)?, find(&roles.item)?, find(roles.value.as_deref()?)?);
        let kinds = IdKinds { queries: query.1.of_ids()?, items: item.1.of_ids()? };
        let is_plain = roles.annotation.is_none() && value.1 != Type::Text;
        is_plain.then_some(Columns { query, item, value, kinds })
    }

    /// A column of a row group.
    pub fn chunk(batches: &Batches, group: Group, (place, _): Place) -> Chunk<'_> {
        let source = &batches.sources[group.source];
        Chunk { source, group: group.index, leaf: source.columns[place], rows: group.rows }
    }
}

/// The queries of the rows of a row group, one after another.
pub enum Queries {
    Texts(Heads<Ids>),
    Whole(Heads<Vec<i64>>),
}

impl Queries {
    /// Read them, and return how many bytes the pages claim.
    pub fn read(chunk: Chunk<'_>, kind: Type) -> Option<(Self, u64)> {
        match kind {
            Type::Text => {
                let mut heads = Heads::default();
                let claimed = chunk.read(&mut heads)?;
                Some((Queries::Texts(heads), claimed))
            }
            Type::Int32 => Self::read_whole::<WholeOfInt32, 4>(chunk),
            Type::Int64 => Self::read_whole::<WholeOfInt64, 8>(chunk),
            Type::Float32 | Type::Float64 => None,
        }
    }

    fn read_whole<C: Conversion<N, Value = i64>, const N: usize>(chunk: Chunk<'_>) -> Option<(Self, u64)> {
        let mut heads = NumberHeads::<C, N>::default();
        let claimed = chunk.read(&mut heads)?;
        Some((Queries::Whole(heads.heads), claimed))
    }
}

/// A query takes so many bytes beside its id: where its rows begin, and what finds it.
const QUERY: u64 = 48;

/// The queries of one row group after another.
#[derive(Debug, Default)]
pub struct QueryRuns {
    texts: Groups,
    /// The first row of each run of a query that is a whole number.
    whole: Vec<(i64, usize)>,
    /// How many of these runs there were when they were last looked at.
    looked_at: usize,
    pub rows: usize,
    pub longest: usize,
}

impl QueryRuns {
    /// Add those of a row group that has so many rows.
    pub fn add(&mut self, queries: &Queries, rows: usize) {
        let first = self.rows;
        let place = |&(place, row): &(u32, u32)| (first + row as usize, place as usize);
        match queries {
            Queries::Texts(texts) => {
                self.texts.coded(texts.heads.iter().map(place), &texts.ids);
                self.longest = self.longest.max(texts.ids.iter().map(<[u8]>::len).max().unwrap_or(0));
            }
            Queries::Whole(numbers) => {
                let heads = numbers.heads.iter().map(place);
                self.whole.extend(heads.map(|(row, place)| (numbers.ids[place], row)));
            }
        }
        self.rows += rows;
    }

    /// Whether the rows of each query lie together so far. Whole numbers are sorted for it: at first, and when there are
    /// twice as many.
    pub fn are_together(&mut self) -> bool {
        if self.whole.len() < 2 * self.looked_at {
            return true;
        }
        self.looked_at = self.whole.len();
        let mut numbers: Vec<i64> = self.whole.iter().map(|&(number, _)| number).collect();
        numbers.dedup();
        let runs = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        runs == numbers.len() && self.texts.are_together()
    }

    /// About how many bytes the queries take.
    pub fn size(&self) -> u64 {
        Self::size_of(self.texts.count(), self.texts.byte_count()) + Self::size_of(self.whole.len(), 0)
    }

    /// About how many bytes so many queries take whose ids have so many bytes.
    pub fn size_of(queries: usize, bytes: usize) -> u64 {
        QUERY * queries as u64 + bytes as u64
    }

    /// The queries, and the runs of rows that belong to one.
    pub fn into_parts(self, kind: IdKind) -> (Interner, Vec<(u32, usize)>) {
        match kind {
            IdKind::Whole => Groups::of_numbers(self.whole).into_parts(),
            _ => self.texts.into_parts(),
        }
    }
}
