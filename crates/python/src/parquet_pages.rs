//! What the pages of a Parquet column claim, checked before they are decoded: a decoder takes memory as it is told to.

use std::io::Read;

use arrow_schema::ArrowError;
use flate2::Crc;
use flate2::read::MultiGzDecoder;

/// Which pages a column may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pages {
    /// Numbers in any encoding.
    Numbers,
    /// Texts one after another, which take no more memory than their page.
    PlainTexts,
    /// Texts of which some or all are numbers of a dictionary.
    CodedTexts,
}

// Encodings by their number in the format.
pub const PLAIN: i64 = 0;
pub const PLAIN_DICTIONARY: i64 = 2;
pub const RLE: i64 = 3;
const DELTA_BINARY_PACKED: i64 = 5;
pub const RLE_DICTIONARY: i64 = 8;
const BYTE_STREAM_SPLIT: i64 = 9;

pub const DATA_PAGE: i64 = 0;
pub const DICTIONARY_PAGE: i64 = 2;
const DATA_PAGE_V2: i64 = 3;

impl Pages {
    fn may_have(self, header: &Header) -> bool {
        match (header.kind, header.encoding) {
            (DICTIONARY_PAGE, PLAIN | PLAIN_DICTIONARY) => self != Pages::PlainTexts,
            (DATA_PAGE | DATA_PAGE_V2, PLAIN) => true,
            (DATA_PAGE | DATA_PAGE_V2, PLAIN_DICTIONARY | RLE_DICTIONARY) => self != Pages::PlainTexts,
            (DATA_PAGE | DATA_PAGE_V2, RLE | DELTA_BINARY_PACKED | BYTE_STREAM_SPLIT) => self == Pages::Numbers,
            _ => false,
        }
    }
}

/// How much memory a value takes once it is decoded, however few bytes its page has.
const VALUE_BYTES: u64 = 8;

/// How many bytes the pages of a column unpack to, as their headers say; they must have so many rows.
///
/// Pages of gzip are unpacked to see that they have no more: their decoder goes on to their end, whatever they say.
pub fn claimed_bytes(mut column: &[u8], pages: Pages, rows: u64, is_gzip: bool) -> Result<u64, ArrowError> {
    let (mut claimed, mut values) = (0_u64, 0_u64);
    while !column.is_empty() {
        let page = next_page(&mut column, pages)?;
        page.require_checksum()?;
        if is_gzip && page.is_packed {
            page.require_gzip_length()?;
        }
        claimed = claimed.saturating_add(page.claimed());
        values = values.saturating_add(if page.kind == DICTIONARY_PAGE { 0 } else { page.values });
    }
    if values == rows { Ok(claimed) } else { Err(corrupt("a column of other rows than it says")) }
}

/// A page as its header describes it, still packed.
#[derive(Debug)]
pub struct Page<'a> {
    pub kind: i64,
    pub encoding: i64,
    /// How the levels, which say where values are missing, are encoded.
    pub levels: i64,
    pub unpacked: u64,
    pub values: u64,
    checksum: Option<i64>,
    is_packed: bool,
    /// How many bytes of levels are before what is packed, in pages of version 2.
    unpacked_levels: u64,
    pub body: &'a [u8],
}

impl Page<'_> {
    /// Refuse a page whose bytes are not those that were written, where its writer left a checksum.
    pub fn require_checksum(&self) -> Result<(), ArrowError> {
        let Some(written) = self.checksum else { return Ok(()) };
        let mut found = Crc::new();
        found.update(self.body);
        let is_same = found.sum() == written as u32;
        if is_same { Ok(()) } else { Err(corrupt("a page of another checksum than it says")) }
    }

    /// Refuse a page of gzip that unpacks to more bytes than it says.
    fn require_gzip_length(&self) -> Result<(), ArrowError> {
        let is_too_long = || corrupt("a page that unpacks to more than it says");
        let packed = usize::try_from(self.unpacked_levels).ok().and_then(|levels| self.body.get(levels..));
        let most = self.unpacked.checked_sub(self.unpacked_levels).ok_or_else(is_too_long)?;
        let mut unpacked = MultiGzDecoder::new(packed.ok_or_else(is_too_long)?).take(most.saturating_add(1));
        match std::io::copy(&mut unpacked, &mut std::io::sink()) {
            Ok(length) if length > most => Err(is_too_long()),
            Ok(_) => Ok(()),
            Err(_) => Err(corrupt("a page that is no gzip")),
        }
    }

    pub fn claimed(&self) -> u64 {
        self.unpacked.max(self.values.saturating_mul(VALUE_BYTES))
    }
}

/// Take the next page off a column.
pub fn next_page<'a>(column: &mut &'a [u8], pages: Pages) -> Result<Page<'a>, ArrowError> {
    let mut reader = Compact { bytes: column };
    let header = Header::read(&mut reader)?;
    if !pages.may_have(&header) {
        return Err(corrupt("a page of another encoding than its column"));
    }
    let size = |number: i64| u64::try_from(number).map_err(|_| corrupt("a negative length"));
    let (packed, unpacked, values) = (size(header.packed)?, size(header.unpacked)?, size(header.values)?);
    let body = reader.bytes.split_at_checked(packed as usize).ok_or_else(|| corrupt("a page beyond its column"))?;
    *column = body.1;
    let unpacked_levels = size(header.definitions)?.saturating_add(size(header.repetitions)?);
    let Header { kind, encoding, levels, checksum, is_packed, .. } = header;
    Ok(Page { kind, encoding, levels, unpacked, values, checksum, is_packed, unpacked_levels, body: body.0 })
}

/// The header of a page, as far as it is needed.
#[derive(Debug, Default)]
struct Header {
    kind: i64,
    unpacked: i64,
    packed: i64,
    values: i64,
    encoding: i64,
    levels: i64,
    checksum: Option<i64>,
    /// How many bytes the levels of a page of version 2 have, and whether its values are packed.
    definitions: i64,
    repetitions: i64,
    is_packed: bool,
}

impl Header {
    fn read(reader: &mut Compact<'_>) -> Result<Self, ArrowError> {
        let unknown = Header { kind: -1, unpacked: -1, packed: -1, values: -1, encoding: -1, ..Header::default() };
        let mut header = Header { levels: -1, is_packed: true, ..unknown };
        reader.structure(0, 0, &mut |place, number| match place {
            (0, 1) => header.kind = number,
            (0, 2) => header.unpacked = number,
            (0, 3) => header.packed = number,
            (0, 4) => header.checksum = Some(number),
            // The header of a data page, of a dictionary, and of a data page of version 2.
            (5 | 7 | 8, 1) => header.values = number,
            (5 | 7, 2) | (8, 4) => header.encoding = number,
            (5, 3) => header.levels = number,
            (8, 5) => header.definitions = number,
            (8, 6) => header.repetitions = number,
            (8, 7) => header.is_packed = number != 0,
            _ => {}
        })?;
        Ok(header)
    }
}

/// Reads Thrift's compact protocol.
struct Compact<'a> {
    bytes: &'a [u8],
}

/// Headers of pages are three deep.
const DEEPEST: u8 = 8;

impl Compact<'_> {
    /// Visit the whole numbers and the flags of a structure and of those within, by the field that it is and their own.
    fn structure(&mut self, outer: u64, depth: u8, visit: &mut dyn FnMut((u64, u64), i64)) -> Result<(), ArrowError> {
        let mut field = 0;
        loop {
            let byte = self.byte()?;
            if byte == 0 {
                return Ok(());
            }
            field = match byte >> 4 {
                0 => zigzag(self.varint()?) as u64,
                step => field + u64::from(step),
            };
            match byte & 0x0f {
                5 => visit((outer, field), zigzag(self.varint()?)),
                12 if depth == 0 => self.structure(field, depth + 1, visit)?,
                kind @ (1 | 2) => visit((outer, field), i64::from(kind == 1)), // true and false
                kind => self.skip(kind, depth + 1)?,
            }
        }
    }

    fn skip(&mut self, kind: u8, depth: u8) -> Result<(), ArrowError> {
        match kind {
            _ if depth > DEEPEST => Err(corrupt("a header that is too deep")),
            1..=3 => self.skip_bytes(1),
            4..=6 => self.varint().map(drop),
            7 => self.skip_bytes(8),
            8 => {
                let length = self.varint()?;
                self.skip_bytes(length)
            }
            12 => self.structure(u64::MAX, depth + 1, &mut |_, _| {}),
            _ => Err(corrupt("a header with lists")),
        }
    }

    fn byte(&mut self) -> Result<u8, ArrowError> {
        let (&first, rest) = self.bytes.split_first().ok_or_else(|| corrupt("a header that is cut"))?;
        self.bytes = rest;
        Ok(first)
    }

    fn skip_bytes(&mut self, count: u64) -> Result<(), ArrowError> {
        let rest = usize::try_from(count).ok().and_then(|count| self.bytes.get(count..));
        self.bytes = rest.ok_or_else(|| corrupt("a header that is cut"))?;
        Ok(())
    }

    fn varint(&mut self) -> Result<u64, ArrowError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(corrupt("a number that is too long"))
    }
}

fn zigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

pub fn corrupt(what: &str) -> ArrowError {
    ArrowError::ParquetError(format!("a Parquet file with {what}"))
}
