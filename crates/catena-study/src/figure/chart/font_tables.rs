//! Tables of font files.

use std::collections::BTreeMap;

/// Tables of a font file by their tags.
pub(crate) type FontTables = BTreeMap<[u8; 4], Vec<u8>>;

/// Reads the tables of a font file.
pub(crate) fn tables(file: &[u8]) -> Option<FontTables> {
    let number = |at: usize| Some(u32::from_be_bytes(file.get(at..at + 4)?.try_into().ok()?));
    let count = u16::from_be_bytes(file.get(4..6)?.try_into().ok()?);
    let table = |index: usize| {
        let at = 12 + 16 * index;
        let tag: [u8; 4] = file.get(at..at + 4)?.try_into().ok()?;
        let [start, length] = [number(at + 8)? as usize, number(at + 12)? as usize];
        Some((tag, file.get(start..start.checked_add(length)?)?.to_vec()))
    };
    (0..usize::from(count)).map(table).collect()
}
