//! The plan: which sums the requested measures need, each once, and the rules of the convention.

use std::sync::Arc;

use foldhash::fast::RandomState;

use crate::discount::Discount;
use crate::gain::Gain;
use crate::ids::hash_id;
use crate::measures::counted::Counting;
use crate::measures::diversity::Covering;
use crate::measures::graded::Grading;
use crate::measures::logged::Weighing;
use crate::rules::{DefaultCutoff, Rules};
use crate::sides::Sides;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ideal {
    Judged,
    Uncut,
    Ranked,
    Top,
    ListLength,
    Perfect { top: f64 },
}

/// What a measure returns: a sum, or the ratio of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Actual,
    Ideal,
    Ratio,
    /// The ratio that is expected of a random order of the ranked items.
    Random,
    /// How much better than random the ratio is, as a share of what is possible.
    Corrected,
}

impl Form {
    /// Whether it is divided by the ideal.
    pub fn divides(self) -> bool {
        matches!(self, Form::Ratio | Form::Random | Form::Corrected)
    }

    /// Whether it looks at all ranks, whatever its cutoff.
    fn looks_at_all(self) -> bool {
        matches!(self, Form::Random | Form::Corrected)
    }
}

/// Which end of what unjudged items allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Low,
    High,
}

/// A requested measure with everything given.
#[derive(Debug, Clone)]
pub enum Measure {
    Gains(Gains),
    Counted(Counting),
    Graded(Grading),
    Diverse(Covering),
    Logged(Weighing),
    /// The share of a catalogue that is shown; without its size, of all that is judged or shown.
    Coverage {
        k: Option<usize>,
        items: f64,
    },
    /// The grades of the first ranks as a text of one letter each.
    Letters {
        count: usize,
    },
}

impl Measure {
    fn k(&self) -> Option<usize> {
        match self {
            Measure::Gains(gains) => gains.k,
            Measure::Counted(counting) => counting.k,
            Measure::Graded(grading) => grading.k,
            Measure::Diverse(covering) => covering.k,
            Measure::Logged(weighing) => weighing.k,
            Measure::Coverage { k, .. } => *k,
            Measure::Letters { count } => Some(*count),
        }
    }
}

/// A sum of gain times discount.
#[derive(Debug, Clone)]
pub struct Gains {
    pub form: Form,
    pub k: Option<usize>,
    pub gain: Gain,
    pub discount: Discount,
    pub ideal: Ideal,
    pub bound: Option<End>,
}

/// Which gains a running sum adds up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Source {
    /// By rank.
    Ranked,
    /// All judged items, best first.
    BestJudged,
    /// The ranked items, best first.
    BestRanked,
    /// The items in the ranks down to a cutoff, best first.
    BestTop(Option<usize>),
    /// The same gain at every rank.
    Constant(f64),
}

/// A running sum over ranks: where its gains come from and how they are weighted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Track {
    pub gain: usize,
    pub discount: usize,
    pub source: Source,
}

/// A measure as a reading of running sums.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    pub form: Form,
    pub k: Option<usize>,
    pub gain: usize,
    pub discount: usize,
    pub ideal: Ideal,
    pub actual_track: usize,
    pub ideal_track: usize,
    pub bound: Option<End>,
}

/// Where the value of a measure comes from.
#[derive(Debug, Clone)]
pub enum Slot {
    Sum(Reading),
    /// With the place of its relevance level.
    Count(Counting, usize),
    /// With the place of its gain.
    Grade(Grading, usize),
    Cover(Covering),
    Weigh(Weighing),
    Catalogue {
        k: Option<usize>,
        items: f64,
    },
    /// It has a text instead of a value.
    Letters(usize),
}

impl Slot {
    pub fn k(&self) -> Option<usize> {
        match self {
            Slot::Sum(reading) => reading.k,
            Slot::Count(counting, _) => counting.k,
            Slot::Grade(grading, _) => grading.k,
            Slot::Cover(covering) => covering.k,
            Slot::Weigh(weighing) => weighing.k,
            Slot::Catalogue { k, .. } => *k,
            Slot::Letters(count) => Some(*count),
        }
    }

    fn looks_at_all(&self) -> bool {
        match self {
            Slot::Sum(reading) => reading.form.looks_at_all() || reading.bound.is_some(),
            Slot::Count(counting, _) => counting.whole,
            _ => false,
        }
    }
}

/// Everything that one pass over the queries needs to know.
#[derive(Debug, Clone)]
pub struct Plan {
    pub rules: Rules,
    pub gains: Vec<Gain>,
    pub discounts: Vec<Discount>,
    pub tracks: Vec<Track>,
    /// What each requested measure is read off, in their order.
    pub slots: Vec<Slot>,
    /// The distinct relevance levels of what is counted.
    pub levels: Vec<f64>,
    /// The distinct cutoffs of the measures, smallest first, none last.
    pub cutoffs: Vec<Option<usize>>,
    /// Ranks below this one change nothing but the length of the ranking; at least 1.
    pub window: usize,
    /// Whether a measure looks at all ranks, whatever its cutoff.
    pub whole: bool,
    /// How many letters the texts of a query have.
    pub letters: usize,
    /// What the judgments say beside the grades.
    pub sides: Option<Arc<Sides>>,
    /// How many of the first ranks matter for which items are shown.
    pub shown: usize,
    identities: [RandomState; 2],
}

impl Plan {
    pub fn new(measures: &[Measure], rules: Rules) -> Self {
        let mut plan = Plan {
            rules,
            gains: Vec::new(),
            discounts: Vec::new(),
            tracks: Vec::new(),
            slots: Vec::new(),
            levels: Vec::new(),
            cutoffs: measures.iter().map(Measure::k).collect(),
            window: usize::MAX,
            whole: false,
            letters: 0,
            sides: None,
            shown: 0,
            identities: [RandomState::default(), RandomState::default()],
        };
        plan.cutoffs.sort_unstable_by_key(|k| k.unwrap_or(usize::MAX));
        plan.cutoffs.dedup();
        for measure in measures {
            let slot = match measure {
                Measure::Gains(gains) => Slot::Sum(plan.add(gains)),
                Measure::Counted(counting) => {
                    Slot::Count(counting.clone(), position(&mut plan.levels, &counting.level))
                }
                Measure::Graded(grading) => Slot::Grade(grading.clone(), position(&mut plan.gains, &grading.gain)),
                Measure::Diverse(covering) => Slot::Cover(covering.clone()),
                Measure::Logged(weighing) => Slot::Weigh(weighing.clone()),
                Measure::Coverage { k, items } => Slot::Catalogue { k: *k, items: *items },
                Measure::Letters { count } => Slot::Letters(*count),
            };
            plan.slots.push(slot);
        }
        plan.whole = plan.slots.iter().any(Slot::looks_at_all);
        plan.letters = plan.slots.iter().map(|slot| if let Slot::Letters(count) = slot { *count } else { 0 }).sum();
        let shown = plan.slots.iter().filter(|slot| matches!(slot, Slot::Catalogue { .. }));
        plan.shown = shown.map(|slot| slot.k().unwrap_or(usize::MAX)).max().unwrap_or(0);
        plan.window = plan.lowest_rank().max(1);
        plan
    }

    /// The plan for items that are all judged and all ranked: their best order is that of the judged ones.
    pub fn aligned(mut measures: Vec<Measure>, rules: Rules) -> Self {
        if !rules.drops() && rules.depth.is_none() {
            for measure in &mut measures {
                match measure {
                    Measure::Gains(gains) if gains.ideal == Ideal::Ranked => gains.ideal = Ideal::ListLength,
                    _ => {}
                }
            }
        }
        Plan::new(&measures, rules)
    }

    /// The lowest rank that a sum or a count looks at.
    fn lowest_rank(&self) -> usize {
        let deepest = self.cutoffs.iter().map(|k| k.unwrap_or(usize::MAX)).max().unwrap_or(0);
        // Dropped items make others move up, and the best order of the ranked items needs them all.
        let needs_all = self.rules.drops() || self.needs(Source::BestRanked) || self.whole;
        let lowest = if needs_all { usize::MAX } else { deepest };
        lowest.min(self.rules.depth.unwrap_or(usize::MAX))
    }

    fn add(&mut self, measure: &Gains) -> Reading {
        let gain = position(&mut self.gains, &measure.gain);
        let discount = position(&mut self.discounts, &measure.discount);
        let best = match measure.ideal {
            Ideal::Judged | Ideal::Uncut | Ideal::ListLength => Source::BestJudged,
            Ideal::Ranked => Source::BestRanked,
            Ideal::Top => Source::BestTop(measure.k),
            Ideal::Perfect { top } => Source::Constant(top),
        };
        // A plain sum needs one track; a ratio needs both.
        let actual = Track { gain, discount, source: Source::Ranked };
        let ideal = Track { gain, discount, source: best };
        let actual = if measure.form == Form::Ideal { ideal } else { actual };
        let ideal = if measure.form == Form::Actual { actual } else { ideal };
        Reading {
            form: measure.form,
            k: measure.k,
            gain,
            discount,
            ideal: measure.ideal,
            actual_track: position(&mut self.tracks, &actual),
            ideal_track: position(&mut self.tracks, &ideal),
            bound: measure.bound,
        }
    }

    /// What tells an item from all others: 128 bits of hash, which no two items share.
    pub fn identity(&self, item: &[u8]) -> u128 {
        let [high, low] = self.identities.each_ref().map(|state| u128::from(hash_id(state, item)));
        high << 64 | low
    }

    /// The measures that are sums.
    pub fn readings(&self) -> impl Iterator<Item = &Reading> {
        self.slots.iter().filter_map(|slot| match slot {
            Slot::Sum(reading) => Some(reading),
            _ => None,
        })
    }

    /// The measures of a gain that are no sums, with their places.
    pub fn gradings(&self, gain: usize) -> impl Iterator<Item = (usize, &Grading)> {
        self.slots.iter().enumerate().filter_map(move |(at, slot)| match slot {
            Slot::Grade(grading, of) if *of == gain => Some((at, grading)),
            _ => None,
        })
    }

    /// The bounds of sums of a gain, with their places.
    pub fn bounds(&self, gain: usize) -> impl Iterator<Item = (usize, &Reading)> {
        self.slots.iter().enumerate().filter_map(move |(at, slot)| match slot {
            Slot::Sum(reading) if reading.bound.is_some() && reading.gain == gain => Some((at, reading)),
            _ => None,
        })
    }

    /// Whether any sum adds up gains from there.
    pub fn needs(&self, source: Source) -> bool {
        self.tracks.iter().any(|track| track.source == source)
    }

    /// The cutoff of a measure for a ranking of this length; `usize::MAX` cuts nothing.
    pub fn cutoff(&self, k: Option<usize>, length: usize) -> usize {
        match (k, self.rules.default_cutoff) {
            (Some(k), _) | (None, DefaultCutoff::At(k)) => k,
            (None, DefaultCutoff::List) => length,
            (None, DefaultCutoff::All) => usize::MAX,
        }
    }

    /// The lowest rank of the ideal that is read off a track.
    pub fn deepest_ideal(&self, track: usize, length: usize) -> usize {
        let users = self.readings().filter(|reading| reading.ideal_track == track);
        users.map(|reading| self.ideal_cutoff(reading, length)).max().unwrap_or(0)
    }

    /// Where the ideal is cut.
    pub fn ideal_cutoff(&self, reading: &Reading, length: usize) -> usize {
        let k = self.cutoff(reading.k, length);
        match reading.ideal {
            Ideal::Uncut => usize::MAX,
            Ideal::Ranked | Ideal::Top | Ideal::ListLength => k.min(length),
            Ideal::Perfect { .. } if k == usize::MAX => length,
            Ideal::Judged | Ideal::Perfect { .. } => k,
        }
    }
}

/// The place of a value in a list of distinct values, added if it is new.
fn position<T: PartialEq + Clone>(known: &mut Vec<T>, value: &T) -> usize {
    known.iter().position(|other| other == value).unwrap_or_else(|| {
        known.push(value.clone());
        known.len() - 1
    })
}
