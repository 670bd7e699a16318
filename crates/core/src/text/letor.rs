//! LETOR and SVMlight files: labels (`GRADE qid:QUERY 1:0.3 2:1e-3 … # comment`), and the scores that go with them.
//!
//! The rows have no names, so an item is called by the number of its row. Of a line only the first two columns are
//! looked at: features make up nearly all of a file, and none of them matters here.

use super::number::{parse_marked, parse_number};
use super::{has_bare_return, shortened};
use crate::builder::Builder;
use crate::error::Error;
use crate::long_scores::DigitMarks;
use crate::table::Table;

/// Read the grades of a whole file; the items are `1`, `2` and so on through all queries.
pub fn read(data: &[u8]) -> Result<Table, Error> {
    let mut builder = Builder::default();
    let mut current: Option<&[u8]> = None;
    let mut item = Counter::default();
    for (line, text) in lines(data) {
        let Some((grade, query)) = label(line, text)? else {
            continue;
        };
        if current != Some(query) {
            check_utf8(line, query)?;
            builder.query(query);
            current = Some(query);
        }
        builder.row(item.next(), grade);
    }
    if current.is_none() { Err(Error::EmptyFile) } else { Ok(builder.finish()) }
}

/// Read a file with one number on each line, in the order of the rows that they are the scores of, and marks of those
/// with more digits than a float has.
pub fn scores(data: &[u8]) -> Result<(Vec<f64>, DigitMarks), Error> {
    let data = without_mark(data.trim_ascii_end());
    if data.is_empty() {
        return Err(Error::EmptyFile);
    }
    let (mut scores, mut marks) = (Vec::new(), DigitMarks::default());
    for (line, text) in lines(data) {
        let (score, mark) = score(line, text)?;
        marks.push(scores.len(), mark);
        scores.push(score);
    }
    Ok((scores, marks))
}

/// Whether a line, the first that is neither blank nor a comment, is one of labels.
pub fn looks_like(line: &[u8]) -> bool {
    matches!(label(1, without_mark(line)), Ok(Some(_)))
}

/// The grade and the query of a line; none for a blank line or a comment.
fn label(line: usize, text: &[u8]) -> Result<Option<(f64, &[u8])>, Error> {
    let (first, rest) = column(text);
    if first.is_empty() {
        return Ok(None);
    }
    if has_bare_return(text) {
        return Err(Error::BareReturn { line }); // the rows after it would be taken for features
    }
    let grade = parse_number(first).ok_or_else(|| Error::BadValue { line, got: shortened(first) })?;
    match column(rest).0.strip_prefix(b"qid:") {
        Some(query) if !query.is_empty() => Ok(Some((grade, query))),
        _ => Err(Error::BadColumns { line, got: count_columns(text) }),
    }
}

fn score(line: usize, text: &[u8]) -> Result<(f64, u64), Error> {
    let text = text.trim_ascii();
    let got = text.split(u8::is_ascii_whitespace).filter(|column| !column.is_empty()).count();
    // A blank line is no score either: the scores after it would belong to other rows than was meant.
    if got != 1 {
        return Err(Error::BadColumns { line, got });
    }
    parse_marked(text).ok_or_else(|| Error::BadValue { line, got: shortened(text) })
}

/// The next column and what is after it; empty at the end of the line, which is also where a comment begins.
fn column(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.trim_ascii_start();
    let end = text.iter().position(|&byte| byte == b'#' || byte.is_ascii_whitespace());
    text.split_at(end.unwrap_or(text.len()))
}

fn count_columns(mut text: &[u8]) -> usize {
    let columns = std::iter::from_fn(|| {
        let (first, rest) = column(text);
        text = rest;
        (!first.is_empty()).then_some(first)
    });
    columns.count()
}

fn check_utf8(line: usize, query: &[u8]) -> Result<(), Error> {
    match std::str::from_utf8(query) {
        Ok(_) => Ok(()),
        Err(error) => Err(Error::BadUtf8 { line, byte: query[error.valid_up_to()] }),
    }
}

/// The lines with their numbers, counted from 1.
fn lines(data: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut rest = Some(without_mark(data));
    let lines = std::iter::from_fn(move || {
        let text = rest?;
        let (line, after) = match memchr::memchr(b'\n', text) {
            Some(newline) => (&text[..newline], Some(&text[newline + 1..])),
            None => (text, None),
        };
        rest = after;
        Some(line)
    });
    (1..).zip(lines)
}

/// The bytes without the mark that some editors put before UTF-8.
fn without_mark(data: &[u8]) -> &[u8] {
    data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data)
}

/// Counts 1, 2, … in decimal text: no number is formatted again for every row.
#[derive(Debug, Default)]
struct Counter {
    digits: Vec<u8>,
}

impl Counter {
    fn next(&mut self) -> &[u8] {
        let nines = self.digits.iter().rev().take_while(|&&digit| digit == b'9').count();
        let kept = self.digits.len() - nines;
        self.digits[kept..].fill(b'0');
        match self.digits[..kept].last_mut() {
            Some(digit) => *digit += 1,
            None => self.digits.insert(0, b'1'),
        }
        &self.digits
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::by_query;
    use super::*;

    fn rows(data: &str) -> Vec<(String, Vec<(String, f64)>)> {
        by_query(&read(data.as_bytes()).unwrap())
    }

    #[test]
    fn read_of_several_queries_numbers_items_through_the_file() {
        let data =
            "\u{feff}# a comment\n2 qid:b 1:0.3 2:1e-3 # doc 7\r\n\n \t\r\n  # another\n\t0  qid:a\n+1.5\tqid:b#c";
        let row = |item: &str, grade| (item.to_string(), grade);
        let expected =
            vec![("a".to_string(), vec![row("2", 0.0)]), ("b".to_string(), vec![row("1", 2.0), row("3", 1.5)])];
        assert_eq!(rows(data), expected);
    }

    #[test]
    fn read_with_a_comment_that_is_not_utf8_succeeds() {
        assert_eq!(read(b"1 qid:1 1:2 # caf\xe9\n").unwrap().row_count(), 1);
    }

    #[test]
    fn read_of_a_bad_line_names_the_line() {
        let fault = |data: &[u8]| read(data).unwrap_err();
        assert_eq!(fault(b"1 qid:1\n\nhigh qid:1 1:0"), Error::BadValue { line: 3, got: "high".into() });
        assert_eq!(fault(b"nan qid:1"), Error::BadValue { line: 1, got: "nan".into() });
        assert_eq!(fault(b"qid:1 1:0.5"), Error::BadValue { line: 1, got: "qid:1".into() });
        assert_eq!(fault(b"# c\n1 1:0.5 2:0.5 # qid:1\n"), Error::BadColumns { line: 2, got: 3 });
        assert_eq!(fault(b"1"), Error::BadColumns { line: 1, got: 1 });
        assert_eq!(fault(b"1 # qid:1"), Error::BadColumns { line: 1, got: 1 });
        assert_eq!(fault(b"1 qid: 1:0.5"), Error::BadColumns { line: 1, got: 3 });
        assert_eq!(fault(b"1 qid:1\n1 qid:\xc3\xa9\xff 1:0.5"), Error::BadUtf8 { line: 2, byte: 0xff });
        assert_eq!(fault(b""), Error::EmptyFile);
        assert_eq!(fault(b"\xef\xbb\xbf\n# only a comment\n"), Error::EmptyFile);
    }

    #[test]
    fn scores_with_other_than_one_number_per_line_fail() {
        assert_eq!(scores(b"\xef\xbb\xbf0.5\r\n -1e2 \n3\n\n \r\n").unwrap().0, [0.5, -100.0, 3.0]);
        assert_eq!(scores(b"7").unwrap().0, [7.0]);
        let fault = |data: &[u8]| scores(data).unwrap_err();
        assert_eq!(fault(b"1\n2 \t3\n"), Error::BadColumns { line: 2, got: 2 });
        assert_eq!(fault(b"1\n\n2\n"), Error::BadColumns { line: 2, got: 0 });
        assert_eq!(fault(b"1\ninf\n"), Error::BadValue { line: 2, got: "inf".into() });
        assert_eq!(fault(b"1,2\n"), Error::BadValue { line: 1, got: "1,2".into() });
        assert_eq!(fault(b""), Error::EmptyFile);
        assert_eq!(fault(b"\xef\xbb\xbf \r\n\n"), Error::EmptyFile);
    }

    #[test]
    fn looks_like_is_true_for_lines_of_labels_only() {
        let yes: [&[u8]; 4] = [b"2 qid:10 1:0.5", b"\xef\xbb\xbf0 qid:a\r\n", b" -1\tqid:1#", b"0.5 qid:1"];
        assert!(yes.into_iter().all(looks_like));
        let no: [&[u8]; 6] = [b"", b"# 2 qid:10", b"q1 0 d1 2", b"1 2 3 4", b"2 qid:", b"query,item,score"];
        assert!(!no.into_iter().any(looks_like));
    }

    #[test]
    fn counter_next_writes_the_numbers_from_1() {
        let mut counter = Counter::default();
        for number in 1..=1101 {
            assert_eq!(counter.next(), number.to_string().as_bytes());
        }
    }
}
