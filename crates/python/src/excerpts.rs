//! The best rows of plain dicts, borrowed from them.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyString};
use pyo3::{Borrowed, ffi};
use rankgauge_core::evaluate::Excerpt;
use rankgauge_core::largest::nth_largest;
use rankgauge_core::long_scores::EXACT;
use rankgauge_core::plan::Plan;

/// The best rows of a mapping of query to {item: score}, all plain dicts, texts and numbers; none if it is not so.
///
/// Only scores decide which items matter, so the texts of most items are never looked at. What the excerpt borrows
/// belongs to the mapping: it must be used before Python's lock is released and before any Python code runs. Subclasses
/// of dict are not taken: looking up a method even on their type may run the code of a metaclass.
pub fn excerpt<'a>(mapping: &'a Bound<'_, PyAny>, plan: &Plan) -> Option<Excerpt<'a>> {
    let mut excerpt = Excerpt::default();
    let (mut items, mut scores, mut compared, mut best) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (query, rows) in Pairs::of(mapping.as_borrowed())? {
        items.clear();
        scores.clear();
        for (item, number) in Pairs::of(rows)? {
            items.push(item);
            scores.push(plain_number(number)?);
        }
        compared.clone_from(&scores);
        if plan.rules.float32 {
            compared.iter_mut().for_each(|score| *score = f64::from(*score as f32));
        }
        let lowest = nth_largest(&compared, plan.rows_needed(), &mut best);
        let matter = || compared.iter().zip(&scores).enumerate().filter(|&(_, (&score, _))| score >= lowest);
        if !items.iter().all(|item| item.is_exact_instance_of::<PyString>()) {
            return None;
        }
        excerpt.query(plain_text(query)?, scores.len() - matter().count())?;
        for (index, (_, &score)) in matter() {
            excerpt.row(plain_text(items[index])?, score);
        }
    }
    Some(excerpt)
}

/// The keys and values of a dict, borrowed from it.
pub struct Pairs<'a, 'py> {
    dict: Borrowed<'a, 'py, PyDict>,
    position: ffi::Py_ssize_t,
}

impl<'a, 'py> Pairs<'a, 'py> {
    pub fn of(mapping: Borrowed<'a, 'py, PyAny>) -> Option<Self> {
        Some(Pairs { dict: mapping.cast_exact::<PyDict>().ok()?, position: 0 })
    }
}

impl<'a, 'py> Iterator for Pairs<'a, 'py> {
    type Item = (Borrowed<'a, 'py, PyAny>, Borrowed<'a, 'py, PyAny>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (mut key, mut value) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the dict owns what is returned, and does not change: the lock is held and no Python code runs.
        unsafe {
            let has_next = ffi::PyDict_Next(self.dict.as_ptr(), &mut self.position, &mut key, &mut value) != 0;
            has_next.then(|| (Borrowed::from_ptr(self.dict.py(), key), Borrowed::from_ptr(self.dict.py(), value)))
        }
    }
}

/// A finite number that is read without running code.
#[inline]
fn plain_number(number: Borrowed<'_, '_, PyAny>) -> Option<f64> {
    let value = match number.cast_exact::<PyFloat>() {
        Ok(number) => number.value(),
        // Larger whole numbers may not be floats; then the mapping is walked, which keeps all digits.
        Err(_) if number.is_exact_instance_of::<PyInt>() => {
            number.extract().ok().filter(|value: &f64| value.abs() < EXACT)?
        }
        Err(_) => return None,
    };
    value.is_finite().then_some(value)
}

/// The bytes of a text, which live as long as the text; none if it is no text, or has no form in UTF-8.
pub fn plain_text<'a>(text: Borrowed<'a, '_, PyAny>) -> Option<&'a [u8]> {
    let mut length = 0;
    if !text.is_exact_instance_of::<PyString>() {
        return None;
    }
    // SAFETY: it is a text, and the bytes that Python returns belong to it.
    unsafe {
        let start = ffi::PyUnicode_AsUTF8AndSize(text.as_ptr(), &mut length);
        if start.is_null() {
            drop(PyErr::take(text.py()));
            return None;
        }
        Some(std::slice::from_raw_parts(start.cast(), length as usize))
    }
}
