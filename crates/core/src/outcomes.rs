//! The outcomes of queries: values, and facts about the data.

use crate::plan::Plan;

/// Facts about the data of one query.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts {
    /// Nothing is relevant: a ratio has an ideal of 0, or no judged item has a gain.
    pub empty: bool,
    /// The ranking has the query, and no item of it.
    pub blank: bool,
    /// Fewer items are ranked than a cutoff asks for and than are relevant, so that it matters where the ideal ends.
    pub short: bool,
    /// Equal scores touch the ranks that count.
    pub tied: bool,
    /// Distinct scores became equal in the ranks that count.
    pub merged: bool,
    /// Ranked items that were removed because they are unjudged, or because their id is that of the query.
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
    /// The texts of queries, end to end: as many letters per query as the plan says.
    pub letters: Vec<u8>,
    /// The items in the first ranks of each query, where it matters which items are shown at all.
    pub shown: Vec<Vec<u128>>,
}

impl Outcomes {
    /// Forget what came after the first `queries`: values of one whose evaluation failed half-way.
    pub fn truncate(&mut self, queries: usize, plan: &Plan) {
        self.values.truncate(queries * plan.slots.len());
        self.letters.truncate(queries * plan.letters);
        self.shown.truncate(queries);
    }

    /// Take over all outcomes of others.
    pub fn append(&mut self, mut other: Outcomes) {
        self.values.append(&mut other.values);
        self.facts.append(&mut other.facts);
        self.unjudged.append(&mut other.unjudged);
        self.letters.append(&mut other.letters);
        self.shown.append(&mut other.shown);
    }

    /// Take over what a query has of its own, without the facts, which are only counted.
    pub fn push_values_from(&mut self, other: &Outcomes, index: usize, plan: &Plan) {
        let measures = plan.slots.len();
        self.values.extend_from_slice(&other.values[index * measures..][..measures]);
        self.letters.extend_from_slice(&other.letters[index * plan.letters..][..plan.letters]);
        self.shown.extend(other.shown.get(index).cloned());
    }
}
