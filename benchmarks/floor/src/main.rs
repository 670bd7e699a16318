//! Prints the sum of the scores of a TREC ranking as JSON: what reading alone costs, on all cores.

use std::{error::Error, fs::File};

use rayon::prelude::*;

const PIECES_PER_THREAD: usize = 8;
const SCORE_COLUMN: usize = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("expected the path of a TREC ranking")?;
    // SAFETY: the file is the benchmark's own, and nothing writes to it meanwhile.
    let bytes = unsafe { memmap2::Mmap::map(&File::open(path)?)? };
    let sum: f64 = pieces(&bytes, rayon::current_num_threads() * PIECES_PER_THREAD)
        .into_par_iter()
        .map(sum_of_scores)
        .sum::<Result<f64, fast_float2::Error>>()?;
    println!("{{\"value\": {sum}}}");
    Ok(())
}

/// Cuts the text into pieces of about equal length, each ending with a line.
fn pieces(text: &[u8], count: usize) -> Vec<&[u8]> {
    let length = text.len() / count + 1;
    let mut pieces = Vec::with_capacity(count);
    let mut rest = text;
    while !rest.is_empty() {
        let from = length.min(rest.len());
        let end = memchr::memchr(b'\n', &rest[from..]).map_or(rest.len(), |at| from + at + 1);
        let (piece, later) = rest.split_at(end);
        pieces.push(piece);
        rest = later;
    }
    pieces
}

fn sum_of_scores(piece: &[u8]) -> Result<f64, fast_float2::Error> {
    let mut sum = 0.0;
    let mut column = 0;
    let mut start = 0;
    for (end, &byte) in piece.iter().enumerate() {
        if byte > b' ' {
            continue;
        }
        if end > start {
            if column == SCORE_COLUMN {
                sum += fast_float2::parse::<f64, _>(&piece[start..end])?;
            }
            column += 1;
        }
        if byte == b'\n' {
            column = 0;
        }
        start = end + 1;
    }
    Ok(sum)
}
