//! The measures that need more of a judgment than its grade: subtopics, or how likely a click was to be seen.

use crate::error::Error;
use crate::items::Item;
use crate::measures::diversity::{Aspects, Covering};
use crate::measures::logged::Weighing;
use crate::plan::Plan;
use crate::query::{Scratch, depth};
use crate::sides::{Known, Sides, Subtopics};

impl<I: Item> Scratch<I> {
    /// Which row of the judgments each ranked item is, if it is judged; their rows are counted from `first`.
    fn judged_rows(&self, first: usize, length: usize) -> impl Iterator<Item = Option<usize>> {
        let ranked = self.rows[..self.graded.min(length)].iter();
        ranked.map(move |row| row.id.judged_place(row.hash, &self.judged).map(|place| first + place))
    }

    /// The value of a measure of subtopics.
    pub(crate) fn covered(&self, plan: &Plan, covering: &Covering, query: &[u8], length: usize) -> Option<f64> {
        let sides = plan.sides.as_deref()?;
        let (Known::Subtopics(subtopics), Some(first)) = (&sides.known, sides.first_row(query)) else { return None };
        let relevant = |row: usize| subtopics.relevant(row, covering.level);
        let ranked: Vec<Vec<u32>> =
            self.judged_rows(first, length).map(|row| row.map(relevant).unwrap_or_default()).collect();
        let judged = self.best_first(subtopics, first, covering.level);
        // Numbered within the query, in the same order, or what is noted of each would grow with all queries.
        let mut known: Vec<u32> = judged.iter().flatten().copied().collect();
        known.sort_unstable();
        known.dedup();
        let own = |all: Vec<Vec<u32>>| -> Vec<Vec<u32>> {
            let place = |subtopic: u32| known.partition_point(|&other| other < subtopic) as u32;
            all.into_iter().map(|item| item.into_iter().map(place).collect()).collect()
        };
        let (ranked, judged) = (own(ranked), own(judged));
        let aspects = Aspects { ranked: &ranked, judged: &judged, subtopics: known.len() };
        covering.value(&aspects, depth(plan, covering.k, length))
    }

    /// The subtopics of each relevant judged item, the highest id first, as ndeval prefers them.
    fn best_first(&self, subtopics: &Subtopics, first: usize, level: f64) -> Vec<Vec<u32>> {
        let items = self.judged.items();
        let mut places: Vec<usize> = (0..items.len()).collect();
        places.sort_unstable_by(|&a, &b| items[b].compare(items[a]));
        let all = places.into_iter().map(|place| subtopics.relevant(first + place, level));
        all.filter(|subtopics| !subtopics.is_empty()).collect()
    }

    /// The value of a measure of logged clicks.
    pub(crate) fn weighed(
        &self,
        plan: &Plan,
        weighing: &Weighing,
        query: &[u8],
        length: usize,
    ) -> Result<Option<f64>, Error> {
        let Some((seen, are_positions)) = plan.sides.as_deref().and_then(numbers) else { return Ok(None) };
        let Some(first) = plan.sides.as_ref().and_then(|sides| sides.first_row(query)) else { return Ok(None) };
        let grades = self.judged.grades();
        let weight = |place: usize| weighing.weight(grades[place], seen[first + place], are_positions);
        let ranked = self.judged_rows(first, length).map(|row| row.map_or(0.0, |row| weight(row - first)));
        let (ranked, clicks) = (ranked.collect::<Vec<f64>>(), (0..grades.len()).map(weight).collect::<Vec<f64>>());
        // A position that is never seen cannot have been clicked.
        if let Some(place) = clicks.iter().position(|weight| !weight.is_finite()) {
            let item = self.judged.items()[place].text();
            return Err(Error::BadPropensity { query: query.into(), item, got: 0.0 });
        }
        Ok(weighing.value(&ranked, &clicks, depth(plan, weighing.k, length)))
    }
}

/// The number of each row, and whether they are positions.
fn numbers(sides: &Sides) -> Option<(&[f64], bool)> {
    match &sides.known {
        Known::Propensities(numbers) => Some((numbers, false)),
        Known::Positions(numbers) => Some((numbers, true)),
        Known::Subtopics(_) => None,
    }
}
