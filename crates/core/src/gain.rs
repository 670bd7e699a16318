//! The gain of a grade.

use std::borrow::Cow;

/// The gain of a grade; tables are sorted by grade.
#[derive(Debug, Clone, PartialEq)]
pub enum Gain {
    Linear,
    /// The grade itself, but for those in the table.
    Adjusted(Vec<(f64, f64)>),
    Exp2 {
        shift: f64,
    },
    Binary {
        threshold: f64,
    },
    /// The share of the highest grade `top`; of the highest grade of the query where `top` is none.
    Share {
        top: Option<f64>,
    },
    /// The chance that the item satisfies, `(2^grade - 1) / 2^top`.
    Chance {
        top: f64,
    },
    Table(Vec<(f64, f64)>),
}

impl Gain {
    /// Return the gain, or nothing when the table lacks the grade or the grade is above the highest.
    #[inline]
    pub fn of(&self, grade: f64) -> Option<f64> {
        match self {
            Gain::Linear => Some(grade),
            Gain::Exp2 { shift } => Some((grade + shift).exp2() - 1.0),
            Gain::Binary { threshold } => Some(f64::from(u8::from(grade > 0.0 && grade >= *threshold))),
            Gain::Adjusted(rows) => Some(find(rows, grade).unwrap_or(grade)),
            Gain::Share { top: None } => Some(grade),
            Gain::Share { top: Some(top) } => (grade <= *top).then_some(grade / top),
            Gain::Chance { top } => (grade <= *top).then(|| (grade.exp2() - 1.0) / top.exp2()),
            Gain::Table(rows) => find(rows, grade),
        }
    }

    /// The gain in a query, whose highest grade is looked for only if it matters.
    pub fn within(&self, highest: impl Fn() -> f64) -> Cow<'_, Gain> {
        match self {
            Gain::Share { top: None } => {
                let top = Some(highest()).filter(|&highest| highest > 0.0);
                Cow::Owned(Gain::Share { top })
            }
            _ => Cow::Borrowed(self),
        }
    }

    /// Whether a higher grade has no lower gain, and each grade has one.
    pub fn is_monotone(&self) -> bool {
        matches!(self, Gain::Linear | Gain::Exp2 { .. } | Gain::Binary { .. } | Gain::Share { top: None })
    }

    /// Make a table from rows in any order; of equal grades the last counts.
    pub fn table(rows: Vec<(f64, f64)>) -> Self {
        Gain::Table(sorted(rows))
    }

    /// The grade itself, but for those in the table, whose rows may be in any order.
    pub fn linear(exceptions: Vec<(f64, f64)>) -> Self {
        if exceptions.is_empty() { Gain::Linear } else { Gain::Adjusted(sorted(exceptions)) }
    }
}

fn sorted(mut rows: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    rows.iter_mut().for_each(|row| row.0 += 0.0); // -0 is 0
    rows.reverse();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    rows.dedup_by(|later, first| later.0 == first.0);
    rows
}

fn find(rows: &[(f64, f64)], grade: f64) -> Option<f64> {
    let index = rows.binary_search_by(|(row_grade, _)| row_grade.total_cmp(&(grade + 0.0))).ok()?;
    Some(rows[index].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gain_of_a_grade_equals_its_formula() {
        assert_eq!(Gain::Exp2 { shift: 0.0 }.of(3.0), Some(7.0));
        assert_eq!(Gain::Exp2 { shift: 1.0 }.of(0.0), Some(1.0));
        assert_eq!(Gain::Binary { threshold: 2.0 }.of(1.0), Some(0.0));
        assert_eq!(Gain::Binary { threshold: 0.0 }.of(0.1), Some(1.0));
        assert_eq!(Gain::Binary { threshold: 0.0 }.of(0.0), Some(0.0));
        let table = Gain::table(vec![(2.0, 9.0), (0.0, 0.0), (1.0, 3.0), (1.0, 4.0)]);
        assert_eq!(table.of(1.0), Some(4.0));
        assert_eq!(table.of(3.0), None);
        assert_eq!(Gain::linear(vec![(1.0, 5.0)]).of(2.0), Some(2.0));
        assert_eq!(Gain::Share { top: None }.within(|| 4.0).of(1.0), Some(0.25));
        assert_eq!([3.0, 5.0].map(|grade| Gain::Chance { top: 4.0 }.of(grade)), [Some(7.0 / 16.0), None]);
    }
}
