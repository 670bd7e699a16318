//! The threads that do the work.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The pool of all cores, and the process that it belongs to: a forked child has no threads of its parent.
static SHARED: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Run on a pool of that many threads, or on all cores; small work runs here, and must not use other threads.
pub fn in_pool<T: Send>(is_small: bool, threads: Option<usize>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    if is_small {
        return Ok(work());
    }
    let pool = match threads {
        // More threads than cores only wait; a few are let through, so that a small machine can show that they agree.
        Some(threads) => build(threads.min(cores().max(16)))?,
        None => shared()?,
    };
    Ok(pool.install(work))
}

fn shared() -> PyResult<Arc<ThreadPool>> {
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    match &*shared {
        Some((owner, pool)) if *owner == process => Ok(pool.clone()),
        _ => {
            let pool = build(cores())?;
            // To drop the pool of the parent would wait for threads that are not here.
            std::mem::forget(shared.replace((process, pool.clone())));
            Ok(pool)
        }
    }
}

fn build(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map(Arc::new).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
