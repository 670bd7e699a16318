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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_about_a_query_is_told_with_its_other_name() {
        let errors = |query: &[u8]| {
            let (query, item) = (query.to_vec(), b"d".to_vec());
            [
                Error::DuplicateItem { side: Side::Judgments, query: query.clone(), item: item.clone() },
                Error::NegativeGrade { query: query.clone(), item: item.clone(), grade: -1.0 },
                Error::GradeNotInTable { query: query.clone(), item: item.clone(), grade: 7.0 },
                Error::BadPropensity { query: query.clone(), item: item.clone(), got: 0.0 },
                Error::UnjudgedItem { query: query.clone(), item },
                Error::MissingQuery { query: query.clone() },
                Error::NothingRelevant { query: query.clone() },
                Error::Overflow { query: query.clone(), grade: 5000.0 },
                Error::SameQuery { query },
            ]
        };
        assert_eq!(errors(b"1").map(|error| error.of_query(b"user 7")), errors(b"user 7"));
    }

    #[test]
    fn error_about_a_file_stays_when_a_query_is_named() {
        let error = Error::BadValue { line: 3, got: "often".into() };
        assert_eq!(error.clone().of_query(b"user 7"), error);
    }
}
