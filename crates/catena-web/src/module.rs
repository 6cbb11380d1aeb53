//! Build identifier of a WebAssembly module.
//!
//! A page guarantees the same bytes as the command line that made it, so a module built from other
//! sources is rejected. The module contains [`BUILD`](crate::BUILD) in a custom section.

/// Name of the section.
pub const SECTION: &str = "catena";

/// First bytes of every WebAssembly module: the magic number and the version.
const MAGIC: [u8; 8] = *b"\0asm\x01\0\0\0";

/// Returns the build of a module. `None` if the bytes are not a WebAssembly module of catena.
pub fn build_of(module: &[u8]) -> Option<&str> {
    let mut rest = module.strip_prefix(&MAGIC)?;
    while let Some((kind, after)) = rest.split_first() {
        let (size, after) = number(after)?;
        let (content, after) = after.split_at_checked(size)?;
        rest = after;
        if *kind != 0 {
            continue;
        }
        let (length, content) = number(content)?;
        let (name, content) = content.split_at_checked(length)?;
        if name == SECTION.as_bytes() {
            return std::str::from_utf8(content).ok();
        }
    }
    None
}

/// Reads a LEB128 number, in groups of seven bits. Returns it with the remaining bytes.
fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut value = 0_usize;
    for (index, byte) in bytes.iter().enumerate().take(5) {
        let group = usize::from(byte & 0x7f);
        value |= group.checked_shl(7 * index as u32).filter(|it| it >> (7 * index) == group)?;
        if byte & 0x80 == 0 {
            return Some((value, &bytes[index + 1..]));
        }
    }
    None
}
