//! The first ranks of every query with grades and gains, and its ideal ranking: what a report shows.

use std::cmp::Ordering;
use std::collections::HashSet;

use foldhash::fast::RandomState;
use rayon::prelude::*;

use crate::error::Error;
use crate::evaluate::QUERIES_AT_ONCE;
use crate::items::{Column, Item};
use crate::judged_items::{WORTHLESS, gain_of};
use crate::measures::gains::average;
use crate::plan::{Plan, Reading, Source};
use crate::query::Scratch;
use crate::rules::Ties;
use crate::table::{Items, Table};

/// Ranks of many queries, one query after another.
#[derive(Debug, Default, PartialEq)]
pub struct Ranks {
    /// Where each query ends.
    pub ends: Vec<u32>,
    /// The ids as text; empty at a rank of the ideal that no item holds.
    pub items: Vec<Vec<u8>>,
    /// NaN for an unjudged item.
    pub grades: Vec<f64>,
    /// NaN where the measure has no gains.
    pub gains: Vec<f64>,
}

impl Ranks {
    fn push(&mut self, item: Vec<u8>, grade: f64, gain: f64) {
        self.items.push(item);
        self.grades.push(grade);
        self.gains.push(gain);
    }

    fn end_query(&mut self) {
        self.ends.push(self.items.len() as u32);
    }

    fn append(&mut self, other: Ranks) {
        let start = self.items.len() as u32;
        self.ends.extend(other.ends.iter().map(|end| start + end));
        self.items.extend(other.items);
        self.grades.extend(other.grades);
        self.gains.extend(other.gains);
    }
}

/// What `top_ranks` returns.
#[derive(Debug, Default, PartialEq)]
pub struct TopRanks {
    /// The indices of the queries among the judged ones in the bytewise order of their ids.
    pub queries: Vec<u32>,
    /// How many ranks of each query count.
    pub lengths: Vec<u32>,
    pub ranked: Ranks,
    pub ideal: Ranks,
    /// The rank that an item of the ideal has in the ranking, counted from 1; 0 where it is not ranked.
    pub ideal_ranks: Vec<u32>,
    /// The gain at that rank, which differs from the gain of the item where ties are averaged.
    pub ideal_gains_there: Vec<f64>,
}

impl TopRanks {
    fn append(&mut self, other: TopRanks) {
        self.queries.extend(other.queries);
        self.lengths.extend(other.lengths);
        self.ranked.append(other.ranked);
        self.ideal.append(other.ideal);
        self.ideal_ranks.extend(other.ideal_ranks);
        self.ideal_gains_there.extend(other.ideal_gains_there);
    }
}

/// Return the first `count` ranks of every query that both sides have, and of its ideal ranking.
///
/// Gains are those of the first measure of the plan that adds gains up. `chosen` restricts the queries by their ids.
pub fn top_ranks(
    judgments: &Table,
    ranking: &Table,
    plan: &Plan,
    count: usize,
    chosen: Option<&HashSet<Vec<u8>>>,
) -> Result<TopRanks, Error> {
    let asked = TopRanksRequest { plan, count, chosen };
    if let (Items::Whole(judged), Items::Whole(items)) = (judgments.items(), ranking.items()) {
        return asked.all_queries(judgments, judged, ranking, items);
    }
    let ((judgments, judged), (ranking, items)) = (judgments.with_text_items(), ranking.with_text_items());
    asked.all_queries(&judgments, &*judged, &ranking, &*items)
}

struct TopRanksRequest<'p> {
    plan: &'p Plan,
    count: usize,
    chosen: Option<&'p HashSet<Vec<u8>>>,
}

impl TopRanksRequest<'_> {
    fn all_queries<'a, C: Column<'a>>(
        &self,
        judgments: &'a Table,
        judged: &'a C,
        ranking: &'a Table,
        items: &'a C,
    ) -> Result<TopRanks, Error> {
        let mut plan = self.plan.clone();
        plan.window = usize::MAX; // the rank of an item of the ideal may be below those that the measures look at
        let state = RandomState::default();
        let numbered: Vec<(u32, u32)> = (0..).zip(judgments.sorted().iter().copied()).collect();
        let pieces: Vec<Result<TopRanks, Error>> = numbered
            .par_chunks(QUERIES_AT_ONCE)
            .map_init(
                || Scratch::new(&plan, state.clone()),
                |scratch, queries| {
                    let mut top = TopRanks::default();
                    for &(index, query) in queries {
                        let id = judgments.query_id(query);
                        if self.chosen.is_some_and(|chosen| !chosen.contains(id)) {
                            continue;
                        }
                        let Some(ranked_query) = ranking.find(id) else { continue };
                        ranking.load(items, ranked_query, scratch);
                        scratch.check_judged(&plan, id, judgments.rows(judged, query))?;
                        let length = scratch.rank(&plan, id)?;
                        top.queries.push(index);
                        top.lengths.push(length as u32);
                        let given = |item| judgments.rows(judged, query).find(|row| row.0 == item).map(|row| row.1);
                        self.one_query(&plan, scratch, length, given, &mut top);
                        scratch.clear();
                    }
                    Ok(top)
                },
            )
            .collect();
        let mut all = TopRanks::default();
        for piece in pieces {
            all.append(piece?);
        }
        Ok(all)
    }

    /// Add the query that is loaded and ranked; `given` finds the grade of a judged item as it came.
    fn one_query<I: Item>(
        &self,
        plan: &Plan,
        scratch: &mut Scratch<I>,
        length: usize,
        given: impl Fn(I) -> Option<f64>,
        top: &mut TopRanks,
    ) {
        let reading = plan.readings().next();
        scratch.look_up(plan, length);
        if let Some(reading) = reading {
            collect_gains(plan, reading, scratch);
        }
        // A negative grade that counts as none is shown as it came.
        let shown = |item: I, grade: f64| if grade == WORTHLESS { given(item).unwrap_or(grade) } else { grade };
        for (rank, row) in scratch.rows.iter().take(length.min(self.count)).enumerate() {
            let gain = if reading.is_some() { scratch.gains[rank] } else { f64::NAN };
            top.ranked.push(row.id.text(), shown(row.id, row.grade), gain);
        }
        top.ranked.end_query();
        if let Some(reading) = reading {
            for best in self.ideal(plan, reading, scratch, length) {
                let (rank, gain_there) = match best.rank {
                    Some(rank) if rank < length => (rank as u32 + 1, scratch.gains[rank]),
                    _ => (0, 0.0),
                };
                let item = best.item.map(Item::text).unwrap_or_default();
                let grade = best.item.map_or(f64::NAN, |item| shown(item, best.grade));
                top.ideal.push(item, grade, best.gain);
                top.ideal_ranks.push(rank);
                top.ideal_gains_there.push(gain_there);
            }
        }
        top.ideal.end_query();
    }

    /// The ideal ranking; of equal gains, the item that is ranked better comes first.
    fn ideal<I: Item>(&self, plan: &Plan, reading: &Reading, scratch: &Scratch<I>, length: usize) -> Vec<IdealItem<I>> {
        let worth = plan.gains[reading.gain].within(|| scratch.judged.highest_grade());
        let cut = plan.ideal_cutoff(reading, length).min(self.count);
        let ranked = |ranks: usize| {
            let rows = scratch.rows.iter().take(ranks).enumerate();
            rows.map(|(rank, row)| IdealItem::of(row.id, row.grade, Some(rank), gain_of(row.grade, &worth))).collect()
        };
        let mut best: Vec<IdealItem<I>> = match plan.tracks[reading.ideal_track].source {
            Source::Constant(top) => {
                let empty = IdealItem { item: None, grade: f64::NAN, rank: None, gain: top };
                return vec![empty; cut];
            }
            Source::BestRanked => ranked(scratch.rows.len()),
            Source::BestTop(k) => ranked(plan.cutoff(k, length).min(length)),
            Source::Ranked | Source::BestJudged => {
                let mut ranks = vec![None; scratch.judged.items().len()];
                for (rank, row) in scratch.rows.iter().enumerate().filter(|(_, row)| !row.grade.is_nan()) {
                    if let Some(position) = row.id.judged_position(row.hash, &scratch.judged) {
                        ranks[position] = Some(rank);
                    }
                }
                let judged = scratch.judged.items().iter().zip(scratch.judged.grades()).zip(ranks);
                judged.map(|((&id, &grade), rank)| IdealItem::of(id, grade, rank, gain_of(grade, &worth))).collect()
            }
        };
        best.sort_unstable_by(IdealItem::compare);
        best.truncate(cut);
        best
    }
}

/// Write the gain at every rank whose grade is known; where ties are averaged, the mean of those that share a score.
fn collect_gains<I: Item>(plan: &Plan, reading: &Reading, scratch: &mut Scratch<I>) {
    let worth = plan.gains[reading.gain].within(|| scratch.judged.highest_grade());
    scratch.gains.clear();
    scratch.gains.extend(scratch.rows.iter().map(|row| gain_of(row.grade, &worth).unwrap_or(0.0)));
    if plan.rules.ties == Ties::Average {
        for &(start, end) in &scratch.runs {
            average(&mut scratch.gains[start..end]);
        }
    }
}

/// An item of the ideal ranking.
#[derive(Debug, Clone)]
struct IdealItem<I> {
    item: Option<I>,
    grade: f64,
    /// Its rank, counted from 0; none if it is not ranked.
    rank: Option<usize>,
    gain: f64,
}

impl<I: Item> IdealItem<I> {
    fn of(item: I, grade: f64, rank: Option<usize>, gain: Option<f64>) -> Self {
        IdealItem { item: Some(item), grade, rank, gain: gain.unwrap_or(0.0) }
    }

    fn compare(&self, other: &Self) -> Ordering {
        let rank = |best: &Self| best.rank.unwrap_or(usize::MAX);
        other.gain.total_cmp(&self.gain).then_with(|| rank(self).cmp(&rank(other))).then_with(|| {
            match (self.item, other.item) {
                (Some(ours), Some(theirs)) => ours.compare(theirs),
                _ => Ordering::Equal,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discount::Discount;
    use crate::evaluation_header::Aggregate;
    use crate::gain::Gain;
    use crate::measures::gains::{Form, Gains, Ideal};
    use crate::plan::{Measure, Requested};
    use crate::rules::Rules;
    use crate::test_fixtures::{self, RULES, table};

    fn plan(ideal: Ideal, rules: Rules) -> Plan {
        let discount = Discount::Log { base: 2.0 };
        let gains = Gains { form: Form::Ratio, k: Some(2), gain: Gain::Linear, discount, ideal, bound: None };
        let measure = Requested { measure: Measure::Gains(gains), aggregate: Aggregate::Mean, skips: false };
        test_fixtures::plan(vec![measure], rules)
    }

    fn first_three(ideal: Ideal, rules: Rules, chosen: Option<&HashSet<Vec<u8>>>) -> TopRanks {
        let judgments = table(&[("q", "a", 3.0), ("q", "b", 2.0), ("q", "c", -1.0), ("r", "a", 1.0), ("s", "a", 1.0)]);
        let scores = [("q", "x", 4.0), ("q", "c", 3.0), ("q", "a", 2.0), ("q", "y", 2.0), ("r", "b", 1.0)];
        top_ranks(&judgments, &table(&scores), &plan(ideal, rules), 3, chosen).unwrap()
    }

    fn names(ranks: &Ranks) -> Vec<&str> {
        ranks.items.iter().map(|item| std::str::from_utf8(item).unwrap()).collect()
    }

    #[test]
    fn top_ranks_of_a_query_have_grades_as_given_and_gains() {
        let top = first_three(Ideal::Judged, RULES, None);
        assert_eq!((top.queries, top.lengths), (vec![0, 1], vec![4, 1]));
        assert_eq!(names(&top.ranked), ["x", "c", "a", "b"]);
        assert_eq!(top.ranked.ends, [3, 4]);
        assert!(top.ranked.grades[0].is_nan());
        assert_eq!(top.ranked.grades[1..3], [-1.0, 3.0]);
        assert_eq!(top.ranked.gains, [0.0, 0.0, 3.0, 0.0]);
    }

    #[test]
    fn top_ranks_of_the_ideal_have_the_ranks_of_its_items() {
        let top = first_three(Ideal::Judged, RULES, None);
        assert_eq!((names(&top.ideal), top.ideal.ends.clone()), (vec!["a", "b", "a"], vec![2, 3]));
        assert_eq!(top.ideal_ranks, [3, 0, 0]);
        assert_eq!(top.ideal_gains_there, [3.0, 0.0, 0.0]);
        assert_eq!(names(&first_three(Ideal::Ranked, RULES, None).ideal)[..2], ["a", "x"]);
        assert_eq!(names(&first_three(Ideal::Top, RULES, None).ideal)[..2], ["x", "c"]);
        assert_eq!(first_three(Ideal::Perfect { top: 1.0 }, RULES, None).ideal.gains[..2], [1.0, 1.0]);
    }

    #[test]
    fn top_ranks_with_averaged_ties_share_their_gain() {
        let top = first_three(Ideal::Judged, Rules { ties: Ties::Average, ..RULES }, None);
        assert_eq!(top.ranked.gains[2], 1.5);
        assert_eq!(top.ideal_gains_there[0], 1.5);
    }

    #[test]
    fn top_ranks_of_chosen_queries_leave_out_the_others() {
        let chosen = HashSet::from([b"r".to_vec(), b"z".to_vec()]);
        assert_eq!(first_three(Ideal::Judged, RULES, Some(&chosen)).queries, [1]);
    }
}
