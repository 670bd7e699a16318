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
use rankgauge_core::trec::unpacked;

use crate::errors::{Sources, problem};

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
    pub path: PathBuf,
    held: Option<Arc<Vec<u8>>>,
}

impl Source {
    /// Check that the file can be read, and keep what cannot be read twice.
    pub fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let held = match Bytes::open(py, &path)? {
            Bytes::Mapped(_) => None,
            Bytes::Owned(bytes) => Some(bytes),
        };
        Ok(Source { path, held })
    }

    pub fn bytes(&self, py: Python<'_>) -> PyResult<Bytes> {
        self.held.clone().map_or_else(|| Bytes::open(py, &self.path), |bytes| Ok(Bytes::Owned(bytes)))
    }
}

impl Bytes {
    /// Nothing.
    pub fn none() -> Self {
        Bytes::Owned(Arc::default())
    }

    /// Open a file, or raise what is wrong with it.
    pub fn open(py: Python<'_>, path: &Path) -> PyResult<Self> {
        let place = path.display().to_string();
        let bytes = py.detach(|| read(path)).map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => problem(py, "file-not-found", &place, &[]),
            ErrorKind::IsADirectory => problem(py, "is-directory", &place, &[]),
            _ => problem(py, "unreadable-file", &place, &[("got", error.to_string())]),
        })?;
        let plain = py.detach(|| match unpacked(&bytes) {
            Ok(Cow::Owned(plain)) => Ok(Some(plain)),
            Ok(Cow::Borrowed(_)) => Ok(None),
            Err(error) => Err(error),
        });
        let worded = |error| Sources { judgments: Some(path), ranking: None }.error(py, Side::Judgments, error);
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
