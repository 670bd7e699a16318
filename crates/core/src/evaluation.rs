//! The outcome of an evaluation: values per query and measure, and counts of the data. It can be merged with
//! evaluations of other queries, and written as bytes.

use std::borrow::Cow;
use std::sync::Arc;

use crate::bytes::{Reader, Writer};
use crate::error::Error;
use crate::evaluation_header::Header;
use crate::id_kinds::IdKind;
use crate::ids::{Ids, Interner};
use crate::measures::coverage::{ShownItems, cover};

/// Counts of the data: of queries; for dropped items, and unjudged items and ranks per cutoff, of rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    pub judged: usize,
    pub ranked: usize,
    pub missing: usize,
    pub ignored: usize,
    pub empty: usize,
    pub blank: usize,
    pub short: usize,
    pub tied: usize,
    pub dropped: u64,
    pub unjudged: Vec<(u64, u64)>,
    /// Places in arrays without an item.
    pub absent: u64,
    /// Queries in which distinct scores became equal.
    pub merged: usize,
    /// Those of the absent places that have a label, but NaN for a score.
    pub unscored: u64,
    /// Items in arrays whose score is -inf.
    pub lowest: u64,
}

/// How many counts there are that are not by cutoff.
const FLAT: usize = 13;

impl Counts {
    pub fn add(&mut self, other: &Counts) {
        let sums = self.flat().into_iter().zip(other.flat()).map(|(sum, count)| sum.saturating_add(count));
        let pairs = self.unjudged.iter().zip(&other.unjudged);
        let unjudged = pairs.map(|(sum, count)| (sum.0.saturating_add(count.0), sum.1.saturating_add(count.1)));
        let unjudged = unjudged.collect();
        let mut flat = [0; FLAT];
        flat.iter_mut().zip(sums).for_each(|(count, sum)| *count = sum);
        *self = Counts::from_flat(flat, unjudged);
    }

    fn from_flat(flat: [usize; FLAT], unjudged: Vec<(u64, u64)>) -> Self {
        let [judged, ranked, missing, ignored, empty, blank, short, tied, merged, places @ ..] = flat;
        let [dropped, absent, unscored, lowest] = places.map(|count| count as u64);
        Counts {
            judged,
            ranked,
            missing,
            ignored,
            empty,
            blank,
            short,
            tied,
            dropped,
            unjudged,
            absent,
            merged,
            unscored,
            lowest,
        }
    }

    /// The counts that are not by cutoff: of queries, then of items and places.
    pub fn flat(&self) -> [usize; FLAT] {
        let Counts { judged, ranked, missing, ignored, empty, blank, short, tied, merged, .. } = *self;
        let [dropped, absent, unscored, lowest] =
            [self.dropped, self.absent, self.unscored, self.lowest].map(|count| count as usize);
        [judged, ranked, missing, ignored, empty, blank, short, tied, merged, dropped, absent, unscored, lowest]
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        self.flat().into_iter().for_each(|count| writer.count(count));
        for &(items, ranks) in &self.unjudged {
            writer.count(items as usize);
            writer.count(ranks as usize);
        }
    }

    pub(crate) fn read(reader: &mut Reader<'_>, cutoffs: usize) -> Result<Self, Error> {
        let mut flat = [0; FLAT];
        for count in &mut flat {
            *count = reader.count()?;
        }
        let pair = |_| Ok((reader.count()? as u64, reader.count()? as u64));
        let unjudged = (0..cutoffs).map(pair).collect::<Result<_, Error>>()?;
        Ok(Counts::from_flat(flat, unjudged))
    }
}

/// The ids of evaluated queries.
#[derive(Debug, Clone)]
pub enum QueryIds {
    /// Some of the judged queries.
    Judged {
        ids: Arc<Interner>,
        queries: Vec<u32>,
    },
    Held(Ids),
    /// `0`, `1`, `2`, …: queries of arrays.
    Numbered(usize),
}

impl QueryIds {
    pub fn len(&self) -> usize {
        match self {
            QueryIds::Judged { queries, .. } => queries.len(),
            QueryIds::Held(ids) => ids.len(),
            QueryIds::Numbered(count) => *count,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn get(&self, index: usize) -> Cow<'_, [u8]> {
        match self {
            QueryIds::Judged { ids, queries } => Cow::Borrowed(ids.ids().get(queries[index] as usize)),
            QueryIds::Held(ids) => Cow::Borrowed(ids.get(index)),
            QueryIds::Numbered(_) => Cow::Owned(itoa::Buffer::new().format(index).as_bytes().to_vec()),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, [u8]>> {
        (0..self.len()).map(|index| self.get(index))
    }
}

/// The evaluated queries, in the bytewise order of their ids (those of arrays as they came), and what came out.
#[derive(Debug, Clone)]
pub struct Evaluation {
    pub header: Arc<Header>,
    pub queries: QueryIds,
    /// What the ids of the judged queries were before they became text.
    pub query_kind: IdKind,
    /// One value per query and measure.
    pub values: Vec<f64>,
    /// The texts of the queries end to end.
    pub letters: Vec<u8>,
    pub counts: Counts,
    /// Which items are shown, where a measure asks.
    pub shown: Option<ShownItems>,
    /// The name of the run that a TREC file bears.
    pub run: Option<String>,
}

const KIND: [u8; 4] = *b"rgev";
/// From version 3 on, it ends with how it is shown.
const VERSION: u32 = 3;
const OLDEST: u32 = 2;

impl Evaluation {
    /// The values of a measure, by query.
    pub fn column(&self, measure: usize) -> impl Iterator<Item = f64> {
        self.values.iter().skip(measure).step_by(self.header.columns.len().max(1)).copied()
    }

    /// Put evaluations of different queries together; the order in which they come changes nothing.
    pub fn merge(parts: &[&Evaluation]) -> Result<Evaluation, Error> {
        let Some((first, others)) = parts.split_first() else {
            return Err(Error::BadBytes { reason: "no evaluation at all" });
        };
        others.iter().try_for_each(|other| first.header.require_same(&other.header))?;
        let mut order: Vec<(Cow<'_, [u8]>, usize, usize)> = parts
            .iter()
            .enumerate()
            .flat_map(|(part, evaluation)| {
                evaluation.queries.iter().enumerate().map(move |(index, id)| (id, part, index))
            })
            .collect();
        order.sort(); // runs that are in order already make it a merge
        if let Some(pair) = order.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(Error::SameQuery { query: pair[0].0.to_vec() });
        }
        let (measures, letters) = (first.header.columns.len(), first.header.letters());
        let mut merged = Evaluation {
            header: first.header.clone(),
            queries: QueryIds::Numbered(0),
            query_kind: common_kind(parts),
            values: Vec::with_capacity(order.len() * measures),
            letters: Vec::with_capacity(order.len() * letters),
            counts: first.counts.clone(),
            shown: first.shown.as_ref().map(|_| ShownItems::default()),
            run: parts.iter().filter_map(|part| part.run.clone()).min(),
        };
        let mut ids = Ids::default();
        for (id, part, index) in &order {
            let part = parts[*part];
            ids.push(id);
            merged.values.extend_from_slice(&part.values[index * measures..][..measures]);
            merged.letters.extend_from_slice(&part.letters[index * letters..][..letters]);
            if let (Some(all), Some(part_shown)) = (&mut merged.shown, &part.shown) {
                all.push(part_shown.of(*index));
            }
        }
        merged.queries = QueryIds::Held(ids);
        others.iter().for_each(|other| merged.counts.add(&other.counts));
        if let Some(all) = &mut merged.shown {
            all.take_judged(parts.iter().filter_map(|part| part.shown.as_ref()));
        }
        merged.cover();
        Ok(merged)
    }

    /// Compute the values of coverage, which depend on all queries.
    pub(crate) fn cover(&mut self) {
        if let Some(shown) = &mut self.shown {
            cover(&self.header.columns, shown, &mut self.values);
        }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = self.content();
        writer.text(self.header.asked.as_bytes());
        writer.flag(self.query_kind.flag());
        writer.finish()
    }

    /// What evaluations are compared by: everything but how it is shown.
    fn content(&self) -> Writer {
        let mut writer = Writer::new(KIND, VERSION);
        self.header.write(&mut writer);
        write_run(&mut writer, self.run.as_deref());
        self.counts.write(&mut writer);
        writer.count(self.queries.len());
        self.queries.iter().for_each(|id| writer.text(&id));
        writer.floats(&self.values);
        writer.text(&self.letters);
        if let Some(shown) = &self.shown {
            shown.write(&mut writer);
        }
        writer
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (mut reader, version) = Reader::open_any(bytes, KIND, OLDEST..=VERSION)?;
        let mut header = Header::read(&mut reader)?;
        let run = read_run(&mut reader)?;
        let counts = Counts::read(&mut reader, header.cutoffs)?;
        let mut ids = Ids::default();
        for _ in 0..reader.length(8)? {
            ids.push(reader.text()?);
        }
        let (values, letters) = (reader.floats()?, reader.text()?.to_vec());
        let fits = values.len() == ids.len() * header.columns.len() && letters.len() == ids.len() * header.letters();
        if !fits {
            return Err(Error::BadBytes { reason: "as many values as queries and measures do not have" });
        }
        let shown = match header.has_coverage() {
            true => Some(ShownItems::read(&mut reader, ids.len())?),
            false => None,
        };
        let mut query_kind = IdKind::default();
        if version > OLDEST {
            header.asked = reader.utf8()?.into();
            query_kind = reader.id_kind()?.of_all(ids.iter());
        }
        reader.finish()?;
        let (header, queries) = (Arc::new(header), QueryIds::Held(ids));
        let mut evaluation = Evaluation { header, queries, query_kind, values, letters, counts, shown, run };
        evaluation.cover();
        Ok(evaluation)
    }
}

impl PartialEq for Evaluation {
    /// Equal bit for bit; NaN equals NaN. How it is shown makes no difference.
    fn eq(&self, other: &Self) -> bool {
        self.content().finish() == other.content().finish()
    }
}

/// What the ids of all judged queries were; evaluations without any have no say.
fn common_kind(parts: &[&Evaluation]) -> IdKind {
    IdKind::common(parts.iter().filter(|part| part.counts.judged > 0).map(|part| part.query_kind))
}

pub(crate) fn write_run(writer: &mut Writer, run: Option<&str>) {
    writer.count(usize::from(run.is_some()));
    writer.text(run.unwrap_or_default().as_bytes());
}

pub(crate) fn read_run(reader: &mut Reader<'_>) -> Result<Option<String>, Error> {
    let has = reader.count()? == 1;
    let run = String::from_utf8_lossy(reader.text()?).into_owned();
    Ok(has.then_some(run))
}
