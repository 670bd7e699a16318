use super::*;

const SIMPLE: Layout = Layout {
    delimiter: b',',
    columns: 3,
    query: 0,
    item: 1,
    value: Some(2),
    annotation: None,
    negated: false,
    start: 0,
};

/// A row as text: its offset and columns, or its fault.
fn shown(row: Result<Line<'_>, Fault>) -> String {
    let text = String::from_utf8_lossy;
    match row {
        Ok(row) => {
            let annotation = if row.annotation.is_empty() { "".into() } else { format!(" {:?}", text(row.annotation)) };
            format!("{} {:?} {:?} {}{annotation}", row.offset, text(row.query), text(row.item), row.value)
        }
        Err(fault) => format!("{fault:?}"),
    }
}

fn rows(data: &str, layout: Layout) -> Vec<String> {
    Rows::<WITH_ANNOTATION>::new(data.as_bytes(), 0, layout).map(shown).collect()
}

/// The same as `rows`, written for clarity.
fn naive(data: &str, base: usize, layout: Layout) -> Vec<String> {
    let delimiter = char::from(layout.delimiter);
    let is_blank = |c: char| (c == ' ' || c == '\t') && c != delimiter;
    let mut start = base;
    let mut rows = Vec::new();
    for line in data.split('\n') {
        let offset = start;
        start += line.len() + 1;
        let line = line.trim_end_matches('\r');
        if !line.trim_matches(is_blank).is_empty() {
            let fields: Vec<&str> = line.split(delimiter).map(|field| field.trim_matches(is_blank)).collect();
            rows.push(shown(naive_row(&fields, offset, layout)));
        }
    }
    rows
}

fn naive_row<'a>(fields: &[&'a str], offset: usize, layout: Layout) -> Result<Line<'a>, Fault> {
    let missing = Fault::Columns { offset, got: fields.len() };
    if fields.len() != layout.columns {
        return Err(missing);
    }
    for column in [Some(layout.query), Some(layout.item), layout.value, layout.annotation].into_iter().flatten() {
        match fields.get(column) {
            None => return Err(missing),
            Some(&"") => return Err(Fault::Empty { offset, column }),
            Some(_) => (),
        }
    }
    let sign = if layout.negated { -1.0 } else { 1.0 };
    let value = match layout.value.map(|column| (fields[column], fields[column].parse::<f64>())) {
        None => 0.0 - offset as f64,
        Some((_, Ok(value))) if value.is_finite() => 0.0 + sign * value,
        Some((text, _)) => return Err(Fault::Value { offset, got: shortened(text.as_bytes()) }),
    };
    let field = |column: usize| fields[column].as_bytes();
    let annotation = layout.annotation.map_or(&b""[..], field);
    Ok(Line { query: field(layout.query), item: field(layout.item), value, mark: 0, annotation, offset })
}

/// Numbers below a bound, always the same.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn of<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len())]
    }
}

#[test]
fn rows_with_any_line_ends_and_blanks_are_trimmed() {
    let data = "q1,d1,2\r\n\n  \t\r\n q1 ,\td 2\t, -1.5 \nq2,d1,1e-1\r\r\nq2,é,+7";
    let expected = ["0 \"q1\" \"d1\" 2", "15 \"q1\" \"d 2\" -1.5", "33 \"q2\" \"d1\" 0.1", "46 \"q2\" \"é\" 7"];
    assert_eq!(rows(data, SIMPLE), expected);
    assert_eq!(rows("", SIMPLE), [""; 0]);
    assert_eq!(rows("\n\r\n \n", SIMPLE), [""; 0]);
    assert_eq!(rows("q,d,0", SIMPLE), ["0 \"q\" \"d\" 0"]);
}

#[test]
fn rows_with_tab_as_delimiter_are_split_at_tabs() {
    let layout = Layout { delimiter: b'\t', ..SIMPLE };
    assert_eq!(rows("q 1\t d,1 \t3\n \n", layout), ["0 \"q 1\" \"d,1\" 3"]);
    assert_eq!(rows("\t\t\n", layout), ["Empty { offset: 0, column: 0 }"]);
}

#[test]
fn rows_with_ranks_or_without_values_are_scored_best_first() {
    let rank = Layout { query: 2, item: 0, value: Some(1), negated: true, ..SIMPLE };
    assert_eq!(rows("d1,1,q\nd2,0,q\n", rank), ["0 \"q\" \"d1\" -1", "7 \"q\" \"d2\" 0"]);
    let order = Layout { columns: 2, value: None, ..SIMPLE };
    assert_eq!(rows("q,d1\nq,d2", order), ["0 \"q\" \"d1\" 0", "5 \"q\" \"d2\" -5"]);
    let pieces: Vec<String> = Rows::<WITH_ANNOTATION>::new(b"q,d2", 5, order).map(shown).collect();
    assert_eq!(pieces, ["5 \"q\" \"d2\" -5"]);
}

#[test]
fn rows_of_an_annotated_layout_have_annotations() {
    let layout = Layout { columns: 4, annotation: Some(1), item: 2, value: Some(3), ..SIMPLE };
    let expected = ["0 \"q\" \"d\" 1 \"s\"", "8 \"q\" \"d\" 1 \"t u\"", "Empty { offset: 20, column: 1 }"];
    assert_eq!(rows("q,s,d,1\nq, t u ,d,1\nq,,d,1\n", layout), expected);
}

#[test]
fn rows_of_a_plain_layout_ignore_annotations() {
    let layout = Layout { columns: 4, annotation: Some(1), item: 2, value: Some(3), ..SIMPLE };
    let rows: Vec<String> = layout.rows(b"q,s,d,1\nq,,d,1\n", 0).map(shown).collect();
    assert_eq!(rows, ["0 \"q\" \"d\" 1", "8 \"q\" \"d\" 1"]);
}

#[test]
fn rows_with_bad_lines_report_each_fault_and_continue() {
    let data = "q,d\nq,d,1,\n ,d,1\nq,,1\nq,d,\t\nq,d,nan\nq,d,1e999\nq,d,1\r2\nq,d,1\n";
    let expected = [
        "Columns { offset: 0, got: 2 }",
        "Columns { offset: 4, got: 4 }",
        "Empty { offset: 11, column: 0 }",
        "Empty { offset: 17, column: 1 }",
        "Empty { offset: 22, column: 2 }",
        "Value { offset: 28, got: \"nan\" }",
        "Value { offset: 36, got: \"1e999\" }",
        "Value { offset: 46, got: \"1\\r2\" }",
        "54 \"q\" \"d\" 1",
    ];
    assert_eq!(rows(data, SIMPLE), expected);
}

#[test]
fn rows_longer_than_a_block_equal_a_naive_split() {
    let fields: Vec<String> = (0..40).map(|column| format!("{column}.5")).collect();
    let line = fields.join(",");
    let data = [line.as_str(), &line[2..], &line[..line.len() - 5], "", &line].join("\r\n");
    for (query, item, value) in [(0, 1, 2), (39, 20, 0), (7, 39, 38)] {
        let layout = Layout { columns: 40, query, item, value: Some(value), ..SIMPLE };
        assert_eq!(rows(&data, layout), naive(&data, 0, layout));
        assert_eq!(rows(&line, layout), [format!("0 \"{query}.5\" \"{item}.5\" {value}.5")]);
    }
    let long = format!("{},{},1\n", "q".repeat(200), "d".repeat(64));
    assert_eq!(rows(&long, SIMPLE), naive(&long, 0, SIMPLE));
}

#[test]
fn plain_line_of_simple_rows_reads_each_of_them() {
    let line = "3,4,5,6,7\r\n";
    for (query, item, value) in [(0, 1, None), (0, 1, Some(2)), (4, 2, Some(0)), (1, 3, Some(4)), (3, 2, Some(1))] {
        let layout = Layout { columns: 5, query, item, value, ..SIMPLE };
        let data = line.repeat(30) + "3, 4 ,5,6,7";
        let mut rows = Rows::<WITH_ANNOTATION>::new(data.as_bytes(), 0, layout);
        assert_eq!(std::iter::from_fn(|| rows.plain_line()).count(), 31, "{layout:?}");
    }
}

#[test]
fn rows_of_a_layout_with_a_missing_or_repeated_column_are_checked_line_by_line() {
    let missing = Layout { columns: 2, ..SIMPLE };
    let expected = ["Columns { offset: 0, got: 2 }", "Columns { offset: 4, got: 3 }"];
    assert_eq!(rows("q,d\nq,d,1\n", missing), expected);
    let twice = Layout { columns: 2, value: Some(1), ..SIMPLE };
    assert_eq!(rows("q,7\n", twice), ["0 \"q\" \"7\" 7"]);
}

#[test]
fn rows_after_the_last_line_stay_ended() {
    let layout = Layout { columns: 4, query: 1, item: 2, value: Some(3), ..SIMPLE };
    for end in ["", "\n", "\n\n \n"] {
        let data = format!("x,q,d,1{end}");
        let mut rows = Rows::<WITH_ANNOTATION>::new(data.as_bytes(), 0, layout);
        assert!(rows.next().is_some());
        assert!((0..3).all(|_| rows.next().is_none()));
    }
}

/// Now and then with a column that is not there, or one that is wanted twice.
fn random_layout(random: &mut Random) -> Layout {
    let most = if random.below(8) == 0 { 50 } else { 6 };
    let columns = 1 + random.below(most);
    let past = columns + usize::from(random.below(20) == 0);
    Layout {
        delimiter: random.of(&[",", "\t", ";", " "]).as_bytes()[0],
        columns,
        query: random.below(past),
        item: random.below(past),
        value: (random.below(4) > 0).then(|| random.below(past)),
        annotation: (random.below(3) == 0).then(|| random.below(past)),
        negated: random.below(2) == 0,
        start: 0,
    }
}

/// A line of numbers, or one in six that may have anything wrong with it.
fn random_line(random: &mut Random, layout: Layout) -> String {
    let long = "x".repeat(90);
    let plain = ["12", "0", "-3.25", "7e-2", "1234567.5"];
    let odd = ["5", "é", " 4", "5\t", "", " ", "\r", "nan", "a\rb", "1\r", &long];
    let is_odd = random.below(6) == 0;
    let count = if is_odd { random.below(layout.columns + 2) } else { layout.columns };
    let texts = if is_odd { &odd[..] } else { &plain };
    let fields: Vec<&str> = (0..count).map(|_| random.of(texts)).collect();
    let end = random.of(&["\n", "\n", "\n", "\r\n", "\n\n", "\r\r\n"]);
    fields.join(&char::from(layout.delimiter).to_string()) + end
}

#[test]
fn rows_of_random_lines_equal_a_naive_split() {
    let mut random = Random(88_172_645_463_325_252);
    for _ in 0..600 {
        let layout = random_layout(&mut random);
        let count = random.below(20);
        let mut data: String = (0..count).map(|_| random_line(&mut random, layout)).collect();
        if random.below(2) == 0 {
            data.pop();
        }
        let base = random.below(1000);
        let got: Vec<String> = Rows::<WITH_ANNOTATION>::new(data.as_bytes(), base, layout).map(shown).collect();
        assert_eq!(got, naive(&data, base, layout), "{data:?} {layout:?}");
    }
}

#[test]
fn header_after_blank_lines_is_the_first_other_line() {
    let data = b"\xef\xbb\xbf\r\n  \nquery id, item ,\tscore\r\nq,d,1\n";
    let (fields, end) = header(data, b',');
    assert_eq!(fields, [&b"query id"[..], b"item", b"score"]);
    assert_eq!(&data[end..], b"q,d,1\n");
    assert_eq!(header(b"a\t b\t", b'\t'), (vec![&b"a"[..], b"b", b""], 5));
    assert_eq!(header(b"\xef\xbb\xbf \n", b','), (vec![], 5));
}
