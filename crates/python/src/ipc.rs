//! Files of the Arrow IPC format. What a file claims is checked against its size before it is decoded: a decoder takes
//! memory as it is told to, and memory that cannot be had ends the process.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{FileDecoder, StreamDecoder, read_footer_length};
use arrow_ipc::{Block, Message, MessageHeader, root_as_footer, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};

use crate::panics::caught;

const MAGIC: &[u8] = b"ARROW1";
const CONTINUATION: [u8; 4] = [0xff; 4];
const END: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

/// The batches of a file or a stream.
pub struct Batches {
    schema: SchemaRef,
    source: Source,
}

enum Source {
    File { data: Buffer, blocks: std::vec::IntoIter<Block>, decoder: FileDecoder },
    Stream(Messages),
}

/// The messages of a stream.
struct Messages {
    rest: Buffer,
    decoder: StreamDecoder,
    /// The first batch, which came with the schema.
    first: Option<RecordBatch>,
    has_ended: bool,
}

impl Batches {
    /// Open the bytes of a file; what it holds may not take more memory than the limit.
    pub fn open(data: Buffer, limit: u64) -> Result<Self, ArrowError> {
        let open = || if data.starts_with(MAGIC) { Batches::file(data, limit) } else { Batches::stream(data, limit) };
        caught(open).unwrap_or_else(|| Err(corrupt("not what it says")))
    }

    fn file(data: Buffer, limit: u64) -> Result<Self, ArrowError> {
        let (rest, trailer) = data.split_last_chunk::<10>().ok_or_else(|| corrupt("too short"))?;
        let length = read_footer_length(*trailer)?;
        let start = rest.len().checked_sub(length).ok_or_else(|| corrupt("a footer longer than the file"))?;
        let footer = root_as_footer(&rest[start..]).map_err(|error| corrupt(&error.to_string()))?;
        let schema = footer.schema().ok_or_else(|| corrupt("no schema"))?;
        if !schema.endianness().equals_to_target_endianness() {
            return Err(corrupt("numbers in another byte order"));
        }
        let schema = Arc::new(try_fb_to_schema(schema)?);
        let mut decoder = FileDecoder::new(schema.clone(), footer.version());
        let dictionaries: Vec<Block> = footer.dictionaries().into_iter().flatten().copied().collect();
        let blocks: Vec<Block> = footer.recordBatches().into_iter().flatten().copied().collect();
        let mut claims = Claims { left: limit, limit };
        for block in dictionaries.iter().chain(&blocks) {
            claims.block(&data, block)?;
        }
        for block in &dictionaries {
            decoder.read_dictionary(block, &data.slice_with_length(start_of(block), length_of(block)))?;
        }
        Ok(Batches { schema, source: Source::File { data, blocks: blocks.into_iter(), decoder } })
    }

    fn stream(data: Buffer, limit: u64) -> Result<Self, ArrowError> {
        let mut claims = Claims { left: limit, limit };
        let mut end = 0;
        while let Some(length) = claims.next_message(&data[end..])? {
            end += length;
        }
        let rest = data.slice_with_length(0, end);
        let mut messages = Messages { rest, decoder: StreamDecoder::new(), first: None, has_ended: false };
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
            Source::File { data, blocks, decoder } => match blocks.next() {
                Some(block) => {
                    decoder.read_record_batch(&block, &data.slice_with_length(start_of(&block), length_of(&block)))
                }
                None => Ok(None),
            },
        });
        next.unwrap_or_else(|| Err(corrupt("not what it says"))).transpose()
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

impl Messages {
    fn next(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        if let Some(batch) = self.first.take() {
            return Ok(Some(batch));
        }
        loop {
            while !self.rest.is_empty() {
                if let Some(batch) = self.decoder.decode(&mut self.rest)? {
                    return Ok(Some(batch));
                }
            }
            if self.has_ended {
                return Ok(None);
            }
            // A message without a body is looked at when the next one comes, so the last needs an end after it.
            (self.has_ended, self.rest) = (true, Buffer::from(&END));
        }
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

    /// Check a block, which its footer says where to find.
    fn block(&mut self, data: &[u8], block: &Block) -> Result<(), ArrowError> {
        let (start, metadata) = (block.offset(), i64::from(block.metaDataLength()));
        let ends =
            start.checked_add(metadata).and_then(|middle| Some((middle, middle.checked_add(block.bodyLength())?)));
        let (middle, end) = ends.ok_or_else(|| corrupt("a block beyond its end"))?;
        if metadata < 8 {
            return Err(corrupt("a block without a message"));
        }
        let (head, body) = (slice(data, start, middle)?, slice(data, middle, end)?);
        let skipped = if head.starts_with(&CONTINUATION) { 8 } else { 4 };
        self.message(&parsed(&head[skipped..])?, body)
    }

    /// Check the next message of a stream, and return its length; none at the end.
    fn next_message(&mut self, data: &[u8]) -> Result<Option<usize>, ArrowError> {
        let marked = data.starts_with(&CONTINUATION);
        let prefix = if marked { 8 } else { 4 };
        let Some(length) = data.get(prefix - 4..prefix).and_then(|bytes| bytes.try_into().ok()) else {
            return if data.is_empty() { Ok(None) } else { Err(corrupt("a message that is cut")) };
        };
        let length = u32::from_le_bytes(length) as usize;
        if length == 0 {
            return Ok(None);
        }
        let cut = || corrupt("a message that is cut");
        let message = parsed(data.get(prefix..prefix + length).ok_or_else(cut)?)?;
        let body = usize::try_from(message.bodyLength()).map_err(|_| cut())?;
        let start = prefix + length;
        let end = start.checked_add(body).ok_or_else(cut)?;
        self.message(&message, data.get(start..end).ok_or_else(cut)?)?;
        Ok(Some(end))
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

/// Where a block begins and how long it is, after it has been checked.
fn start_of(block: &Block) -> usize {
    block.offset() as usize
}

fn length_of(block: &Block) -> usize {
    block.metaDataLength() as usize + block.bodyLength() as usize
}

fn corrupt(what: &str) -> ArrowError {
    ArrowError::ParseError(format!("an Arrow file with {what}"))
}
