//! The rows of a Parquet row group in windows: pages are decoded until there are enough rows, and forgotten once taken.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use rankgauge_core::ids::Ids;
use rankgauge_core::items::Column;
use rankgauge_core::table::Items;

use crate::parquet_batches::Batches;
use crate::parquet_chunks::{Pages, Sink};
use crate::parquet_columns::{Columns, PendingNumbers, Type};
use crate::parquet_files::Group;
use crate::parquet_values::Texts;

/// Some rows, one after another.
pub struct Fragment<R: ItemRows> {
    pub items: R::Column,
    pub scores: Vec<f64>,
}

impl<R: ItemRows> Default for Fragment<R> {
    fn default() -> Self {
        Fragment { items: R::Column::default(), scores: Vec::new() }
    }
}

impl<R: ItemRows> Fragment<R> {
    pub fn add(&mut self, items: &R, scores: &[f64], rows: Range<usize>) {
        R::copy(items.column(), rows.clone(), &mut self.items);
        self.scores.extend_from_slice(&scores[rows]);
    }

    pub fn append(&mut self, other: Self) {
        R::copy(&other.items, 0..other.scores.len(), &mut self.items);
        self.scores.extend_from_slice(&other.scores);
    }
}

/// Buffers that no row group uses at the moment.
pub type Spare<R> = Mutex<Vec<Buffers<R>>>;

/// The rows of a row group that are decoded and not yet taken, and the bytes of the pages that follow.
pub struct Buffers<R> {
    items: R,
    scores: Box<dyn PendingNumbers<f64>>,
    packed: [Vec<u8>; 2],
}

impl<R: ItemRows> Buffers<R> {
    fn new(columns: &Columns) -> Option<Self> {
        Some(Buffers {
            items: R::new(columns.item.1)?,
            scores: columns.value.1.number_rows()?,
            packed: [Vec::new(), Vec::new()],
        })
    }
}

/// A row group whose rows are decoded page by page.
pub struct Pending<'a, R> {
    buffers: Buffers<R>,
    item_pages: Pages<'a>,
    score_pages: Pages<'a>,
    are_ranks: bool,
}

impl<'a, R: ItemRows> Pending<'a, R> {
    /// Begin a row group, with buffers that were used before if there are any.
    pub fn begin(
        spare: &Spare<R>,
        batches: &'a Batches,
        columns: &Columns,
        group: Group,
        are_ranks: bool,
    ) -> Option<Self> {
        let used = spare.lock().ok()?.pop();
        let mut buffers = used.map_or_else(|| Buffers::new(columns), Some)?;
        buffers.items.clear(group.rows);
        buffers.scores.rows_mut().clear();
        let chunk = |place| Columns::chunk(batches, group, place);
        let [items, scores] = std::mem::take(&mut buffers.packed);
        let (item_pages, score_pages) = (chunk(columns.item).pages(items)?, chunk(columns.value).pages(scores)?);
        Some(Pending { buffers, item_pages, score_pages, are_ranks })
    }

    /// The rows that are decoded and not yet taken.
    pub fn rows(&self) -> (&R, &[f64]) {
        (&self.buffers.items, self.buffers.scores.rows())
    }

    /// Decode pages until there are so many rows, and return how many there are.
    pub fn fill(&mut self, least: usize) -> Option<usize> {
        let Pending { buffers: Buffers { items, scores, .. }, item_pages, score_pages, are_ranks } = self;
        let fill_items = || {
            while items.count() < least {
                item_pages.read_next(items.sink())?;
            }
            Some(items.count())
        };
        let fill_scores = || {
            let known = scores.rows().len();
            while scores.rows().len() < least {
                score_pages.read_next(&mut **scores)?;
            }
            if *are_ranks {
                scores.rows_mut()[known..].iter_mut().for_each(|rank| *rank = -*rank);
            }
            Some(scores.rows().len())
        };
        let (items, scores) = rayon::join(fill_items, fill_scores);
        Some(items?.min(scores?))
    }

    /// Forget the first rows.
    pub fn forget(&mut self, count: usize) {
        self.buffers.items.forget(count);
        self.buffers.scores.rows_mut().drain(..count);
    }

    /// Read the pages that are left, which have no rows, and return how many bytes all of them claim.
    pub fn finish(&mut self) -> Option<u64> {
        while !self.item_pages.are_read() {
            self.item_pages.read_next(self.buffers.items.sink())?;
        }
        while !self.score_pages.are_read() {
            self.score_pages.read_next(&mut *self.buffers.scores)?;
        }
        Some(self.item_pages.claimed_by_all()?.saturating_add(self.score_pages.claimed_by_all()?))
    }

    /// End the row group: the next one uses the buffers.
    pub fn end(self, spare: &Spare<R>) -> Option<()> {
        let packed = [self.item_pages.into_buffer(), self.score_pages.into_buffer()];
        spare.lock().ok()?.push(Buffers { packed, ..self.buffers });
        Some(())
    }
}

/// The items of rows that are decoded page by page.
pub trait ItemRows: Sized + Send {
    type Column: for<'w> Column<'w> + Default + Send;

    /// None where items are of another type.
    fn new(kind: Type) -> Option<Self>;

    /// Forget all rows: those of a row group come that has so many.
    fn clear(&mut self, rows: usize);

    fn sink(&mut self) -> &mut dyn Sink;

    fn column(&self) -> &Self::Column;

    fn count(&self) -> usize;

    /// Forget the first rows.
    fn forget(&mut self, count: usize);

    fn copy(from: &Self::Column, rows: Range<usize>, to: &mut Self::Column);

    fn items(column: Self::Column) -> Items;
}

impl ItemRows for Texts {
    type Column = Ids;

    fn new(kind: Type) -> Option<Self> {
        (kind == Type::Text).then(Texts::default)
    }

    fn clear(&mut self, rows: usize) {
        Texts::clear(self, rows);
    }

    fn sink(&mut self) -> &mut dyn Sink {
        self
    }

    fn column(&self) -> &Ids {
        &self.rows
    }

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn forget(&mut self, count: usize) {
        Texts::forget(self, count);
    }

    fn copy(from: &Ids, rows: Range<usize>, to: &mut Ids) {
        to.extend_from_rows(from, rows);
    }

    fn items(column: Ids) -> Items {
        Items::Text(Arc::new(column))
    }
}

/// Items that are whole numbers.
pub struct WholeItems(Box<dyn PendingNumbers<i64>>);

impl ItemRows for WholeItems {
    type Column = Vec<i64>;

    fn new(kind: Type) -> Option<Self> {
        kind.whole_rows().map(WholeItems)
    }

    fn clear(&mut self, _: usize) {
        self.0.rows_mut().clear();
    }

    fn sink(&mut self) -> &mut dyn Sink {
        &mut *self.0
    }

    fn column(&self) -> &Vec<i64> {
        self.0.rows()
    }

    fn count(&self) -> usize {
        self.0.rows().len()
    }

    fn forget(&mut self, count: usize) {
        self.0.rows_mut().drain(..count);
    }

    fn copy(from: &Vec<i64>, rows: Range<usize>, to: &mut Vec<i64>) {
        to.extend_from_slice(&from[rows]);
    }

    fn items(column: Vec<i64>) -> Items {
        Items::Whole(column.into())
    }
}
