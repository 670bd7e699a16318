//! The byte form of judgments and rankings, which pickles hold: parts of known lengths, and a checksum.
//!
//! What is read is checked as if anyone could have written it: no byte leads to a panic or a wrong index later.

mod reader;
mod writer;

/// The version of the form of judgments and rankings.
pub const VERSION: u32 = 2;

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::annotations::{Annotations, Column};
    use crate::builder::Builder;
    use crate::bytes::{Reader, Writer};
    use crate::error::Error;
    use crate::id_kinds::{IdKind, IdKinds};
    use crate::ids::Ids;
    use crate::table::Table;
    use crate::test_fixtures::builder;

    const KIND: [u8; 4] = *b"test";

    fn table() -> Table {
        let mut builder = builder(&[("b", "x", 1.0), ("a", "é", -0.5), ("b", "z", 3.0)]);
        builder.query(b"empty");
        builder.finish().with_kinds(IdKinds { queries: IdKind::Whole, items: IdKind::Text })
    }

    fn written(table: &Table, annotations: Option<&Annotations>) -> Vec<u8> {
        let mut writer = Writer::new(KIND, VERSION);
        writer.table(table);
        writer.annotations(annotations);
        writer.seal()
    }

    fn read(bytes: &[u8]) -> Result<(Arc<Table>, Option<Annotations>), Error> {
        let mut reader = Reader::unseal(bytes, KIND, VERSION)?;
        let table = Arc::new(reader.table()?);
        let annotations = reader.annotations(&table)?;
        reader.finish()?;
        Ok((table, annotations))
    }

    fn annotated() -> Vec<Annotations> {
        let mut ids = Ids::default();
        [b"s", b"t", b"u"].iter().for_each(|id| ids.push(*id));
        let columns = [
            Column::Subtopics(Arc::new(ids)),
            Column::Propensities(vec![0.5, 1.0, 0.25].into()),
            Column::Positions(vec![1.0, 2.0, 3.0].into()),
        ];
        columns.iter().map(|column| Annotations::new(table(), column).unwrap()).collect()
    }

    #[test]
    fn table_written_as_bytes_is_read_back() {
        let whole = table().with_values(vec![1.0, 2.0, 3.0].into()).unwrap();
        for table in [table(), whole, Builder::default().finish()] {
            let (copy, annotations) = read(&written(&table, None)).unwrap();
            assert_eq!((&*copy, copy.kinds()), (&table, table.kinds()));
            assert!(annotations.is_none());
            assert!((0..table.query_count() as u32).all(|query| copy.row_numbers(query).eq(table.row_numbers(query))));
        }
    }

    #[test]
    fn annotations_written_as_bytes_are_read_back() {
        for annotations in annotated() {
            let (table, copy) = read(&written(annotations.table(), Some(&annotations))).unwrap();
            assert_eq!((&*table, &copy.unwrap().values), (&**annotations.table(), &annotations.values));
        }
    }

    #[test]
    fn reader_of_changed_or_truncated_bytes_fails() {
        for annotations in annotated() {
            let bytes = written(annotations.table(), Some(&annotations));
            for offset in 0..bytes.len() {
                assert!(read(&bytes[..offset]).is_err());
                let mut changed = bytes.clone();
                changed[offset] ^= 1 << (offset % 8);
                assert!(read(&changed).is_err(), "{offset}");
            }
        }
    }

    #[test]
    fn reader_of_changed_bytes_with_a_valid_checksum_never_panics() {
        for annotations in annotated() {
            let bytes = written(annotations.table(), Some(&annotations));
            for offset in 8..bytes.len() - 4 {
                for value in [0, 1, 2, 3, 0x7f, 0x80, 0xff] {
                    let mut content = bytes[..bytes.len() - 4].to_vec();
                    content[offset] = value;
                    let mut writer = Writer::default();
                    writer.raw(&content);
                    if let Ok((table, annotations)) = read(&writer.seal()) {
                        (0..table.query_count() as u32).for_each(|query| drop(table.text_rows(query)));
                        assert!(
                            annotations.is_none_or(|annotations| annotations.table().row_count() == table.row_count())
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn reader_of_another_version_or_kind_fails() {
        let mut bytes = written(&table(), None);
        assert_eq!(
            Reader::unseal(&bytes, *b"else", VERSION).unwrap_err(),
            Error::BadBytes { reason: "bytes of another kind" }
        );
        bytes[4] = 9;
        assert_eq!(read(&bytes).unwrap_err(), Error::BadBytes { reason: "bytes of another version" });
    }
}
