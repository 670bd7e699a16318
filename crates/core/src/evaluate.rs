//! Many queries on many threads: the outcome is the same bit for bit whatever the number of threads.

use foldhash::fast::RandomState;
use rayon::prelude::*;

use crate::error::Error;
use crate::evaluation::{Counts, Evaluation, QueryIds};
use crate::ids::Interner;
use crate::items::{Column, Item};
use crate::measures::coverage::{ShownItems, identity};
use crate::outcomes::Outcomes;
use crate::plan::Plan;
use crate::query::Scratch;
use crate::rules::Missing;
use crate::table::{Items, Table};

/// Large enough that the outcomes of a piece are few allocations, small enough to keep every core busy.
pub(crate) const QUERIES_AT_ONCE: usize = 256;
/// Below this number of rows, waking another thread takes longer than the evaluation.
const FEW_ROWS: usize = 20_000;

/// Whether an evaluation runs on the thread that asks for it: it must not touch any other.
pub fn is_small(queries: usize, rows: usize) -> bool {
    queries <= QUERIES_AT_ONCE && rows <= FEW_ROWS
}

/// Evaluate a ranking that is held in memory.
pub fn evaluate_table(judgments: &Table, ranking: &Table, plan: &Plan) -> Result<Evaluation, Error> {
    match (judgments.items(), ranking.items()) {
        (Items::Text(judged), Items::Text(items)) => {
            evaluate_ranked(judgments, &**judged, &Typed(ranking, &**items), plan)
        }
        (Items::Views(judged), Items::Views(items)) => evaluate_ranked(judgments, judged, &Typed(ranking, items), plan),
        (Items::Whole(judged), Items::Whole(items)) => evaluate_ranked(judgments, judged, &Typed(ranking, items), plan),
        _ => evaluate_mixed(judgments, ranking, plan),
    }
}

/// Make the ids of both sides of one kind: numbers if all ids are, which is faster, otherwise text.
fn evaluate_mixed(judgments: &Table, ranking: &Table, plan: &Plan) -> Result<Evaluation, Error> {
    if let (Some(judgments), Some(ranking)) = (judgments.with_whole_items(), ranking.with_whole_items()) {
        return evaluate_table(&judgments, &ranking, plan);
    }
    let ((judgments, judged), (ranking, items)) = (judgments.with_text_items(), ranking.with_text_items());
    evaluate_ranked(&judgments, &*judged, &Typed(&ranking, &*items), plan)
}

/// The best rows of each query, which are known to be of different items, and how many more there are.
#[derive(Debug, Default)]
pub struct Excerpt<'a> {
    queries: Interner,
    starts: Vec<usize>,
    left_out: Vec<usize>,
    rows: Vec<(&'a [u8], f64)>,
}

impl<'a> Excerpt<'a> {
    /// Begin a query with the number of its rows that are too low to matter; none if it is known.
    pub fn query(&mut self, id: &[u8], left_out: usize) -> Option<()> {
        let known = self.left_out.len();
        if self.queries.intern(id) as usize != known {
            return None;
        }
        self.starts.push(self.rows.len());
        self.left_out.push(left_out);
        Some(())
    }

    pub fn row(&mut self, item: &'a [u8], score: f64) {
        self.rows.push((item, score));
    }
}

/// The queries of a ranking.
pub(crate) trait Queries: Sync {
    fn query_count(&self) -> usize;

    fn query_id(&self, query: u32) -> &[u8];

    fn find(&self, id: &[u8]) -> Option<u32>;
}

/// A ranking whose rows can be had query by query.
trait Ranked<I: Item>: Queries {
    fn load(&self, query: u32, scratch: &mut Scratch<I>);
}

impl Queries for Excerpt<'_> {
    fn query_count(&self) -> usize {
        self.left_out.len()
    }

    fn query_id(&self, query: u32) -> &[u8] {
        self.queries.ids().get(query as usize)
    }

    fn find(&self, id: &[u8]) -> Option<u32> {
        self.queries.find(id)
    }
}

impl<'a> Ranked<&'a [u8]> for Excerpt<'a> {
    fn load(&self, query: u32, scratch: &mut Scratch<&'a [u8]>) {
        let index = query as usize;
        let end = self.starts.get(index + 1).copied().unwrap_or(self.rows.len());
        scratch.load_best(&self.rows[self.starts[index]..end], self.left_out[index]);
    }
}

/// A table with its items, which are all of one kind.
struct Typed<'a, C>(&'a Table, &'a C);

impl<'a, C: Column<'a>> Queries for Typed<'a, C> {
    fn query_count(&self) -> usize {
        self.0.query_count()
    }

    fn query_id(&self, query: u32) -> &[u8] {
        self.0.query_id(query)
    }

    fn find(&self, id: &[u8]) -> Option<u32> {
        self.0.find(id)
    }
}

impl<'a, C: Column<'a>> Ranked<C::Item> for Typed<'a, C> {
    fn load(&self, query: u32, scratch: &mut Scratch<C::Item>) {
        self.0.load(self.1, query, scratch);
    }
}

/// Evaluate the best rows of a ranking; the plan's window says how many are needed.
pub fn evaluate_excerpt(judgments: &Table, ranking: &Excerpt<'_>, plan: &Plan) -> Result<Evaluation, Error> {
    let (judgments, judged) = judgments.with_text_items();
    evaluate_ranked(&judgments, &*judged, ranking, plan)
}

fn evaluate_ranked<'a, C: Column<'a>>(
    judgments: &'a Table,
    judged: &'a C,
    ranking: &impl Ranked<C::Item>,
    plan: &Plan,
) -> Result<Evaluation, Error> {
    // Rows that follow one another are read one after another, so queries go as they came.
    let ranked = common_queries(judgments, ranking);
    let load = |query: u32, scratch: &mut Scratch<C::Item>| ranking.load(query, scratch);
    let pieces = evaluate_pairs(judgments, judged, load, plan, &ranked).or_else(|_| {
        // Of several errors, the one to report is that of the first query by id.
        let find = |query| ranking.find(judgments.query_id(query)).map(|ranked_query| (query, ranked_query));
        let by_id: Vec<(u32, u32)> = judgments.sorted().iter().copied().filter_map(find).collect();
        evaluate_pairs(judgments, judged, load, plan, &by_id)
    })?;
    let places = pieces.iter().flat_map(|piece| (0..piece.facts.len()).map(move |index| (piece, index)));
    let known = ranked.iter().map(|&(query, _)| query).zip(places);
    let ignored = ranking.query_count() - ranked.len();
    conclude(judgments, judged, plan, known, ranking.query_count(), ignored)
}

/// The queries that both sides have, each by its number among the judged and among the ranked ones.
pub(crate) fn common_queries(judgments: &Table, ranking: &impl Queries) -> Vec<(u32, u32)> {
    // Both sides often have their queries in the same order: the one that follows is looked at first.
    let find = |next: &mut u32, query: u32| {
        let id = judgments.query_id(query);
        let is_next = (*next as usize) < ranking.query_count() && ranking.query_id(*next) == id;
        let ranked_query = if is_next { *next } else { ranking.find(id)? };
        *next = ranked_query + 1;
        Some((query, ranked_query))
    };
    let judged_queries = 0..judgments.query_count() as u32;
    if judged_queries.len() <= QUERIES_AT_ONCE {
        let mut next = 0;
        return judged_queries.filter_map(|query| find(&mut next, query)).collect();
    }
    judged_queries.into_par_iter().with_min_len(QUERIES_AT_ONCE).map_init(|| 0, find).flatten_iter().collect()
}

/// Evaluate queries, each given by its number among the judged and among the ranked ones, whose rows `load` loads.
pub(crate) fn evaluate_pairs<'a, C: Column<'a>>(
    judgments: &'a Table,
    judged: &'a C,
    load: impl Fn(u32, &mut Scratch<C::Item>) + Sync,
    plan: &Plan,
    queries: &[(u32, u32)],
) -> Result<Vec<Outcomes>, Error> {
    let state = RandomState::default();
    let begin = || Scratch::new(plan, state.clone());
    let evaluate = |scratch: &mut Scratch<C::Item>, piece: &[(u32, u32)]| {
        let mut outcomes = Outcomes::default();
        for &(query, ranked_query) in piece {
            load(ranked_query, scratch);
            let rows = judgments.rows(judged, query);
            scratch.evaluate(plan, judgments.query_id(query), rows, false, &mut outcomes)?;
        }
        Ok(outcomes)
    };
    if queries.len() <= QUERIES_AT_ONCE {
        // One piece needs no other thread, and waking one takes longer than a small piece.
        return Ok(vec![evaluate(&mut begin(), queries)?]);
    }
    let pieces: Vec<Result<Outcomes, Error>> = queries.par_chunks(QUERIES_AT_ONCE).map_init(begin, evaluate).collect();
    pieces.into_iter().collect()
}

/// Put the outcomes in the order of the query ids, with those of the missing queries, and count.
pub(crate) fn conclude<'a, 'o, C: Column<'a>>(
    judgments: &'a Table,
    judged: &'a C,
    plan: &Plan,
    known: impl Iterator<Item = (u32, (&'o Outcomes, usize))>,
    ranked: usize,
    ignored: usize,
) -> Result<Evaluation, Error> {
    let mut places: Vec<Option<(&Outcomes, usize)>> = vec![None; judgments.query_count()];
    let mut counts = no_counts(plan);
    let mut missing = judgments.query_count();
    for (query, (outcomes, index)) in known {
        places[query as usize] = Some((outcomes, index));
        add_facts(&mut counts, outcomes, index);
        missing -= 1;
    }
    let mut scratch = Scratch::new(plan, RandomState::default());
    let mut queries = Vec::new();
    let mut all = Outcomes::default();
    for &query in judgments.sorted() {
        let id = judgments.query_id(query);
        match (places[query as usize], plan.rules.missing) {
            (Some((outcomes, index)), _) => all.push_values_from(outcomes, index, plan),
            (None, Missing::Zero) => {
                scratch.evaluate(plan, id, judgments.rows(judged, query), true, &mut all)?;
            }
            (None, Missing::Skip) => {
                scratch.check_judged(plan, id, judgments.rows(judged, query))?;
                continue;
            }
            (None, Missing::Error) => return Err(Error::MissingQuery { query: id.into() }),
        }
        queries.push(query);
    }
    // The facts here are those of missing queries.
    (0..all.facts.len()).for_each(|index| add_facts(&mut counts, &all, index));
    let counts = Counts { judged: judgments.query_count(), ranked, missing, ignored, ..counts };
    let mut evaluation = Evaluation {
        header: plan.header.clone(),
        queries: QueryIds::Judged { ids: judgments.query_ids().clone(), queries },
        query_kind: judgments.kinds().queries,
        shown: shown(&all, plan, judgments, judged),
        values: all.values,
        letters: all.letters,
        counts,
        run: None,
    };
    evaluation.cover();
    Ok(evaluation)
}

/// Which items are shown and judged, where a measure asks.
fn shown<'a, C: Column<'a>>(all: &Outcomes, plan: &Plan, judgments: &'a Table, judged: &'a C) -> Option<ShownItems> {
    let mut shown = plan.header.has_coverage().then(ShownItems::default)?;
    all.shown.iter().for_each(|items| shown.push(items));
    // A catalogue whose size is not given has all judged items.
    if plan.header.columns.iter().any(|column| column.coverage.is_some_and(|(_, items)| items <= 0.0)) {
        for query in 0..judgments.query_count() as u32 {
            shown.judged.extend(judgments.rows(judged, query).map(|(item, _)| identity(&item.text())));
        }
    }
    Some(shown)
}

pub(crate) fn count(all: &Outcomes, plan: &Plan) -> Counts {
    let mut counts = no_counts(plan);
    (0..all.facts.len()).for_each(|index| add_facts(&mut counts, all, index));
    counts
}

fn no_counts(plan: &Plan) -> Counts {
    Counts { unjudged: vec![(0, 0); plan.cutoffs.len()], ..Counts::default() }
}

/// Count the facts of one query.
fn add_facts(counts: &mut Counts, outcomes: &Outcomes, index: usize) {
    let facts = outcomes.facts[index];
    counts.empty += usize::from(facts.empty);
    counts.blank += usize::from(facts.blank);
    counts.short += usize::from(facts.short);
    counts.tied += usize::from(facts.tied);
    counts.merged += usize::from(facts.merged);
    counts.dropped += u64::from(facts.dropped);
    let cutoffs = counts.unjudged.len();
    for (sum, &(items, ranks)) in counts.unjudged.iter_mut().zip(&outcomes.unjudged[index * cutoffs..]) {
        *sum = (sum.0 + u64::from(items), sum.1 + u64::from(ranks));
    }
}
