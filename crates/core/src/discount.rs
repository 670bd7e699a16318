//! The discount of a rank.

/// The weight of a rank, counted from 1.
#[derive(Debug, Clone, PartialEq)]
pub enum Discount {
    /// No discount: cumulative gain.
    None,
    Log {
        base: f64,
    },
    Jarvelin {
        base: f64,
    },
    Clipped,
    Reciprocal,
    /// The user continues to the next rank with this probability.
    Geometric {
        persistence: f64,
    },
    Table(Vec<f64>),
}

impl Discount {
    pub fn at(&self, rank: usize) -> f64 {
        let number = rank as f64;
        match self {
            Discount::None => 1.0,
            Discount::Log { base } => 1.0 / log(number + 1.0, *base),
            Discount::Jarvelin { base } if number < *base => 1.0,
            Discount::Jarvelin { base } => 1.0 / log(number, *base),
            Discount::Clipped => 1.0 / number.max(2.0).log2(),
            Discount::Reciprocal => 1.0 / number,
            Discount::Geometric { persistence } => (1.0 - persistence) * persistence.powf(number - 1.0),
            Discount::Table(weights) => weights.get(rank - 1).copied().unwrap_or(0.0),
        }
    }
}

/// The logarithm, exact at base 2.
fn log(number: f64, base: f64) -> f64 {
    if base == 2.0 { number.log2() } else { number.ln() / base.ln() }
}

/// The weights of the first ranks, computed once and grown when a longer ranking comes.
#[derive(Debug, Clone)]
pub struct Weights {
    discount: Discount,
    table: Vec<f64>,
}

impl Weights {
    pub fn new(discount: Discount) -> Self {
        Weights { discount, table: Vec::new() }
    }

    pub fn first(&mut self, count: usize) -> &[f64] {
        let discount = &self.discount;
        self.table.extend((self.table.len() + 1..=count).map(|rank| discount.at(rank)));
        &self.table[..count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discount_at_a_rank_equals_its_formula() {
        assert_eq!(Discount::Log { base: 2.0 }.at(3), 0.5);
        assert_eq!(Discount::Jarvelin { base: 3.0 }.at(2), 1.0);
        assert_eq!(Discount::Jarvelin { base: 2.0 }.at(4), Discount::Clipped.at(4));
        assert_eq!(Discount::Reciprocal.at(4), 0.25);
        assert_eq!(Discount::Geometric { persistence: 0.5 }.at(3), 0.125);
        assert_eq!(Discount::Table(vec![1.0, 0.5]).at(3), 0.0);
    }

    #[test]
    fn weights_of_more_ranks_extend_the_table() {
        let mut weights = Weights::new(Discount::Reciprocal);
        assert_eq!(weights.first(2), [1.0, 0.5]);
        assert_eq!(weights.first(4), [1.0, 0.5, 1.0 / 3.0, 0.25]);
        assert_eq!(weights.first(1), [1.0]);
    }
}
