//! The bytes of a file: mapped where that is possible, read otherwise, unpacked if they are gzipped.

use std::borrow::Cow;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::Mmap;
use pyo3::prelude::*;
use rankgauge_core::Side;
use rankgauge_core::text::delimited::{Layout, header};
use rankgauge_core::text::unpacked;
use rayon::prelude::*;

use crate::errors::{Sources, problem};
use crate::pool::in_pool;

#[derive(Debug)]
pub enum Bytes {
    Mapped(Mmap),
    Owned(Arc<Vec<u8>>),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Owned(bytes) => bytes,
        }
    }
}

/// A file that is read anew each time, or what a pipe or a gzipped file held.
///
/// A map that outlived the call would end the process if the file were rewritten shorter in the meantime.
#[derive(Debug)]
pub struct Source {
    pub origin: Origin,
    path: PathBuf,
    held: Option<Arc<Vec<u8>>>,
}

impl Source {
    /// Check that the file can be read, and keep what cannot be read twice.
    pub fn open(py: Python<'_>, path: PathBuf, layout: Option<Separated>, label: Option<String>) -> PyResult<Self> {
        let origin = Origin::new(&path, label);
        let bytes = Bytes::open(py, &path, &origin.label)?;
        let origin = Origin { text: Some((path.clone(), Form::new(layout, &bytes))), ..origin };
        let held = match bytes {
            Bytes::Mapped(_) => None,
            Bytes::Owned(bytes) => Some(bytes),
        };
        Ok(Source { origin, path, held })
    }

    pub fn bytes(&self, py: Python<'_>) -> PyResult<Bytes> {
        let open = || Bytes::open(py, &self.path, &self.origin.label);
        self.held.clone().map_or_else(open, |bytes| Ok(Bytes::Owned(bytes)))
    }

    pub fn form(&self) -> Form {
        self.origin.text.as_ref().map_or(Form::Trec, |&(_, form)| form)
    }
}

/// Where data came from: what messages call it and, for a text, how its lines are found again.
#[derive(Debug, Clone)]
pub struct Origin {
    pub label: String,
    pub text: Option<(PathBuf, Form)>,
    /// What a line should hold, where the format is neither TREC nor delimited.
    pub line: Option<&'static str>,
}

impl Origin {
    pub fn new(path: &Path, label: Option<String>) -> Self {
        Origin { label: label.unwrap_or_else(|| path.display().to_string()), text: None, line: None }
    }
}

/// How a text is split into rows.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    Trec,
    Delimited(Layout),
}

impl Form {
    pub fn new(separated: Option<Separated>, bytes: &[u8]) -> Self {
        separated.map_or(Form::Trec, |separated| Form::Delimited(separated.layout(bytes)))
    }
}

/// `rankgauge.inputs.files.Separated`: which columns of a delimited text matter.
#[derive(Debug, FromPyObject)]
pub struct Separated {
    delimiter: char,
    header: bool,
    columns: usize,
    query: usize,
    item: usize,
    value: Option<usize>,
    descending: bool,
}

impl Separated {
    fn layout(&self, bytes: &[u8]) -> Layout {
        let delimiter = u8::try_from(self.delimiter).unwrap_or(b',');
        let start = after_comments(bytes);
        let start = if self.header { start + header(&bytes[start..], delimiter).1 } else { start };
        let (columns, query, item, value) = (self.columns, self.query, self.item, self.value);
        Layout { delimiter, columns, query, item, value, negated: !self.descending, start }
    }
}

/// Where the first line begins that is no comment and not blank.
fn after_comments(bytes: &[u8]) -> usize {
    let mut start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    while let Some(length) = memchr::memchr(b'\n', &bytes[start..]) {
        let line = bytes[start..start + length].trim_ascii_start();
        if !(line.is_empty() || line.starts_with(b"#")) {
            break;
        }
        start += length + 1;
    }
    start
}

/// Whether a text has a double quote in it: then its columns are not simply what lies between the delimiters.
#[pyfunction]
pub fn has_quotes(py: Python<'_>, path: PathBuf) -> PyResult<bool> {
    let bytes = Bytes::open(py, &path, &path.display().to_string())?;
    let search = || bytes.par_chunks(1 << 20).any(|chunk| memchr::memchr(b'"', chunk).is_some());
    py.detach(|| in_pool(None, search))
}

impl Bytes {
    /// Nothing.
    pub fn none() -> Self {
        Bytes::Owned(Arc::default())
    }

    /// Open a file, or raise what is wrong with it.
    pub fn open(py: Python<'_>, path: &Path, place: &str) -> PyResult<Self> {
        let bytes = py.detach(|| read(path)).map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => problem(py, "file-not-found", place, &[]),
            ErrorKind::IsADirectory => problem(py, "is-directory", place, &[]),
            _ => problem(py, "unreadable-file", place, &[("got", error.to_string())]),
        })?;
        let plain = py.detach(|| match unpacked(&bytes) {
            Ok(Cow::Owned(plain)) => Ok(Some(plain)),
            Ok(Cow::Borrowed(_)) => Ok(None),
            Err(error) => Err(error),
        });
        let origin = Origin { label: place.into(), text: None, line: None };
        let worded = |error| Sources { judgments: Some(&origin), ranking: None }.error(py, Side::Judgments, error);
        Ok(plain.map_err(worded)?.map_or(bytes, |plain| Bytes::Owned(Arc::new(plain))))
    }
}

fn read(path: &Path) -> std::io::Result<Bytes> {
    let mut file = File::open(path)?;
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if about.is_file() && about.len() > 0 {
        // SAFETY: the map is read-only and lives as long as this value. Another process that truncates the file while
        // it is read would end this one with SIGBUS, as it would any program that maps files; see docs/decisions.
        return Ok(Bytes::Mapped(unsafe { Mmap::map(&file)? }));
    }
    // Pipes and the like cannot be mapped.
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(Bytes::Owned(Arc::new(bytes)))
}
