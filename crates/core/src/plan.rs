//! The plan: which sums the requested measures need, each once, and the rules of the convention.

use std::sync::Arc;

use crate::annotations::Annotations;
use crate::discount::Discount;
use crate::evaluation_header::{Aggregate, Column, Header};
use crate::gain::Gain;
use crate::measures::clicks::Clicks;
use crate::measures::counted::{Counted, RelevanceRule};
use crate::measures::diversity::Diversity;
use crate::measures::gains::{End, Form, Gains, Ideal};
use crate::measures::graded::Graded;
use crate::rules::{DefaultCutoff, NothingRelevant, OwnId, Rules};

/// A requested measure with everything given.
#[derive(Debug, Clone)]
pub enum Measure {
    Gains(Gains),
    Counted(Counted),
    Graded(Graded),
    Diversity(Diversity),
    Clicks(Clicks),
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
            Measure::Counted(counted) => counted.k,
            Measure::Graded(graded) => graded.k,
            Measure::Diversity(diversity) => diversity.k,
            Measure::Clicks(clicks) => clicks.k,
            Measure::Coverage { k, .. } => *k,
            Measure::Letters { count } => Some(*count),
        }
    }
}

/// A measure of a request, and how its values become one number.
#[derive(Debug, Clone)]
pub struct Requested {
    pub measure: Measure,
    pub aggregate: Aggregate,
    /// Whether queries without a value are left out, whatever the rules say.
    pub skips: bool,
}

/// What is asked: measures, the answers of a convention, and the text form of both.
#[derive(Debug, Clone)]
pub struct Request {
    pub text: String,
    /// The text form with the names of measures as they were typed.
    pub asked: String,
    pub measures: Vec<Requested>,
    pub rules: Rules,
}

impl Request {
    fn header(&self, cutoffs: usize) -> Header {
        let skips_all = self.rules.nothing_relevant == NothingRelevant::Skip;
        let column = |requested: &Requested| Column {
            aggregate: requested.aggregate,
            skips: requested.skips || skips_all,
            letters: if let Measure::Letters { count } = requested.measure { count } else { 0 },
            coverage: if let Measure::Coverage { k, items } = requested.measure { Some((k, items)) } else { None },
        };
        let columns = self.measures.iter().map(column).collect();
        Header { request: self.text.clone(), asked: self.asked.clone(), columns, cutoffs }
    }
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

/// How the value of a measure is read from running sums.
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
    Gains(Reading),
    /// With the index of its relevance rule.
    Counted(Counted, usize),
    /// With the index of its gain.
    Graded(Graded, usize),
    Diversity(Diversity),
    Clicks(Clicks),
    Coverage {
        k: Option<usize>,
        items: f64,
    },
    /// It has a text instead of a value.
    Letters(usize),
}

impl Slot {
    pub fn k(&self) -> Option<usize> {
        match self {
            Slot::Gains(reading) => reading.k,
            Slot::Counted(counted, _) => counted.k,
            Slot::Graded(graded, _) => graded.k,
            Slot::Diversity(diversity) => diversity.k,
            Slot::Clicks(clicks) => clicks.k,
            Slot::Coverage { k, .. } => *k,
            Slot::Letters(count) => Some(*count),
        }
    }

    fn looks_at_all(&self) -> bool {
        match self {
            Slot::Gains(reading) => reading.form.looks_at_all() || reading.bound.is_some(),
            Slot::Counted(counted, _) => counted.whole || counted.relevance.ranked,
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
    /// Where the value of each requested measure comes from, in the order of the request.
    pub slots: Vec<Slot>,
    /// The distinct relevance rules of the measures that count.
    pub relevance_rules: Vec<RelevanceRule>,
    /// Whether a measure looks at the order of the grades.
    pub ordered: bool,
    /// The distinct cutoffs of the measures, smallest first, none last.
    pub cutoffs: Vec<Option<usize>>,
    /// Ranks below this one change nothing but the length of the ranking; at least 1.
    pub window: usize,
    /// Whether a measure looks at all ranks, whatever its cutoff.
    pub whole: bool,
    /// The request that the evaluations of this plan answer.
    pub header: Arc<Header>,
    /// How many letters the texts of a query have.
    pub letters: usize,
    /// What the judgments say beside the grades.
    pub annotations: Option<Arc<Annotations>>,
    /// How many of the first ranks show their items.
    pub shown: usize,
}

impl Plan {
    pub fn new(request: &Request) -> Self {
        let measures: Vec<&Measure> = request.measures.iter().map(|requested| &requested.measure).collect();
        let mut plan = Plan {
            rules: request.rules,
            gains: Vec::new(),
            discounts: Vec::new(),
            tracks: Vec::new(),
            slots: Vec::new(),
            relevance_rules: Vec::new(),
            ordered: false,
            cutoffs: measures.iter().map(|measure| measure.k()).collect(),
            window: usize::MAX,
            whole: false,
            header: Arc::default(),
            letters: 0,
            annotations: None,
            shown: 0,
        };
        plan.cutoffs.sort_unstable_by_key(|k| k.unwrap_or(usize::MAX));
        plan.cutoffs.dedup();
        for measure in measures {
            let slot = match measure {
                Measure::Gains(gains) => Slot::Gains(plan.add(gains)),
                Measure::Counted(counted) => {
                    Slot::Counted(counted.clone(), position(&mut plan.relevance_rules, &counted.relevance))
                }
                Measure::Graded(graded) => Slot::Graded(graded.clone(), position(&mut plan.gains, &graded.gain)),
                Measure::Diversity(diversity) => Slot::Diversity(diversity.clone()),
                Measure::Clicks(clicks) => Slot::Clicks(clicks.clone()),
                Measure::Coverage { k, items } => Slot::Coverage { k: *k, items: *items },
                Measure::Letters { count } => Slot::Letters(*count),
            };
            plan.slots.push(slot);
        }
        plan.whole = plan.slots.iter().any(Slot::looks_at_all);
        plan.ordered = plan.slots.iter().any(|slot| matches!(slot, Slot::Counted(counted, _) if counted.ordered));
        plan.letters = plan.slots.iter().map(|slot| if let Slot::Letters(count) = slot { *count } else { 0 }).sum();
        let shown = plan.slots.iter().filter(|slot| matches!(slot, Slot::Coverage { .. }));
        plan.shown = shown.map(|slot| slot.k().unwrap_or(usize::MAX)).max().unwrap_or(0);
        plan.window = plan.lowest_rank().max(1);
        plan.header = Arc::new(request.header(plan.cutoffs.len()));
        plan
    }

    /// The plan for items that are all judged and all ranked: their best order is that of the judged ones.
    pub fn for_arrays(mut request: Request) -> Self {
        if !request.rules.drops() && request.rules.depth.is_none() {
            for requested in &mut request.measures {
                match &mut requested.measure {
                    Measure::Gains(gains) if gains.ideal == Ideal::Ranked => gains.ideal = Ideal::ListLength,
                    Measure::Counted(counted) => counted.relevance.ranked = false,
                    _ => {}
                }
            }
        }
        Plan::new(&request)
    }

    /// How many of the best rows of a query decide its values: one more where the item with its own id is removed.
    pub fn rows_needed(&self) -> usize {
        self.window.saturating_add(usize::from(self.rules.own_id == OwnId::Drop))
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

    /// The measures that are sums.
    pub fn readings(&self) -> impl Iterator<Item = &Reading> {
        self.slots.iter().filter_map(|slot| match slot {
            Slot::Gains(reading) => Some(reading),
            _ => None,
        })
    }

    /// The measures of a gain that are no sums, with their indices.
    pub fn gradings(&self, gain: usize) -> impl Iterator<Item = (usize, &Graded)> {
        self.slots.iter().enumerate().filter_map(move |(index, slot)| match slot {
            Slot::Graded(graded, graded_gain) if *graded_gain == gain => Some((index, graded)),
            _ => None,
        })
    }

    /// The bounds of sums of a gain, with their indices.
    pub fn bounds(&self, gain: usize) -> impl Iterator<Item = (usize, &Reading)> {
        self.slots.iter().enumerate().filter_map(move |(index, slot)| match slot {
            Slot::Gains(reading) if reading.bound.is_some() && reading.gain == gain => Some((index, reading)),
            _ => None,
        })
    }

    /// Whether any sum adds up gains from this source.
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

/// The index of a value in a list of distinct values, added if it is new.
fn position<T: PartialEq + Clone>(values: &mut Vec<T>, value: &T) -> usize {
    values.iter().position(|other| other == value).unwrap_or_else(|| {
        values.push(value.clone());
        values.len() - 1
    })
}
