//! How much of a file or a stream has been read, or of a test been drawn, for whoever watches from another thread.

use std::sync::atomic::{AtomicUsize, Ordering};

static DONE: AtomicUsize = AtomicUsize::new(0);
static TOTAL: AtomicUsize = AtomicUsize::new(0);
static UNIT: AtomicUsize = AtomicUsize::new(0);

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Bytes,
    Draws,
    Rows,
}

impl Unit {
    pub fn name(self) -> &'static str {
        match self {
            Unit::Bytes => "bytes",
            Unit::Draws => "draws",
            Unit::Rows => "rows",
        }
    }
}

/// A file of that many bytes is being read.
pub fn begin(total: usize) {
    begin_of(total, Unit::Bytes);
}

/// So much is to be done.
pub fn begin_of(total: usize, unit: Unit) {
    DONE.store(0, Ordering::Relaxed);
    TOTAL.store(total, Ordering::Relaxed);
    UNIT.store(unit as usize, Ordering::Relaxed);
}

/// Rows are being read, of which nobody knows how many there are; unless a file is, whose bytes tell more.
pub fn begin_rows() {
    let (done, total, _) = now();
    if done >= total {
        begin_of(0, Unit::Rows);
    }
}

/// So many more rows have been read, if these are what is counted.
pub fn add_rows(rows: usize) {
    if now().2 == Unit::Rows {
        add(rows);
    }
}

/// So much more of it has been done.
pub fn add(done: usize) {
    DONE.fetch_add(done, Ordering::Relaxed);
}

/// Done and in all, of what was begun last.
pub fn now() -> (usize, usize, Unit) {
    let unit = UNIT.load(Ordering::Relaxed);
    let unit = [Unit::Draws, Unit::Rows].into_iter().find(|&each| each as usize == unit).unwrap_or(Unit::Bytes);
    (DONE.load(Ordering::Relaxed), TOTAL.load(Ordering::Relaxed), unit)
}
