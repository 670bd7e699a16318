//! How much of a file has been read, for whoever watches from another thread.

use std::sync::atomic::{AtomicUsize, Ordering};

static DONE: AtomicUsize = AtomicUsize::new(0);
static TOTAL: AtomicUsize = AtomicUsize::new(0);

/// A file of that many bytes is being read.
pub fn begin(total: usize) {
    DONE.store(0, Ordering::Relaxed);
    TOTAL.store(total, Ordering::Relaxed);
}

/// So many more of its bytes have been read.
pub fn add(bytes: usize) {
    DONE.fetch_add(bytes, Ordering::Relaxed);
}

/// Bytes done and bytes in all of the file that was begun last.
pub fn now() -> (usize, usize) {
    (DONE.load(Ordering::Relaxed), TOTAL.load(Ordering::Relaxed))
}
