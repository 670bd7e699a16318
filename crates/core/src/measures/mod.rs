//! The measures that are no mere sums, one small file per family; each function is found by the name that its
//! declaration gives it.

mod cascade;
pub mod catalogue;
pub mod counted;
pub mod diversity;
pub mod graded;
mod levels;
pub mod logged;
mod ranks;
mod sets;
