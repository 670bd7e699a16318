//! The bytes of a file: read as they are needed if it is large, at once otherwise, unpacked if they are gzipped.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::prelude::*;
use rankgauge_core::bytes::{Reader, Writer};
use rankgauge_core::text::delimited::{Layout, header};
use rankgauge_core::text::{
    LONGEST_LINE, Source as Text, check_unpacked, is_gzip, longest_line as longest, longest_packed_line, unpacked,
};
use rankgauge_core::{Error, Side};
use rayon::prelude::*;

use crate::errors::{Sources, problem};
use crate::limits::most_unpacked;
use crate::pool::in_pool;

#[derive(Debug)]
pub enum Bytes {
    /// A large file, of which pieces are read as they are needed, and its length.
    File(File, usize),
    /// A file that can be read again.
    Read(Vec<u8>),
    /// What a pipe held, or a gzipped file.
    Kept(Arc<Vec<u8>>),
}

/// A file that is read anew each time, or what a pipe or a gzipped file held.
#[derive(Debug)]
pub struct Source {
    pub origin: Origin,
    path: PathBuf,
    held: Option<Arc<Vec<u8>>>,
}

impl Source {
    /// Check that the file can be read, and keep what cannot be read twice.
    pub fn open(
        py: Python<'_>,
        path: PathBuf,
        layout: Option<DelimitedColumns>,
        label: Option<String>,
    ) -> PyResult<Self> {
        let origin = Origin::new(&path, label);
        let bytes = Bytes::open(py, &path, &origin.label)?;
        let form = Form::new(layout.as_ref(), &bytes).map_err(|error| worded(py, &origin.label, error))?;
        let origin = Origin { text: Some((path.clone(), form)), ..origin };
        let held = match bytes {
            Bytes::File(..) | Bytes::Read(_) => None,
            Bytes::Kept(bytes) => Some(bytes),
        };
        Ok(Source { origin, path, held })
    }

    pub fn bytes(&self, py: Python<'_>) -> PyResult<Bytes> {
        let open = || Bytes::open(py, &self.path, &self.origin.label);
        self.held.clone().map_or_else(open, |bytes| Ok(Bytes::Kept(bytes)))
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
    pub line: Option<Cow<'static, str>>,
}

impl Origin {
    pub fn new(path: &Path, label: Option<String>) -> Self {
        Origin { label: label.unwrap_or_else(|| path.display().to_string()), text: None, line: None }
    }

    /// Write an origin, if there is one. A path that is not UTF-8 is left out: it is only looked at to find lines again.
    pub fn write(origin: Option<&Self>, writer: &mut Writer) {
        writer.optional_text(origin.map(|origin| &*origin.label));
        let Some(origin) = origin else { return };
        writer.optional_text(origin.line.as_deref());
        let text = origin.text.as_ref().and_then(|(path, form)| Some((path.to_str()?, form)));
        writer.optional_text(text.map(|(path, _)| path));
        if let Some((_, form)) = text {
            form.write(writer);
        }
    }

    pub fn from_bytes(reader: &mut Reader<'_>) -> Result<Option<Self>, Error> {
        let Some(label) = reader.optional_text()? else { return Ok(None) };
        let line = reader.optional_text()?.map(|line| Cow::Owned(line.into()));
        let text = match reader.optional_text()? {
            Some(path) => Some((path.into(), Form::from_bytes(reader)?)),
            None => None,
        };
        Ok(Some(Origin { label: label.into(), text, line }))
    }
}

/// How a text is split into rows.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    Trec,
    Delimited(Layout),
}

impl Form {
    pub fn new(columns: Option<&DelimitedColumns>, bytes: &Bytes) -> Result<Self, Error> {
        let Some(columns) = columns else { return Ok(Form::Trec) };
        Ok(Form::Delimited(columns.layout(bytes)?))
    }

    /// Where the rows begin in the file.
    pub fn start(self) -> usize {
        match self {
            Form::Trec => 0,
            Form::Delimited(layout) => layout.start,
        }
    }

    /// The name of the run, which the last line of a TREC ranking has.
    pub fn run(self, bytes: &Bytes) -> Option<String> {
        match self {
            Form::Trec => last_tag(bytes.source()),
            Form::Delimited(_) => None,
        }
    }

    fn write(self, writer: &mut Writer) {
        let Form::Delimited(layout) = self else { return writer.flag(0) };
        let Layout { delimiter, columns, query, item, value, annotation, negated, start } = layout;
        [1, delimiter, u8::from(negated)].into_iter().for_each(|flag| writer.flag(flag));
        // 0 stands for a missing column.
        let optional = [value, annotation].map(|column| column.map_or(0, |column| column + 1));
        [columns, query, item, start].into_iter().chain(optional).for_each(|count| writer.packed(count));
    }

    fn from_bytes(reader: &mut Reader<'_>) -> Result<Self, Error> {
        if !reader.boolean()? {
            return Ok(Form::Trec);
        }
        let (delimiter, negated) = (reader.flag()?, reader.boolean()?);
        let mut count = || reader.packed();
        let (columns, query, item, start) = (count()?, count()?, count()?, count()?);
        let (value, annotation) = (count()?.checked_sub(1), count()?.checked_sub(1));
        Ok(Form::Delimited(Layout { delimiter, columns, query, item, value, annotation, negated, start }))
    }
}

/// The name of the run in the last line of a TREC ranking.
fn last_tag(source: Text<'_>) -> Option<String> {
    let (length, mut window, mut buffer) = (source.length(), 1 << 12, Vec::new());
    loop {
        let start = length.saturating_sub(window);
        let text = source.get(start..length, &mut buffer).ok()?.trim_ascii_end();
        let line = text.rsplit(|&byte| byte == b'\n').next()?;
        if start == 0 || line.len() < text.len() {
            let mut fields = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
            return fields.nth(5).map(|tag| String::from_utf8_lossy(tag).into_owned());
        }
        if window >= LONGEST_LINE {
            return None; // reading its rows says what is wrong
        }
        window *= 16;
    }
}

/// `rankgauge.inputs.delimited.DelimitedColumns`: which columns of a delimited text matter.
#[derive(Debug, FromPyObject)]
pub struct DelimitedColumns {
    delimiter: char,
    header: bool,
    columns: usize,
    query: usize,
    item: usize,
    value: Option<usize>,
    descending: bool,
    annotation: Option<usize>,
    pub annotation_role: Option<String>,
}

impl DelimitedColumns {
    pub fn layout(&self, bytes: &Bytes) -> Result<Layout, Error> {
        let delimiter = u8::try_from(self.delimiter).unwrap_or(b',');
        let after_header = |lines: &[u8]| {
            let start = after_comments(lines);
            let start = if self.header { start + header(&lines[start..], delimiter).1 } else { start };
            (start < lines.len()).then_some(start)
        };
        let start = bytes.source().search(0, after_header)?.unwrap_or(bytes.source().length());
        let DelimitedColumns { columns, query, item, value, annotation, .. } = *self;
        Ok(Layout { delimiter, columns, query, item, value, annotation, negated: !self.descending, start })
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
pub fn has_quotes(py: Python<'_>, path: PathBuf, label: &str) -> PyResult<bool> {
    let bytes = Bytes::open(py, &path, label)?;
    let source = bytes.source();
    let starts: Vec<usize> = (0..source.length()).step_by(1 << 20).collect();
    let search = |buffer: &mut Vec<u8>, &start: &usize| {
        let piece = source.get(start..source.length().min(start + (1 << 20)), buffer)?;
        Ok(memchr::memchr(b'"', piece).is_some())
    };
    let search_all = || starts.par_iter().map_init(Vec::new, search).find_any(|quoted| !matches!(quoted, Ok(false)));
    let quoted = py.detach(|| in_pool(false, None, search_all))?;
    quoted.unwrap_or(Ok(false)).map_err(|error| worded(py, label, error))
}

/// The length of the longest line of a text, whichever of a newline and a carriage return ends it.
#[pyfunction]
pub fn longest_line(py: Python<'_>, path: PathBuf, label: &str) -> PyResult<usize> {
    let bytes = Bytes::packed(py, &path, label)?;
    if let Some(longest) = bytes.if_gzip(py, label, longest_packed_line)? {
        return Ok(longest);
    }
    py.detach(|| longest(bytes.reader()?)).map_err(|error| worded(py, label, error))
}

/// Raise if a file is gzipped and unpacks to more than it may, or is not complete.
#[pyfunction]
pub fn require_unpacked(py: Python<'_>, path: PathBuf, label: &str) -> PyResult<()> {
    Bytes::packed(py, &path, label)?.if_gzip(py, label, check_unpacked).map(|_| ())
}

pub fn worded(py: Python<'_>, label: &str, error: Error) -> PyErr {
    let origin = Origin { label: label.into(), text: None, line: None };
    Sources { judgments: Some(&origin), ranking: None }.error(py, Side::Judgments, error)
}

impl Bytes {
    /// Open a file and unpack it, or raise what is wrong with it.
    pub fn open(py: Python<'_>, path: &Path, label: &str) -> PyResult<Self> {
        let bytes = Bytes::packed(py, path, label)?;
        let plain = bytes.if_gzip(py, label, unpacked)?;
        Ok(plain.map_or(bytes, |plain| Bytes::Kept(Arc::new(plain))))
    }

    /// The bytes of a file as they are.
    fn packed(py: Python<'_>, path: &Path, label: &str) -> PyResult<Self> {
        py.detach(|| read(path)).map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => problem(py, "file-not-found", label, &[]),
            ErrorKind::IsADirectory => problem(py, "is-directory", label, &[]),
            _ => problem(py, "unreadable-file", label, &[("got", error.to_string())]),
        })
    }

    /// Unpack bytes that are gzipped, within the limit; nothing if they are not.
    fn if_gzip<T: Send>(
        &self,
        py: Python<'_>,
        label: &str,
        unpack: impl Fn(&mut dyn Read, u64) -> Result<T, Error> + Sync,
    ) -> PyResult<Option<T>> {
        let length = self.source().length();
        let limit = most_unpacked(py, length as u64)?;
        let unpack = || match is_gzip(self.source().get(0..length.min(2), &mut Vec::new())?) {
            true => unpack(&mut self.reader()?, limit).map(Some),
            false => Ok(None),
        };
        py.detach(unpack).map_err(|error| worded(py, label, error))
    }

    pub fn source(&self) -> Text<'_> {
        match self {
            Bytes::File(file, length) => Text::File(file, *length),
            Bytes::Read(bytes) => Text::Memory(bytes),
            Bytes::Kept(bytes) => Text::Memory(bytes),
        }
    }

    /// A reader of the bytes, from the first on.
    fn reader(&self) -> Result<Box<dyn Read + '_>, Error> {
        match self {
            Bytes::File(file, _) => {
                let mut reader = BufReader::with_capacity(1 << 16, file);
                reader.rewind().map_err(|error| Error::Unreadable { reason: error.to_string() })?;
                Ok(Box::new(reader))
            }
            Bytes::Read(bytes) => Ok(Box::new(&bytes[..])),
            Bytes::Kept(bytes) => Ok(Box::new(&bytes[..])),
        }
    }

    /// All bytes; those of a file are read now.
    pub fn all(&self) -> Result<Cow<'_, [u8]>, Error> {
        if let Text::Memory(bytes) = self.source() {
            return Ok(Cow::Borrowed(bytes));
        }
        let mut bytes = Vec::new();
        self.source().get(0..self.source().length(), &mut bytes)?;
        Ok(Cow::Owned(bytes))
    }
}

/// Larger files are read piece by piece, into memory that is used again: to read all into new memory takes longer.
const LARGEST_READ: u64 = 1 << 20;

fn read(path: &Path) -> std::io::Result<Bytes> {
    let mut file = File::open(path)?;
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if about.is_file() && about.len() > LARGEST_READ {
        let length = usize::try_from(about.len()).map_err(|_| ErrorKind::FileTooLarge)?;
        return Ok(Bytes::File(file, length));
    }
    let bytes = read_all(&mut file, about.len())?;
    // What a pipe held cannot be read again.
    Ok(if about.is_file() { Bytes::Read(bytes) } else { Bytes::Kept(Arc::new(bytes)) })
}

/// Read to the end, which is after about `length` bytes.
fn read_all(file: &mut File, length: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX)).map_err(|_| ErrorKind::OutOfMemory)?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Read without the position in the file, which a forked child shares.
#[cfg(unix)]
pub fn read_at(file: &File, bytes: &mut [u8], start: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

#[cfg(windows)]
pub fn read_at(file: &File, bytes: &mut [u8], start: u64) -> std::io::Result<()> {
    let mut done = 0;
    while done < bytes.len() {
        match std::os::windows::fs::FileExt::seek_read(file, &mut bytes[done..], start + done as u64)? {
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            count => done += count,
        }
    }
    Ok(())
}
