//! Which share of a catalogue is shown to anyone.

use std::collections::HashSet;

use crate::items::{Column, Item};
use crate::outcomes::Outcomes;
use crate::plan::{Plan, Slot};
use crate::table::Table;

/// Write the values of coverage, which no query has alone: the share of the catalogue that each adds to those before.
pub fn cover<'a, C: Column<'a> + ?Sized>(all: &mut Outcomes, plan: &Plan, judgments: &'a Table, judged: &'a C) {
    let slots = plan.slots.len();
    for (at, slot) in plan.slots.iter().enumerate() {
        let Slot::Catalogue { k, items } = slot else { continue };
        let mut known: HashSet<u128> = HashSet::new();
        let mut added = Vec::with_capacity(all.shown.len());
        for shown in &all.shown {
            let before = known.len();
            known.extend(&shown[..k.unwrap_or(usize::MAX).min(shown.len())]);
            added.push((known.len() - before) as f64);
        }
        // A catalogue is no smaller than what is shown of it.
        let whole = if *items > 0.0 {
            items.max(known.len() as f64)
        } else {
            with_judged(known, plan, judgments, judged) as f64
        };
        for (query, added) in added.into_iter().enumerate() {
            all.values[query * slots + at] = if whole > 0.0 { added / whole } else { 0.0 };
        }
    }
}

/// How many items are shown or judged.
fn with_judged<'a, C: Column<'a> + ?Sized>(
    mut known: HashSet<u128>,
    plan: &Plan,
    judgments: &'a Table,
    judged: &'a C,
) -> usize {
    for query in 0..judgments.query_count() as u32 {
        known.extend(judgments.rows(judged, query).map(|(item, _)| plan.identity(&item.text())));
    }
    known.len()
}
