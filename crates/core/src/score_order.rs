//! The order of one query's items: by score, then by the rule for ties. Checks the order before it sorts.

use std::cmp::Ordering;

use crate::items::Item;
use crate::judged_items::tie_grade;
use crate::rules::Ties;

/// A ranked item; `position` is that of the row in the input, `grade` is `UNJUDGED` until it is looked up.
#[derive(Debug, Clone, Copy)]
pub struct Row<I> {
    pub score: f64,
    pub id: I,
    pub hash: u64,
    pub grade: f64,
    pub position: u32,
}

/// Put the rows in rank order.
pub fn sort<I: Item>(rows: &mut [Row<I>], ties: Ties) {
    if rows.windows(2).all(|pair| pair[0].score > pair[1].score) {
        return;
    }
    if rows.windows(2).all(|pair| pair[0].score >= pair[1].score) {
        for run in rows.chunk_by_mut(|a, b| a.score == b.score) {
            run.sort_unstable_by(|a, b| among_equals(a, b, ties));
        }
        return;
    }
    rows.sort_unstable_by(|a, b| by_score(a, b).then_with(|| among_equals(a, b, ties)));
}

fn by_score<I>(a: &Row<I>, b: &Row<I>) -> Ordering {
    b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal)
}

fn among_equals<I: Item>(a: &Row<I>, b: &Row<I>, ties: Ties) -> Ordering {
    let by_id = || b.id.compare(a.id);
    match ties {
        // An average does not depend on the order, but the last digit of its sum does.
        Ties::IdDescending | Ties::Average => by_id(),
        Ties::IdAscending => a.id.compare(b.id),
        Ties::Given => a.position.cmp(&b.position),
        Ties::Reversed => b.position.cmp(&a.position),
        Ties::Worst => tie_grade(a.grade).total_cmp(&tie_grade(b.grade)).then_with(by_id),
        Ties::Best => tie_grade(b.grade).total_cmp(&tie_grade(a.grade)).then_with(by_id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(scores: &[(f64, &str)], ties: Ties) -> Vec<String> {
        let mut rows: Vec<Row<&[u8]>> = scores
            .iter()
            .enumerate()
            .map(|(index, &(score, id))| Row {
                score,
                id: id.as_bytes(),
                hash: 0,
                grade: index as f64,
                position: index as u32,
            })
            .collect();
        sort(&mut rows, ties);
        rows.iter().map(|row| String::from_utf8(row.id.to_vec()).unwrap()).collect()
    }

    #[test]
    fn order_of_sorted_or_unsorted_rows_follows_the_rule_for_ties() {
        let sorted = [(2.0, "x"), (1.0, "b"), (1.0, "a"), (1.0, "c")];
        let unsorted = [(1.0, "b"), (2.0, "x"), (1.0, "a"), (1.0, "c")];
        for rows in [sorted, unsorted] {
            assert_eq!(ordered(&rows, Ties::IdDescending), ["x", "c", "b", "a"]);
            assert_eq!(ordered(&rows, Ties::IdAscending), ["x", "a", "b", "c"]);
            assert_eq!(ordered(&rows, Ties::Given), ["x", "b", "a", "c"]);
            assert_eq!(ordered(&rows, Ties::Reversed), ["x", "c", "a", "b"]);
            assert_eq!(ordered(&rows, Ties::Worst), ["x", "b", "a", "c"]);
            assert_eq!(ordered(&rows, Ties::Best), ["x", "c", "a", "b"]);
        }
    }
}
