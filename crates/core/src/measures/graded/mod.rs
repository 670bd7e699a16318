//! Measures of the gains by rank that are not linear sums: their input, and the tables of their functions.

mod cascade;
mod levels;

use crate::gain::Gain;

/// The formula of a measure; NaN where the divisor is 0.
pub type Function = fn(&Gained, usize, &[f64]) -> f64;

/// The function of a name.
pub fn function(name: &str) -> Option<Function> {
    cascade::FUNCTIONS.iter().chain(levels::FUNCTIONS).find(|(key, _)| *key == name).map(|&(_, function)| function)
}

/// A requested measure of this kind.
#[derive(Debug, Clone)]
pub struct Graded {
    pub function: Function,
    pub k: Option<usize>,
    pub gain: Gain,
    /// The parameters, in the order of their declaration.
    pub numbers: Vec<f64>,
    /// Whether a query without relevant items has no value.
    pub of_relevant: bool,
    /// The level that a grade must reach, or the query has no value.
    pub level: Option<f64>,
    /// The value of a query that has none, where the rules do not say it.
    pub nothing: Option<f64>,
}

impl Graded {
    /// The value down to a depth, or nothing where there is nothing to divide by.
    pub fn value(&self, gained: &Gained, depth: usize) -> Option<f64> {
        if self.of_relevant && gained.best.first().is_none_or(|&best| best <= 0.0) {
            return None;
        }
        Some((self.function)(gained, depth, &self.numbers)).filter(|value| !value.is_nan())
    }
}

/// One query: its gains by rank, and those of all judged items, best first.
#[derive(Debug)]
pub struct Gained<'a> {
    pub gains: &'a [f64],
    pub best: &'a [f64],
}

impl Gained<'_> {
    /// The gains down to a depth.
    pub fn top(&self, k: usize) -> &[f64] {
        &self.gains[..k.min(self.gains.len())]
    }

    /// Whether the sums of gains are finite.
    pub fn is_finite(&self) -> bool {
        self.gains.iter().sum::<f64>().is_finite() && self.best.iter().sum::<f64>().is_finite()
    }

    /// The positive gains, best first.
    pub fn positive(&self) -> &[f64] {
        &self.best[..self.best.partition_point(|&gain| gain > 0.0)]
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn value(name: &str, gains: &[f64], best: &[f64], k: usize, numbers: &[f64]) -> f64 {
        function(name).unwrap()(&Gained { gains, best }, k, numbers)
    }

    #[test]
    fn graded_value_without_gains_is_none() {
        let function = function("cascade").unwrap();
        let (k, gain, numbers) = (None, Gain::Linear, vec![]);
        let graded = Graded { function, k, gain, numbers, of_relevant: true, level: None, nothing: None };
        assert_eq!(graded.value(&Gained { gains: &[0.0], best: &[0.0] }, 1), None);
        assert_eq!(graded.value(&Gained { gains: &[0.0], best: &[1.0] }, 1), Some(0.0));
    }
}
