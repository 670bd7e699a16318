//! Sums in the order of their terms, compensated for what rounding loses where the terms are many.

/// Sums of more terms are compensated.
pub const MANY: usize = 100_000;

/// A sum, and what rounding has lost of it (Neumaier 1974, Rundungsfehleranalyse einiger Verfahren zur Summation).
#[derive(Debug, Clone, Copy, Default)]
pub struct LongSum {
    sum: f64,
    lost: f64,
    terms: usize,
}

impl LongSum {
    pub fn of(terms: impl IntoIterator<Item = f64>) -> Self {
        let mut sum = Self::default();
        terms.into_iter().for_each(|term| sum.add(term));
        sum
    }

    #[inline]
    pub fn add(&mut self, term: f64) {
        let next = self.sum + term;
        let larger = self.sum.abs() >= term.abs();
        self.lost += if larger { (self.sum - next) + term } else { (term - next) + self.sum };
        self.sum = next;
        self.terms += 1;
    }

    /// The sum; with what it lost if it has many terms, and infinite where it overflowed.
    #[inline]
    pub fn value(self) -> f64 {
        if self.terms > MANY && self.sum.is_finite() { self.sum + self.lost } else { self.sum }
    }
}

/// The sum of numbers, in their order; of none it is 0, where that of the standard library is -0.
pub fn total(numbers: impl IntoIterator<Item = f64>) -> f64 {
    LongSum::of(numbers).value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn total_of_many_terms_is_compensated() {
        assert_eq!(total(vec![0.1; MANY + 50_000]), 15_000.0);
        assert_ne!(total(vec![0.1; MANY]), 10_000.0);
        assert_eq!(total(vec![f64::MAX; MANY + 1]), f64::INFINITY);
        assert!(total([]).is_sign_positive());
    }
}
