//! The bytes of a file: mapped where that is possible, read otherwise, unpacked if they are gzipped.

use std::borrow::Cow;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;
use pyo3::prelude::*;
use rankgauge_core::trec::unpacked;

use crate::errors::{Sources, problem};

#[derive(Debug)]
pub enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
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

impl Bytes {
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
        let sources = Sources { judgments: Some(path), ranking: None };
        let plain = plain.map_err(|error| sources.error(py, rankgauge_core::Side::Judgments, error))?;
        Ok(plain.map_or(bytes, Bytes::Owned))
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
    Ok(Bytes::Owned(bytes))
}
