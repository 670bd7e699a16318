//! The rows of a ranking in rank order, query by query: the order that an evaluation uses, without a measure.

use foldhash::fast::RandomState;
use rayon::prelude::*;

use crate::error::Error;
use crate::evaluate::QUERIES_AT_ONCE;
use crate::items::Column;
use crate::plan::Plan;
use crate::query::Scratch;
use crate::table::{Items, Table, require_row_numbers};

/// Return the ranking's rows of every judged query in rank order, the queries in the bytewise order of their ids.
///
/// Rows that the rules of the plan drop, and those below its depth, are left out.
pub fn ranked_rows(judgments: &Table, ranking: &Table, plan: &Plan) -> Result<Vec<u32>, Error> {
    if let (Items::Whole(judged), Items::Whole(items)) = (judgments.items(), ranking.items()) {
        return rank_queries(judgments, judged, ranking, items, plan);
    }
    let ((judgments, judged), (ranking, items)) = (judgments.with_text_items(), ranking.with_text_items());
    rank_queries(&judgments, &*judged, &ranking, &*items, plan)
}

fn rank_queries<'a, C: Column<'a>>(
    judgments: &'a Table,
    judged: &'a C,
    ranking: &'a Table,
    items: &'a C,
    plan: &Plan,
) -> Result<Vec<u32>, Error> {
    require_row_numbers(ranking.row_count())?;
    let mut plan = plan.clone();
    plan.window = usize::MAX; // every rank is wanted, not only those that the measures look at
    let state = RandomState::default();
    let pieces: Vec<Result<Vec<u32>, Error>> = judgments
        .sorted()
        .par_chunks(QUERIES_AT_ONCE)
        .map_init(
            || Scratch::new(&plan, state.clone()),
            |scratch, queries| {
                let mut ranked = Vec::new();
                for &query in queries {
                    let id = judgments.query_id(query);
                    let Some(ranked_query) = ranking.find(id) else { continue };
                    ranking.load(items, ranked_query, scratch);
                    scratch.check_judged(&plan, id, judgments.rows(judged, query))?;
                    let length = scratch.rank(&plan, id)?;
                    ranked.extend(
                        scratch.rows[..length].iter().map(|row| ranking.row_number(ranked_query, row.position)),
                    );
                }
                Ok(ranked)
            },
        )
        .collect();
    Ok(pieces.into_iter().collect::<Result<Vec<_>, _>>()?.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Side;
    use crate::rules::{Rules, Ties, Unjudged};
    use crate::test_fixtures::{self, plan, table};

    const RULES: Rules = Rules { ties: Ties::IdDescending, ..test_fixtures::RULES };

    fn ranked(rules: Rules) -> Vec<u32> {
        let judgments = table(&[("b", "x", 1.0), ("a", "x", 0.0), ("a", "y", 2.0), ("c", "x", 1.0)]);
        let scores = [("a", "x", 0.5), ("b", "x", 0.1), ("a", "z", 0.9), ("a", "y", 0.500_000_001), ("d", "x", 1.0)];
        ranked_rows(&judgments, &table(&scores), &plan(Vec::new(), rules)).unwrap()
    }

    #[test]
    fn ranked_rows_of_judged_queries_are_in_order_of_query_and_rank() {
        assert_eq!(ranked(RULES), [2, 3, 0, 1]);
        assert_eq!(ranked(Rules { depth: Some(1), ..RULES }), [2, 1]);
    }

    #[test]
    fn ranked_rows_with_a_duplicate_anywhere_in_a_long_query_fail() {
        let rows = 20_000;
        let ranked = |twin: Option<(usize, usize)>| {
            let id = |row: usize| twin.filter(|&(_, second)| second == row).map_or(row, |(first, _)| first);
            let items: Vec<String> = (0..rows).map(|row| format!("d{}", id(row))).collect();
            let scores: Vec<(&str, &str, f64)> = items.iter().map(|item| ("q", &**item, 1.0)).collect();
            ranked_rows(&table(&[("q", "d1", 1.0)]), &table(&scores), &plan(Vec::new(), RULES))
        };
        assert_eq!(ranked(None).unwrap().len(), rows);
        for (first, second) in [(0, 1), (0, rows - 1), (rows - 2, rows - 1), (5_000, 15_000)] {
            let item = format!("d{first}").into_bytes();
            let error = Error::DuplicateItem { side: Side::Ranking, query: b"q".to_vec(), item };
            assert_eq!(ranked(Some((first, second))), Err(error));
        }
    }

    #[test]
    fn ranked_rows_follow_the_rules_for_unjudged_items_precision_and_ties() {
        assert_eq!(ranked(Rules { unjudged: Unjudged::Drop, ..RULES }), [3, 0, 1]);
        assert_eq!(ranked(Rules { float32: true, ties: Ties::Given, ..RULES }), [2, 0, 3, 1]);
        assert_eq!(ranked(Rules { float32: true, ties: Ties::Worst, ..RULES }), [2, 0, 3, 1]);
        assert_eq!(ranked(Rules { float32: true, ties: Ties::Best, ..RULES }), [2, 3, 0, 1]);
    }
}
