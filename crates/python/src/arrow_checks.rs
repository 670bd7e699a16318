//! Validates Arrow arrays of other libraries: UTF-8, offsets, dictionary codes.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, GenericStringArray, OffsetSizeTrait, StringViewArray};
use arrow_schema::{ArrowError, DataType};
use rankgauge_core::utf8::{are_utf8, is_utf8};

/// Return the array if its texts are UTF-8 and its dictionary codes have a value.
pub fn checked(array: ArrayRef) -> Result<ArrayRef, ArrowError> {
    let data = array.to_data();
    let is_sound = match array.data_type() {
        DataType::Utf8 => has_sound_texts(array.as_string::<i32>()),
        DataType::LargeUtf8 => has_sound_texts(array.as_string::<i64>()),
        DataType::Utf8View => has_sound_views(array.as_string_view()),
        _ => false,
    };
    if is_sound {
        data.validate()?;
        data.validate_nulls()?;
    } else {
        // Slower, for all other types, and to say what is wrong.
        data.validate_full()?;
    }
    Ok(array)
}

/// Whether the texts lie end to end in their buffer, and are UTF-8.
fn has_sound_texts<O: OffsetSizeTrait>(texts: &GenericStringArray<O>) -> bool {
    let offsets = texts.value_offsets();
    let rise = offsets.windows(2).fold(true, |rise, pair| rise & (pair[0] <= pair[1]));
    let end = |offset: Option<&O>| offset.and_then(|offset| offset.to_usize());
    let (Some(first), Some(last)) = (end(offsets.first()), end(offsets.last())) else { return false };
    let bytes = texts.value_data().get(first..last);
    rise && bytes.is_some_and(|bytes| are_utf8(bytes, offsets.iter().map(|offset| offset.as_usize() - first)))
}

/// Texts of at most this many bytes are within their view.
pub const MOST_WITHIN: u32 = 12;
/// The bits that no ASCII character has, in a text within its view.
const NOT_ASCII: u128 = 0x8080_8080_8080_8080_8080_8080 << 32;

/// Whether texts are within their views or in the buffers that these name, begin as they say, and are UTF-8.
fn has_sound_views(texts: &StringViewArray) -> bool {
    let buffers = texts.data_buffers();
    let is_text = |bytes: &[u8]| bytes.is_ascii() || is_utf8(bytes);
    texts.views().iter().all(|&view| {
        let (length, prefix, buffer, start) = (view as u32, view >> 32, view >> 64, (view >> 96) as usize);
        if length <= MOST_WITHIN {
            let is_padded = length == MOST_WITHIN || view >> (32 + 8 * length) == 0;
            return is_padded && (view & NOT_ASCII == 0 || is_utf8(&view.to_le_bytes()[4..4 + length as usize]));
        }
        let bytes = buffers.get(buffer as u32 as usize).and_then(|buffer| buffer.get(start..start + length as usize));
        bytes.is_some_and(|bytes| bytes.starts_with(&(prefix as u32).to_le_bytes()) && is_text(bytes))
    })
}
