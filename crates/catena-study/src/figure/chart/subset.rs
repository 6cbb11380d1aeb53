//! Subset of a typeface that a figure needs, as a font file.
//!
//! subsetter keeps the outlines and omits tables that PDF files do not need. Browsers also need the
//! mapping from characters to glyphs, so the tables for it are added.

use std::collections::{BTreeMap, BTreeSet};
use subsetter::GlyphRemapper;

/// Tables of a font file by their tags.
type FontTables = BTreeMap<[u8; 4], Vec<u8>>;

/// Creates a font file with these characters, each given with its glyph. Returns `None` if the
/// input is not a TrueType font.
pub(super) fn subset(file: &[u8], letters: &BTreeSet<(char, u16)>) -> Option<Vec<u8>> {
    let mut glyphs = GlyphRemapper::new();
    letters.iter().for_each(|(_, glyph)| {
        glyphs.remap(*glyph);
    });
    let whole = tables(file)?;
    let mut kept = tables(&subsetter::subset(file, 0, &glyphs).ok()?)?;
    for tag in [b"OS/2", b"name"] {
        kept.insert(*tag, whole.get(tag)?.clone());
    }
    // Version 3 contains no glyph names.
    let mut post = whole.get(b"post")?.get(..32)?.to_vec();
    post[..4].copy_from_slice(&[0, 3, 0, 0]);
    kept.insert(*b"post", post);
    let mapped = letters.iter().map(|(letter, glyph)| Some((*letter, glyphs.get(*glyph)?)));
    kept.insert(*b"cmap", glyph_table(&mapped.collect::<Option<Vec<_>>>()?));
    Some(font_file(kept))
}

/// Reads the tables of a font file.
fn tables(file: &[u8]) -> Option<FontTables> {
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

/// Table that maps each character to its glyph: segmented coverage, one group per character.
fn glyph_table(glyphs: &[(char, u16)]) -> Vec<u8> {
    let length = 16 + 12 * glyphs.len() as u32;
    // Version 0 with one table, for Unicode on every platform (3, 10), at offset 12.
    let mut table = vec![0, 0, 0, 1, 0, 3, 0, 10, 0, 0, 0, 12, 0, 12, 0, 0];
    for number in [length, 0, glyphs.len() as u32] {
        table.extend(number.to_be_bytes());
    }
    for (letter, glyph) in glyphs {
        for number in [u32::from(*letter), u32::from(*letter), u32::from(*glyph)] {
            table.extend(number.to_be_bytes());
        }
    }
    table
}

/// Assembles a font file from tables, with their checksums.
fn font_file(mut tables: FontTables) -> Vec<u8> {
    if let Some(sum) = tables.get_mut(b"head").and_then(|head| head.get_mut(8..12)) {
        sum.fill(0);
    }
    let count = tables.len() as u16;
    let power = count.max(1).ilog2() as u16;
    let range = 16 << power;
    let mut file = vec![0, 1, 0, 0];
    for number in [count, range, power, 16 * count - range] {
        file.extend(number.to_be_bytes());
    }
    let mut body = Vec::new();
    let start = 12 + 16 * tables.len();
    let mut head = None;
    for (tag, table) in &tables {
        let at = start + body.len();
        head = if tag == b"head" { Some(at) } else { head };
        file.extend(tag);
        for number in [sum(table), at as u32, table.len() as u32] {
            file.extend(number.to_be_bytes());
        }
        body.extend(table);
        body.resize(body.len().next_multiple_of(4), 0);
    }
    file.extend(body);
    let rest = 0xB1B0_AFBA_u32.wrapping_sub(sum(&file));
    if let Some(sum) = head.and_then(|at| file.get_mut(at + 8..at + 12)) {
        sum.copy_from_slice(&rest.to_be_bytes());
    }
    file
}

/// Sum of all 32-bit words of a table.
fn sum(table: &[u8]) -> u32 {
    let word = |bytes: &[u8]| {
        let mut word = [0; 4];
        word[..bytes.len()].copy_from_slice(bytes);
        u32::from_be_bytes(word)
    };
    table.chunks(4).map(word).fold(0, u32::wrapping_add)
}
