//! Ids that are Python values, as text.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDate, PyDateTime, PyInt, PyString, PyTzInfoAccess};
use rankgauge_core::id_kinds::IdKind;

use crate::errors::problem;

/// Write an id as text, and return what it was: 7, "7" and b"7" are the same id.
pub fn write_id(id: &Bound<'_, PyAny>, noun: &str, text: &mut Vec<u8>) -> PyResult<IdKind> {
    text.clear();
    if let Ok(string) = id.cast::<PyString>() {
        match string.to_str() {
            Ok(valid) => text.extend_from_slice(valid.as_bytes()),
            Err(_) => return Err(bad_id(id, noun)),
        }
    } else if let Ok(bytes) = id.cast::<PyBytes>() {
        match std::str::from_utf8(bytes.as_bytes()) {
            Ok(valid) => text.extend_from_slice(valid.as_bytes()),
            Err(_) => return Err(bad_id(id, noun)),
        }
    } else {
        if let Some(written) = whole_number(id) {
            text.extend_from_slice(written.as_bytes());
            return Ok(IdKind::Whole);
        }
        let dated = date(id).or_else(|_| Ok((uuid(id)?, IdKind::Text)));
        let (written, kind) = dated.map_err(|_: PyErr| bad_id(id, noun))?;
        text.extend_from_slice(written.as_bytes());
        return Ok(kind.of_all([&text[..]]));
    }
    Ok(IdKind::Text)
}

/// A whole number of any class, if 128 bits hold it.
pub fn long_whole(number: &Bound<'_, PyAny>) -> Option<i128> {
    number.call_method0("__index__").ok()?.extract().ok()
}

/// A whole number; booleans are refused, though they are integers in Python.
fn whole_number(id: &Bound<'_, PyAny>) -> Option<String> {
    if !id.is_exact_instance_of::<PyInt>() && (id.is_instance_of::<PyBool>() || numpy_kind(id) == Some('b')) {
        return None;
    }
    let number = id.call_method0("__index__").ok()?.cast_into::<PyInt>().ok()?;
    Some(number.str().ok()?.to_string())
}

/// What a value of NumPy is, as a letter: `M` for a point in time, `b` for a boolean, `f` for a float.
fn numpy_kind(value: &Bound<'_, PyAny>) -> Option<char> {
    value.getattr_opt("dtype").ok()??.getattr("kind").ok()?.extract().ok()
}

/// A date as `2024-01-31`, a point in time as `2024-01-31T09:30:00`, midnight as the date alone.
fn date(id: &Bound<'_, PyAny>) -> PyResult<(String, IdKind)> {
    let bad = || PyValueError::new_err("no point in time");
    if id.ne(id)? {
        return Err(bad()); // NaT of pandas and of NumPy, which is not a time
    }
    let id = match numpy_kind(id) {
        None => id,
        Some('M') => match numpy_time(id)? {
            Some(time) => &time.into_any(),
            None => return Ok((id.str()?.to_string(), IdKind::Text)),
        },
        Some(_) => return Err(bad()),
    };
    let text = id.call_method0("isoformat")?.extract::<String>()?;
    // What follows a midnight is at most the offset of its zone.
    let date = text.split_once("T00:00:00").filter(|(_, rest)| rest.is_empty() || rest.starts_with(['+', '-']));
    Ok((date.map(|(date, _)| date.to_string()).unwrap_or(text), kind_of_time(id)))
}

/// A point in time of NumPy as one of Python; None if it is finer than microseconds.
fn numpy_time<'py>(id: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyDate>>> {
    if let Ok(time) = id.call_method0("item")?.cast_into::<PyDate>() {
        return Ok(Some(time));
    }
    let rounded = id.call_method1("astype", ("datetime64[us]",))?;
    if rounded.ne(id)? {
        return Ok(None);
    }
    Ok(Some(rounded.call_method0("item")?.cast_into()?))
}

fn kind_of_time(time: &Bound<'_, PyAny>) -> IdKind {
    match time.cast::<PyDateTime>() {
        Ok(moment) if moment.get_tzinfo().is_none() => IdKind::DateTime,
        Ok(_) => IdKind::Text,
        Err(_) if time.is_instance_of::<PyDate>() => IdKind::Date,
        Err(_) => IdKind::Text,
    }
}

/// A UUID, as it is usually written.
fn uuid(id: &Bound<'_, PyAny>) -> PyResult<String> {
    id.getattr("urn")?; // which nothing else has
    Ok(id.str()?.to_string())
}

fn bad_id(id: &Bound<'_, PyAny>, noun: &str) -> PyErr {
    let got = format!("{} ({})", shown(id), type_name(id));
    problem(id.py(), "bad-id", "", &[("noun", noun.to_string()), ("got", got)])
}

/// A value as Python writes it, for messages; whole numbers of more than 4,300 digits are not written.
pub fn shown(value: &Bound<'_, PyAny>) -> String {
    match value.repr() {
        Ok(text) => text.to_string(),
        Err(_) if value.is_instance_of::<PyInt>() => "a whole number of too many digits".into(),
        Err(_) => type_name(value),
    }
}

pub fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map(|name| name.to_string()).unwrap_or_else(|_| "something else".into())
}
