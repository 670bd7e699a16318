//! Files of the Arrow IPC format. What a file claims is checked against its size before it is decoded: a decoder takes
//! memory as it is told to, and memory that cannot be had ends the process.

use std::collections::VecDeque;
use std::fs::File;
use std::io::ErrorKind;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{FileDecoder, StreamDecoder, read_footer_length};
use arrow_ipc::{Block, Message, MessageHeader, root_as_footer, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};
use rankgauge_core::progress;

use crate::files::read_at;
use crate::panics::caught;

const MAGIC: &[u8] = b"ARROW1";
const CONTINUATION: [u8; 4] = [0xff; 4];
const END: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

/// The batches of a file or a stream, each read when it is asked for.
pub struct Batches {
    schema: SchemaRef,
    source: Source,
}

enum Source {
    File(Blocks),
    Stream(Messages),
}

/// The blocks of a file, which its footer says where to find.
struct Blocks {
    bytes: Bytes,
    claims: Claims,
    batches: std::vec::IntoIter<Block>,
    decoder: FileDecoder,
    /// Blocks do not overlap, so that together they are no longer than the file.
    unread: u64,
}

/// The messages of a stream.
struct Messages {
    bytes: Bytes,
    claims: Claims,
    /// Where the next message begins.
    offset: u64,
    /// What the decoder has not seen of the message that was read last.
    rest: VecDeque<Buffer>,
    decoder: StreamDecoder,
    /// The first batch, which came with the schema.
    first: Option<RecordBatch>,
    has_ended: bool,
}

impl Batches {
    /// Open a file of that length; what it holds may not take more memory than the limit.
    pub fn open(file: File, length: u64, limit: u64) -> Result<Self, ArrowError> {
        progress::begin(usize::try_from(length).unwrap_or(usize::MAX));
        let bytes = Bytes { file, length };
        let claims = Claims { left: limit, limit };
        let open = || match bytes.read(0, length.min(MAGIC.len() as u64))?.as_slice() == MAGIC {
            true => Batches::file(bytes, claims),
            false => Batches::stream(bytes, claims),
        };
        caught(open).unwrap_or_else(|| Err(corrupt("not what it says")))
    }

    fn file(bytes: Bytes, claims: Claims) -> Result<Self, ArrowError> {
        let end = bytes.length.checked_sub(10).ok_or_else(|| corrupt("too short"))?;
        let trailer = bytes.read(end, 10)?;
        let length = read_footer_length(*trailer.first_chunk().ok_or_else(|| corrupt("too short"))?)? as u64;
        let start = end.checked_sub(length).ok_or_else(|| corrupt("a footer longer than the file"))?;
        let footer = bytes.read(start, length)?;
        let footer = root_as_footer(&footer).map_err(|error| corrupt(&error.to_string()))?;
        let schema = footer.schema().ok_or_else(|| corrupt("no schema"))?;
        if !schema.endianness().equals_to_target_endianness() {
            return Err(corrupt("numbers in another byte order"));
        }
        let schema = Arc::new(try_fb_to_schema(schema)?);
        let decoder = FileDecoder::new(schema.clone(), footer.version());
        let batches: Vec<Block> = footer.recordBatches().into_iter().flatten().copied().collect();
        let unread = bytes.length;
        let mut blocks = Blocks { bytes, claims, batches: batches.into_iter(), decoder, unread };
        for block in footer.dictionaries().into_iter().flatten() {
            let data = blocks.read(block)?;
            blocks.decoder.read_dictionary(block, &data)?;
        }
        Ok(Batches { schema, source: Source::File(blocks) })
    }

    fn stream(bytes: Bytes, claims: Claims) -> Result<Self, ArrowError> {
        let (rest, decoder) = (VecDeque::new(), StreamDecoder::new());
        let mut messages = Messages { bytes, claims, offset: 0, rest, decoder, first: None, has_ended: false };
        messages.first = messages.next()?;
        let schema = messages.decoder.schema().ok_or_else(|| corrupt("no schema"))?;
        Ok(Batches { schema, source: Source::Stream(messages) })
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = caught(|| match &mut self.source {
            Source::Stream(messages) => messages.next(),
            Source::File(blocks) => blocks.next(),
        });
        next.unwrap_or_else(|| Err(corrupt("not what it says"))).transpose()
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

impl Blocks {
    fn next(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        let Some(block) = self.batches.next() else { return Ok(None) };
        let data = self.read(&block)?;
        self.decoder.read_record_batch(&block, &data)
    }

    /// Read and check a block.
    fn read(&mut self, block: &Block) -> Result<Buffer, ArrowError> {
        let (metadata, body) = (count(block.metaDataLength().into())?, count(block.bodyLength())?);
        if metadata < 8 {
            return Err(corrupt("a block without a message"));
        }
        let length = metadata.saturating_add(body);
        let data = self.bytes.read(count(block.offset())?, length)?;
        self.unread = self.unread.checked_sub(length).ok_or_else(|| corrupt("blocks that overlap"))?;
        let (head, body) = data.split_at(metadata as usize);
        let skipped = if head.starts_with(&CONTINUATION) { 8 } else { 4 };
        self.claims.message(&parsed(&head[skipped..])?, body)?;
        Ok(data)
    }
}

impl Messages {
    fn next(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        if let Some(batch) = self.first.take() {
            return Ok(Some(batch));
        }
        loop {
            while let Some(data) = self.rest.front_mut() {
                if data.is_empty() {
                    self.rest.pop_front();
                } else if let Some(batch) = self.decoder.decode(data)? {
                    return Ok(Some(batch));
                }
            }
            if self.has_ended {
                return Ok(None);
            }
            if !self.read()? {
                // A message without a body is looked at when the next one comes, so the last needs an end after it.
                self.has_ended = true;
                self.rest.push_back(Buffer::from(&END));
            }
        }
    }

    /// Read and check the next message; whether there is one.
    fn read(&mut self) -> Result<bool, ArrowError> {
        let head = self.bytes.read(self.offset, self.bytes.length.saturating_sub(self.offset).min(8))?;
        let prefix = if head.starts_with(&CONTINUATION) { 8 } else { 4 };
        let Some(length) = head.get(prefix - 4..prefix).and_then(|bytes| bytes.try_into().ok()) else {
            return if head.is_empty() { Ok(false) } else { Err(corrupt("a message that is cut")) };
        };
        let length = u64::from(u32::from_le_bytes(length));
        if length == 0 {
            return Ok(false);
        }
        let start = self.offset + prefix as u64;
        let metadata = self.bytes.read(start, length)?;
        let message = parsed(&metadata)?;
        let body = self.bytes.read(start + length, count(message.bodyLength())?)?;
        self.claims.message(&message, &body)?;
        self.offset = start + length + body.len() as u64;
        self.rest.extend([head.slice_with_length(0, prefix), metadata, body]);
        Ok(true)
    }
}

/// A file; reads beyond its end are refused before memory is taken.
struct Bytes {
    file: File,
    length: u64,
}

impl Bytes {
    fn read(&self, start: u64, length: u64) -> Result<Buffer, ArrowError> {
        if start.checked_add(length).is_none_or(|end| end > self.length) {
            return Err(corrupt("a message that is cut"));
        }
        let mut bytes: Vec<u8> = Vec::new();
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        bytes.try_reserve_exact(length).map_err(|_| std::io::Error::from(ErrorKind::OutOfMemory))?;
        bytes.resize(length, 0);
        read_at(&self.file, &mut bytes, start)?;
        progress::add(length);
        Ok(Buffer::from_vec(bytes))
    }
}

/// How much memory a file may still claim.
struct Claims {
    left: u64,
    limit: u64,
}

impl Claims {
    fn spend(&mut self, bytes: u64) -> Result<(), ArrowError> {
        let too_much = || corrupt(&format!("more than {} bytes, which RANKGAUGE_MAX_UNPACKED can raise", self.limit));
        self.left = self.left.checked_sub(bytes).ok_or_else(too_much)?;
        Ok(())
    }

    /// Check the rows and the buffers of a message: they must lie in its body, and unpack to what is left at most.
    fn message(&mut self, message: &Message<'_>, body: &[u8]) -> Result<(), ArrowError> {
        let batch = match message.header_type() {
            MessageHeader::RecordBatch => message.header_as_record_batch(),
            MessageHeader::DictionaryBatch => message.header_as_dictionary_batch().and_then(|batch| batch.data()),
            _ => return Ok(()),
        };
        let batch = batch.ok_or_else(|| corrupt("a message without a batch"))?;
        // Some types have rows without a byte, but we take memory for each row.
        self.spend(count(batch.length())?.saturating_mul(8))?;
        for node in batch.nodes().into_iter().flatten() {
            if count(node.length())? > self.limit || count(node.null_count())? > count(node.length())? {
                return Err(corrupt("a column of more rows than it has"));
            }
        }
        let is_packed = batch.compression().is_some();
        for buffer in batch.buffers().into_iter().flatten() {
            let end = buffer.offset().checked_add(buffer.length());
            let bytes = slice(body, buffer.offset(), end.ok_or_else(|| corrupt("a buffer beyond its end"))?)?;
            self.spend(unpacked_length(bytes, is_packed)?)?;
        }
        Ok(())
    }
}

/// How long a buffer is once it is unpacked; its first eight bytes say so, or that it is not packed.
fn unpacked_length(bytes: &[u8], is_packed: bool) -> Result<u64, ArrowError> {
    match bytes.first_chunk().filter(|_| is_packed) {
        None => Ok(bytes.len() as u64),
        Some(first) => match i64::from_le_bytes(*first) {
            -1 => Ok(bytes.len() as u64),
            length => count(length),
        },
    }
}

fn parsed(metadata: &[u8]) -> Result<Message<'_>, ArrowError> {
    root_as_message(metadata).map_err(|error| corrupt(&error.to_string()))
}

fn slice(data: &[u8], start: i64, end: i64) -> Result<&[u8], ArrowError> {
    let range = || Some(Range { start: usize::try_from(start).ok()?, end: usize::try_from(end).ok()? });
    range().and_then(|range| data.get(range)).ok_or_else(|| corrupt("a buffer beyond its end"))
}

fn count(number: i64) -> Result<u64, ArrowError> {
    u64::try_from(number).map_err(|_| corrupt("a negative length"))
}

fn corrupt(what: &str) -> ArrowError {
    ArrowError::ParseError(format!("an Arrow file with {what}"))
}
