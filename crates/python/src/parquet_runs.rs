//! Whole numbers as Parquet packs levels and places in a dictionary: the same again and again, or a few bits each.

/// A run of numbers.
#[derive(Debug)]
pub enum Run<'a> {
    /// A number, so many times.
    Same(u32, usize),
    Various(&'a [u32]),
}

/// A run as it is stored.
enum Piece<'a> {
    Same(u32, usize),
    /// So many numbers, one after another.
    Packed(&'a [u8], usize),
}

/// More bits than a number has are no width.
const WIDEST: usize = 32;

/// Visit `left` numbers of so many bits; none if the bytes do not have them, or if a visit gives none.
pub fn each_run(bytes: &[u8], width: usize, left: usize, mut visit: impl FnMut(Run<'_>) -> Option<()>) -> Option<()> {
    each_piece(bytes, width, left, |piece| match piece {
        Piece::Same(number, count) => visit(Run::Same(number, count)),
        Piece::Packed(packed, count) => unpack(packed, width, count, &mut visit),
    })
}

/// Whether each of `left` numbers of one bit is 1.
pub fn all_set(bytes: &[u8], left: usize) -> bool {
    let are_set = each_piece(bytes, 1, left, |piece| match piece {
        Piece::Same(number, _) => (number == 1).then_some(()),
        Piece::Packed(packed, count) => {
            let (whole, rest) = packed.split_at_checked(count / 8)?;
            let last = rest.first().map_or(0, |byte| byte.trailing_ones() as usize);
            (whole.iter().all(|&byte| byte == u8::MAX) && last >= count % 8).then_some(())
        }
    });
    are_set.is_some()
}

fn each_piece<'a>(
    mut bytes: &'a [u8],
    width: usize,
    mut left: usize,
    mut visit: impl FnMut(Piece<'a>) -> Option<()>,
) -> Option<()> {
    if width > WIDEST {
        return None;
    }
    while left > 0 {
        let header = varint(&mut bytes)?;
        let length = (header >> 1) as usize;
        let (count, size) = match header & 1 {
            0 => (length, width.div_ceil(8)),
            _ => (length.checked_mul(8)?, length.checked_mul(width)?),
        };
        let (stored, rest) = bytes.split_at_checked(size)?;
        let count = count.min(left);
        if count == 0 {
            return None;
        }
        visit(match header & 1 {
            0 => Piece::Same(stored.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte)), count),
            _ => Piece::Packed(stored, count),
        })?;
        (bytes, left) = (rest, left - count);
    }
    Some(())
}

/// Numbers are unpacked so many at a time, which stay in the cache.
const AT_ONCE: usize = 256;

fn unpack(packed: &[u8], width: usize, count: usize, visit: &mut impl FnMut(Run<'_>) -> Option<()>) -> Option<()> {
    if width == 0 {
        return visit(Run::Same(0, count));
    }
    let mask = u32::MAX >> (WIDEST - width);
    let mut numbers = [0; AT_ONCE];
    let mut left = count;
    // Eight numbers take as many bytes as one takes bits.
    for some in packed.chunks(width * AT_ONCE / 8) {
        for (eight, numbers) in some.chunks_exact(width).zip(numbers.chunks_exact_mut(8)) {
            // The last of them is read as eight bytes that begin within the first 28.
            let mut padded = [0; WIDEST + 8];
            padded[..width].copy_from_slice(eight);
            for (place, number) in numbers.iter_mut().enumerate() {
                let bit = place * width;
                let mut word = [0; 8];
                word.copy_from_slice(&padded[bit / 8..bit / 8 + 8]);
                *number = (u64::from_le_bytes(word) >> (bit % 8)) as u32 & mask;
            }
        }
        let taken = left.min(some.len() / width * 8);
        visit(Run::Various(&numbers[..taken]))?;
        left -= taken;
        if left == 0 {
            return Some(());
        }
    }
    None
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..35).step_by(7) {
        let (&first, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(first & 0x7f) << shift;
        if first < 0x80 {
            return Some(number);
        }
    }
    None
}
