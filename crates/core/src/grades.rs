//! Checks of judgments before they are evaluated: items with several grades, and grades with fractions.

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::items::{Column, Item};
use crate::table::{Items, Table};

/// How many grades are not whole numbers.
pub fn fractions(judgments: &Table) -> usize {
    judgments.values().iter().filter(|grade| grade.fract() != 0.0).count()
}

/// Whether an item has several rows in a query.
pub fn has_duplicates(judgments: &Table) -> bool {
    match judgments.items() {
        Items::Text(items) => has_duplicates_in(judgments, &**items),
        Items::Views(items) => has_duplicates_in(judgments, items),
        Items::Whole(items) => has_duplicates_in(judgments, items),
    }
}

fn has_duplicates_in<'a, C: Column<'a>>(judgments: &'a Table, items: &'a C) -> bool {
    let state = RandomState::default();
    let mut seen: HashTable<C::Item> = HashTable::new();
    (0..judgments.query_count() as u32).any(|query| {
        seen.clear();
        judgments.rows(items, query).any(|(item, _)| {
            let hash = item.hash(&state);
            let is_repeated = seen.find(hash, |&other| other == item).is_some();
            seen.insert_unique(hash, item, |other| other.hash(&state));
            is_repeated
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::read;
    use crate::text::trec::JUDGMENTS;

    #[test]
    fn has_duplicates_compares_items_of_the_same_query_only() {
        let is_double = |rows: &str| has_duplicates(&read(rows.as_bytes(), JUDGMENTS).unwrap());
        assert!(is_double("q1 1 a 1\nq1 1 b 1\nq1 2 a 0\n"));
        assert!(!is_double("q1 1 a 1\nq2 1 a 1\nq2 2 b 0\n"));
    }

    #[test]
    fn fractions_of_judgments_counts_grades_that_are_not_whole() {
        let judgments = read(&b"q1 0 a 1\nq1 0 b 1.5\nq2 0 a -0.5\n"[..], JUDGMENTS).unwrap();
        assert_eq!(fractions(&judgments), 2);
    }
}
