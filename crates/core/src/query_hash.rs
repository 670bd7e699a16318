//! Parts of data by a hash of the query's id: a part holds whole queries, and those of both sides alike.

use std::hash::{BuildHasher, Hasher};
use std::ops::RangeInclusive;

use foldhash::quality::FixedState;

use crate::ids::Interner;
use crate::table::Table;

/// The hash of an id as it is compared, as text: the same on both sides and in every process.
pub fn query_hash(id: &[u8]) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    hasher.write(id);
    hasher.finish()
}

impl Table {
    /// The queries whose hashes lie in a range, with their rows.
    pub fn part(&self, hashes: &RangeInclusive<u64>) -> Table {
        let (mut queries, mut starts, mut rows) = (Interner::default(), vec![0], Vec::new());
        for query in 0..self.query_count() as u32 {
            let id = self.query_id(query);
            if hashes.contains(&query_hash(id)) {
                queries.intern(id);
                rows.extend(self.row_numbers(query).map(|row| row as u32));
                starts.push(rows.len());
            }
        }
        self.with_rows(queries, starts, &rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::read;
    use crate::text::trec::JUDGMENTS;

    #[test]
    fn part_of_each_hash_range_holds_its_queries_once() {
        let table = read(&b"q1 0 a 1\nq2 0 b 2\nq1 0 c 3\nq3 0 a 4\n"[..], JUDGMENTS).unwrap();
        let middle = query_hash(b"q2");
        let parts = [0..=middle - 1, middle..=middle, middle + 1..=u64::MAX].map(|hashes| table.part(&hashes));
        assert_eq!(parts.iter().map(Table::query_count).sum::<usize>(), 3);
        assert_eq!(parts[1].text_rows(0), [(b"b".to_vec(), 2.0)]);
        let first = parts.iter().find_map(|part| part.find(b"q1").map(|query| part.text_rows(query)));
        assert_eq!(first, Some(vec![(b"a".to_vec(), 1.0), (b"c".to_vec(), 3.0)]));
    }
}
