//! From what went wrong in the core to a `RankgaugeError` with its wording.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rankgauge_core::table::MOST_ROWS;
use rankgauge_core::text::find_lines;
use rankgauge_core::text::trec::{JUDGMENTS, RANKING};
use rankgauge_core::{Error, Side};

use crate::columns::Fault;
use crate::files::{Bytes, Form, Origin};

/// Make the error of `rankgauge.errors` with that code.
pub fn problem(py: Python<'_>, code: &str, place: &str, fields: &[(&str, String)]) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let class = py.import("rankgauge.errors")?.getattr("RankgaugeError")?;
        let context = PyDict::new(py);
        for (name, value) in fields {
            context.set_item(name, value)?;
        }
        Ok(PyErr::from_value(class.call((code, place), Some(&context))?))
    };
    made().unwrap_or_else(|error| error)
}

/// Word what is wrong with the byte form of a noun.
pub fn bad_bytes(py: Python<'_>, noun: &str, error: Error) -> PyErr {
    match error {
        Error::BadBytes { reason } => problem(py, "bad-bytes", "", &[("noun", noun.into()), ("got", reason.into())]),
        other => Sources::default().error(py, Side::Judgments, other),
    }
}

/// What DuckDB says if its share of the memory is not enough.
const OUT_OF_MEMORY: &str = "Out of Memory Error";

/// Word what is wrong with a column of a table.
pub fn column_error(py: Python<'_>, label: Option<&str>, fault: Fault) -> PyErr {
    let file = label.map(|label| format!("{label}: ")).unwrap_or_default();
    let place = |column: &str, row: usize| format!("{file}column {}, row {row}", quoted(column.as_bytes()));
    match fault {
        Fault::Null { column, row } => problem(py, "null-value", &place(&column, row), &[]),
        Fault::BadNumber { column, row, got } => {
            let fields = [("noun", format!("{column:?}").replace('"', "'")), ("got", got)];
            problem(py, "bad-value", &place(&column, row), &fields)
        }
        Fault::BadId { column, row, got } => {
            problem(py, "bad-id", &place(&column, row), &[("noun", quoted(column.as_bytes())), ("got", got)])
        }
        Fault::Type { column, expected, got } => {
            let place = format!("{file}column {}", quoted(column.as_bytes()));
            problem(py, "bad-column", &place, &[("expected", expected.into()), ("got", got)])
        }
        Fault::Lengths { column, row, got } => problem(py, "bad-lists", &place(&column, row), &[("got", got)]),
        Fault::Arrow(got) => {
            // What others write may go over many lines.
            let got = got.split_whitespace().collect::<Vec<_>>().join(" ");
            let is_ours = label.is_some(); // the memory of other relations is that of their connection
            let code = if is_ours && got.contains(OUT_OF_MEMORY) { "too-little-memory" } else { "unreadable-table" };
            // What follows is advice on its own settings.
            let got = got.split(" Possible solutions: ").next().unwrap_or_default().into();
            problem(py, code, file.trim_end_matches(": "), &[("got", got)])
        }
        Fault::TooMuch(limit) => too_much(py, file.trim_end_matches(": "), limit),
        Fault::TooManyRows(rows) => too_many_rows(py, file.trim_end_matches(": "), rows),
        Fault::Disk(error) => problem(py, "no-room-on-disk", "", &[("got", error.to_string())]),
        Fault::Python(raised) => raised,
    }
}

/// A file that unpacks to more than it may.
pub fn too_much(py: Python<'_>, place: &str, limit: u64) -> PyErr {
    problem(py, "too-much-unpacked", place, &[("limit", limit.to_string())])
}

/// More rows than can be numbered.
pub fn too_many_rows(py: Python<'_>, place: &str, rows: usize) -> PyErr {
    problem(py, "too-many-rows", place, &[("most", MOST_ROWS.to_string()), ("got", rows.to_string())])
}

/// Where the inputs came from; nothing for data in memory.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sources<'a> {
    pub judgments: Option<&'a Origin>,
    pub ranking: Option<&'a Origin>,
}

impl Sources<'_> {
    fn origin(&self, side: Side) -> Option<&Origin> {
        match side {
            Side::Judgments => self.judgments,
            Side::Ranking => self.ranking,
        }
    }

    /// `file:line (query 'q', item 'i')`, as far as it is known.
    pub fn place(&self, py: Python<'_>, side: Side, query: &[u8], item: Option<&[u8]>) -> String {
        let item_text = item.map(|item| format!(", item {}", quoted(item))).unwrap_or_default();
        let row = format!("query {}{item_text}", quoted(query));
        let Some(origin) = self.origin(side) else {
            return row;
        };
        match item.and_then(|item| line_of(py, origin, side, query, item)) {
            Some(line) => format!("{}:{line} ({row})", origin.label),
            None => format!("{} ({row})", origin.label),
        }
    }

    fn columns(&self, side: Side) -> String {
        if let Some(line) = self.origin(side).and_then(|origin| origin.line.as_deref()) {
            return line.into();
        }
        match (self.origin(side).and_then(|origin| origin.text.as_ref()), side) {
            (Some((_, Form::Delimited(layout))), _) => format!("{} columns as in the header", layout.columns),
            (_, Side::Judgments) => "4 columns (query iteration item grade)".into(),
            (_, Side::Ranking) => "6 columns (query Q0 item rank score tag)".into(),
        }
    }

    fn hint(&self, side: Side) -> String {
        match self.origin(side).and_then(|origin| origin.text.as_ref()) {
            Some((_, Form::Delimited(layout))) => {
                format!(
                    "columns are separated by {:?}; a cell that holds one needs double quotes",
                    layout.delimiter as char
                )
            }
            _ => "columns are separated by white space; lines that start with # are comments".into(),
        }
    }

    /// Word an error of the core; `side` is the input that was being read.
    pub fn error(&self, py: Python<'_>, side: Side, error: Error) -> PyErr {
        let path = self.origin(side).map(|origin| origin.label.clone()).unwrap_or_default();
        let columns = || self.columns(side);
        let noun = match side {
            Side::Judgments => "grade",
            Side::Ranking => "score",
        };
        match error {
            Error::DuplicateItem { side, query, item } => {
                let name = if side == Side::Judgments { "judgments" } else { "ranking" };
                let fields = [("side", name.into()), ("times", "twice".into())];
                problem(py, "duplicate-item", &self.place(py, side, &query, Some(&item)), &fields)
            }
            Error::NegativeGrade { query, item, grade } => {
                let place = self.place(py, Side::Judgments, &query, Some(&item));
                problem(py, "negative-grade", &place, &[("got", format!("{grade:?}"))])
            }
            Error::GradeNotInTable { query, item, grade } => {
                let place = self.place(py, Side::Judgments, &query, Some(&item));
                problem(py, "grade-not-in-table", &place, &[("got", format!("{grade:?}"))])
            }
            Error::BadPropensity { query, item, got } => {
                let place = self.place(py, Side::Judgments, &query, Some(&item));
                problem(py, "bad-propensity", &place, &[("got", format!("{got:?}"))])
            }
            Error::UnjudgedItem { query, item } => {
                problem(py, "unjudged-item", &self.place(py, Side::Ranking, &query, Some(&item)), &[])
            }
            Error::MissingQuery { query } => {
                problem(py, "missing-query", &self.place(py, Side::Ranking, &query, None), &[])
            }
            Error::NothingRelevant { query } => {
                problem(py, "nothing-relevant", &self.place(py, Side::Judgments, &query, None), &[])
            }
            Error::Overflow { query, grade } => {
                let place = self.place(py, Side::Judgments, &query, None);
                problem(py, "overflow", &place, &[("got", format!("{grade:?}"))])
            }
            Error::BadColumns { line, got } => {
                let fields = [("columns", columns()), ("got", format!("{got} columns")), ("hint", self.hint(side))];
                problem(py, "bad-columns", &format!("{path}:{line}"), &fields)
            }
            Error::BadValue { line, got } => {
                let fields = [("noun", noun.into()), ("got", quoted(got.as_bytes()))];
                problem(py, "bad-value", &format!("{path}:{line}"), &fields)
            }
            Error::EmptyField { line, column } => {
                problem(py, "null-value", &format!("{path}:{line}, column {}", column + 1), &[])
            }
            Error::BadUtf8 { line, byte } => {
                problem(py, "bad-utf8", &format!("{path}:{line}"), &[("got", format!("0x{byte:02x}"))])
            }
            Error::EndlessLine { line, most } => {
                let got = format!("a line of more than {} MB", most >> 20);
                problem(py, "endless-file", &format!("{path}:{line}"), &[("got", got)])
            }
            Error::BareReturn { line } => problem(py, "bare-return", &format!("{path}:{line}"), &[]),
            Error::EmptyFile => problem(py, "empty-file", &path, &[("columns", columns())]),
            Error::BadBytes { .. } => bad_bytes(py, "an evaluation", error),
            Error::SameQuery { query } => problem(py, "same-query", "", &[("got", quoted(&query))]),
            Error::OtherRequest { first, second } => {
                problem(py, "other-request", "", &[("expected", first), ("got", second)])
            }
            Error::BadGzip { reason } => problem(py, "bad-gzip", &path, &[("got", reason)]),
            Error::Shortened => problem(py, "file-changed", &path, &[]),
            Error::Unreadable { reason } => problem(py, "unreadable-file", &path, &[("got", reason)]),
            Error::TooMuch { limit } => too_much(py, &path, limit),
            Error::TooManyRows { rows } => too_many_rows(py, &path, rows),
        }
    }
}

/// The line of the row that an error is about: the second one where an item stands twice.
fn line_of(py: Python<'_>, origin: &Origin, side: Side, query: &[u8], item: &[u8]) -> Option<usize> {
    let (path, form) = origin.text.as_ref()?;
    if !path.is_file() {
        return None; // a pipe has been read already
    }
    let bytes = Bytes::open(py, path, &origin.label).ok()?;
    let find = || {
        let bytes = bytes.all().ok()?;
        Some(match (form, side) {
            (Form::Trec, Side::Judgments) => find_lines(&bytes, JUDGMENTS, query, item),
            (Form::Trec, Side::Ranking) => find_lines(&bytes, RANKING, query, item),
            (Form::Delimited(layout), _) => find_lines(&bytes, *layout, query, item),
        })
    };
    let lines = py.detach(find)?;
    lines.get(1).or(lines.first()).copied()
}

/// The text in single quotes, with control characters escaped.
pub fn quoted(text: &[u8]) -> String {
    format!("'{}'", String::from_utf8_lossy(text).escape_debug().to_string().replace("\\\"", "\""))
}
