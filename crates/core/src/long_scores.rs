//! Scores with more digits than a 64-bit float holds: whole numbers beyond 2^53, and long decimals.
//!
//! Whole numbers keep their order: those that would become one float are moved to floats beside it. Digits of a
//! text that a float does not hold are only marked, so that scores that became equal can be counted.

/// From here on not every whole number is a float.
pub const EXACT: f64 = 9_007_199_254_740_992.0;
/// Decimals with at most this many digits are distinct floats if they were printed from floats.
const MOST_DIGITS: usize = 17;
/// The same for whole numbers, which may never have been floats.
const MOST_WHOLE_DIGITS: usize = 15;

/// The difference between a whole number and its float.
pub fn remainder(number: i128) -> i128 {
    number - (number as f64) as i128
}

/// Make scores that are equal as floats but not with their remainders differ, in the order of the remainders.
///
/// A score stays the same 32-bit float, so that it ties where it would have tied as one.
pub fn keep_order(scores: &mut [f64], remainders: &[i128]) {
    if remainders.iter().all(|&remainder| remainder == 0) {
        return;
    }
    let mut order: Vec<usize> = (0..scores.len().min(remainders.len())).collect();
    let key = |index: usize| (scores[index], remainders[index]);
    order.sort_unstable_by(|&a, &b| {
        let ((score, rest), (other, others)) = (key(a), key(b));
        score.total_cmp(&other).then(rest.cmp(&others))
    });
    let distinct: Vec<&[usize]> = order.chunk_by(|&a, &b| key(a) == key(b)).collect();
    let mut moved: Vec<f64> = distinct.iter().map(|same| scores[same[0]]).collect();
    spread(&mut moved);
    distinct.iter().zip(moved).for_each(|(same, score)| same.iter().for_each(|&index| scores[index] = score));
}

/// Make ascending numbers strictly ascending; each stays the same 32-bit float.
fn spread(numbers: &mut [f64]) {
    let narrow: Vec<f32> = numbers.iter().map(|&number| number as f32).collect();
    for index in 1..numbers.len() {
        if numbers[index] <= numbers[index - 1] {
            numbers[index] = numbers[index - 1].next_up();
        }
    }
    for index in (0..numbers.len()).rev() {
        if numbers[index] as f32 > narrow[index] {
            numbers[index] = last_of(narrow[index]);
        }
        if index + 1 < numbers.len() && numbers[index] >= numbers[index + 1] {
            numbers[index] = numbers[index + 1].next_down();
        }
    }
}

/// The largest 64-bit float that is this 32-bit float.
fn last_of(narrow: f32) -> f64 {
    let middle = f64::midpoint(f64::from(narrow), f64::from(narrow.next_up()));
    if middle as f32 == narrow { middle } else { middle.next_down() }
}

/// A mark of the digits of a number, where they are more than its float holds; 0 where they are not.
#[inline(always)]
pub fn mark(text: &[u8], number: f64) -> u64 {
    if text.len() <= MOST_WHOLE_DIGITS { 0 } else { mark_of_long(text, number) }
}

#[cold]
#[inline(never)]
fn mark_of_long(text: &[u8], number: f64) -> u64 {
    // A sign, a zero before the point, and the point are no digits that count.
    let most = if number.abs() < EXACT { MOST_DIGITS + 1 } else { MOST_WHOLE_DIGITS };
    let digits = match text {
        [b'-' | b'+', b'0', rest @ ..] | [b'0' | b'-' | b'+', rest @ ..] => rest,
        _ => text,
    };
    if digits.len() <= most { 0 } else { mark_of_digits(digits, number) }
}

fn mark_of_digits(text: &[u8], number: f64) -> u64 {
    let end = text.iter().position(|&byte| matches!(byte, b'e' | b'E')).unwrap_or(text.len());
    let mantissa = &text[..end];
    let is_significant = |byte: &u8| matches!(byte, b'1'..=b'9');
    let (Some(first), Some(last)) =
        (mantissa.iter().position(is_significant), mantissa.iter().rposition(is_significant))
    else {
        return 0;
    };
    let digits = || mantissa[first..=last].iter().copied().filter(u8::is_ascii_digit);
    let most = if number.abs() < EXACT { MOST_DIGITS } else { MOST_WHOLE_DIGITS };
    if digits().count() <= most {
        return 0;
    }
    // Marks are compared where the floats are equal, so the digits alone tell the numbers apart.
    xxhash_rust::xxh3::xxh3_64(&digits().collect::<Vec<u8>>()) | 1
}

/// Marks by row; rows without one are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DigitMarks(Vec<(u32, u64)>);

impl DigitMarks {
    /// Mark a row; rows come in order, and 0 is no mark.
    #[inline]
    pub fn push(&mut self, row: usize, mark: u64) {
        if mark != 0 {
            self.0.push((row as u32, mark));
        }
    }

    /// Add the marks of rows that follow, the first of which is `base`.
    pub fn append(&mut self, base: usize, other: &DigitMarks) {
        self.0.extend(other.0.iter().map(|&(row, mark)| (base as u32 + row, mark)));
    }

    /// The mark of a row; 0 if it has none.
    pub fn of(&self, row: usize) -> u64 {
        self.0.binary_search_by_key(&(row as u32), |&(row, _)| row).map_or(0, |index| self.0[index].1)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The rows that have a mark, and their marks.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u32, u64)> {
        self.0.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(numbers: &[i128]) -> Vec<f64> {
        let mut scores: Vec<f64> = numbers.iter().map(|&number| number as f64).collect();
        let remainders: Vec<i128> = numbers.iter().map(|&number| remainder(number)).collect();
        keep_order(&mut scores, &remainders);
        scores
    }

    #[test]
    fn keep_order_of_long_whole_numbers_keeps_their_order_and_32_bit_float() {
        let nanoseconds = 1_700_000_000_000_000_000_i128;
        // Around a number from which on the next 32-bit float is nearer.
        let middle = f64::midpoint(f64::from(1e18_f32), f64::from(1e18_f32.next_up())) as i128;
        for base in [0, 1 << 53, nanoseconds, -nanoseconds, middle, -middle, i128::from(u64::MAX) - 3000, 1 << 100] {
            let numbers: Vec<i128> =
                (0..3000).map(|step| base + (step * 7919) % 3000).chain([base, base + 1]).collect();
            let scores = kept(&numbers);
            for (a, &number) in numbers.iter().enumerate() {
                assert_eq!(scores[a] as f32, number as f64 as f32, "{number}");
                for (b, other) in numbers.iter().enumerate().step_by(97) {
                    assert_eq!(scores[a].partial_cmp(&scores[b]), Some(number.cmp(other)), "{number} {other}");
                }
            }
        }
    }

    #[test]
    fn keep_order_of_exact_floats_changes_nothing() {
        assert_eq!(kept(&[3, 1 << 60, -5, 1 << 60]), [3.0, 2_f64.powi(60), -5.0, 2_f64.powi(60)]);
    }

    #[test]
    fn mark_of_long_numbers_differs_by_digits_and_of_others_is_0() {
        let of = |text: &str| mark(text.as_bytes(), text.parse().unwrap());
        for plain in ["0.5", "12.345678", "0.8765432109876543", "-0.00012345678901234567", "1.50000000000000000000000"]
        {
            assert_eq!(of(plain), 0, "{plain}");
        }
        for plain in ["1700000000000000000", "1.7e18", "0.00000000000000000000000"] {
            assert_eq!(of(plain), 0, "{plain}");
        }
        assert_ne!(of("1700000000000000001"), 0);
        assert_ne!(of("1700000000000000001"), of("1700000000000000002"));
        assert_eq!(of("1700000000000000001"), of("+1700000000000000001.0"));
        assert_eq!(of("1700000000000000001"), of("1.700000000000000001E18"));
        assert_ne!(of("0.1234567890123456789"), of("0.1234567890123456788"));
    }

    #[test]
    fn digit_marks_after_append_are_found_by_row() {
        let mut marks = DigitMarks::default();
        for (row, mark) in [(1, 5), (2, 0), (4, 7)] {
            marks.push(row, mark);
        }
        let mut all = marks.clone();
        all.append(5, &marks);
        assert_eq!([0, 1, 2, 4, 6, 9].map(|row| all.of(row)), [0, 5, 0, 7, 5, 7]);
    }
}
