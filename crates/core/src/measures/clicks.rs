//! What logged clicks say of another ranking: each is weighed by how unlikely it was to be seen.

use crate::discount::Discount;
use crate::sums::total;

/// A requested measure of this kind.
#[derive(Debug, Clone)]
pub struct Weighing {
    pub k: Option<usize>,
    pub discount: Discount,
    /// How likely a position was to be seen, where positions are known.
    pub propensity: Discount,
    /// A propensity below this counts as this.
    pub clip: f64,
    /// Whether the sum is divided by that of the weights.
    pub self_normalised: bool,
}

impl Weighing {
    /// The weight of a click of this worth; nothing is known of how it was seen where that is not a number.
    pub fn weight(&self, grade: f64, seen: f64, are_positions: bool) -> f64 {
        let propensity = if are_positions { self.propensity.at(seen as usize) } else { seen };
        if grade > 0.0 { grade / propensity.max(self.clip) } else { 0.0 }
    }

    /// The value of the weights by rank, and of those of all clicks.
    pub fn value(&self, ranked: &[f64], clicks: &[f64], depth: usize) -> Option<f64> {
        let top = ranked[..depth.min(ranked.len())].iter().enumerate();
        let sum = total(top.map(|(at, weight)| weight * self.discount.at(at + 1)));
        let divisor = if self.self_normalised { total(clicks.iter().copied()) } else { 1.0 };
        (divisor > 0.0).then(|| sum / divisor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_click_that_was_hard_to_see_weighs_more() {
        let weighing = Weighing {
            k: None,
            discount: Discount::Log { base: 2.0 },
            propensity: Discount::Reciprocal,
            clip: 0.25,
            self_normalised: true,
        };
        let weights = [2.0, 10.0, 0.5].map(|seen| weighing.weight(1.0, seen, seen > 1.0));
        assert_eq!(weights, [2.0, 4.0, 2.0]);
        assert_eq!(weighing.value(&[2.0, 0.0, 4.0], &[2.0, 4.0, 2.0], 3), Some((2.0 + 4.0 * 0.5) / 8.0));
        assert_eq!(weighing.value(&[0.0], &[0.0], 1), None);
    }
}
