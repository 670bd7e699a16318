//! Rows by query: which queries there are, and which rows belong to each.

use rankgauge_core::id_kinds::IdKind;
use rankgauge_core::ids::{Ids, Interner};
use rayon::prelude::*;

use crate::columns::{Column, Fault};
use crate::id_chunks::{Chunk, id_chunks, id_kind};

/// The queries, and the runs of rows that belong to one.
pub fn groups(column: &Column) -> Result<(Interner, Vec<(u32, usize)>), Fault> {
    if id_kind(column) == IdKind::Text {
        return Groups::of(id_chunks(column));
    }
    let chunks = id_chunks(column).collect::<Result<Vec<Chunk>, Fault>>()?;
    if chunks.iter().all(|chunk| matches!(chunk, Chunk::Whole(_))) {
        return Ok(groups_of_numbers(&chunks));
    }
    Groups::of(chunks.into_iter().map(Ok))
}

/// Rows whose queries are whole numbers: only the first of each run is looked at.
fn groups_of_numbers(chunks: &[Chunk]) -> (Interner, Vec<(u32, usize)>) {
    let mut pieces = Vec::new();
    let mut row = 0;
    for chunk in chunks {
        if let Chunk::Whole(numbers) = chunk {
            pieces.extend(numbers.chunks(ROWS_AT_ONCE).zip((row..).step_by(ROWS_AT_ONCE)));
            row += numbers.len();
        }
    }
    let heads: Vec<Vec<(i64, usize)>> = match &pieces[..] {
        [(numbers, row)] => vec![heads(numbers, *row)],
        several => several.par_iter().map(|&(numbers, row)| heads(numbers, row)).collect(),
    };
    Groups::of_numbers(heads.concat()).into_parts()
}

/// Large enough that a piece of rows is worth a task.
const ROWS_AT_ONCE: usize = 1 << 16;

/// The first number of each run of equal ones, and its row; the first row of all is given.
fn heads(numbers: &[i64], first_row: usize) -> Vec<(i64, usize)> {
    let mut places = vec![0_u32; numbers.len()];
    let mut count = usize::from(!numbers.is_empty());
    for (place, pair) in numbers.windows(2).enumerate() {
        // Written in any case: a branch would often be guessed wrong.
        places[count] = place as u32 + 1;
        count += usize::from(pair[0] != pair[1]);
    }
    places[..count].iter().map(|&place| (numbers[place as usize], first_row + place as usize)).collect()
}

/// Queries, and the runs of rows that belong to one.
#[derive(Debug, Default)]
pub struct Groups {
    queries: Interner,
    runs: Vec<(u32, usize)>,
}

impl Groups {
    /// Runs of rows whose queries are whole numbers: the number of each, and its first row.
    pub fn of_numbers(mut heads: Vec<(i64, usize)>) -> Self {
        heads.dedup_by_key(|&mut (id, _)| id);
        if heads.is_sorted_by(|(before, _), (after, _)| before < after) {
            let runs = (0..).zip(heads.iter().map(|&(_, row)| row)).collect();
            return Groups { queries: Interner::of_rising(heads.into_iter().map(|(id, _)| id).collect()), runs };
        }
        let (low, high) = heads.iter().fold((i64::MAX, i64::MIN), |(low, high), &(id, _)| (low.min(id), high.max(id)));
        let mut groups = Groups { queries: Interner::of_numbers(low, high, heads.len()), runs: Vec::new() };
        groups.runs.reserve(heads.len());
        for (number, row) in heads {
            let query = groups.queries.intern_number(number);
            groups.add(query, row);
        }
        groups
    }

    /// Whether the rows of each query lie together.
    pub fn are_together(&self) -> bool {
        self.runs.len() == self.count()
    }

    /// How many queries there are.
    pub fn count(&self) -> usize {
        self.queries.ids().len()
    }

    /// How many bytes their ids have together.
    pub fn byte_count(&self) -> usize {
        self.queries.ids().byte_count()
    }

    pub fn into_parts(self) -> (Interner, Vec<(u32, usize)>) {
        (self.queries, self.runs)
    }

    fn of(chunks: impl Iterator<Item = Result<Chunk, Fault>>) -> Result<(Interner, Vec<(u32, usize)>), Fault> {
        let mut groups = Groups::default();
        let mut row = 0;
        for chunk in chunks {
            let chunk = chunk?;
            match &chunk {
                Chunk::Coded(codes, texts) => {
                    groups.coded(codes.iter().enumerate().map(|(at, &code)| (row + at, code)), texts);
                }
                _ => chunk.each_run(|at, text| groups.text(row + at, text)),
            }
            row += chunk.len();
        }
        Ok(groups.into_parts())
    }

    fn add(&mut self, query: u32, row: usize) {
        if self.runs.last().is_none_or(|&(last, _)| last != query) {
            self.runs.push((query, row));
        }
    }

    fn text(&mut self, row: usize, text: &[u8]) {
        if self.runs.last().is_some_and(|&(last, _)| self.queries.ids().get(last as usize) == text) {
            return;
        }
        let query = self.queries.intern(text);
        self.runs.push((query, row));
    }

    /// Rows, or the first of each run, and which of the texts each has.
    pub fn coded(&mut self, rows: impl Iterator<Item = (usize, usize)>, texts: &Ids) {
        // Only the values that occur are queries.
        let mut known = vec![None; texts.len()];
        for (row, code) in rows {
            let query = *known[code].get_or_insert_with(|| self.queries.intern(texts.get(code)));
            self.add(query, row);
        }
    }
}
