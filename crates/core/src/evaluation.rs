//! The outcome of an evaluation: values per query and measure, and counts of the data. It can be merged with
//! evaluations of other queries, and written as bytes.

use std::borrow::Cow;
use std::sync::Arc;

use crate::bytes::{Reader, Writer};
use crate::error::Error;
use crate::ids::{Ids, Interner};
use crate::measures::coverage::{Shown, cover};

/// How the values of queries become one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregate {
    Mean,
    Sum,
    Geometric,
    /// A mean that is weighted by the values of another measure.
    Weighted {
        by: usize,
    },
    /// Of all queries together: the share of a catalogue.
    Union,
}

/// What an evaluation needs to know of a measure after its values are computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub aggregate: Aggregate,
    /// Whether queries whose value is NaN are left out.
    pub skips: bool,
    /// How many letters its text has; 0 for a measure with a number.
    pub letters: usize,
    /// The cutoff and the size of the catalogue of a measure of coverage.
    pub coverage: Option<(Option<usize>, f64)>,
}

/// What was asked, shared by all evaluations of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// The text form of the request.
    pub request: String,
    pub columns: Vec<Column>,
    /// How many distinct cutoffs the measures have.
    pub cutoffs: usize,
}

impl Header {
    /// How many letters the texts of a query have.
    pub fn letters(&self) -> usize {
        self.columns.iter().map(|column| column.letters).sum()
    }
}

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
    /// One value per query and measure.
    pub values: Vec<f64>,
    /// The texts of the queries end to end.
    pub letters: Vec<u8>,
    pub counts: Counts,
    /// Which items are shown, where a measure asks.
    pub shown: Option<Shown>,
    /// The name of the run that a TREC file bears.
    pub run: Option<String>,
}

const KIND: [u8; 4] = *b"rgev";
const VERSION: u32 = 2;

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
        others.iter().try_for_each(|other| same_request(&first.header, &other.header))?;
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
            values: Vec::with_capacity(order.len() * measures),
            letters: Vec::with_capacity(order.len() * letters),
            counts: first.counts.clone(),
            shown: first.shown.as_ref().map(|_| Shown::default()),
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
        writer.finish()
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::open(bytes, KIND, VERSION)?;
        let header = Header::read(&mut reader)?;
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
            true => Some(Shown::read(&mut reader, ids.len())?),
            false => None,
        };
        reader.finish()?;
        let mut evaluation =
            Evaluation { header: Arc::new(header), queries: QueryIds::Held(ids), values, letters, counts, shown, run };
        evaluation.cover();
        Ok(evaluation)
    }
}

impl PartialEq for Evaluation {
    /// Equal bit for bit; NaN equals NaN.
    fn eq(&self, other: &Self) -> bool {
        self.to_bytes() == other.to_bytes()
    }
}

pub(crate) fn same_request(first: &Header, second: &Header) -> Result<(), Error> {
    if first == second {
        return Ok(());
    }
    Err(Error::OtherRequest { first: first.request.clone(), second: second.request.clone() })
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

impl Header {
    pub fn has_coverage(&self) -> bool {
        self.columns.iter().any(|column| column.coverage.is_some())
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        writer.text(self.request.as_bytes());
        writer.count(self.cutoffs);
        writer.count(self.columns.len());
        for column in &self.columns {
            let (kind, by) = match column.aggregate {
                Aggregate::Mean => (0, 0),
                Aggregate::Sum => (1, 0),
                Aggregate::Geometric => (2, 0),
                Aggregate::Weighted { by } => (3, by),
                Aggregate::Union => (4, 0),
            };
            let (cutoff, items) = column.coverage.unwrap_or_default();
            let covers = usize::from(column.coverage.is_some());
            let counts = [kind, by, usize::from(column.skips), column.letters, covers, cutoff.unwrap_or(usize::MAX)];
            counts.into_iter().for_each(|count| writer.count(count));
            writer.float(items);
        }
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let request = String::from_utf8_lossy(reader.text()?).into_owned();
        // A cutoff has two counts, which come later.
        let cutoffs = reader.length(16)?;
        let count = reader.length(56)?;
        let columns = (0..count).map(|_| Column::read(reader, count)).collect::<Result<_, Error>>()?;
        Ok(Header { request, columns, cutoffs })
    }
}

impl Column {
    fn read(reader: &mut Reader<'_>, measures: usize) -> Result<Self, Error> {
        let mut counts = [0; 6];
        for count in &mut counts {
            *count = reader.count()?;
        }
        let [kind, by, skips, letters, covers, cutoff] = counts;
        let items = reader.float()?;
        let aggregate = match kind {
            0 => Aggregate::Mean,
            1 => Aggregate::Sum,
            2 => Aggregate::Geometric,
            3 if by < measures => Aggregate::Weighted { by },
            4 => Aggregate::Union,
            _ => return Err(Error::BadBytes { reason: "an unknown aggregate" }),
        };
        if letters > 1 << 20 {
            return Err(Error::BadBytes { reason: "a text that is too long" });
        }
        let cutoff = (cutoff != usize::MAX).then_some(cutoff);
        Ok(Column { aggregate, skips: skips == 1, letters, coverage: (covers == 1).then_some((cutoff, items)) })
    }
}
