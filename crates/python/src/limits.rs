//! How much a file may unpack to.

use std::error::Error;
use std::fmt;

use arrow_schema::ArrowError;
use pyo3::prelude::*;

use crate::errors::problem;

const SETTING: &str = "RANKGAUGE_MAX_UNPACKED";
/// Texts of rankings shrink to a tenth, and seldom to a fiftieth; the worst that gzip can do is a thousandth.
const RATIO: u64 = 100;
const SMALLEST: u64 = 1 << 30;

/// A file that claims more bytes than this.
#[derive(Debug)]
pub struct TooMuch(pub u64);

impl fmt::Display for TooMuch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "more than {} bytes", self.0)
    }
}

impl Error for TooMuch {}

impl From<TooMuch> for ArrowError {
    fn from(too_much: TooMuch) -> Self {
        ArrowError::ExternalError(Box::new(too_much))
    }
}

/// How many bytes a file of that size may unpack to: what the environment says, or a gigabyte or 100 times its size.
#[pyfunction]
pub fn most_unpacked(py: Python<'_>, packed: u64) -> PyResult<u64> {
    let Some(text) = std::env::var_os(SETTING).filter(|text| !text.is_empty()) else {
        return Ok(packed.saturating_mul(RATIO).max(SMALLEST));
    };
    let text = text.to_string_lossy();
    bytes(&text).ok_or_else(|| {
        let fields = [
            ("field", SETTING.to_string()),
            ("expected", "a number of bytes".into()),
            ("got", text.into_owned()),
            ("hint", format!("for example {SETTING}=20G; K, M, G and T are powers of 1024")),
        ];
        problem(py, "bad-number", "", &fields)
    })
}

/// A number of bytes, such as 500M.
fn bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let (digits, power) = match text.char_indices().last()? {
        (end, unit) if unit.is_ascii_alphabetic() => (&text[..end], 1 + "kmgt".find(unit.to_ascii_lowercase())? as u32),
        _ => (text, 0),
    };
    digits.parse::<u64>().ok()?.checked_mul(1024_u64.checked_pow(power)?)
}
