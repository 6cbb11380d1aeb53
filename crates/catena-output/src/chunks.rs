//! Reads and writes the chunks of PNG files, without decoding pixels.
//!
//! Decoders accept a file that is truncated after the last pixel, and allocate memory for as many
//! pixels as the header claims. Reading the chunks first detects both.

use super::mistaken::mistaken;
use std::fmt;

/// First bytes of every PNG file.
pub const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// Number of data bytes in the chunk IHDR.
pub const HEADER_BYTES: u32 = 13;

/// Maximum size in bytes of a decoded picture: 8192 by 8192 pixels of 16-bit RGBA.
pub const MOST_BYTES: u64 = 512 << 20;

/// Maximum ratio of inflated to deflated bytes: deflate can code 258 bytes in two bits.
const MOST_INFLATION: u64 = 1032;

/// Properties of a PNG file, read from its chunks.
#[derive(Clone, Debug)]
pub struct PngChunks {
    /// Width and height in pixels; `None` if the file has no header.
    pub size: Option<[u32; 2]>,
    /// Whether the file is an animation.
    pub has_animation: bool,
    /// Whether all chunks match their checksums.
    pub is_undamaged: bool,
    /// Whether pixels may be transparent: the file has an alpha channel or transparent colours.
    pub has_alpha: bool,
    /// Whether channels have 16 bits.
    pub is_deep: bool,
    /// Bits per pixel, and number of bytes of deflated pixels.
    pixel_bits: u64,
    deflated: u64,
}

/// Reason why a file is not decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PngFlaw {
    /// The file is empty.
    Empty,
    /// The file does not begin with the signature of PNG.
    NotPng,
    /// The file is of another kind that often has the name of a PNG file. The text is a clause that
    /// names the kind and a remedy.
    Mistaken(String),
    /// The file is truncated.
    Truncated,
    /// A chunk does not match its checksum.
    Damaged,
    /// The file has no header, or no pixels.
    NoPixels,
    /// The header claims this width and height, but the file is too short for that.
    MissingPixels([u32; 2]),
    /// Width and height of a picture that is too large to decode.
    TooLarge([u32; 2]),
}

impl fmt::Display for PngFlaw {
    /// Writes the flaw as a clause about the file, such as "it is empty".
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
    /// Returned if the bytes are not a PNG file from signature to last chunk.
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

    /// Records the properties stated by a chunk, given as its name and data.
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

    /// Returns width and height of the picture if it may be decoded: all checksums match, and the
    /// file can contain as many pixels as its header claims.
    ///
    /// # Errors
    /// Returned if the file is damaged, has no pixels, fewer than it claims, or decodes to more
    /// than [`MOST_BYTES`].
    pub fn decodable(&self) -> Result<[u32; 2], PngFlaw> {
        if !self.is_undamaged {
            return Err(PngFlaw::Damaged);
        }
        let size = self.size.filter(|size| !size.contains(&0) && self.deflated > 0);
        let size = size.ok_or(PngFlaw::NoPixels)?;
        let pixels: u128 = size.map(u128::from).iter().product();
        // Palettes are decoded as RGB, and samples of fewer than 8 bits as 8.
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

/// Splits off the first chunk: its name and data, its checksum, and the remaining bytes. Returns
/// `None` if it is truncated.
fn split_first(rest: &[u8]) -> Option<(&[u8], u32, &[u8])> {
    let (length, after) = rest.split_first_chunk::<4>()?;
    let end = usize::try_from(u32::from_be_bytes(*length)).ok()?.checked_add(4)?;
    let (body, after) = after.split_at_checked(end)?;
    let (sum, after) = after.split_first_chunk::<4>()?;
    Some((body, u32::from_be_bytes(*sum), after))
}

/// First bytes of a PNG file: its signature and header, up to the size if one is given, else up to
/// the header's name.
pub fn beginning(size: Option<[u32; 2]>) -> Vec<u8> {
    let mut bytes = SIGNATURE.to_vec();
    bytes.extend(HEADER_BYTES.to_be_bytes());
    bytes.extend(b"IHDR");
    bytes.extend(size.iter().flatten().flat_map(|side| side.to_be_bytes()));
    bytes
}

/// Appends a chunk to a file: its length, its name, the data that `fill` appends, and its checksum.
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
