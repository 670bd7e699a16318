//! Queries whose ranked items have none in common with their judged ones: a sign of ids that are written in two ways.

use foldhash::fast::RandomState;
use hashbrown::{HashMap, HashSet};

use crate::table::Table;
use crate::text::Shape;

/// A query and its ranked items, as text.
pub type RankedItems = (Vec<u8>, Vec<Vec<u8>>);

/// Some judged queries of a ranking, and those among them that share no item.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Apart {
    pub looked_at: usize,
    pub queries: Vec<RankedItems>,
}

impl Apart {
    /// Compare the ranked items of each query with its judged ones.
    pub fn of(judgments: &Table, sample: Vec<RankedItems>) -> Self {
        let looked_at = sample.len();
        let queries = sample.into_iter().filter(|(query, items)| is_apart(judgments, query, items)).collect();
        Apart { looked_at, queries }
    }
}

fn is_apart(judgments: &Table, query: &[u8], items: &[Vec<u8>]) -> bool {
    let Some(query) = judgments.find(query) else { return false };
    let judged: HashSet<Vec<u8>, RandomState> = judgments.text_rows(query).into_iter().map(|(item, _)| item).collect();
    !items.is_empty() && !judged.is_empty() && !items.iter().any(|item| judged.contains(item))
}

/// The items of the first `most` judged queries of a table.
pub fn sample_table(judgments: &Table, ranking: &Table, most: usize) -> Vec<RankedItems> {
    let queries = 0..ranking.query_count() as u32;
    let judged = queries.filter(|&query| judgments.find(ranking.query_id(query)).is_some());
    let items = |query| ranking.text_rows(query).into_iter().map(|(item, _)| item).collect();
    judged.take(most).map(|query| (ranking.query_id(query).to_vec(), items(query))).collect()
}

/// The items of the first `most` judged queries of a text: all of them, or those in the first bytes.
///
/// Lines that cannot be read are passed over; whoever evaluates the text reports them.
pub fn sample_text(
    judgments: &Table,
    data: &[u8],
    shape: impl Shape,
    most: usize,
    bytes: Option<usize>,
) -> Vec<RankedItems> {
    let start = shape.start().min(data.len());
    let end = bytes.map_or(data.len(), |bytes| data.len().min(start + bytes));
    let mut places: HashMap<&[u8], Option<usize>, RandomState> = HashMap::default();
    let mut sample: Vec<RankedItems> = Vec::new();
    for line in shape.rows(&data[start..end], start).filter_map(Result::ok) {
        let index = *places.entry(line.query).or_insert_with(|| {
            let taken = judgments.find(line.query).is_some() && sample.len() < most;
            taken.then(|| {
                sample.push((line.query.to_vec(), Vec::new()));
                sample.len() - 1
            })
        });
        if let Some(index) = index {
            sample[index].1.push(line.item.to_vec());
        }
    }
    sample
}

/// How many of these items are judged for any query.
pub fn known_items(judgments: &Table, items: impl Iterator<Item = Vec<u8>>) -> usize {
    let items: HashSet<Vec<u8>, RandomState> = items.collect();
    let queries = 0..judgments.query_count() as u32;
    let judged = queries.flat_map(|query| judgments.text_rows(query)).map(|(item, _)| item);
    judged.filter(|item| items.contains(item)).collect::<HashSet<Vec<u8>, RandomState>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::read;
    use crate::text::trec::{JUDGMENTS, RANKING};

    const JUDGED: &[u8] = b"q1 0 7 1\nq2 0 8 1\nq3 0 9 1\n";
    const RANKED: &[u8] = b"q1 Q0 007 1 2 t\nq9 Q0 7 1 2 t\nq2 Q0 5 1 3 t\nq1 Q0 008 2 1 t\nq2 Q0 8 2 2 t\n";

    #[test]
    fn queries_without_a_shared_item_are_apart() {
        let judgments = read(JUDGED, JUDGMENTS).unwrap();
        let apart = Apart::of(&judgments, sample_text(&judgments, RANKED, RANKING, 9, None));
        let expected = vec![(b"q1".to_vec(), vec![b"007".to_vec(), b"008".to_vec()])];
        assert_eq!(apart, Apart { looked_at: 2, queries: expected });
        let ranking = read(RANKED, RANKING).unwrap();
        assert_eq!(apart, Apart::of(&judgments, sample_table(&judgments, &ranking, 9)));
    }

    #[test]
    fn a_sample_is_of_the_first_queries_and_bytes() {
        let judgments = read(JUDGED, JUDGMENTS).unwrap();
        let sizes = |most, bytes| -> Vec<usize> {
            sample_text(&judgments, RANKED, RANKING, most, bytes).iter().map(|(_, items)| items.len()).collect()
        };
        assert_eq!(sizes(9, None), [2, 2]);
        assert_eq!(sizes(1, None), [2]);
        assert_eq!(sizes(9, Some(46)), [1, 1]);
    }

    #[test]
    fn items_that_are_judged_for_another_query_are_known() {
        let judgments = read(JUDGED, JUDGMENTS).unwrap();
        let items = [b"7".to_vec(), b"9".to_vec(), b"07".to_vec()];
        assert_eq!(known_items(&judgments, items.into_iter()), 2);
    }
}
