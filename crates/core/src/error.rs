//! Errors in the data: what happened and where. The caller words the messages.

/// Which of the two inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Judgments,
    Ranking,
}

/// A reason why there is no result.
#[derive(Debug, Clone, PartialEq)]
pub enum Error {
    DuplicateItem {
        side: Side,
        query: Vec<u8>,
        item: Vec<u8>,
    },
    NegativeGrade {
        query: Vec<u8>,
        item: Vec<u8>,
        grade: f64,
    },
    GradeNotInTable {
        query: Vec<u8>,
        item: Vec<u8>,
        grade: f64,
    },
    /// A propensity that is no chance above 0, or a position below 1.
    BadPropensity {
        query: Vec<u8>,
        item: Vec<u8>,
        got: f64,
    },
    UnjudgedItem {
        query: Vec<u8>,
        item: Vec<u8>,
    },
    MissingQuery {
        query: Vec<u8>,
    },
    NothingRelevant {
        query: Vec<u8>,
    },
    Overflow {
        query: Vec<u8>,
        grade: f64,
    },
    /// A line of a TREC file, counted from 1.
    BadColumns {
        line: usize,
        got: usize,
    },
    BadValue {
        line: usize,
        got: String,
    },
    /// A column, counted from 0, without a value.
    EmptyField {
        line: usize,
        column: usize,
    },
    BadUtf8 {
        line: usize,
        byte: u8,
    },
    /// A line that is longer than any of a text.
    EndlessLine {
        line: usize,
        most: usize,
    },
    /// A carriage return inside a line.
    BareReturn {
        line: usize,
    },
    EmptyFile,
    BadGzip {
        reason: String,
    },
    /// A file that became shorter while it was read.
    Shortened,
    /// A file that cannot be read to its end.
    Unreadable {
        reason: String,
    },
    /// A gzipped file of more bytes than this.
    TooMuch {
        limit: u64,
    },
    /// More rows than are counted with 32 bits.
    TooManyRows {
        rows: usize,
    },
    /// Bytes that are no evaluation or table, or not a whole one.
    BadBytes {
        reason: &'static str,
    },
    /// A query that is in two evaluations which are merged.
    SameQuery {
        query: Vec<u8>,
    },
    /// Evaluations of different requests, which cannot be merged.
    OtherRequest {
        first: String,
        second: String,
    },
}

impl Error {
    /// The same error about a query that is known by another name.
    pub fn of_query(mut self, name: &[u8]) -> Self {
        match &mut self {
            Error::DuplicateItem { query, .. }
            | Error::NegativeGrade { query, .. }
            | Error::GradeNotInTable { query, .. }
            | Error::BadPropensity { query, .. }
            | Error::UnjudgedItem { query, .. }
            | Error::MissingQuery { query }
            | Error::NothingRelevant { query }
            | Error::Overflow { query, .. }
            | Error::SameQuery { query } => *query = name.to_vec(),
            Error::BadColumns { .. }
            | Error::BadValue { .. }
            | Error::EmptyField { .. }
            | Error::BadUtf8 { .. }
            | Error::BareReturn { .. }
            | Error::EndlessLine { .. }
            | Error::EmptyFile
            | Error::BadGzip { .. }
            | Error::TooMuch { .. }
            | Error::TooManyRows { .. }
            | Error::Shortened
            | Error::Unreadable { .. }
            | Error::BadBytes { .. }
            | Error::OtherRequest { .. } => {}
        }
        self
    }
}
