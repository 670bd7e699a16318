//! The measures of rankgauge: group by query, join, order, grades by rank, sums. Knows no Python.

#![forbid(unsafe_code)]

pub mod aligned;
mod beside;
mod bounds;
pub mod discount;
pub mod error;
pub mod evaluate;
pub mod gain;
pub mod ids;
pub mod items;
pub mod judged;
pub mod measures;
mod ordering;
pub mod outcomes;
pub mod plan;
pub mod progress;
pub mod query;
pub mod ranking;
pub mod resample;
pub mod residual;
pub mod rules;
pub mod select;
pub mod sides;
pub mod sums;
pub mod table;
pub mod text;

pub use error::{Error, Side};
