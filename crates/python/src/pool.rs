//! The threads that do the work.

use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// A pool, and the process that it belongs to: a forked child has no threads of its parent.
struct ProcessPool {
    process: u32,
    pool: ThreadPool,
}

/// The pool of all cores. There is no lock, which another thread could hold while the process is forked.
static SHARED: AtomicPtr<ProcessPool> = AtomicPtr::new(null_mut());

/// Run on a pool of that many threads, or on all cores; small work runs here, and must not use other threads.
pub fn in_pool<T: Send>(is_small: bool, threads: Option<usize>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    if is_small {
        return Ok(work());
    }
    match threads {
        // More threads than cores only wait; a few are let through, so that a small machine can show that they agree.
        Some(threads) => Ok(build(threads.min(cores().max(16)))?.install(work)),
        None => Ok(shared()?.install(work)),
    }
}

/// A number of threads as Python gives it; anything but a whole number from 1 on is refused, as `rg.evaluate` does.
pub fn thread_count(asked: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    if asked.is_none() {
        return Ok(None);
    }
    let checks = asked.py().import("rankgauge.checks")?;
    checks.call_method1("whole_number", ("threads", asked, 1))?.extract().map(Some)
}

fn shared() -> PyResult<&'static ThreadPool> {
    let process = std::process::id();
    loop {
        let current = SHARED.load(Ordering::Acquire);
        // SAFETY: what is stored is never freed.
        if let Some(shared) = unsafe { current.as_ref() }.filter(|shared| shared.process == process) {
            return Ok(&shared.pool);
        }
        let made = Box::into_raw(Box::new(ProcessPool { process, pool: build(cores())? }));
        // The pool of the parent stays: to free it would wait for threads that are not here.
        if SHARED.compare_exchange(current, made, Ordering::AcqRel, Ordering::Acquire).is_err() {
            // SAFETY: another thread was quicker, so nobody else has seen this pool.
            drop(unsafe { Box::from_raw(made) });
        }
    }
}

fn build(threads: usize) -> PyResult<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
