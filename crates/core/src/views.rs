//! Texts as views, which is how Arrow and Polars hold them: 16 bytes per text, borrowed without a copy.
//!
//! A view has the length in its first four bytes. A text of up to twelve bytes follows; of a longer one its first four
//! bytes, the number of its buffer and the place there (Apache Arrow, Columnar format, Variable-size binary view layout).

use std::fmt;
use std::sync::Arc;

use crate::ids::Ids;
use crate::items::{Column, Run};
use crate::numbers::Piece;
use crate::pieces::{Starts, texts_end_to_end};

/// Texts of at most this many bytes are within their view.
pub const MOST_WITHIN: u32 = 12;

/// Where the texts are that are not within their views.
pub trait Buffers: Send + Sync {
    fn buffer(&self, number: usize) -> &[u8];
}

/// Views that lie together, and the buffers that they name. They must be valid.
pub struct ViewPiece {
    pub views: Piece<u128>,
    pub buffers: Box<dyn Buffers>,
}

/// Texts by row, in pieces.
#[derive(Debug, Clone)]
pub struct Views {
    pieces: Arc<Vec<ViewPiece>>,
    starts: Arc<Starts>,
}

impl Views {
    pub fn new(pieces: Vec<ViewPiece>) -> Self {
        let starts = Starts::new(pieces.iter().map(ViewPiece::len));
        Views { pieces: Arc::new(pieces), starts: Arc::new(starts) }
    }

    pub fn len(&self) -> usize {
        self.starts.rows()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.pieces.iter().flat_map(|piece| piece.run().iter())
    }

    /// The texts end to end.
    pub fn texts(&self) -> Ids {
        texts_end_to_end(&self.pieces, ViewPiece::len, ViewPiece::texts)
    }
}

impl ViewPiece {
    fn len(&self) -> usize {
        (*self.views).as_ref().len()
    }

    fn run(&self) -> ViewRun<'_> {
        ViewRun { views: (*self.views).as_ref(), buffers: &*self.buffers }
    }

    /// The texts end to end.
    pub fn texts(&self) -> Ids {
        let (run, mut texts) = (self.run(), Ids::default());
        texts.reserve(run.length(), run.views.iter().map(|&view| view as u32 as usize).sum());
        for (row, &view) in run.views.iter().enumerate() {
            match view as u32 {
                length @ 0..=MOST_WITHIN => texts.push_within(&(view >> 32).to_le_bytes(), length as usize),
                _ => texts.push(run.item(row)),
            }
        }
        texts
    }
}

/// Those of texts that are all short.
struct NoBuffers;

impl Buffers for NoBuffers {
    fn buffer(&self, _: usize) -> &[u8] {
        &[]
    }
}

/// Texts of consecutive rows of one piece.
#[derive(Clone, Copy)]
pub struct ViewRun<'a> {
    views: &'a [u128],
    buffers: &'a dyn Buffers,
}

impl<'a> ViewRun<'a> {
    fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        (0..self.length()).map(move |row| self.item(row))
    }
}

impl<'a> Run for ViewRun<'a> {
    type Item = &'a [u8];

    #[inline]
    fn length(&self) -> usize {
        self.views.len()
    }

    #[inline]
    fn item(&self, index: usize) -> &'a [u8] {
        let view = &self.views[index];
        let length = *view as u32;
        if length <= MOST_WITHIN {
            return &bytemuck::bytes_of(view)[4..4 + length as usize];
        }
        let (buffer, start) = ((*view >> 64) as u32 as usize, (*view >> 96) as usize);
        &self.buffers.buffer(buffer)[start..start + length as usize]
    }
}

impl<'a> Column<'a> for Views {
    type Item = &'a [u8];
    type Run = ViewRun<'a>;

    #[inline]
    fn run(&'a self, row: usize) -> ViewRun<'a> {
        let nothing = ViewRun { views: &[], buffers: &NoBuffers };
        self.starts.find(row).map_or(nothing, |(piece, place)| {
            let run = self.pieces[piece].run();
            ViewRun { views: &run.views[place..], ..run }
        })
    }
}

impl fmt::Debug for ViewRun<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} texts as views", self.length())
    }
}

impl fmt::Debug for ViewPiece {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.run().fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct OneBuffer(Vec<u8>);

    impl Buffers for OneBuffer {
        fn buffer(&self, _: usize) -> &[u8] {
            &self.0
        }
    }

    fn view(text: &[u8], start: usize) -> u128 {
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&(text.len() as u32).to_le_bytes());
        if text.len() <= 12 {
            bytes[4..4 + text.len()].copy_from_slice(text);
        } else {
            bytes[4..8].copy_from_slice(&text[..4]);
            bytes[12..].copy_from_slice(&(start as u32).to_le_bytes());
        }
        u128::from_le_bytes(bytes)
    }

    #[test]
    fn views_of_short_and_long_texts_are_the_texts() {
        let texts: [&[u8]; 5] = [b"d1", b"", b"just twelve.", b"more than twelve", b"longer than twelve"];
        let long = [texts[3], texts[4]].concat();
        let views: Vec<u128> = texts.iter().map(|text| view(text, if text.len() == 18 { 16 } else { 0 })).collect();
        let piece =
            |views: &[u128]| ViewPiece { views: Box::new(views.to_vec()), buffers: Box::new(OneBuffer(long.clone())) };
        let views = Views::new(vec![piece(&views[..2]), piece(&[]), piece(&views[2..])]);
        assert_eq!(views.iter().collect::<Vec<_>>(), texts);
        assert_eq!(views.texts().iter().collect::<Vec<_>>(), texts);
        assert_eq!((0..5).map(|row| views.item(row)).collect::<Vec<_>>(), texts);
        assert_eq!((views.run(0).length(), views.run(3).length(), views.run(5).length(), views.len()), (2, 2, 0, 5));
    }
}
