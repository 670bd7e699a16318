//! The measures, one module per family: each has the name of its file in `rankgauge.measures` and in the reference
//! engine. A function is found by the name that its declaration gives it.

pub mod clicks;
pub mod counted;
pub mod coverage;
pub mod diversity;
pub mod gains;
pub mod graded;
