//! Numbers and texts as bytes, little end first, for what travels between processes and is kept in files.
//!
//! A reader checks everything: bytes that are truncated, too long or of another version are an error, and no length in
//! them makes it allocate more memory than there are bytes.

use std::ops::RangeInclusive;

use flate2::Crc;

use crate::error::Error;

#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Begin with what the bytes are and the version of their form.
    pub fn new(kind: [u8; 4], version: u32) -> Self {
        let mut writer = Writer { bytes: kind.to_vec() };
        writer.bytes.extend(version.to_le_bytes());
        writer
    }

    pub fn count(&mut self, count: usize) {
        self.bytes.extend((count as u64).to_le_bytes());
    }

    pub fn float(&mut self, number: f64) {
        self.bytes.extend(number.to_bits().to_le_bytes());
    }

    pub fn floats(&mut self, numbers: &[f64]) {
        self.count(numbers.len());
        numbers.iter().for_each(|&number| self.float(number));
    }

    pub fn wide(&mut self, numbers: &[u128]) {
        self.count(numbers.len());
        numbers.iter().for_each(|number| self.bytes.extend(number.to_le_bytes()));
    }

    pub fn text(&mut self, text: &[u8]) {
        self.count(text.len());
        self.bytes.extend_from_slice(text);
    }

    pub fn flag(&mut self, flag: u8) {
        self.bytes.push(flag);
    }

    /// A count of seven bits a byte, lowest first; the high bit says that another byte follows.
    pub fn packed(&mut self, count: usize) {
        let mut rest = count;
        while rest >= 0x80 {
            self.bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.bytes.push(rest as u8);
    }

    pub fn optional_text(&mut self, text: Option<&str>) {
        self.flag(u8::from(text.is_some()));
        if let Some(text) = text {
            self.text(text.as_bytes());
        }
    }

    /// Bytes without their length, which the reader must know.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// The bytes with a checksum after them.
    pub fn seal(mut self) -> Vec<u8> {
        let checksum = checksum(&self.bytes);
        self.bytes.extend(checksum);
        self.bytes
    }
}

fn checksum(bytes: &[u8]) -> [u8; 4] {
    let mut crc = Crc::new();
    bytes.chunks(1 << 30).for_each(|chunk| crc.update(chunk));
    crc.sum().to_le_bytes()
}

#[derive(Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { rest: bytes }
    }

    /// Begin to read; the bytes must be of that kind and version.
    pub fn open(bytes: &'a [u8], kind: [u8; 4], version: u32) -> Result<Self, Error> {
        Ok(Reader::open_any(bytes, kind, version..=version)?.0)
    }

    /// Begin to read bytes of any of these versions, and return which it is.
    pub fn open_any(bytes: &'a [u8], kind: [u8; 4], versions: RangeInclusive<u32>) -> Result<(Self, u32), Error> {
        let mut reader = Reader::new(bytes);
        if reader.take(4)? != kind {
            return Err(Error::BadBytes { reason: "bytes of another kind" });
        }
        let version = u32::from_le_bytes(reader.array()?);
        if !versions.contains(&version) {
            return Err(Error::BadBytes { reason: "bytes of another version" });
        }
        Ok((reader, version))
    }

    /// Begin to read bytes that `seal` made.
    pub fn unseal(bytes: &'a [u8], kind: [u8; 4], version: u32) -> Result<Self, Error> {
        let Some((content, sum)) = bytes.split_last_chunk() else {
            return Err(Error::BadBytes { reason: "bytes cut short" });
        };
        let reader = Reader::open(content, kind, version)?;
        if checksum(content) == *sum { Ok(reader) } else { Err(Error::BadBytes { reason: "bytes that were changed" }) }
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Error::BadBytes { reason: "bytes cut short" })?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        self.take(N)?.try_into().map_err(|_| Error::BadBytes { reason: "bytes cut short" })
    }

    pub fn count(&mut self) -> Result<usize, Error> {
        Ok(u64::from_le_bytes(self.array()?) as usize)
    }

    pub fn flag(&mut self) -> Result<u8, Error> {
        Ok(self.take(1)?[0])
    }

    pub fn boolean(&mut self) -> Result<bool, Error> {
        match self.flag()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Error::BadBytes { reason: "an unknown flag" }),
        }
    }

    /// A count that `packed` wrote.
    pub fn packed(&mut self) -> Result<usize, Error> {
        let mut count = 0_u64;
        for shift in (0..63).step_by(7) {
            let byte = self.flag()?;
            count |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return usize::try_from(count).map_err(|_| Error::BadBytes { reason: "a count too large" });
            }
        }
        Err(Error::BadBytes { reason: "a count too large" })
    }

    pub fn optional_text(&mut self) -> Result<Option<&'a str>, Error> {
        if !self.boolean()? {
            return Ok(None);
        }
        self.utf8().map(Some)
    }

    pub fn utf8(&mut self) -> Result<&'a str, Error> {
        std::str::from_utf8(self.text()?).map_err(|_| Error::BadBytes { reason: "text that is no UTF-8" })
    }

    /// How many bytes are left.
    pub(crate) fn left(&self) -> usize {
        self.rest.len()
    }

    pub fn float(&mut self) -> Result<f64, Error> {
        Ok(f64::from_bits(u64::from_le_bytes(self.array()?)))
    }

    /// A count of things that take at least `size` bytes each, which must be there.
    pub fn length(&mut self, size: usize) -> Result<usize, Error> {
        let count = self.count()?;
        let fits = count.checked_mul(size).is_some_and(|bytes| bytes <= self.rest.len());
        fits.then_some(count).ok_or(Error::BadBytes { reason: "bytes cut short" })
    }

    pub fn floats(&mut self) -> Result<Vec<f64>, Error> {
        let count = self.length(8)?;
        (0..count).map(|_| self.float()).collect()
    }

    pub fn wide(&mut self) -> Result<Vec<u128>, Error> {
        let count = self.length(16)?;
        (0..count).map(|_| Ok(u128::from_le_bytes(self.array()?))).collect()
    }

    pub fn text(&mut self) -> Result<&'a [u8], Error> {
        let count = self.length(1)?;
        self.take(count)
    }

    /// Fail if bytes are left.
    pub fn finish(self) -> Result<(), Error> {
        self.rest.is_empty().then_some(()).ok_or(Error::BadBytes { reason: "more bytes than belong to it" })
    }
}
