//! The Python module `rankgauge._core`: borrows data, releases the GIL, and words errors through `rankgauge.errors`.

mod arrays;
mod columns;
mod errors;
mod evaluation;
mod export;
mod files;
mod frames;
mod id_chunks;
mod mappings;
mod nouns;
mod pool;
mod terms;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use super::arrays::group_rows;
    #[pymodule_export]
    use super::columns::Stream;
    #[pymodule_export]
    use super::evaluation::{bootstrap_interval, evaluate, evaluate_arrays, progress};
    #[pymodule_export]
    use super::export::export_table;
    #[pymodule_export]
    use super::files::has_quotes;
    #[pymodule_export]
    use super::nouns::{Judgments, Queries, Ranking};

    /// Whether the module was compiled without optimisation.
    #[pymodule_export]
    const DEBUG: bool = cfg!(debug_assertions);

    /// The families of measures that the core computes.
    #[pymodule_export]
    const FAMILIES: [&str; 7] = super::terms::FAMILIES;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
