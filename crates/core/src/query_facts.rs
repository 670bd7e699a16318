//! Facts about a query: whether its ideal is empty, its ranking blank or short, its scores tied.

use crate::gain::Gain;
use crate::items::Item;
use crate::judged_items::gain_of;
use crate::measures::counted::is_relevant;
use crate::measures::gains::Ideal;
use crate::outcomes::Facts;
use crate::plan::{Plan, Reading, Slot};
use crate::query::Scratch;

impl<I: Item> Scratch<I> {
    /// The facts of the query at hand, whose `length` ranked items were looked up and summed.
    pub(crate) fn facts(&self, plan: &Plan, length: usize, missing: bool) -> Facts {
        let deepest = plan.slots.iter().map(|slot| plan.cutoff(slot.k(), length)).max().unwrap_or(0);
        let seen_runs = || self.runs.iter().filter(|&&(start, _)| start < deepest.min(length));
        Facts {
            // An ideal that depends on the ranking is 0 for an empty ranking, even if items are relevant.
            empty: self.is_empty(plan, length) && !(length == 0 && self.has_level(0.0)),
            blank: length == 0 && !missing,
            short: self.is_short(plan, length),
            tied: seen_runs().next().is_some(),
            merged: seen_runs().any(|&(start, end)| self.original.differ(&self.rows[start..end])),
            dropped: self.dropped,
        }
    }

    /// Count the unjudged items down to each cutoff; the cutoffs of a plan rise.
    pub(crate) fn count_unjudged(&self, plan: &Plan, length: usize, counts: &mut Vec<(u32, u32)>) {
        let (mut unjudged, mut counted) = (0, 0);
        for &k in &plan.cutoffs {
            let end = k.unwrap_or(length).min(length);
            unjudged += self.rows[counted..end].iter().filter(|row| row.grade.is_nan()).count();
            counted = end;
            counts.push((unjudged as u32, end as u32));
        }
    }

    /// Whether the divisor of any measure is 0; if no measure is divided, whether no judged item is relevant.
    fn is_empty(&self, plan: &Plan, length: usize) -> bool {
        let lacks = |slot: &Slot| match slot {
            Slot::Gains(reading) if reading.form.divides() => {
                let hollow = self.is_hollow(&plan.gains[reading.gain], reading.ideal);
                Some(hollow || self.ideal(plan, reading, length) <= 0.0)
            }
            Slot::Counted(counted, rule) if counted.of_relevant => Some(self.relevant_ranks[*rule].relevant == 0),
            Slot::Graded(graded, gain) if graded.of_relevant => Some(!self.has_relevant(&plan.gains[*gain])),
            Slot::Diversity(diversity) => Some(!self.has_level(diversity.level)),
            Slot::Clicks(clicks) if clicks.self_normalised => Some(!self.has_level(0.0)),
            _ => None,
        };
        let mut divided = plan.slots.iter().filter_map(lacks).peekable();
        match (divided.peek(), plan.slots.first()) {
            (Some(_), _) => divided.any(|lacking| lacking),
            (None, Some(Slot::Gains(reading))) => !self.has_relevant(&plan.gains[reading.gain]),
            (None, Some(Slot::Counted(_, rule))) => self.relevant_ranks[*rule].relevant == 0,
            (None, Some(Slot::Graded(_, gain))) => !self.has_relevant(&plan.gains[*gain]),
            (None, _) => !self.has_level(0.0),
        }
    }

    /// Whether an ideal cut at k differs from one cut at the length of the ranking.
    fn is_short(&self, plan: &Plan, length: usize) -> bool {
        let could_differ = |reading: &&Reading| {
            let at_k = matches!(reading.ideal, Ideal::Judged | Ideal::ListLength) && reading.bound.is_none();
            at_k && reading.form.divides() && reading.k.is_some_and(|k| length < k)
        };
        length > 0
            && plan.readings().filter(could_differ).any(|reading| self.worthy(&plan.gains[reading.gain]) > length)
    }

    /// The number of judged items with a positive gain.
    fn worthy(&self, gain: &Gain) -> usize {
        self.judged.grades().iter().filter(|&&grade| gain_of(grade, gain) > Some(0.0)).count()
    }

    pub(crate) fn has_level(&self, level: f64) -> bool {
        self.judged.grades().iter().any(|&grade| is_relevant(grade, level))
    }

    fn has_relevant(&self, gain: &Gain) -> bool {
        self.judged.grades().iter().any(|&grade| gain_of(grade, gain) > Some(0.0))
    }

    /// Whether the ideal consists of perfect positions although the query has no relevant item.
    pub(crate) fn is_hollow(&self, gain: &Gain, ideal: Ideal) -> bool {
        matches!(ideal, Ideal::Perfect { .. }) && !self.has_relevant(gain)
    }
}
