//! One query: join, order, grades by rank, sums, values.

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::discount::Weights;
use crate::error::{Error, Side};
use crate::gain::Gain;
use crate::ids::{Marks, clear};
use crate::items::{Item, Place};
use crate::judged::{Judged, UNJUDGED, WORTHLESS, gain_of};
use crate::plan::{Duplicates, Form, Ideal, Negative, NothingRelevant, OwnId, Plan, Reading, Source, Ties, Unjudged};
use crate::ranking::{Row, order};
use crate::select::{each_from, nth_largest};
use crate::sums::{average, down_to, running};

/// What one query looked like.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts {
    /// Nothing is relevant: a ratio has an ideal of 0, or no judged item has a gain.
    pub empty: bool,
    /// Equal scores touch the ranks that count.
    pub tied: bool,
    /// Ranked items that were removed, for want of a grade or for their id.
    pub dropped: u32,
}

/// Values and facts of queries, end to end.
#[derive(Debug, Default)]
pub struct Outcomes {
    /// One value per query and measure.
    pub values: Vec<f64>,
    pub facts: Vec<Facts>,
    /// Unjudged items and ranks looked at, per query and cutoff.
    pub unjudged: Vec<(u32, u32)>,
}

impl Outcomes {
    /// Forget what came after the first `queries`: values of one whose evaluation failed half-way.
    pub fn truncate(&mut self, queries: usize, plan: &Plan) {
        self.values.truncate(queries * plan.readings.len());
    }

    /// Take over all outcomes of others.
    pub fn append(&mut self, mut other: Outcomes) {
        self.values.append(&mut other.values);
        self.facts.append(&mut other.facts);
        self.unjudged.append(&mut other.unjudged);
    }

    /// Take over the outcome of one query.
    pub fn push_from(&mut self, other: &Outcomes, at: usize, plan: &Plan) {
        let (measures, cutoffs) = (plan.readings.len(), plan.cutoffs.len());
        self.values.extend_from_slice(&other.values[at * measures..][..measures]);
        self.facts.push(other.facts[at]);
        self.unjudged.extend_from_slice(&other.unjudged[at * cutoffs..][..cutoffs]);
    }
}

/// The buffers of a thread, used for one query after another.
#[derive(Debug)]
pub struct Scratch<I> {
    /// The ranked rows of the query at hand, as they came.
    rows: Vec<Row<I>>,
    /// How many more rows the query has, all too low to matter.
    left_out: usize,
    /// Whether the rows are known to be of different items.
    distinct: bool,
    state: RandomState,
    judged: Judged<I>,
    marks: Marks,
    seen: HashTable<u32>,
    /// The runs of ranks (from, to) with equal scores.
    runs: Vec<(usize, usize)>,
    dropped: u32,
    /// How many of the first rows have their grade.
    graded: usize,
    gains: Vec<f64>,
    best_judged: Vec<f64>,
    best_ranked: Vec<f64>,
    weights: Vec<Weights>,
    tracks: Vec<Vec<f64>>,
    scores: Vec<f64>,
    best_scores: Vec<f64>,
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
            runs: Vec::new(),
            dropped: 0,
            graded: 0,
            gains: Vec::new(),
            best_judged: Vec::new(),
            best_ranked: Vec::new(),
            weights: plan.discounts.iter().cloned().map(Weights::new).collect(),
            tracks: vec![Vec::new(); plan.tracks.len()],
            scores: Vec::new(),
            best_scores: Vec::new(),
        }
    }

    /// Forget the rows of the query at hand.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.left_out = 0;
        self.distinct = false;
    }

    /// Add a row to the query at hand.
    #[inline]
    pub fn push(&mut self, id: I, score: f64) {
        let place = self.rows.len() as u32;
        self.rows.push(Row { score, id, hash: id.hash(&self.state), grade: UNJUDGED, place });
    }

    /// Take all rows of a query, whose items are known to differ; of those too low to matter, only the number.
    pub fn take(&mut self, plan: &Plan, scores: &mut [f64], id: impl Fn(usize) -> I) {
        self.clear();
        self.distinct = true;
        if plan.rules.float32 {
            scores.iter_mut().for_each(|score| *score = f64::from(*score as f32));
        }
        let lowest = nth_largest(scores, plan.window, &mut self.best_scores);
        each_from(scores, lowest, |place, score| {
            let (id, place) = (id(place), place as u32);
            self.rows.push(Row { score, id, hash: id.hash(&self.state), grade: UNJUDGED, place });
        });
        self.left_out = scores.len() - self.rows.len();
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
        judgments: impl ExactSizeIterator<Item = (I, f64)>,
    ) -> Result<(), Error> {
        self.judged.load(query, judgments, &plan.rules, &self.state)
    }

    /// Evaluate the query whose rows were pushed, and forget them.
    pub fn evaluate(
        &mut self,
        plan: &Plan,
        query: &[u8],
        judgments: impl ExactSizeIterator<Item = (I, f64)>,
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
        let reached = plan.cutoffs.iter().map(|&k| k.unwrap_or(length).min(length)).max().unwrap_or(0);
        let deepest = plan.readings.iter().map(|reading| plan.cutoff(reading.k, length)).max().unwrap_or(0);
        let tied = self.runs.iter().any(|&(start, _)| start < deepest.min(length));
        self.look_up(plan, reached);
        for gain in 0..plan.gains.len() {
            self.sum(plan, gain, query, length)?;
        }
        for reading in &plan.readings {
            outcomes.values.push(self.read(plan, reading, query, length, missing)?);
        }
        outcomes.facts.push(Facts { empty: self.is_empty(plan, length), tied, dropped: self.dropped });
        for &k in &plan.cutoffs {
            let top = &self.rows[..k.unwrap_or(length).min(length)];
            let unjudged = top.iter().filter(|row| row.grade.is_nan()).count();
            outcomes.unjudged.push((unjudged as u32, top.len() as u32));
        }
        self.clear();
        Ok(())
    }

    /// Put the rows in order, cut them, settle unjudged ones, and return how many ranks count.
    fn rank(&mut self, plan: &Plan, query: &[u8]) -> Result<usize, Error> {
        let rules = &plan.rules;
        self.runs.clear();
        if !self.distinct && self.has_duplicates() {
            self.settle_duplicates(query, rules.duplicates)?;
        }
        let before = self.rows.len();
        if rules.own_id == OwnId::Drop {
            self.rows.retain(|row| !row.id.is_written(query));
        }
        self.dropped = (before - self.rows.len()) as u32;
        if rules.float32 {
            self.rows.iter_mut().for_each(|row| row.score = f64::from(row.score as f32));
        }
        self.leave_out_low(plan.window);
        if matches!(rules.ties, Ties::Worst | Ties::Best) {
            self.look_up(plan, self.rows.len());
        }
        order(&mut self.rows, rules.ties);
        let cut = self.cut(rules.depth.unwrap_or(usize::MAX), rules.ties);
        let length = self.settle_unjudged(plan, query, cut)?;
        self.find_runs(length);
        Ok(length)
    }

    /// Leave out the rows that are too low to matter; those that tie with the last that does may matter.
    fn leave_out_low(&mut self, window: usize) {
        let before = self.rows.len();
        if window >= before {
            return;
        }
        if self.rows.windows(2).all(|pair| pair[0].score >= pair[1].score) {
            let last = self.rows[window - 1].score;
            let tied = self.rows[window..].iter().take_while(|row| row.score == last).count();
            self.rows.truncate(window + tied);
        } else {
            self.scores.clear();
            self.scores.extend(self.rows.iter().map(|row| row.score));
            let lowest = nth_largest(&self.scores, window, &mut self.best_scores);
            self.rows.retain(|row| row.score >= lowest);
        }
        self.left_out += before - self.rows.len();
    }

    /// Drop the rows below the depth, except those that tie with the last one where ties are averaged.
    fn cut(&mut self, depth: usize, ties: Ties) -> usize {
        let length = depth.min(self.rows.len() + self.left_out);
        let mut kept = length.min(self.rows.len());
        if ties == Ties::Average && kept > 0 {
            let last = self.rows[kept - 1].score;
            kept += self.rows[kept..].iter().take_while(|row| row.score == last).count();
        }
        self.rows.truncate(kept);
        length
    }

    /// Whether an item is ranked twice.
    fn has_duplicates(&mut self) -> bool {
        self.marks.clear(self.rows.len());
        (0..self.rows.len()).any(|at| {
            let Row { id, hash, .. } = self.rows[at];
            self.marks.mark(hash) && self.rows[..at].iter().any(|row| row.hash == hash && row.id == id)
        })
    }

    fn settle_duplicates(&mut self, query: &[u8], rule: Duplicates) -> Result<(), Error> {
        clear(&mut self.seen, self.rows.len());
        let mut again = Vec::new();
        for at in 0..self.rows.len() {
            let (id, hash, rows) = (self.rows[at].id, self.rows[at].hash, &self.rows);
            let entry =
                self.seen.entry(hash, |&known| rows[known as usize].id == id, |&known| rows[known as usize].hash);
            match entry {
                hashbrown::hash_table::Entry::Vacant(vacant) => drop(vacant.insert(at as u32)),
                hashbrown::hash_table::Entry::Occupied(_) if rule == Duplicates::Error => {
                    return Err(Error::DuplicateItem { side: Side::Ranking, query: query.into(), item: id.text() });
                }
                hashbrown::hash_table::Entry::Occupied(mut known) if rule == Duplicates::Last => {
                    again.push(std::mem::replace(known.get_mut(), at as u32));
                }
                hashbrown::hash_table::Entry::Occupied(_) => again.push(at as u32),
            }
        }
        if !again.is_empty() {
            again.sort_unstable();
            self.rows.retain(|row| again.binary_search(&row.place).is_err());
        }
        Ok(())
    }

    /// Drop or refuse unjudged rows and drop worthless ones, as the rules say, and return how many of the first `length` are left.
    fn settle_unjudged(&mut self, plan: &Plan, query: &[u8], length: usize) -> Result<usize, Error> {
        let rule = plan.rules.unjudged;
        let worthless_go = rule == Unjudged::Drop || plan.rules.negative == Negative::Drop;
        if rule == Unjudged::Zero && !worthless_go {
            return Ok(length);
        }
        self.look_up(plan, self.rows.len());
        if rule == Unjudged::Error {
            if let Some(row) = self.rows.iter().find(|row| row.grade.is_nan()) {
                return Err(Error::UnjudgedItem { query: query.into(), item: row.id.text() });
            }
        }
        let goes = |grade: f64| (grade.is_nan() && rule == Unjudged::Drop) || (grade == WORTHLESS && worthless_go);
        let is_left = |row: &Row<I>| !goes(row.grade);
        let left = self.rows[..length].iter().filter(|row| is_left(row)).count();
        let before = self.rows.len();
        self.rows.retain(is_left);
        self.dropped += (before - self.rows.len()) as u32;
        Ok(left)
    }

    /// Note the runs of equal scores that begin within the ranks that count.
    fn find_runs(&mut self, length: usize) {
        self.runs.clear();
        let mut start = 0;
        while start < length.min(self.rows.len()) {
            let score = self.rows[start].score;
            let end = start + 1 + self.rows[start + 1..].iter().take_while(|row| row.score == score).count();
            if end - start > 1 {
                self.runs.push((start, end));
            }
            start = end;
        }
    }

    /// Look up the grades of the first ranks, and of more where their best order or an average needs them.
    fn look_up(&mut self, plan: &Plan, reached: usize) {
        let averaged = plan.rules.ties == Ties::Average;
        let last_run = self.runs.iter().rev().find(|&&(start, _)| averaged && start < reached);
        let until = if plan.needs(Source::BestRanked) { self.rows.len() } else { reached };
        self.graded = last_run.map_or(until, |&(_, end)| until.max(end));
        for row in &mut self.rows[..self.graded] {
            row.grade = row.id.grade(row.hash, &self.judged);
        }
    }

    /// Compute the running sums that use a gain.
    fn sum(&mut self, plan: &Plan, gain: usize, query: &[u8], length: usize) -> Result<(), Error> {
        self.collect_gains(plan, &plan.gains[gain], query, length)?;
        for (at, track) in plan.tracks.iter().enumerate().filter(|(_, track)| track.gain == gain) {
            let weights = &mut self.weights[track.discount];
            let (constant, mut best_top);
            let gains: &[f64] = match track.source {
                Source::Ranked => &self.gains[..self.graded.min(length)],
                Source::BestJudged => &self.best_judged,
                Source::BestRanked => &self.best_ranked,
                Source::BestTop(k) => {
                    let top = &self.rows[..plan.cutoff(k, length).min(length).min(self.graded)];
                    let gain = &plan.gains[gain];
                    best_top = top.iter().map(|row| gain_of(row.grade, gain).unwrap_or(0.0)).collect::<Vec<_>>();
                    best_top.sort_unstable_by(|a, b| b.total_cmp(a));
                    &best_top
                }
                // The sums are those of the query before, if it went as deep.
                Source::Constant(_) if self.tracks[at].len() > plan.deepest_ideal(at, length) => continue,
                Source::Constant(top) => {
                    constant = vec![top; plan.deepest_ideal(at, length)];
                    &constant
                }
            };
            running(gains, weights.first(gains.len()), &mut self.tracks[at]);
        }
        Ok(())
    }

    /// Turn grades into gains: by rank, and best first.
    fn collect_gains(&mut self, plan: &Plan, gain: &Gain, query: &[u8], length: usize) -> Result<(), Error> {
        let deepest = plan.readings.iter().map(|reading| plan.ideal_cutoff(reading, length)).max().unwrap_or(0);
        self.judged.best_gains(gain, query, deepest, &mut self.best_judged)?;
        self.gains.clear();
        // The judged items have shown that every grade has a gain, so none falls back to 0 here.
        self.gains.extend(self.rows[..self.graded].iter().map(|row| gain_of(row.grade, gain).unwrap_or(0.0)));
        if plan.needs(Source::BestRanked) {
            self.best_ranked.clone_from(&self.gains);
            self.best_ranked.sort_unstable_by(|a, b| b.total_cmp(a));
        }
        if plan.rules.ties == Ties::Average {
            let graded = self.graded;
            let within = self.runs.iter().filter(|&&(_, end)| end <= graded);
            within.for_each(|&(start, end)| average(&mut self.gains[start..end]));
        }
        Ok(())
    }

    /// Whether a ratio has nothing to divide by; without ratios, whether no judged item has a gain.
    fn is_empty(&self, plan: &Plan, length: usize) -> bool {
        let has_gain = |reading: &Reading| {
            self.ideal(plan, reading, length) > 0.0 && !self.is_hollow(&plan.gains[reading.gain], reading.ideal)
        };
        let mut ratios = plan.readings.iter().filter(|reading| reading.form == Form::Ratio).peekable();
        match ratios.peek() {
            Some(_) => !ratios.all(has_gain),
            None => !plan.gains.first().is_some_and(|gain| self.has_relevant(gain)),
        }
    }

    fn has_relevant(&self, gain: &Gain) -> bool {
        self.judged.grades().iter().any(|&grade| gain_of(grade, gain) > Some(0.0))
    }

    /// Whether the ideal is of perfect positions although nothing is relevant.
    fn is_hollow(&self, gain: &Gain, ideal: Ideal) -> bool {
        matches!(ideal, Ideal::Perfect { .. }) && !self.has_relevant(gain)
    }

    fn ideal(&self, plan: &Plan, reading: &Reading, length: usize) -> f64 {
        down_to(&self.tracks[reading.ideal_track], plan.ideal_cutoff(reading, length))
    }

    /// Read a measure off the running sums.
    fn read(&self, plan: &Plan, reading: &Reading, query: &[u8], length: usize, missing: bool) -> Result<f64, Error> {
        let actual = || down_to(&self.tracks[reading.actual_track], plan.cutoff(reading.k, length));
        let ideal = || self.ideal(plan, reading, length);
        // A sum that the measure does not use may overflow.
        let (actual, ideal) = match reading.form {
            Form::Actual => (actual(), 0.0),
            Form::Ideal => (0.0, ideal()),
            Form::Ratio => (actual(), ideal()),
        };
        if !(actual.is_finite() && ideal.is_finite()) {
            return Err(Error::Overflow { query: query.into(), grade: self.judged.highest_grade() });
        }
        match (reading.form, plan.rules.nothing_relevant) {
            (Form::Actual, _) => Ok(actual),
            (Form::Ideal, _) => Ok(ideal),
            (Form::Ratio, _) if ideal > 0.0 && !self.is_hollow(&plan.gains[reading.gain], reading.ideal) => {
                Ok(actual / ideal)
            }
            (Form::Ratio, NothingRelevant::Error) => Err(Error::NothingRelevant { query: query.into() }),
            (Form::Ratio, NothingRelevant::Skip) => Ok(f64::NAN),
            (Form::Ratio, _) if missing => Ok(0.0),
            (Form::Ratio, NothingRelevant::Zero) => Ok(0.0),
            (Form::Ratio, NothingRelevant::One) => Ok(1.0),
            (Form::Ratio, NothingRelevant::Nan) => Ok(f64::NAN),
        }
    }
}

impl Scratch<Place> {
    /// Evaluate a query whose grades and scores stand side by side; `items` tells where.
    pub fn evaluate_placed(
        &mut self,
        plan: &Plan,
        query: &[u8],
        items: &mut Vec<Place>,
        grades: &mut Vec<f64>,
        scores: &mut [f64],
        outcomes: &mut Outcomes,
    ) -> Result<(), Error> {
        self.take(plan, scores, |at| items[at]);
        self.judged.exchange(query, items, grades, &plan.rules)?;
        self.evaluate_loaded(plan, query, false, outcomes)
    }
}
