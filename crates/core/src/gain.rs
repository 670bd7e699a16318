//! What a grade is worth.

/// The gain of a grade; the table is sorted by grade.
#[derive(Debug, Clone, PartialEq)]
pub enum Gain {
    Linear,
    Exp2 { shift: f64 },
    Binary { threshold: f64 },
    Table(Vec<(f64, f64)>),
}

impl Gain {
    /// Return the gain, or nothing when the table lacks the grade.
    #[inline]
    pub fn of(&self, grade: f64) -> Option<f64> {
        match self {
            Gain::Linear => Some(grade),
            Gain::Exp2 { shift } => Some((grade + shift).exp2() - 1.0),
            Gain::Binary { threshold } => Some(f64::from(u8::from(grade > 0.0 && grade >= *threshold))),
            Gain::Table(rows) => {
                let at = rows.binary_search_by(|(known, _)| known.total_cmp(&(grade + 0.0))).ok()?;
                Some(rows[at].1)
            }
        }
    }

    /// Make a table from rows in any order; of equal grades the last counts.
    pub fn table(mut rows: Vec<(f64, f64)>) -> Self {
        rows.iter_mut().for_each(|row| row.0 += 0.0); // -0 is 0
        rows.reverse();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        rows.dedup_by(|later, first| later.0 == first.0);
        Gain::Table(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_follow_their_formulas() {
        assert_eq!(Gain::Exp2 { shift: 0.0 }.of(3.0), Some(7.0));
        assert_eq!(Gain::Exp2 { shift: 1.0 }.of(0.0), Some(1.0));
        assert_eq!(Gain::Binary { threshold: 2.0 }.of(1.0), Some(0.0));
        assert_eq!(Gain::Binary { threshold: 0.0 }.of(0.1), Some(1.0));
        assert_eq!(Gain::Binary { threshold: 0.0 }.of(0.0), Some(0.0));
        let table = Gain::table(vec![(2.0, 9.0), (0.0, 0.0), (1.0, 3.0), (1.0, 4.0)]);
        assert_eq!(table.of(1.0), Some(4.0));
        assert_eq!(table.of(3.0), None);
    }
}
