//! How much of a file or a stream has been read, or how many draws of a test were made; any thread may ask.

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

/// Begin to count the bytes of a file that has `total`.
pub fn begin(total: usize) {
    begin_of(total, Unit::Bytes);
}

/// Begin to count what is done of a total.
pub fn begin_of(total: usize, unit: Unit) {
    DONE.store(0, Ordering::Relaxed);
    TOTAL.store(total, Ordering::Relaxed);
    UNIT.store(unit as usize, Ordering::Relaxed);
}

/// Begin to count rows, whose total is unknown, unless a file is being read: its bytes have a total.
pub fn begin_rows() {
    let (done, total, _) = now();
    if done >= total {
        begin_of(0, Unit::Rows);
    }
}

/// Count rows that were read, if rows are what is counted.
pub fn add_rows(rows: usize) {
    if now().2 == Unit::Rows {
        add(rows);
    }
}

/// Count what was done.
pub fn add(done: usize) {
    DONE.fetch_add(done, Ordering::Relaxed);
}

/// What is done, the total and the unit, of what was begun last.
pub fn now() -> (usize, usize, Unit) {
    let unit = UNIT.load(Ordering::Relaxed);
    let unit = [Unit::Draws, Unit::Rows].into_iter().find(|&each| each as usize == unit).unwrap_or(Unit::Bytes);
    (DONE.load(Ordering::Relaxed), TOTAL.load(Ordering::Relaxed), unit)
}
