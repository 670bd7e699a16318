//! What was asked, as an evaluation remembers it.

use crate::bytes::{Reader, Writer};
use crate::error::Error;

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
#[derive(Debug, Default, Clone)]
pub struct Header {
    /// The text form of the request, with one name for each measure.
    pub request: String,
    /// The same with the names of measures as they were typed, by which they are shown.
    pub asked: String,
    pub columns: Vec<Column>,
    /// How many distinct cutoffs the measures have.
    pub cutoffs: usize,
}

impl Header {
    /// How many letters the texts of a query have.
    pub fn letters(&self) -> usize {
        self.columns.iter().map(|column| column.letters).sum()
    }

    /// Refuse a header of another request; measures may be typed in another way.
    pub(crate) fn require_same(&self, other: &Header) -> Result<(), Error> {
        if (&self.request, &self.columns, self.cutoffs) == (&other.request, &other.columns, other.cutoffs) {
            return Ok(());
        }
        Err(Error::OtherRequest { first: self.request.clone(), second: other.request.clone() })
    }

    pub fn has_coverage(&self) -> bool {
        self.columns.iter().any(|column| column.coverage.is_some())
    }

    /// Write all but `asked`, which does not change what an evaluation is equal to.
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
        Ok(Header { asked: request.clone(), request, columns, cutoffs })
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
