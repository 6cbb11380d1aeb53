//! The chunks of PNG files, read without decoding any pixel, and written.
//!
//! Decoders accept a file whose end is cut off behind the last pixel, and reserve memory for as
//! many pixels as the header claims. Reading the chunks first refuses both.

use super::mistaken::mistaken;
use std::fmt;

/// The first bytes of every PNG file.
pub const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// Bytes of data in the chunk IHDR.
pub const HEADER_BYTES: u32 = 13;

/// The most bytes that a decoded picture may have: 8192 by 8192 pixels of 16-bit RGBA.
pub const MOST_BYTES: u64 = 512 << 20;

/// The greatest ratio of inflated to deflated bytes: deflate codes 258 bytes in two bits.
const MOST_INFLATION: u64 = 1032;

/// What the chunks of a PNG file say about it.
#[derive(Clone, Debug)]
pub struct PngChunks {
    /// Width and height in pixels; `None` where the file has no header.
    pub size: Option<[u32; 2]>,
    /// Whether the file is an animation.
    pub has_animation: bool,
    /// Whether all chunks agree with their checksums.
    pub is_undamaged: bool,
    /// Whether pixels may be transparent: the file has a channel of alpha or transparent colours.
    pub has_alpha: bool,
    /// Whether channels have 16 bits.
    pub is_deep: bool,
    /// Bits of a pixel, and bytes of deflated pixels.
    pixel_bits: u64,
    deflated: u64,
}

/// Why a file is not decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PngFlaw {
    /// The file is empty.
    Empty,
    /// The file does not begin with the signature of PNG.
    NotPng,
    /// The file is something else that is often found under the name of a PNG file: a clause that
    /// says what, and what to do.
    Mistaken(String),
    /// The end of the file is missing.
    Truncated,
    /// A chunk does not agree with its checksum.
    Damaged,
    /// The file has no header, or no pixel.
    NoPixels,
    /// The header claims this width and height, and the file is too short to hold so many pixels.
    MissingPixels([u32; 2]),
    /// The picture has this width and height, more pixels than are decoded.
    TooLarge([u32; 2]),
}

impl fmt::Display for PngFlaw {
    /// The flaw as a clause about the file, such as "it is empty".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("it is empty"),
            Self::NotPng => f.write_str("it is not a PNG file"),
            Self::Mistaken(what) => f.write_str(what),
            Self::Truncated => f.write_str("it is cut off: the end of the PNG file is missing"),
            Self::Damaged => f.write_str("its bytes are damaged"),
            Self::NoPixels => f.write_str("it has no pixels"),
            Self::MissingPixels([width, height]) => {
                write!(f, "its header claims {width}x{height} pixels, which are not in it")
            }
            Self::TooLarge([width, height]) => {
                write!(f, "{width}x{height} pixels are too many")
            }
        }
    }
}

impl PngChunks {
    /// Reads all chunks of a file.
    ///
    /// # Errors
    /// When the bytes are not a PNG file from signature to last chunk.
    pub fn of(file: &[u8]) -> Result<Self, PngFlaw> {
        if file.is_empty() {
            return Err(PngFlaw::Empty);
        }
        let Some(mut rest) = file.strip_prefix(&SIGNATURE) else {
            return Err(if SIGNATURE.starts_with(file) {
                PngFlaw::Truncated
            } else {
                mistaken(file).map_or(PngFlaw::NotPng, PngFlaw::Mistaken)
            });
        };
        let mut found = Self {
            size: None,
            has_animation: false,
            is_undamaged: true,
            has_alpha: false,
            is_deep: false,
            pixel_bits: 0,
            deflated: 0,
        };
        loop {
            let (body, sum, after) = split_first(rest).ok_or(PngFlaw::Truncated)?;
            found.is_undamaged &= crc32fast::hash(body) == sum;
            if body.starts_with(b"IEND") {
                return Ok(found);
            }
            found.read_chunk(body);
            rest = after;
        }
    }

    /// Notes what a chunk says, given as its name and its data.
    fn read_chunk(&mut self, chunk: &[u8]) {
        match chunk {
            [b'I', b'H', b'D', b'R', a, b, c, d, e, f, g, h, depth, colour, ..] => {
                let side = |bytes: [&u8; 4]| u32::from_be_bytes(bytes.map(|byte| *byte));
                self.size = Some([side([a, b, c, d]), side([e, f, g, h])]);
                let channels = match colour {
                    2 => 3,
                    4 => 2,
                    6 => 4,
                    _ => 1,
                };
                self.pixel_bits = channels * u64::from(*depth);
                self.has_alpha |= matches!(colour, 4 | 6);
                self.is_deep = *depth == 16;
            }
            [b'I', b'D', b'A', b'T', data @ ..] => self.deflated += data.len() as u64,
            [b'a', b'c', b'T', b'L', ..] => self.has_animation = true,
            [b't', b'R', b'N', b'S', ..] => self.has_alpha = true,
            _ => {}
        }
    }

    /// Width and height of the picture, if it may be decoded: all checksums hold, and the file can
    /// have as many pixels as its header claims.
    ///
    /// # Errors
    /// When the file is damaged, has no pixels, fewer than it claims, or more than [`MOST_BYTES`]
    /// hold.
    pub fn decodable(&self) -> Result<[u32; 2], PngFlaw> {
        if !self.is_undamaged {
            return Err(PngFlaw::Damaged);
        }
        let size = self.size.filter(|size| !size.contains(&0) && self.deflated > 0);
        let size = size.ok_or(PngFlaw::NoPixels)?;
        let pixels: u128 = size.map(u128::from).iter().product();
        // Palettes become RGB, and fewer bits than 8 become 8.
        if pixels * u128::from(self.pixel_bits.max(24)) / 8 > u128::from(MOST_BYTES) {
            return Err(PngFlaw::TooLarge(size));
        }
        let most = u128::from(self.deflated) * u128::from(MOST_INFLATION);
        if pixels * u128::from(self.pixel_bits) / 8 > most {
            return Err(PngFlaw::MissingPixels(size));
        }
        Ok(size)
    }
}

/// The first chunk as its name with its data, its checksum, and the bytes behind it; `None` where
/// it is cut off.
fn split_first(rest: &[u8]) -> Option<(&[u8], u32, &[u8])> {
    let (length, after) = rest.split_first_chunk::<4>()?;
    let end = usize::try_from(u32::from_be_bytes(*length)).ok()?.checked_add(4)?;
    let (body, after) = after.split_at_checked(end)?;
    let (sum, after) = after.split_first_chunk::<4>()?;
    Some((body, u32::from_be_bytes(*sum), after))
}

/// The bytes that a PNG file begins with: its signature and its header, the latter up to the size
/// where one is given, and up to its name otherwise.
pub fn beginning(size: Option<[u32; 2]>) -> Vec<u8> {
    let mut bytes = SIGNATURE.to_vec();
    bytes.extend(HEADER_BYTES.to_be_bytes());
    bytes.extend(b"IHDR");
    bytes.extend(size.iter().flatten().flat_map(|side| side.to_be_bytes()));
    bytes
}

/// Appends a chunk to a file: its length, its name, the data that `fill` appends, its checksum.
pub fn append(file: &mut Vec<u8>, name: [u8; 4], fill: impl FnOnce(&mut Vec<u8>)) {
    let start = file.len();
    file.extend_from_slice(&[0; 4]);
    file.extend_from_slice(&name);
    fill(file);
    let length = (file.len() - start - 8) as u32;
    file[start..start + 4].copy_from_slice(&length.to_be_bytes());
    let checksum = crc32fast::hash(&file[start + 4..]);
    file.extend_from_slice(&checksum.to_be_bytes());
}
