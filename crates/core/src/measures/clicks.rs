//! Evaluation of a new ranking on logged clicks: each click is weighted by its inverse propensity.

use crate::annotations::{Annotations, Values};
use crate::discount::Discount;
use crate::error::Error;
use crate::items::Item;
use crate::long_sum::total;
use crate::plan::Plan;
use crate::query::{Scratch, depth};

/// A requested measure of this kind.
#[derive(Debug, Clone)]
pub struct Clicks {
    pub k: Option<usize>,
    pub discount: Discount,
    /// How likely a position was to be seen, where positions are known.
    pub propensity: Discount,
    /// A propensity below this counts as this.
    pub clip: f64,
    /// Whether the sum is divided by that of the weights.
    pub self_normalised: bool,
}

impl Clicks {
    /// The weight of a click with this grade; `seen` is its propensity or position, NaN if unknown.
    pub fn weight(&self, grade: f64, seen: f64, are_positions: bool) -> f64 {
        let propensity = if are_positions { self.propensity.at(seen as usize) } else { seen };
        if grade > 0.0 { grade / propensity.max(self.clip) } else { 0.0 }
    }

    /// The value of the weights by rank, and of those of all clicks.
    pub fn value(&self, ranked: &[f64], clicks: &[f64], depth: usize) -> Option<f64> {
        let top = ranked[..depth.min(ranked.len())].iter().enumerate();
        let sum = total(top.map(|(index, weight)| weight * self.discount.at(index + 1)));
        let divisor = if self.self_normalised { total(clicks.iter().copied()) } else { 1.0 };
        (divisor > 0.0).then(|| sum / divisor)
    }
}

impl<I: Item> Scratch<I> {
    /// The value of a measure of logged clicks.
    pub(crate) fn clicks_value(
        &self,
        plan: &Plan,
        clicks: &Clicks,
        query: &[u8],
        length: usize,
    ) -> Result<Option<f64>, Error> {
        let Some((seen, are_positions)) = plan.annotations.as_deref().and_then(numbers) else { return Ok(None) };
        let Some(first) = plan.annotations.as_ref().and_then(|annotations| annotations.first_row(query)) else {
            return Ok(None);
        };
        let grades = self.judged.grades();
        let weight = |index: usize| clicks.weight(grades[index], seen[first + index], are_positions);
        let ranked = self.judged_rows(first, length).map(|row| row.map_or(0.0, |row| weight(row - first)));
        let (ranked, clicked) = (ranked.collect::<Vec<f64>>(), (0..grades.len()).map(weight).collect::<Vec<f64>>());
        // A position that is never seen cannot have been clicked.
        if let Some(index) = clicked.iter().position(|weight| !weight.is_finite()) {
            let item = self.judged.items()[index].text();
            return Err(Error::BadPropensity { query: query.into(), item, got: 0.0 });
        }
        Ok(clicks.value(&ranked, &clicked, depth(plan, clicks.k, length)))
    }
}

/// The number of each row, and whether they are positions.
fn numbers(annotations: &Annotations) -> Option<(&[f64], bool)> {
    match &annotations.values {
        Values::Propensities(numbers) => Some((numbers, false)),
        Values::Positions(numbers) => Some((numbers, true)),
        Values::Subtopics(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clicks_with_a_low_propensity_weigh_more() {
        let clicks = Clicks {
            k: None,
            discount: Discount::Log { base: 2.0 },
            propensity: Discount::Reciprocal,
            clip: 0.25,
            self_normalised: true,
        };
        let weights = [2.0, 10.0, 0.5].map(|seen| clicks.weight(1.0, seen, seen > 1.0));
        assert_eq!(weights, [2.0, 4.0, 2.0]);
        assert_eq!(clicks.value(&[2.0, 0.0, 4.0], &[2.0, 4.0, 2.0], 3), Some((2.0 + 4.0 * 0.5) / 8.0));
        assert_eq!(clicks.value(&[0.0], &[0.0], 1), None);
    }
}
