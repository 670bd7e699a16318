//! The measures of rankgauge: group by query, join, order, grades by rank, sums. Knows no Python.

#![forbid(unsafe_code)]

pub mod annotations;
pub mod arrays;
mod bounds;
pub mod builder;
pub mod bytes;
pub mod discount;
pub mod disjoint_queries;
mod ends;
pub mod error;
pub mod evaluate;
pub mod evaluation;
pub mod evaluation_header;
pub mod exact_sum;
mod facts;
pub mod gain;
pub mod grades;
pub mod id_kinds;
pub mod ids;
pub mod items;
pub mod judged;
pub mod light_evaluation;
pub mod long_scores;
mod long_sum;
pub mod measures;
pub mod noun_bytes;
pub mod numbers;
mod ordering;
mod original_scores;
pub mod outcomes;
pub mod pair_flips;
mod pieces;
pub mod plan;
pub mod progress;
pub mod query;
pub mod query_hash;
pub mod randomisation;
pub mod ranked_rows;
pub mod ranking;
mod relevant_ranks;
pub mod resample;
pub mod residual;
pub mod row_windows;
pub mod rules;
pub mod select;
pub mod table;
#[cfg(test)]
mod testing;
pub mod text;
pub mod top_ranks;
pub mod utf8;
pub mod views;

pub use error::{Error, Side};
