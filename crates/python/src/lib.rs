//! The Python module `rankgauge._core`: borrows data, releases the GIL, and words errors through `rankgauge.errors`.

mod errors;
mod evaluation;
mod files;
mod mappings;
mod nouns;
mod pool;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use super::evaluation::{bootstrap_interval, evaluate};
    #[pymodule_export]
    use super::nouns::{Judgments, Ranking};

    /// Whether the module was compiled without optimisation.
    #[pymodule_export]
    const DEBUG: bool = cfg!(debug_assertions);

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
