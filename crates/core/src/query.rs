//! One query: join, order, grades by rank, sums, values.

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::discount::Weights;
use crate::error::Error;
use crate::gain::Gain;
use crate::ids::Marks;
use crate::items::{Item, Place};
use crate::judged_items::{Judged, UNJUDGED, WORTHLESS, gain_of};
use crate::largest::{LargestBuffers, each_largest};
use crate::long_sum::total;
use crate::measures::counted::RelevantRanks;
use crate::measures::coverage::identity;
use crate::measures::gains::{Form, average, corrected, down_to, running};
use crate::measures::graded::Gained;
use crate::order::rounded;
use crate::original_scores::OriginalScores;
use crate::outcomes::Outcomes;
use crate::plan::{Plan, Reading, Slot, Source};
use crate::rules::{NothingRelevant, Ties};
use crate::score_order::Row;

/// The buffers of a thread, used for one query after another.
#[derive(Debug)]
pub struct Scratch<I> {
    /// The ranked rows of the query at hand, as they came.
    pub(crate) rows: Vec<Row<I>>,
    /// The number of further rows of the query, all below the ranks that count.
    pub(crate) left_out: usize,
    /// Whether the rows are known to be of different items.
    pub(crate) distinct: bool,
    pub(crate) state: RandomState,
    pub(crate) judged: Judged<I>,
    pub(crate) marks: Marks,
    pub(crate) seen: HashTable<u32>,
    /// The rows whose items may be those of others.
    pub(crate) suspects: Vec<u32>,
    /// The runs of ranks (from, to) with equal scores.
    pub(crate) runs: Vec<(usize, usize)>,
    pub(crate) dropped: u32,
    /// How many of the first rows have their grade.
    pub(crate) graded: usize,
    pub(crate) gains: Vec<f64>,
    pub(crate) best_judged: Vec<f64>,
    best_ranked: Vec<f64>,
    pub(crate) weights: Vec<Weights>,
    tracks: Vec<Vec<f64>>,
    pub(crate) scores: Vec<f64>,
    pub(crate) largest_scores: LargestBuffers,
    /// The ranks and grades of judged items, where relevant items are counted.
    pub(crate) judged_ranks: Vec<(usize, f64)>,
    /// The grades of ranked items, where relevant items are those of the ranking.
    pub(crate) ranked_grades: Vec<f64>,
    /// What is seen by each answer to which items are relevant.
    pub(crate) relevant_ranks: Vec<RelevantRanks>,
    /// The values of the measures of gains that are not linear sums, by the index of their slot.
    graded_values: Vec<Option<f64>>,
    /// The mean of each gain over the ranked items, where it is needed.
    mean_gains: Vec<f64>,
    pub(crate) original: OriginalScores,
}

impl<I: Item> Scratch<I> {
    pub fn new(plan: &Plan, state: RandomState) -> Self {
        Scratch {
            rows: Vec::new(),
            left_out: 0,
            distinct: false,
            state,
            judged: Judged::default(),
            marks: Marks::default(),
            seen: HashTable::new(),
            suspects: Vec::new(),
            runs: Vec::new(),
            dropped: 0,
            graded: 0,
            gains: Vec::new(),
            best_judged: Vec::new(),
            best_ranked: Vec::new(),
            weights: plan.discounts.iter().cloned().map(Weights::new).collect(),
            tracks: vec![Vec::new(); plan.tracks.len()],
            scores: Vec::new(),
            largest_scores: LargestBuffers::default(),
            judged_ranks: Vec::new(),
            ranked_grades: Vec::new(),
            relevant_ranks: plan.relevance_rules.iter().map(|_| RelevantRanks::default()).collect(),
            graded_values: vec![None; plan.slots.len()],
            mean_gains: vec![0.0; plan.gains.len()],
            original: OriginalScores::default(),
        }
    }

    /// Forget the rows of the query at hand.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.left_out = 0;
        self.distinct = false;
        self.original.clear();
    }

    /// Add a row to the query at hand.
    #[inline]
    pub fn push(&mut self, id: I, score: f64) {
        let position = self.rows.len() as u32;
        self.rows.push(Row { score, id, hash: id.hash(&self.state), grade: UNJUDGED, position });
    }

    /// Add a row whose score may have more digits than a float.
    #[inline]
    pub fn push_marked(&mut self, id: I, score: f64, mark: u64) {
        if mark != 0 {
            self.original.marks.push(self.rows.len(), mark);
        }
        self.push(id, score);
    }

    /// Take all rows of a query, whose items are known to differ; of those too low to matter, only the number.
    pub fn take(&mut self, plan: &Plan, scores: &mut [f64], id: impl Fn(usize) -> I) {
        self.clear();
        self.distinct = true;
        if plan.rules.float32 {
            self.scores.clear();
            self.scores.extend_from_slice(scores);
            scores.iter_mut().for_each(|score| *score = rounded(*score));
        }
        let (rows, state) = (&mut self.rows, &self.state);
        each_largest(scores, plan.window, &mut self.largest_scores, |position, score| {
            let (id, position) = (id(position), position as u32);
            rows.push(Row { score, id, hash: id.hash(state), grade: UNJUDGED, position });
        });
        self.left_out = scores.len() - self.rows.len();
        if plan.rules.float32 {
            self.original.scores.extend(self.rows.iter().map(|row| (row.position, self.scores[row.position as usize])));
        }
    }

    /// Take the best rows of a query, whose items are known to differ, and the number of the others.
    pub fn load_best(&mut self, rows: &[(I, f64)], left_out: usize) {
        self.clear();
        rows.iter().for_each(|&(id, score)| self.push(id, score));
        self.distinct = true;
        self.left_out = left_out;
    }

    /// Check the judgments of a query that is not evaluated.
    pub fn check_judged(
        &mut self,
        plan: &Plan,
        query: &[u8],
        judgments: impl ExactSizeIterator<Item = (I, f64)> + Clone,
    ) -> Result<(), Error> {
        self.judged.load(query, judgments, &plan.rules, &self.state)
    }

    /// Evaluate the query whose rows were pushed, and forget them.
    pub fn evaluate(
        &mut self,
        plan: &Plan,
        query: &[u8],
        judgments: impl ExactSizeIterator<Item = (I, f64)> + Clone,
        missing: bool,
        outcomes: &mut Outcomes,
    ) -> Result<(), Error> {
        self.judged.load(query, judgments, &plan.rules, &self.state)?;
        self.evaluate_loaded(plan, query, missing, outcomes)
    }

    /// Evaluate the query whose rows and judgments are here, and forget the rows.
    fn evaluate_loaded(
        &mut self,
        plan: &Plan,
        query: &[u8],
        missing: bool,
        outcomes: &mut Outcomes,
    ) -> Result<(), Error> {
        let length = self.rank(plan, query)?;
        let asked = plan.cutoffs.iter().map(|&k| k.unwrap_or(length).min(length)).max().unwrap_or(0);
        let reached = if plan.whole { length } else { asked };
        self.look_up(plan, reached);
        for gain in 0..plan.gains.len() {
            self.sum(plan, gain, query, length)?;
        }
        self.find_relevant_ranks(plan, length);
        for (index, slot) in plan.slots.iter().enumerate() {
            let value = match slot {
                Slot::Gains(reading) if reading.bound.is_some() => self.graded_values[index],
                Slot::Gains(reading) => self.read(plan, reading, query, length)?,
                Slot::Counted(counted, rule) => {
                    let value = counted.value(&self.relevant_ranks[*rule], depth(plan, counted.k, length));
                    value.or(unless_missing(counted.nothing, missing)).or(counted.skips.then_some(f64::NAN))
                }
                Slot::Graded(graded, _) => self.graded_values[index].or(unless_missing(graded.nothing, missing)),
                Slot::Diversity(diversity) => self.diversity_value(plan, diversity, query, length),
                Slot::Clicks(clicks) => self.clicks_value(plan, clicks, query, length)?,
                // Coverage is computed after all queries.
                Slot::Coverage { .. } => Some(0.0),
                Slot::Letters(count) => {
                    self.write_letters(*count, length, &mut outcomes.letters);
                    Some(0.0)
                }
            };
            outcomes.values.push(value.map_or_else(|| nothing_relevant(plan, query, missing), Ok)?);
        }
        if plan.shown > 0 {
            let top = &self.rows[..plan.shown.min(length).min(self.rows.len())];
            outcomes.shown.push(top.iter().map(|row| identity(&row.id.text())).collect());
        }
        outcomes.facts.push(self.facts(plan, length, missing));
        self.count_unjudged(plan, length, &mut outcomes.unjudged);
        self.clear();
        Ok(())
    }

    /// Look up the grades of the first ranks, and of more where their best order or an average needs them.
    pub(crate) fn look_up(&mut self, plan: &Plan, reached: usize) {
        let averaged = plan.rules.ties == Ties::Average;
        let last_run = self.runs.iter().rev().find(|&&(start, _)| averaged && start < reached);
        let until = if plan.needs(Source::BestRanked) { self.rows.len() } else { reached };
        self.graded = last_run.map_or(until, |&(_, end)| until.max(end));
        for row in &mut self.rows[..self.graded] {
            row.grade = row.id.grade(row.hash, &self.judged);
        }
    }

    /// Compute the running sums that use a gain, and the other measures of it.
    fn sum(&mut self, plan: &Plan, gain: usize, query: &[u8], length: usize) -> Result<(), Error> {
        let worth = plan.gains[gain].within(|| self.judged.highest_grade());
        self.collect_gains(plan, gain, &worth, query, length)?;
        let ranked = &self.gains[..self.graded.min(length)];
        let gained = Gained { gains: ranked, best: &self.best_judged };
        let looks_at_all = plan.gradings(gain).next().is_some() || plan.bounds(gain).next().is_some();
        if looks_at_all && !gained.is_finite() {
            return Err(Error::Overflow { query: query.into(), grade: self.judged.highest_grade() });
        }
        for (index, graded) in plan.gradings(gain) {
            let value = graded.value(&gained, depth(plan, graded.k, length));
            self.graded_values[index] = value.filter(|_| graded.level.is_none_or(|level| self.has_level(level)));
        }
        for (index, reading) in plan.bounds(gain) {
            self.graded_values[index] = self.bounded(plan, reading, &worth, length);
            if self.graded_values[index].is_some_and(|value| !value.is_finite()) {
                return Err(Error::Overflow { query: query.into(), grade: self.judged.highest_grade() });
            }
        }
        // Sums are linear: a mean gain at each tied rank gives the mean over all orders. Other measures are not.
        if plan.rules.ties == Ties::Average {
            let graded = self.graded;
            let within = self.runs.iter().filter(|&&(_, end)| end <= graded);
            within.for_each(|&(start, end)| average(&mut self.gains[start..end]));
        }
        if plan.whole {
            let ranked = &self.gains[..self.graded.min(length)];
            self.mean_gains[gain] = total(ranked.iter().copied()) / ranked.len().max(1) as f64;
        }
        for (index, track) in plan.tracks.iter().enumerate().filter(|(_, track)| track.gain == gain) {
            let weights = &mut self.weights[track.discount];
            let (constant, mut best_top);
            let gains: &[f64] = match track.source {
                Source::Ranked => &self.gains[..self.graded.min(length)],
                Source::BestJudged => &self.best_judged,
                Source::BestRanked => &self.best_ranked,
                Source::BestTop(k) => {
                    let top = &self.rows[..plan.cutoff(k, length).min(length).min(self.graded)];
                    best_top = top.iter().map(|row| gain_of(row.grade, &worth).unwrap_or(0.0)).collect::<Vec<_>>();
                    best_top.sort_unstable_by(|a, b| b.total_cmp(a));
                    &best_top
                }
                // The sums are those of the query before, if it went as deep.
                Source::Constant(_) if self.tracks[index].len() > plan.deepest_ideal(index, length) => continue,
                Source::Constant(top) => {
                    constant = vec![top; plan.deepest_ideal(index, length)];
                    &constant
                }
            };
            running(gains, weights.first(gains.len()), &mut self.tracks[index]);
        }
        Ok(())
    }

    /// Write the grades of the first ranks, one letter each, and zeros where the ranking is shorter.
    fn write_letters(&self, count: usize, length: usize, letters: &mut Vec<u8>) {
        let top = &self.rows[..count.min(length)];
        letters.extend(top.iter().map(|row| match row.grade {
            grade if grade.is_nan() => b'-',
            grade if grade > 9.0 => b'>',
            grade if grade >= 0.0 => b'0' + grade as u8,
            WORTHLESS => b'.',
            _ => b'<',
        }));
        letters.extend(std::iter::repeat_n(0, count - top.len()));
    }

    /// Turn grades into gains: by rank, and best first.
    fn collect_gains(
        &mut self,
        plan: &Plan,
        gain_index: usize,
        gain: &Gain,
        query: &[u8],
        length: usize,
    ) -> Result<(), Error> {
        let deepest = plan.readings().map(|reading| plan.ideal_cutoff(reading, length)).max().unwrap_or(0);
        let needs_all = plan.gradings(gain_index).next().is_some() || plan.bounds(gain_index).next().is_some();
        let count = if needs_all { usize::MAX } else { deepest };
        self.judged.best_gains(gain, query, count, &mut self.best_judged)?;
        self.gains.clear();
        // The judged items have shown that every grade has a gain, so none falls back to 0 here.
        self.gains.extend(self.rows[..self.graded].iter().map(|row| gain_of(row.grade, gain).unwrap_or(0.0)));
        if plan.needs(Source::BestRanked) {
            self.best_ranked.clone_from(&self.gains);
            self.best_ranked.sort_unstable_by(|a, b| b.total_cmp(a));
        }
        Ok(())
    }

    /// The sum of the ideal ranking.
    pub(crate) fn ideal(&self, plan: &Plan, reading: &Reading, length: usize) -> f64 {
        down_to(&self.tracks[reading.ideal_track], plan.ideal_cutoff(reading, length))
    }

    /// Return the value of a measure from the running sums; None where the divisor is 0.
    fn read(&mut self, plan: &Plan, reading: &Reading, query: &[u8], length: usize) -> Result<Option<f64>, Error> {
        let actual = || down_to(&self.tracks[reading.actual_track], plan.cutoff(reading.k, length));
        let ideal = || self.ideal(plan, reading, length);
        // A sum that the measure does not use may overflow.
        let (actual, ideal) = match reading.form {
            Form::Actual => (actual(), 0.0),
            Form::Ideal => (0.0, ideal()),
            Form::Ratio | Form::Random | Form::Corrected => (actual(), ideal()),
        };
        if !(actual.is_finite() && ideal.is_finite()) {
            return Err(Error::Overflow { query: query.into(), grade: self.judged.highest_grade() });
        }
        if reading.form.divides() && (ideal <= 0.0 || self.is_hollow(&plan.gains[reading.gain], reading.ideal)) {
            return Ok(None);
        }
        Ok(Some(match reading.form {
            Form::Actual => actual,
            Form::Ideal => ideal,
            Form::Ratio => actual / ideal,
            Form::Random => self.expected(plan, reading, length) / ideal,
            Form::Corrected => {
                let (value, expected) = (actual / ideal, self.expected(plan, reading, length) / ideal);
                return Ok(corrected(value, expected));
            }
        }))
    }

    /// The sum that is expected of a random order of the ranked items.
    fn expected(&mut self, plan: &Plan, reading: &Reading, length: usize) -> f64 {
        let ranks = plan.cutoff(reading.k, length).min(length);
        self.mean_gains[reading.gain] * total(self.weights[reading.discount].first(ranks).iter().copied())
    }
}

/// The rank down to which a measure looks.
pub(crate) fn depth(plan: &Plan, k: Option<usize>, length: usize) -> usize {
    let k = plan.cutoff(k, length);
    if k == usize::MAX { length } else { k }
}

/// The value that a measure has of its own for a query without one; a query that the ranking lacks is worth 0.
fn unless_missing(nothing: Option<f64>, missing: bool) -> Option<f64> {
    nothing.map(|value| if missing { 0.0 } else { value })
}

/// The value of a query in which nothing is relevant.
fn nothing_relevant(plan: &Plan, query: &[u8], missing: bool) -> Result<f64, Error> {
    match plan.rules.nothing_relevant {
        NothingRelevant::Error => Err(Error::NothingRelevant { query: query.into() }),
        NothingRelevant::Skip => Ok(f64::NAN),
        _ if missing => Ok(0.0),
        NothingRelevant::Zero => Ok(0.0),
        NothingRelevant::One => Ok(1.0),
        NothingRelevant::Nan => Ok(f64::NAN),
    }
}

impl Scratch<Place> {
    /// Evaluate a query whose grades and scores are aligned; `items` has their positions.
    pub fn evaluate_placed(
        &mut self,
        plan: &Plan,
        query: &[u8],
        items: &mut Vec<Place>,
        grades: &mut Vec<f64>,
        scores: &mut [f64],
        outcomes: &mut Outcomes,
    ) -> Result<(), Error> {
        self.take(plan, scores, |index| items[index]);
        self.judged.exchange(query, items, grades, &plan.rules)?;
        self.evaluate_loaded(plan, query, false, outcomes)
    }
}
