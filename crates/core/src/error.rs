//! What can be wrong with the data. The wording lives with the caller; here is only what happened and where.

/// Which of the two inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Judgments,
    Ranking,
}

/// A reason why there is no number.
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
    BadUtf8 {
        line: usize,
        byte: u8,
    },
    EmptyFile,
    BadGzip {
        reason: String,
    },
}
