//! The lowest and highest value of a sum of gains, or of its ratio, over all grades of the unjudged items.

use crate::discount::Discount;
use crate::gain::Gain;
use crate::items::Item;
use crate::judged_items::gain_of;
use crate::long_sum::total;
use crate::measures::gains::{End, Form, Ideal};
use crate::plan::{Plan, Reading};
use crate::query::Scratch;
use crate::residual::Doubt;

impl<I: Item> Scratch<I> {
    /// Compute a bound; `self.gains` has the gains of the measure before ties are averaged.
    pub(crate) fn bounded(&mut self, plan: &Plan, reading: &Reading, gain: &Gain, length: usize) -> Option<f64> {
        let bound = reading.bound?;
        let ranks = plan.cutoff(reading.k, length).min(length);
        let unjudged: Vec<bool> = self.rows[..self.graded.min(length)].iter().map(|row| row.grade.is_nan()).collect();
        let (top, rest) = unjudged.split_at(ranks.min(unjudged.len()));
        let below = rest.iter().filter(|unjudged| **unjudged).count();
        let ideal = match reading.ideal {
            Ideal::Ranked => self.gains[..self.graded.min(length)].to_vec(),
            Ideal::Top => self.gains[..ranks].to_vec(),
            _ => self.best_judged.clone(),
        };
        let levels = self.levels(gain);
        let ideal_cut = plan.ideal_cutoff(reading, length);
        let weighed = ranks.max(ideal_cut.min(ideal.len() + unjudged.len()));
        let doubt = Doubt {
            gains: &self.gains[..ranks],
            unjudged: top,
            weights: self.weights[reading.discount].first(weighed),
            below: if reading.ideal == Ideal::Top { 0 } else { below },
            ideal: &ideal,
            ideal_cut,
            levels: &levels,
        };
        let normalised = reading.form == Form::Ratio;
        if let (Ideal::Perfect { top }, true) = (reading.ideal, normalised) {
            let sum = if bound == End::Low { doubt.lowest(false) } else { doubt.highest(false) };
            let perfect = top * total(self.weights[reading.discount].first(ideal_cut).iter().copied());
            return sum.filter(|_| perfect > 0.0).map(|sum| sum / perfect);
        }
        let value = if bound == End::Low { doubt.lowest(normalised) } else { doubt.highest(normalised) };
        let beyond = match (&plan.discounts[reading.discount], bound, reading.k) {
            // A user who never stops also reads the items below the ranking.
            (Discount::Geometric { persistence }, End::High, None) if !normalised => {
                levels.last().copied().unwrap_or(0.0) * persistence.powf(length as f64)
            }
            _ => 0.0,
        };
        value.map(|value| value + beyond)
    }

    /// The gains that an unjudged item may have: those of the judged ones and of the highest grade that the gain
    /// knows, or of grade 1 if there are none.
    fn levels(&self, gain: &Gain) -> Vec<f64> {
        let worth = |grade: f64| gain_of(grade, gain).filter(|&gain| gain > 0.0);
        let mut levels: Vec<f64> = self.judged.grades().iter().filter_map(|&grade| worth(grade)).collect();
        match gain {
            Gain::Binary { .. } => levels.push(1.0),
            Gain::Share { top: Some(top) } | Gain::Chance { top } => levels.extend(worth(*top)),
            Gain::Table(rows) => levels.extend(rows.iter().map(|row| row.1).filter(|&gain| gain > 0.0)),
            _ => {}
        }
        if levels.is_empty() {
            levels.extend(worth(1.0));
        }
        levels.sort_unstable_by(f64::total_cmp);
        levels.dedup();
        levels
    }
}
