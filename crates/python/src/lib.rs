//! The Python module `rankgauge._core`: borrows data, releases the GIL, and words errors through `rankgauge.errors`.

mod arrays;
mod arrow_checks;
mod arrow_export;
mod batch_iterator;
mod bucket_rows;
mod buckets;
mod casts;
mod column_chunks;
mod columns;
mod declarations;
mod errors;
mod evaluation;
mod excerpts;
mod files;
mod frames;
mod groups;
mod id_chunks;
mod ipc;
mod judgments;
mod limits;
mod long_scores;
mod mappings;
mod panics;
mod parquet_batches;
mod parquet_chunks;
mod parquet_columns;
mod parquet_files;
mod parquet_pages;
mod parquet_ranking;
mod parquet_rows;
mod parquet_runs;
mod parquet_values;
mod parquet_windows;
mod plan;
mod pool;
mod python_ids;
mod python_rows;
mod ranked_rows;
mod ranking;
mod resampling;
mod streams;
mod top_ranks;

use pyo3::prelude::*;

// Mappings are borrowed under the lock: a Python without it must take it for this module.
#[pymodule(gil_used = true)]
mod _core {
    #[pymodule_export]
    use super::arrays::group_rows;
    #[pymodule_export]
    use super::arrow_export::export_table;
    #[pymodule_export]
    use super::buckets::Buckets;
    #[pymodule_export]
    use super::evaluation::{Evaluation, LightEvaluation, exact_sums, exact_total, weighted_sums};
    #[pymodule_export]
    use super::files::{has_quotes, longest_line, require_unpacked};
    #[pymodule_export]
    use super::judgments::Judgments;
    #[pymodule_export]
    use super::limits::most_unpacked;
    #[pymodule_export]
    use super::parquet_files::parquet_names;
    #[pymodule_export]
    use super::plan::Plan;
    #[pymodule_export]
    use super::ranked_rows::ranked_rows;
    #[pymodule_export]
    use super::ranking::Ranking;
    #[pymodule_export]
    use super::resampling::{
        begin_progress, bootstrap_interval, pair_sign_flips, progress, ranges, resampled_moments, sign_flips,
    };
    #[pymodule_export]
    use super::streams::Stream;
    #[pymodule_export]
    use super::top_ranks::top_ranks;

    /// Whether the module was compiled without optimisation.
    #[pymodule_export]
    const DEBUG: bool = cfg!(debug_assertions);

    /// The families of measures that the core computes.
    #[pymodule_export]
    const FAMILIES: [&str; 7] = super::declarations::FAMILIES;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
