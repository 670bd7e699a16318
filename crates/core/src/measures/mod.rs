//! The measures that are no mere sums, one small file per family; each function is found by the name that its
//! declaration gives it.

mod cascade;
pub mod counted;
pub mod graded;
mod levels;
mod ranks;
mod sets;
