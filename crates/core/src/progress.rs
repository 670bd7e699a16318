//! How much of a file has been read, or of a test been drawn, for whoever watches from another thread.

use std::sync::atomic::{AtomicUsize, Ordering};

static DONE: AtomicUsize = AtomicUsize::new(0);
static TOTAL: AtomicUsize = AtomicUsize::new(0);
static UNIT: AtomicUsize = AtomicUsize::new(0);

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Bytes,
    Draws,
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

/// So much more of it has been done.
pub fn add(done: usize) {
    DONE.fetch_add(done, Ordering::Relaxed);
}

/// Done and in all, of what was begun last.
pub fn now() -> (usize, usize, Unit) {
    let unit = if UNIT.load(Ordering::Relaxed) == Unit::Bytes as usize { Unit::Bytes } else { Unit::Draws };
    (DONE.load(Ordering::Relaxed), TOTAL.load(Ordering::Relaxed), unit)
}
