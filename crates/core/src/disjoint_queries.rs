//! Queries whose ranked items have none in common with their judged ones: a sign of ids that are written in two ways.

use foldhash::fast::RandomState;
use hashbrown::{HashMap, HashSet};

use crate::items::Item;
use crate::table::{Items, Table};
use crate::text::Shape;

/// A query and its ranked items, as text.
pub type RankedItems = (Vec<u8>, Vec<Vec<u8>>);

/// Some judged queries of a ranking, and those among them that share no item.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct DisjointQueries {
    pub looked_at: usize,
    pub queries: Vec<RankedItems>,
}

impl DisjointQueries {
    /// Compare the ranked items of each query with its judged ones.
    pub fn of(judgments: &Table, sample: Vec<RankedItems>) -> Self {
        let looked_at = sample.len();
        let queries = sample.into_iter().filter(|(query, items)| is_disjoint(judgments, query, items)).collect();
        DisjointQueries { looked_at, queries }
    }
}

fn is_disjoint(judgments: &Table, query: &[u8], items: &[Vec<u8>]) -> bool {
    let query = judgments.find(query);
    query.is_some_and(|query| !JudgedItems::of(judgments, query).are_met_by(items.iter().map(|item| &**item)))
}

/// The judged items of a query.
#[derive(Debug)]
pub struct JudgedItems(HashSet<Vec<u8>, RandomState>);

impl JudgedItems {
    pub fn of(judgments: &Table, query: u32) -> Self {
        JudgedItems(judgments.text_rows(query).into_iter().map(|(item, _)| item).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn has(&self, item: &[u8]) -> bool {
        self.0.contains(item)
    }

    /// Whether one of the ranked items is judged; also true of a query without items on one side.
    pub fn are_met_by<'a>(&self, ranked: impl Iterator<Item = &'a [u8]>) -> bool {
        let mut ranked = ranked.peekable();
        self.is_empty() || ranked.peek().is_none() || ranked.any(|item| self.has(item))
    }
}

/// Counts the first `most` judged queries, and those that share an item with the judgments.
#[derive(Debug)]
pub struct Sharing {
    most: usize,
    looked_at: usize,
    sharing: usize,
}

impl Sharing {
    pub fn new(most: usize) -> Self {
        Sharing { most, looked_at: 0, sharing: 0 }
    }

    pub fn add(&mut self, shares: bool) {
        self.looked_at += 1;
        self.sharing += usize::from(shares);
    }

    /// Whether more queries cannot change the answer of `by_half`.
    pub fn is_clear(&self) -> bool {
        self.looked_at >= self.most || 2 * self.sharing >= self.most
    }

    /// Whether at least half of the queries share an item.
    pub fn by_half(&self) -> bool {
        self.looked_at > 0 && 2 * self.sharing >= self.looked_at
    }
}

/// Whether at least half of the first `most` judged queries of a table have an item that is ranked and judged.
pub fn tables_share_items(judgments: &Table, ranking: &Table, most: usize) -> bool {
    let mut sharing = Sharing::new(most);
    for query in 0..ranking.query_count() as u32 {
        if let Some(judged) = judgments.find(ranking.query_id(query)) {
            sharing.add(has_judged_item(ranking, query, &JudgedItems::of(judgments, judged)));
        }
        if sharing.is_clear() {
            break;
        }
    }
    sharing.by_half()
}

fn has_judged_item(ranking: &Table, query: u32, judged: &JudgedItems) -> bool {
    match ranking.items() {
        Items::Text(items) => judged.are_met_by(ranking.rows(&**items, query).map(|(item, _)| item)),
        Items::Views(items) => judged.are_met_by(ranking.rows(items, query).map(|(item, _)| item)),
        Items::Whole(items) => {
            let mut rows = ranking.rows(items, query).peekable();
            judged.is_empty() || rows.peek().is_none() || rows.any(|(item, _)| judged.has(&item.text()))
        }
    }
}

/// Whether at least half of the first `most` judged queries of a text have an item that is ranked and judged.
///
/// Lines that cannot be read are passed over; whoever evaluates the text reports them.
pub fn text_shares_items(judgments: &Table, data: &[u8], shape: impl Shape, most: usize) -> bool {
    let start = shape.start().min(data.len());
    let mut indices: HashMap<&[u8], Option<usize>, RandomState> = HashMap::default();
    let mut judged: Vec<(JudgedItems, bool)> = Vec::new();
    let mut sharing = 0;
    for line in shape.rows(&data[start..], start).filter_map(Result::ok) {
        let index = *indices.entry(line.query).or_insert_with(|| {
            let query = judgments.find(line.query).filter(|_| judged.len() < most)?;
            judged.push((JudgedItems::of(judgments, query), false));
            Some(judged.len() - 1)
        });
        if let Some((items, shares)) = index.map(|index| &mut judged[index])
            && !*shares
            && (items.is_empty() || items.has(line.item))
        {
            *shares = true;
            sharing += 1;
            if 2 * sharing >= most {
                return true;
            }
        }
    }
    Sharing { most, looked_at: judged.len(), sharing }.by_half()
}

/// The first `most` judged queries of a table by id, and whether each shares an item with the judgments.
///
/// Queries of more than `longest` rows on one side are passed over.
pub fn first_queries(judgments: &Table, ranking: &Table, most: usize, longest: usize) -> Vec<(Vec<u8>, bool)> {
    let short = |table: &Table, query: u32| table.row_numbers(query).len() <= longest;
    let ranked = ranking.sorted().iter().copied().filter(|&query| short(ranking, query));
    let both = ranked.filter_map(|query| Some((query, judgments.find(ranking.query_id(query))?)));
    let shares = |query, judged| has_judged_item(ranking, query, &JudgedItems::of(judgments, judged));
    both.filter(|&(_, judged)| short(judgments, judged))
        .take(most)
        .map(|(query, judged)| (ranking.query_id(query).to_vec(), shares(query, judged)))
        .collect()
}

/// The items of the first `most` judged queries of a table.
pub fn sample_table(judgments: &Table, ranking: &Table, most: usize) -> Vec<RankedItems> {
    let queries = 0..ranking.query_count() as u32;
    let judged = queries.filter(|&query| judgments.find(ranking.query_id(query)).is_some());
    let items = |query| ranking.text_rows(query).into_iter().map(|(item, _)| item).collect();
    judged.take(most).map(|query| (ranking.query_id(query).to_vec(), items(query))).collect()
}

/// The items of the first `most` judged queries of a text.
///
/// Lines that cannot be read are passed over; whoever evaluates the text reports them.
pub fn sample_text(judgments: &Table, data: &[u8], shape: impl Shape, most: usize) -> Vec<RankedItems> {
    let start = shape.start().min(data.len());
    let mut indices: HashMap<&[u8], Option<usize>, RandomState> = HashMap::default();
    let mut sample: Vec<RankedItems> = Vec::new();
    for line in shape.rows(&data[start..], start).filter_map(Result::ok) {
        let index = *indices.entry(line.query).or_insert_with(|| {
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

/// Those of these items that are judged for any query.
pub fn known_items(judgments: &Table, items: impl Iterator<Item = Vec<u8>>) -> HashSet<Vec<u8>, RandomState> {
    let items: HashSet<Vec<u8>, RandomState> = items.collect();
    let queries = 0..judgments.query_count() as u32;
    let judged = queries.flat_map(|query| judgments.text_rows(query)).map(|(item, _)| item);
    judged.filter(|item| items.contains(item)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::read;
    use crate::text::trec::{JUDGMENTS, RANKING};

    const JUDGED: &[u8] = b"q1 0 7 1\nq2 0 8 1\nq3 0 9 1\n";
    const RANKED: &[u8] = b"q1 Q0 007 1 2 t\nq9 Q0 7 1 2 t\nq2 Q0 5 1 3 t\nq1 Q0 008 2 1 t\nq2 Q0 8 2 2 t\n";

    #[test]
    fn disjoint_queries_are_those_without_a_shared_item() {
        let judgments = read(JUDGED, JUDGMENTS).unwrap();
        let apart = DisjointQueries::of(&judgments, sample_text(&judgments, RANKED, RANKING, 9));
        let expected = vec![(b"q1".to_vec(), vec![b"007".to_vec(), b"008".to_vec()])];
        assert_eq!(apart, DisjointQueries { looked_at: 2, queries: expected });
        let ranking = read(RANKED, RANKING).unwrap();
        assert_eq!(apart, DisjointQueries::of(&judgments, sample_table(&judgments, &ranking, 9)));
    }

    #[test]
    fn first_queries_are_the_short_ones_by_id() {
        let (judgments, ranking) = (read(JUDGED, JUDGMENTS).unwrap(), read(RANKED, RANKING).unwrap());
        let (first, second) = ((b"q1".to_vec(), false), (b"q2".to_vec(), true));
        assert_eq!(first_queries(&judgments, &ranking, 9, 2), [first.clone(), second]);
        assert_eq!(first_queries(&judgments, &ranking, 1, 2), [first]);
        assert_eq!(first_queries(&judgments, &ranking, 9, 1), []);
    }

    #[test]
    fn sample_text_takes_the_items_of_the_first_queries() {
        let judgments = read(JUDGED, JUDGMENTS).unwrap();
        let sizes = |most| -> Vec<usize> {
            sample_text(&judgments, RANKED, RANKING, most).iter().map(|(_, items)| items.len()).collect()
        };
        assert_eq!(sizes(9), [2, 2]);
        assert_eq!(sizes(1), [2]);
    }

    #[test]
    fn text_shares_items_if_half_of_the_first_queries_share_one() {
        let judgments = read(JUDGED, JUDGMENTS).unwrap();
        // Of q1 and q2, which come first, one shares an item; the first alone shares none.
        let ranking = read(RANKED, RANKING).unwrap();
        for (most, expected) in [(1, false), (2, true), (9, true)] {
            assert_eq!(text_shares_items(&judgments, RANKED, RANKING, most), expected, "{most}");
            assert_eq!(tables_share_items(&judgments, &ranking, most), expected, "{most}");
        }
        // Cut before the shared item of q2, and with q9 alone, which is not judged.
        assert!(!text_shares_items(&judgments, &RANKED[..46], RANKING, 9));
        assert!(!tables_share_items(&judgments, &read(&RANKED[16..30], RANKING).unwrap(), 9));
    }

    #[test]
    fn known_items_are_those_judged_for_any_query() {
        let judgments = read(JUDGED, JUDGMENTS).unwrap();
        let items = [b"7".to_vec(), b"9".to_vec(), b"07".to_vec()];
        assert_eq!(known_items(&judgments, items.into_iter()).len(), 2);
    }
}
