//! The measures of rankgauge: group by query, join, order, grades by rank, sums. Knows no Python.

#![forbid(unsafe_code)]

pub mod annotations;
pub mod arrays;
pub mod bootstrap;
pub mod builder;
pub mod bytes;
pub mod discount;
pub mod disjoint_queries;
pub mod error;
pub mod evaluate;
pub mod evaluation;
pub mod evaluation_header;
pub mod exact_sum;
pub mod gain;
pub mod grades;
pub mod id_kinds;
pub mod ids;
pub mod items;
pub mod judged_items;
mod judged_parts;
pub mod largest;
pub mod light_evaluation;
pub mod long_scores;
mod long_sum;
pub mod measures;
pub mod noun_bytes;
pub mod numbers;
mod order;
mod original_scores;
pub mod outcomes;
pub mod pair_flips;
pub mod pieces;
pub mod plan;
pub mod progress;
pub mod query;
mod query_facts;
pub mod query_hash;
mod query_residual;
pub mod randomisation;
pub mod ranked_rows;
mod relevant_ranks;
pub mod residual;
pub mod row_windows;
pub mod rules;
pub mod score_order;
pub mod table;
#[cfg(test)]
mod test_fixtures;
pub mod text;
mod text_ends;
pub mod top_ranks;
pub mod utf8;
pub mod views;

pub use error::{Error, Side};
