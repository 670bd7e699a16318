//! Numbers as they are written in texts.

use crate::long_scores::mark;

/// A finite number, and a mark of its digits where they are more than a float has.
#[inline(always)]
pub(super) fn parse_marked(text: &[u8]) -> Option<(f64, u64)> {
    let number = parse_number(text)?;
    Some((number, mark(text, number)))
}

/// A finite number, or nothing.
#[inline(always)]
pub(super) fn parse_number(text: &[u8]) -> Option<f64> {
    parse_short(text).or_else(|| parse_any(text))
}

#[inline(never)]
fn parse_any(text: &[u8]) -> Option<f64> {
    let number: f64 = fast_float2::parse(text).ok()?;
    number.is_finite().then_some(number)
}

/// A number of at most eight digits, a point and at most eight decimals, as most scores are; none for others.
///
/// Without the point it is a whole number. That and the power of ten by which it is divided are floats, so that the
/// quotient is rounded once, as it must be.
#[inline(always)]
fn parse_short(text: &[u8]) -> Option<f64> {
    match text {
        [b'-', digits @ ..] => parse_digits(digits).map(|number| -number),
        _ => parse_digits(text),
    }
}

#[inline(always)]
fn parse_digits(text: &[u8]) -> Option<f64> {
    if text.len() > LONGEST {
        return None;
    }
    let (whole, length) = leading_digits(text);
    match text[length..] {
        _ if length == 0 => None,
        [] => Some(whole as f64),
        [b'.', ref decimals @ ..] => {
            let number = whole * POWERS.get(decimals.len())? + parse_decimals(decimals)?;
            (number <= 1 << 53).then(|| number as f64 / POWERS[decimals.len()] as f64)
        }
        _ => None,
    }
}

/// As long as scores with six decimals are; longer texts mostly have more digits than are taken here.
const LONGEST: usize = 13;
const POWERS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// The number that up to eight digits make, and how many they are.
#[inline(always)]
fn leading_digits(text: &[u8]) -> (u64, usize) {
    let (mut number, mut length) = (0, 0);
    for byte in text.iter().take(8) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        number = 10 * number + u64::from(digit);
        length += 1;
    }
    (number, length)
}

/// The number that one to eight digits make; from four on they are converted at once, as bytes of a word.
#[inline(always)]
fn parse_decimals(text: &[u8]) -> Option<u64> {
    let length = text.len();
    let word = match length {
        8 => u64::from_le_bytes(*text.first_chunk()?),
        4..=7 => {
            // The first four and the last four overlap: what both have is shifted out, and zeros come in front.
            let (first, last) = (u32::from_le_bytes(*text.first_chunk()?), u32::from_le_bytes(*text.last_chunk()?));
            let first = u64::from(first) << (8 * (8 - length)) & 0xFFFF_FFFF;
            let zeros = 0x3030_3030 & ((1 << (8 * (8 - length))) - 1);
            u64::from(last) << 32 | first | zeros
        }
        1..=3 => return Some(leading_digits(text)).filter(|&(_, digits)| digits == length).map(|(number, _)| number),
        _ => return None,
    };
    are_digits(word).then(|| eight_digits(word))
}

#[inline(always)]
fn are_digits(bytes: u64) -> bool {
    let above = bytes.wrapping_add(0x4646_4646_4646_4646);
    let below = bytes.wrapping_sub(0x3030_3030_3030_3030);
    (above | below) & 0x8080_8080_8080_8080 == 0
}

/// The number that eight digits make: pairs of digits first, then pairs of pairs, then both halves.
#[inline(always)]
fn eight_digits(bytes: u64) -> u64 {
    let pairs = (bytes & 0x0F0F_0F0F_0F0F_0F0F).wrapping_mul(10 << 8 | 1) >> 8;
    let fours = (pairs & 0x00FF_00FF_00FF_00FF).wrapping_mul(100 << 16 | 1) >> 16;
    (fours & 0x0000_FFFF_0000_FFFF).wrapping_mul(10_000 << 32 | 1) >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both parsers agree bit for bit, and on what is no number.
    fn check(text: &str) {
        let (short, any) = (parse_short(text.as_bytes()), parse_any(text.as_bytes()));
        if let Some(short) = short {
            assert_eq!(any.map(f64::to_bits), Some(short.to_bits()), "{text}");
        }
        assert_eq!(parse_number(text.as_bytes()).map(f64::to_bits), any.map(f64::to_bits), "{text}");
    }

    #[test]
    fn parse_short_of_random_numbers_equals_the_general_parser() {
        let mut seed = 7_u64;
        for _ in 0..200_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let digits = (seed >> 5).to_string();
            let digits = &digits[..digits.len().min(1 + (seed >> 59) as usize % 18)];
            let point = (seed >> 13) as usize % (digits.len() + 1);
            let sign = ["", "-"][(seed >> 40) as usize % 2];
            check(&format!("{sign}{digits}"));
            check(&format!("{sign}{}.{}", &digits[..point], &digits[point..]));
        }
    }

    #[test]
    fn parse_number_of_unusual_texts_equals_the_general_parser() {
        let odd =
            ["", ".", "-", "-.", "1.2.3", "..", "1-2", "--1", "1e5", "+2.5", "nan", "inf", "0x10", "1_000", "1 2"];
        odd.into_iter().for_each(check);
        for odd in [
            "12:45",
            "1/2",
            "12345678:",
            "/2345678",
            "é",
            "１２",
            "5.",
            ".5",
            "-0",
            "0000000000000001",
            "9007199254740993",
        ] {
            check(odd);
        }
        assert_eq!(parse_short(b"25.123456"), Some(25.123_456));
        assert_eq!(parse_short(b"-0.5"), Some(-0.5));
        assert_eq!(parse_short(b"1e5"), None);
    }
}
