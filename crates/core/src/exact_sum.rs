//! Exact sums of floating-point numbers: the same bits in whatever order and grouping the numbers are added.
//!
//! The sum is one long fixed-point number that covers every bit of every double, from 2^-1074 to 2^1023, with room for
//! carries (a superaccumulator: Kulisch 1971; Neal 2015, Fast exact summation using small and large superaccumulators).

use crate::bytes::{Reader, Writer};
use crate::error::Error;

const BITS: usize = 32;
/// From 2^-1074 to 2^1023.
const FINITE_BITS: usize = 2098;
/// The bits of doubles, and 78 more for carries and the sign.
const LIMBS: usize = 68;
/// A limb holds 63 bits and an addition changes it by less than 2^32.
const MOST_PENDING: u32 = 1 << 30;

/// The exact sum of the numbers that were added.
#[derive(Debug, Clone)]
pub struct ExactSum {
    /// Little end first; once carried, all but the last are from 0 to 2^32 - 1.
    limbs: [i64; LIMBS],
    /// Additions since the last carry.
    pending: u32,
    /// The sum of what is not finite: 0, an infinity, or NaN.
    special: f64,
}

impl Default for ExactSum {
    fn default() -> Self {
        ExactSum { limbs: [0; LIMBS], pending: 0, special: 0.0 }
    }
}

impl ExactSum {
    pub fn add(&mut self, number: f64) {
        if !number.is_finite() {
            self.special += number;
            return;
        }
        let bits = number.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as usize, bits & ((1 << 52) - 1));
        // A subnormal number has the exponent of the smallest normal one and no leading 1.
        let (mantissa, shift) = if exponent == 0 { (fraction, 0) } else { (fraction | 1 << 52, exponent - 1) };
        let wide = u128::from(mantissa) << (shift % BITS);
        let parts = [wide as u32, (wide >> 32) as u32, (wide >> 64) as u32].map(i64::from);
        for (limb, part) in self.limbs[shift / BITS..].iter_mut().zip(parts) {
            *limb += if number.is_sign_negative() { -part } else { part };
        }
        self.pending += 1;
        if self.pending == MOST_PENDING {
            self.carry();
        }
    }

    /// Add the product of two numbers without rounding it, unless it is below 2^-969 or overflows.
    pub fn add_product(&mut self, a: f64, b: f64) {
        let product = a * b;
        self.add(product);
        if product.is_finite() {
            self.add(a.mul_add(b, -product));
        }
    }

    pub fn merge(&mut self, other: &ExactSum) {
        let mut other = other.clone();
        other.carry();
        self.carry();
        self.limbs.iter_mut().zip(other.limbs).for_each(|(limb, part)| *limb += part);
        self.special += other.special;
        self.carry();
    }

    /// Bring every limb but the last into its range: one form for each sum.
    fn carry(&mut self) {
        let mut carried = 0;
        for limb in &mut self.limbs[..LIMBS - 1] {
            let whole = *limb + carried;
            *limb = whole & i64::from(u32::MAX);
            carried = whole >> BITS;
        }
        self.limbs[LIMBS - 1] += carried;
        self.pending = 0;
    }

    /// The sum, rounded once to the nearest double.
    pub fn value(&self) -> f64 {
        if self.special != 0.0 {
            return self.special;
        }
        let mut sum = self.clone();
        sum.carry();
        let negative = sum.limbs[LIMBS - 1] < 0;
        if negative {
            sum.limbs.iter_mut().for_each(|limb| *limb = -*limb);
            sum.carry();
        }
        let magnitude = rounded(&sum.limbs);
        if negative { -magnitude } else { magnitude }
    }

    /// Whether all numbers were finite.
    pub fn is_finite(&self) -> bool {
        self.special == 0.0
    }

    /// Whether finite numbers add up to more than a double can hold.
    pub fn overflows(&self) -> bool {
        self.special == 0.0 && self.value().is_infinite()
    }

    /// The exact sum times 2^1074 as the bytes of a whole number, in two's complement, little end first.
    pub fn to_whole(&self) -> Vec<u8> {
        let mut sum = self.clone();
        sum.carry();
        let (last, others) = (sum.limbs[LIMBS - 1], &sum.limbs[..LIMBS - 1]);
        others.iter().flat_map(|&limb| (limb as u32).to_le_bytes()).chain(last.to_le_bytes()).collect()
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        let mut sum = self.clone();
        sum.carry();
        writer.float(sum.special);
        let first = sum.limbs.iter().position(|&limb| limb != 0).unwrap_or(LIMBS);
        let end = sum.limbs.iter().rposition(|&limb| limb != 0).map_or(first, |last| last + 1);
        writer.count(first);
        writer.count(end - first);
        sum.limbs[first..end].iter().for_each(|&limb| writer.count(limb as usize));
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let mut sum = ExactSum { special: reader.float()?, ..ExactSum::default() };
        let (first, count) = (reader.count()?, reader.count()?);
        let end = first.checked_add(count).filter(|&end| end <= LIMBS);
        let end = end.ok_or(Error::BadBytes { reason: "a sum of too many limbs" })?;
        for (index, limb) in sum.limbs[..end].iter_mut().enumerate().skip(first) {
            *limb = reader.count()? as i64;
            if index + 1 < LIMBS && !(0..=i64::from(u32::MAX)).contains(limb) {
                return Err(Error::BadBytes { reason: "a limb of a sum out of its range" });
            }
        }
        Ok(sum)
    }
}

/// The double nearest to a carried sum that is not negative; of two equally near, the even one.
fn rounded(limbs: &[i64; LIMBS]) -> f64 {
    let bit = |index: usize| limbs[index / BITS] >> (index % BITS) & 1;
    let Some(top) = limbs.iter().rposition(|&limb| limb != 0) else { return 0.0 };
    let highest = top * BITS + (63 - limbs[top].leading_zeros() as usize);
    if highest >= FINITE_BITS {
        return f64::INFINITY;
    }
    if highest <= 52 {
        // Fewer bits than a double has: the bits are those of the number.
        return f64::from_bits((limbs[1] as u64) << BITS | limbs[0] as u64);
    }
    let lowest = highest - 52;
    let mantissa = (lowest..=highest).rev().fold(0_u64, |bits, index| bits << 1 | bit(index) as u64);
    let half = bit(lowest - 1) == 1;
    let above_half = (0..lowest - 1).any(|index| bit(index) == 1);
    let up = half && (above_half || mantissa & 1 == 1);
    // The leading 1 of the mantissa raises the exponent, and so does a mantissa that is rounded up to 2^53.
    let bits = ((lowest as u64) << 52) + mantissa + u64::from(up);
    if bits >= f64::INFINITY.to_bits() { f64::INFINITY } else { f64::from_bits(bits) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(numbers: &[f64]) -> f64 {
        let mut sum = ExactSum::default();
        numbers.iter().for_each(|&number| sum.add(number));
        sum.value()
    }

    #[test]
    fn exact_sum_of_any_numbers_is_rounded_once() {
        assert_eq!(sum(&[]), 0.0);
        assert_eq!(sum(&[0.1; 10]), 1.0);
        assert_eq!(sum(&[1e308, 1.0, -1e308]), 1.0);
        assert_eq!(sum(&[1.0, 2.0_f64.powi(-53)]), 1.0);
        assert_eq!(sum(&[1.0, 2.0_f64.powi(-53), 5e-324]), 1.0 + f64::EPSILON);
        assert_eq!(sum(&[-1.0, -(2.0_f64.powi(-53)), -5e-324]), -1.0 - f64::EPSILON);
        assert_eq!(sum(&[5e-324, 5e-324]), 1e-323);
        assert_eq!(sum(&[f64::MIN_POSITIVE, -5e-324]), f64::MIN_POSITIVE - 5e-324);
        assert_eq!(sum(&[f64::MAX, -f64::MAX, 3.0]), 3.0);
    }

    #[test]
    fn exact_sum_of_too_large_or_infinite_numbers_is_not_finite() {
        let mut twice = ExactSum::default();
        twice.add(f64::MAX);
        assert!(!twice.overflows());
        twice.add(f64::MAX);
        assert!(twice.overflows());
        assert_eq!(sum(&[f64::INFINITY, 1.0]), f64::INFINITY);
        assert!(sum(&[f64::INFINITY, f64::NEG_INFINITY]).is_nan());
    }

    #[test]
    fn exact_sum_with_carries_over_many_limbs_is_exact() {
        let mut sum = ExactSum::default();
        (0..1000).for_each(|_| sum.add(-f64::MAX));
        (0..1000).for_each(|_| sum.add(f64::MAX));
        sum.add(-5e-324);
        assert_eq!(sum.value(), -5e-324);
        let mut other = ExactSum::default();
        other.add(5e-324);
        sum.merge(&other);
        assert_eq!(sum.to_whole(), ExactSum::default().to_whole());
    }

    #[test]
    fn add_product_of_two_numbers_does_not_round_it() {
        let mut sum = ExactSum::default();
        let number = 1.0 + f64::EPSILON;
        sum.add_product(number, number);
        sum.add(-1.0 - 2.0 * f64::EPSILON);
        assert_eq!(sum.value(), f64::EPSILON * f64::EPSILON);
    }

    #[test]
    fn exact_sum_written_as_bytes_is_read_back() {
        for numbers in [vec![], vec![1e308, -5e-324], vec![-1.5, f64::NAN], vec![0.1; 1000]] {
            let mut sum = ExactSum::default();
            numbers.iter().for_each(|&number| sum.add(number));
            let mut writer = Writer::default();
            sum.write(&mut writer);
            let bytes = writer.finish();
            let again = ExactSum::read(&mut Reader::new(&bytes)).unwrap();
            assert_eq!(again.value().to_bits(), sum.value().to_bits());
            assert_eq!(again.to_whole(), sum.to_whole());
            for end in 0..bytes.len() {
                assert!(ExactSum::read(&mut Reader::new(&bytes[..end])).is_err());
            }
        }
    }
}
