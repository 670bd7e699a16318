//! Where fields and lines end, found 64 bytes at a time.

use wide::u8x16;

/// Where the fields and lines end within 64 bytes, as bits that are taken away as they are passed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    start: usize,
    delimiters: u64,
    newlines: u64,
    /// The delimiters of the current line.
    line_delimiters: u64,
}

impl Block {
    #[inline(always)]
    pub(super) fn load(data: &[u8], start: usize, delimiter: u8) -> Self {
        let (delimiters, newlines) = match data.get(start..).and_then(|rest| rest.first_chunk()) {
            Some(bytes) => masks(bytes, delimiter),
            None => masks(&last_bytes(data, start), delimiter),
        };
        Block { start, delimiters, newlines, line_delimiters: delimiters & below_first(newlines) }
    }

    /// The offset of the first newline, if the line ends within these bytes.
    #[inline(always)]
    fn newline(&self) -> Option<usize> {
        (self.newlines != 0).then(|| self.start + self.newlines.trailing_zeros() as usize)
    }

    /// The offset after the next `count` delimiters of the line; none if the line has fewer.
    #[inline(always)]
    pub(super) fn pass(&mut self, data: &[u8], delimiter: u8, mut count: usize) -> Option<usize> {
        loop {
            while self.line_delimiters != 0 {
                let offset = self.start + self.line_delimiters.trailing_zeros() as usize;
                self.line_delimiters &= self.line_delimiters - 1;
                count -= 1;
                if count == 0 {
                    return Some(offset + 1);
                }
            }
            if self.newlines != 0 {
                return None;
            }
            *self = Block::load(data, self.start + 64, delimiter);
        }
    }

    /// The offset of the next delimiter, which is passed, or else of the newline, which is not.
    #[inline(always)]
    pub(super) fn field_end(&mut self, data: &[u8], delimiter: u8) -> usize {
        loop {
            if self.line_delimiters != 0 {
                let offset = self.start + self.line_delimiters.trailing_zeros() as usize;
                self.line_delimiters &= self.line_delimiters - 1;
                return offset;
            }
            if let Some(offset) = self.newline() {
                return offset;
            }
            *self = Block::load(data, self.start + 64, delimiter);
        }
    }

    /// The offset of the newline, and the number of delimiters before it.
    #[inline(always)]
    pub(super) fn line_end(&mut self, data: &[u8], delimiter: u8) -> (usize, usize) {
        let mut count = 0;
        loop {
            if self.line_delimiters != 0 {
                count += self.line_delimiters.count_ones() as usize;
            }
            if let Some(offset) = self.newline() {
                return (offset, count);
            }
            *self = Block::load(data, self.start + 64, delimiter);
        }
    }

    /// Pass the newline.
    #[inline(always)]
    pub(super) fn next_line(&mut self) {
        self.delimiters &= !below_first(self.newlines);
        self.newlines &= self.newlines.wrapping_sub(1);
        self.line_delimiters = self.delimiters & below_first(self.newlines);
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
