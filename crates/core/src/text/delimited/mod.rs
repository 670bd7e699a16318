//! Rows of a delimited file (CSV, TSV) without quotes, split into columns in one pass over the bytes.

use wide::u8x16;

use super::{Fault, Line, Shape, parse_number, shortened};

/// Query, item and value.
const MOST_WANTED: usize = 3;

/// Which columns matter; they are counted from 0.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    pub delimiter: u8,
    /// The fields of every line.
    pub columns: usize,
    pub query: usize,
    pub item: usize,
    /// None where only the order of the lines counts.
    pub value: Option<usize>,
    /// Whether the value is a rank, of which less is better.
    pub negated: bool,
    /// Where the rows begin in the file: after the header.
    pub start: usize,
}

impl Shape for Layout {
    type Rows<'a> = Rows<'a>;

    fn rows<'a>(&self, data: &'a [u8], base: usize) -> Rows<'a> {
        Rows::new(data, base, *self)
    }

    fn start(&self) -> usize {
        self.start
    }
}

impl Layout {
    /// White space around a field; what separates the fields is none.
    #[inline(always)]
    fn is_blank(&self, byte: u8) -> bool {
        (byte == b' ' || byte == b'\t') && byte != self.delimiter
    }

    fn is_blank_line(&self, line: &[u8]) -> bool {
        line.iter().all(|&byte| self.is_blank(byte))
    }

    /// A field without the blanks around it; most have none.
    #[inline(always)]
    fn trimmed<'a>(&self, field: &'a [u8]) -> &'a [u8] {
        match (field.first(), field.last()) {
            (Some(&first), Some(&last)) if first > b' ' && last > b' ' => field,
            _ => self.trimmed_slowly(field),
        }
    }

    #[cold]
    fn trimmed_slowly<'a>(&self, field: &'a [u8]) -> &'a [u8] {
        let start = field.iter().position(|&byte| !self.is_blank(byte)).unwrap_or(field.len());
        let end = field.iter().rposition(|&byte| !self.is_blank(byte)).map_or(start, |last| last + 1);
        &field[start..end]
    }

    /// More is better, whatever the column says.
    #[inline(always)]
    fn oriented(&self, value: f64) -> f64 {
        // Subtracted, so that 0 does not become -0.
        if self.negated { 0.0 - value } else { value }
    }
}

/// A column that matters, in the order of the line.
#[derive(Debug, Clone, Copy, Default)]
struct Wanted {
    /// Columns to pass over since the wanted column before it.
    gap: usize,
    /// 0 for the query, 1 for the item, 2 for the value.
    slot: usize,
}

/// The rows of a piece of a file; blank lines are passed over.
#[derive(Debug)]
pub struct Rows<'a> {
    data: &'a [u8],
    at: usize,
    base: usize,
    layout: Layout,
    wanted: [Wanted; MOST_WANTED],
    wanted_count: usize,
    /// Columns after the last wanted one.
    rest: usize,
    block: Block,
}

impl<'a> Rows<'a> {
    /// Read a piece that begins at `base` of the whole and at the start of a line; the header is not in it.
    pub fn new(data: &'a [u8], base: usize, layout: Layout) -> Self {
        let mut columns = [(layout.query, 0), (layout.item, 1), (layout.value.unwrap_or(usize::MAX), 2)];
        columns.sort_unstable();
        let wanted_count = MOST_WANTED - usize::from(layout.value.is_none());
        let mut wanted = [Wanted::default(); MOST_WANTED];
        let mut next = 0_usize;
        for (wanted, &(column, slot)) in wanted.iter_mut().zip(&columns[..wanted_count]) {
            // A column that is wanted twice gets a gap that no line has, which leaves the lines to `any_line`.
            *wanted = Wanted { gap: column.wrapping_sub(next), slot };
            next = column.saturating_add(1);
        }
        // So does a column that is not there.
        let rest = layout.columns.wrapping_sub(next);
        let block = Block::load(data, 0, layout.delimiter);
        Rows { data, at: 0, base, layout, wanted, wanted_count, rest, block }
    }

    /// The next line if it is a plain one, with the right number of columns, an id in each and a good number; most are.
    #[inline(always)]
    fn plain_line(&mut self) -> Option<Line<'a>> {
        let (data, start, layout) = (self.data, self.at, self.layout);
        let mut block = self.block;
        let mut fields = [&data[..0]; MOST_WANTED];
        let mut last = 0;
        let mut at = start;
        for wanted in &self.wanted[..self.wanted_count] {
            if wanted.gap > 0 {
                at = block.pass(data, layout.delimiter, wanted.gap)?;
            }
            let end = block.field_end(data, layout.delimiter);
            // No such range where the line has already ended.
            fields[wanted.slot] = data.get(at..end)?;
            last = wanted.slot;
            at = end + 1;
        }
        let (newline, passed) = block.line_end(data, layout.delimiter);
        let ended = at > newline;
        if ended {
            fields[last] = without_returns(fields[last]);
        }
        let [query, item, text] = fields.map(|field| layout.trimmed(field));
        // The delimiter after the last wanted column, if there is one, is already passed.
        if passed + usize::from(!ended) != self.rest || query.is_empty() || item.is_empty() {
            return None;
        }
        let offset = self.base + start;
        let value = match layout.value {
            Some(_) => layout.oriented(parse_number(text)?),
            None => by_order(offset),
        };
        block.next_line();
        self.block = block;
        self.at = data.len().min(newline + 1);
        Some(Line { query, item, value, offset })
    }

    /// The next line that is not blank, however it is written.
    #[cold]
    #[inline(never)]
    fn any_line(&mut self) -> Option<Result<Line<'a>, Fault>> {
        while self.at < self.data.len() {
            let start = self.at;
            let (line, length) = first_line(&self.data[start..]);
            self.at += length;
            if !self.layout.is_blank_line(line) {
                self.block = Block::load(self.data, self.at, self.layout.delimiter);
                return Some(self.parse(line, self.base + start));
            }
        }
        self.block = Block::load(self.data, self.at, self.layout.delimiter);
        None
    }

    fn parse(&self, line: &'a [u8], offset: usize) -> Result<Line<'a>, Fault> {
        let layout = self.layout;
        let got = 1 + memchr::memchr_iter(layout.delimiter, line).count();
        if got != layout.columns {
            return Err(Fault::Columns { offset, got });
        }
        let field = |column: usize| {
            let field = line.split(|&byte| byte == layout.delimiter).nth(column);
            let field = layout.trimmed(field.ok_or(Fault::Columns { offset, got })?);
            if field.is_empty() { Err(Fault::Empty { offset, column }) } else { Ok(field) }
        };
        let (query, item) = (field(layout.query)?, field(layout.item)?);
        let value = match layout.value {
            None => by_order(offset),
            Some(column) => {
                let text = field(column)?;
                let value = parse_number(text).ok_or_else(|| Fault::Value { offset, got: shortened(text) })?;
                layout.oriented(value)
            }
        };
        Ok(Line { query, item, value, offset })
    }
}

impl<'a> Iterator for Rows<'a> {
    type Item = Result<Line<'a>, Fault>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        match self.plain_line() {
            Some(line) => Some(Ok(line)),
            None => self.any_line(),
        }
    }
}

/// The fields of the first line that is not blank, and the offset of the line after it.
pub fn header(data: &[u8], delimiter: u8) -> (Vec<&[u8]>, usize) {
    let layout = Layout { delimiter, columns: 0, query: 0, item: 0, value: None, negated: false, start: 0 };
    let mut at = if data.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    while at < data.len() {
        let (line, length) = first_line(&data[at..]);
        at += length;
        if !layout.is_blank_line(line) {
            let fields = line.split(|&byte| byte == delimiter).map(|field| layout.trimmed(field));
            return (fields.collect(), at);
        }
    }
    (Vec::new(), at)
}

/// The value of a line where only the order of the lines counts: the first is the best.
#[inline(always)]
fn by_order(offset: usize) -> f64 {
    0.0 - offset as f64
}

/// The first line without its end, and its length with it.
fn first_line(data: &[u8]) -> (&[u8], usize) {
    let length = memchr::memchr(b'\n', data).unwrap_or(data.len());
    (without_returns(&data[..length]), data.len().min(length + 1))
}

/// The end of a line without carriage returns; some writers on Windows put two.
#[inline(always)]
fn without_returns(mut field: &[u8]) -> &[u8] {
    while let [before @ .., b'\r'] = field {
        field = before;
    }
    field
}

/// Where the fields and lines end within 64 bytes, as bits that are taken away as they are passed.
#[derive(Debug, Clone, Copy)]
struct Block {
    start: usize,
    delimiters: u64,
    newlines: u64,
    /// The delimiters of the current line.
    own: u64,
}

impl Block {
    #[inline(always)]
    fn load(data: &[u8], start: usize, delimiter: u8) -> Self {
        let (delimiters, newlines) = match data.get(start..).and_then(|rest| rest.first_chunk()) {
            Some(bytes) => masks(bytes, delimiter),
            None => masks(&last_bytes(data, start), delimiter),
        };
        Block { start, delimiters, newlines, own: delimiters & below_first(newlines) }
    }

    /// The place of the first newline, if the line ends within these bytes.
    #[inline(always)]
    fn newline(&self) -> Option<usize> {
        (self.newlines != 0).then(|| self.start + self.newlines.trailing_zeros() as usize)
    }

    /// The place after the next `count` delimiters of the line; none if the line has fewer.
    #[inline(always)]
    fn pass(&mut self, data: &[u8], delimiter: u8, mut count: usize) -> Option<usize> {
        loop {
            while self.own != 0 {
                let place = self.start + self.own.trailing_zeros() as usize;
                self.own &= self.own - 1;
                count -= 1;
                if count == 0 {
                    return Some(place + 1);
                }
            }
            if self.newlines != 0 {
                return None;
            }
            *self = Block::load(data, self.start + 64, delimiter);
        }
    }

    /// The place of the next delimiter, which is passed, or else of the newline, which is not.
    #[inline(always)]
    fn field_end(&mut self, data: &[u8], delimiter: u8) -> usize {
        loop {
            if self.own != 0 {
                let place = self.start + self.own.trailing_zeros() as usize;
                self.own &= self.own - 1;
                return place;
            }
            if let Some(place) = self.newline() {
                return place;
            }
            *self = Block::load(data, self.start + 64, delimiter);
        }
    }

    /// The place of the newline, and the number of delimiters before it.
    #[inline(always)]
    fn line_end(&mut self, data: &[u8], delimiter: u8) -> (usize, usize) {
        let mut count = 0;
        loop {
            if self.own != 0 {
                count += self.own.count_ones() as usize;
            }
            if let Some(place) = self.newline() {
                return (place, count);
            }
            *self = Block::load(data, self.start + 64, delimiter);
        }
    }

    /// Pass the newline.
    #[inline(always)]
    fn next_line(&mut self) {
        self.delimiters &= !below_first(self.newlines);
        self.newlines &= self.newlines.wrapping_sub(1);
        self.own = self.delimiters & below_first(self.newlines);
    }
}

/// The bits below the lowest that is set; all if none is.
#[inline(always)]
fn below_first(mask: u64) -> u64 {
    (mask & mask.wrapping_neg()).wrapping_sub(1)
}

/// The last bytes of the data with newlines after them, so that every line ends.
#[cold]
fn last_bytes(data: &[u8], start: usize) -> [u8; 64] {
    let mut bytes = [b'\n'; 64];
    let rest = data.get(start..).unwrap_or_default();
    bytes.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    bytes
}

/// A bit for each of 64 bytes that is a delimiter, and for each that is a newline.
#[inline(always)]
fn masks(bytes: &[u8; 64], delimiter: u8) -> (u64, u64) {
    let (sixteens, _) = bytes.as_chunks::<16>();
    sixteens.iter().rev().fold((0, 0), |(delimiters, newlines), sixteen| {
        let lanes = u8x16::from(*sixteen);
        let bits = |byte| u64::from(lanes.simd_eq(u8x16::splat(byte)).to_bitmask());
        (delimiters << 16 | bits(delimiter), newlines << 16 | bits(b'\n'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIMPLE: Layout =
        Layout { delimiter: b',', columns: 3, query: 0, item: 1, value: Some(2), negated: false, start: 0 };

    /// A row as text: its offset and columns, or its fault.
    fn shown(row: Result<Line<'_>, Fault>) -> String {
        let text = String::from_utf8_lossy;
        match row {
            Ok(row) => format!("{} {:?} {:?} {}", row.offset, text(row.query), text(row.item), row.value),
            Err(fault) => format!("{fault:?}"),
        }
    }

    fn rows(data: &str, layout: Layout) -> Vec<String> {
        Rows::new(data.as_bytes(), 0, layout).map(shown).collect()
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
        for column in [Some(layout.query), Some(layout.item), layout.value].into_iter().flatten() {
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
        Ok(Line { query: fields[layout.query].as_bytes(), item: fields[layout.item].as_bytes(), value, offset })
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
    fn line_ends_blank_lines_and_blanks() {
        let data = "q1,d1,2\r\n\n  \t\r\n q1 ,\td 2\t, -1.5 \nq2,d1,1e-1\r\r\nq2,é,+7";
        let expected = ["0 \"q1\" \"d1\" 2", "15 \"q1\" \"d 2\" -1.5", "33 \"q2\" \"d1\" 0.1", "46 \"q2\" \"é\" 7"];
        assert_eq!(rows(data, SIMPLE), expected);
        assert_eq!(rows("", SIMPLE), [""; 0]);
        assert_eq!(rows("\n\r\n \n", SIMPLE), [""; 0]);
        assert_eq!(rows("q,d,0", SIMPLE), ["0 \"q\" \"d\" 0"]);
    }

    #[test]
    fn tabs_separate_where_they_are_the_delimiter() {
        let layout = Layout { delimiter: b'\t', ..SIMPLE };
        assert_eq!(rows("q 1\t d,1 \t3\n \n", layout), ["0 \"q 1\" \"d,1\" 3"]);
        assert_eq!(rows("\t\t\n", layout), ["Empty { offset: 0, column: 0 }"]);
    }

    #[test]
    fn ranks_and_the_order_of_lines() {
        let rank = Layout { query: 2, item: 0, value: Some(1), negated: true, ..SIMPLE };
        assert_eq!(rows("d1,1,q\nd2,0,q\n", rank), ["0 \"q\" \"d1\" -1", "7 \"q\" \"d2\" 0"]);
        let order = Layout { columns: 2, value: None, ..SIMPLE };
        assert_eq!(rows("q,d1\nq,d2", order), ["0 \"q\" \"d1\" 0", "5 \"q\" \"d2\" -5"]);
        let pieces: Vec<String> = Rows::new(b"q,d2", 5, order).map(shown).collect();
        assert_eq!(pieces, ["5 \"q\" \"d2\" -5"]);
    }

    #[test]
    fn faults_name_their_line_and_the_rows_go_on() {
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
    fn lines_longer_than_a_block_and_forty_columns() {
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
    fn plain_lines_go_the_fast_way() {
        let line = "3,4,5,6,7\r\n";
        for (query, item, value) in [(0, 1, None), (0, 1, Some(2)), (4, 2, Some(0)), (1, 3, Some(4)), (3, 2, Some(1))] {
            let layout = Layout { columns: 5, query, item, value, ..SIMPLE };
            let data = line.repeat(30) + "3, 4 ,5,6,7";
            let mut rows = Rows::new(data.as_bytes(), 0, layout);
            assert_eq!(std::iter::from_fn(|| rows.plain_line()).count(), 31, "{layout:?}");
        }
    }

    #[test]
    fn odd_layouts() {
        let missing = Layout { columns: 2, ..SIMPLE };
        let expected = ["Columns { offset: 0, got: 2 }", "Columns { offset: 4, got: 3 }"];
        assert_eq!(rows("q,d\nq,d,1\n", missing), expected);
        let twice = Layout { columns: 2, value: Some(1), ..SIMPLE };
        assert_eq!(rows("q,7\n", twice), ["0 \"q\" \"7\" 7"]);
    }

    #[test]
    fn an_ended_iterator_stays_ended() {
        let layout = Layout { columns: 4, query: 1, item: 2, value: Some(3), ..SIMPLE };
        for end in ["", "\n", "\n\n \n"] {
            let data = format!("x,q,d,1{end}");
            let mut rows = Rows::new(data.as_bytes(), 0, layout);
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
    fn random_lines_as_in_a_naive_split() {
        let mut random = Random(88_172_645_463_325_252);
        for _ in 0..600 {
            let layout = random_layout(&mut random);
            let count = random.below(20);
            let mut data: String = (0..count).map(|_| random_line(&mut random, layout)).collect();
            if random.below(2) == 0 {
                data.pop();
            }
            let base = random.below(1000);
            let got: Vec<String> = Rows::new(data.as_bytes(), base, layout).map(shown).collect();
            assert_eq!(got, naive(&data, base, layout), "{data:?} {layout:?}");
        }
    }

    #[test]
    fn the_header_is_the_first_line_that_is_not_blank() {
        let data = b"\xef\xbb\xbf\r\n  \nquery id, item ,\tscore\r\nq,d,1\n";
        let (fields, at) = header(data, b',');
        assert_eq!(fields, [&b"query id"[..], b"item", b"score"]);
        assert_eq!(&data[at..], b"q,d,1\n");
        assert_eq!(header(b"a\t b\t", b'\t'), (vec![&b"a"[..], b"b", b""], 5));
        assert_eq!(header(b"\xef\xbb\xbf \n", b','), (vec![], 5));
    }
}
