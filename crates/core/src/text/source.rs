//! Where the bytes of a text are: in memory, or in a file, of which pieces are read as they are needed.
//!
//! A file is not mapped: another process that made it shorter would end this one.

use std::fs::File;
use std::io;
use std::ops::Range;

use crate::error::Error;

/// How much of a file is read at a time where its lines are looked for.
const WINDOW: usize = 1 << 16;
/// Whole lines are held in memory, so a longer one is refused: a file without line ends is no text.
pub const LONGEST_LINE: usize = 1 << 28;

#[derive(Debug, Clone, Copy)]
pub enum Source<'a> {
    Memory(&'a [u8]),
    /// A file, and how long it was when it was opened.
    File(&'a File, usize),
}

impl<'a> From<&'a [u8]> for Source<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Source::Memory(bytes)
    }
}

impl<'a> Source<'a> {
    pub fn length(self) -> usize {
        match self {
            Source::Memory(bytes) => bytes.len(),
            Source::File(_, length) => length,
        }
    }

    /// The bytes of a range, which are read into the buffer if they are not in memory.
    pub fn get<'b>(self, range: Range<usize>, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Error>
    where
        'a: 'b,
    {
        match self {
            Source::Memory(bytes) => Ok(&bytes[range]),
            Source::File(file, _) => {
                if buffer.len() < range.len() {
                    buffer.resize(range.len(), 0);
                }
                let bytes = &mut buffer[..range.len()];
                read_exact_at(file, bytes, range.start as u64).map_err(|error| match error.kind() {
                    io::ErrorKind::UnexpectedEof => Error::Shortened,
                    _ => Error::Unreadable { reason: error.to_string() },
                })?;
                Ok(bytes)
            }
        }
    }

    /// Whole lines from an offset on, at which one begins; more of them each time they were not enough.
    ///
    /// Returns what `search` does, or none if the lines to the end of the text were not enough.
    pub fn search<T>(self, start: usize, mut search: impl FnMut(&[u8]) -> Option<T>) -> Result<Option<T>, Error> {
        let rest = self.length() - start;
        let mut buffer = Vec::new();
        let mut window = if matches!(self, Source::Memory(_)) { rest } else { WINDOW };
        loop {
            let bytes = self.get(start..start + window.min(rest), &mut buffer)?;
            let is_all = window >= rest;
            let end = if is_all { bytes.len() } else { memchr::memrchr(b'\n', bytes).map_or(0, |newline| newline + 1) };
            let result = search(&bytes[..end]);
            if result.is_some() || is_all {
                return Ok(result);
            }
            if end == 0 && window >= LONGEST_LINE {
                return Err(Error::EndlessLine { line: self.line_at(start), most: LONGEST_LINE });
            }
            window *= 4;
        }
    }

    /// The start of the first line after an offset; the end if there is none.
    pub(super) fn next_line(self, offset: usize) -> Result<usize, Error> {
        let newline = self.search(offset, |bytes| memchr::memchr(b'\n', bytes))?;
        Ok(newline.map_or(self.length(), |newline| offset + newline + 1))
    }

    /// The line, counted from 1, that holds a byte; as far as the file can still be read.
    pub(super) fn line_at(self, offset: usize) -> usize {
        let mut buffer = Vec::new();
        let starts = (0..offset).step_by(WINDOW);
        let newlines = starts.map(|start| match self.get(start..offset.min(start + WINDOW), &mut buffer) {
            Ok(bytes) => memchr::memchr_iter(b'\n', bytes).count(),
            Err(_) => 0,
        });
        1 + newlines.sum::<usize>()
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let count = std::os::windows::fs::FileExt::seek_read(file, bytes, offset)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        offset += count as u64;
        bytes = &mut bytes[count..];
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::super::read;
    use super::super::trec::{JUDGMENTS, RANKING};
    use super::*;

    /// A file of 30 queries, most of them longer than a window, which is gone when it is closed.
    fn file() -> (File, Vec<u8>) {
        let line = |row: usize| format!("q{} Q0 document-{row} 1 {} t\n", row / 3000, row % 977);
        let text: String = (0..90_000).map(line).collect();
        let path =
            std::env::temp_dir().join(format!("rankgauge-{}-{:?}", std::process::id(), std::thread::current().id()));
        File::create(&path).unwrap().write_all(text.as_bytes()).unwrap();
        let file = File::open(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        (file, text.into_bytes())
    }

    #[test]
    fn source_of_a_file_has_the_rows_and_lines_of_its_bytes() {
        let (file, text) = file();
        let source = Source::File(&file, text.len());
        assert!(read(source, RANKING).unwrap() == read(&text[..], RANKING).unwrap());
        for offset in [0, 5, 70_000, 200_000, text.len()] {
            assert_eq!(source.line_at(offset), Source::Memory(&text).line_at(offset));
            assert_eq!(source.next_line(offset).unwrap(), Source::Memory(&text).next_line(offset).unwrap());
        }
    }

    #[test]
    fn source_of_a_file_with_an_endless_line_is_refused() {
        let path = std::env::temp_dir().join(format!("rankgauge-{}-endless", std::process::id()));
        let mut file = File::options().read(true).write(true).create_new(true).open(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        file.write_all(b"q 0 d 1\n").unwrap();
        let length = 3 * LONGEST_LINE;
        file.set_len(length as u64).unwrap(); // holes of zeros, which take no room
        let error = read(Source::File(&file, length), JUDGMENTS).unwrap_err();
        assert!(matches!(error, Error::EndlessLine { most: LONGEST_LINE, .. }));
    }

    #[test]
    fn source_of_a_shortened_file_fails() {
        let (file, text) = file();
        let source = Source::File(&file, text.len() + 1);
        assert_eq!(read(source, RANKING).unwrap_err(), Error::Shortened);
        assert_eq!(source.get(0..text.len() + 1, &mut Vec::new()).unwrap_err(), Error::Shortened);
    }
}
