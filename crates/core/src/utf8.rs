//! Whether bytes are UTF-8, checked many bytes at a time.

/// How many of the first bytes are UTF-8, if not all are.
pub fn valid_up_to(bytes: &[u8]) -> Option<usize> {
    match simdutf8::basic::from_utf8(bytes) {
        Ok(_) => None,
        Err(_) => std::str::from_utf8(bytes).err().map(|error| error.valid_up_to()),
    }
}

pub fn is_utf8(bytes: &[u8]) -> bool {
    simdutf8::basic::from_utf8(bytes).is_ok()
}

/// Whether texts that lie end to end are UTF-8, each of them; `ends` are where they begin and end.
pub fn are_utf8(bytes: &[u8], mut ends: impl Iterator<Item = usize>) -> bool {
    let is_boundary = |end: usize| bytes.get(end).is_none_or(|&byte| byte & 0xC0 != 0x80);
    bytes.is_ascii() || (is_utf8(bytes) && ends.all(is_boundary))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_up_to_of_invalid_bytes_is_the_first_of_them() {
        for bytes in [&b"plain"[..], "k\u{e4}se \u{1f9c0}".as_bytes(), b""] {
            assert_eq!((valid_up_to(bytes), is_utf8(bytes)), (None, true));
        }
        let long = [&[b'a'; 100][..], b"\xff", &[b'b'; 100]].concat();
        assert_eq!((valid_up_to(&long), is_utf8(&long)), (Some(100), false));
    }

    #[test]
    fn are_utf8_with_an_end_inside_a_character_is_false() {
        let bytes = "a\u{e4}b".as_bytes();
        assert!(are_utf8(bytes, [0, 1, 3, 4].into_iter()));
        assert!(!are_utf8(bytes, [0, 2, 4].into_iter()));
        assert!(are_utf8(b"abc", [0, 2, 3].into_iter()));
        assert!(!are_utf8(b"a\xff", [0, 1, 2].into_iter()));
    }
}
