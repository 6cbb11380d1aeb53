//! Reads and writes the chunks of PNG files, without decoding pixels. Identifies files of other
//! formats that are named as PNG.
//!
//! Decoders accept a file that is truncated after the last pixel, and allocate memory for as many
//! pixels as the header claims. Reading the chunks first detects both.

use std::fmt;

/// First bytes of every PNG file.
pub const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// Number of data bytes in the chunk IHDR.
pub const HEADER_BYTES: u32 = 13;

/// Maximum size in bytes of a decoded picture: 8192 by 8192 pixels of 16-bit RGBA.
pub const MAX_BYTES: u64 = 512 << 20;

/// Maximum ratio of inflated to deflated bytes: deflate can code 258 bytes in two bits.
const MAX_INFLATION: u64 = 1032;

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
    /// The file has another format and is often named as PNG by mistake. The text is a clause that
    /// names the format and a remedy.
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
                write!(f, "its header declares {width}x{height} pixels, but its data is shorter")
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
    /// Returns an error if the bytes are not a PNG file from signature to last chunk.
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
    /// Returns an error if the file is damaged, has no pixels or fewer pixels than it claims, or
    /// decodes to more than [`MAX_BYTES`].
    pub fn decodable(&self) -> Result<[u32; 2], PngFlaw> {
        if !self.is_undamaged {
            return Err(PngFlaw::Damaged);
        }
        let size = self.size.filter(|size| !size.contains(&0) && self.deflated > 0);
        let size = size.ok_or(PngFlaw::NoPixels)?;
        let pixels: u128 = size.map(u128::from).iter().product();
        // Palettes are decoded as RGB, and samples of fewer than 8 bits as 8.
        if pixels * u128::from(self.pixel_bits.max(24)) / 8 > u128::from(MAX_BYTES) {
            return Err(PngFlaw::TooLarge(size));
        }
        let maximum = u128::from(self.deflated) * u128::from(MAX_INFLATION);
        if pixels * u128::from(self.pixel_bits) / 8 > maximum {
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

/// First bytes of a PNG file: its signature and header, up to the size if `size` is given,
/// otherwise up to the header's name.
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

/// First bytes of other formats, each with the name of the format.
const FORMATS: [(&[u8], &str); 15] = [
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"\xff\x0a", "a JPEG XL picture"),
    (b"\0\0\0\x0cJXL ", "a JPEG XL picture"),
    (b"qoif", "a QOI picture"),
    (b"8BPS", "a Photoshop picture"),
    (b"v/1\x01", "an OpenEXR picture"),
    (b"\0\0\x01\0", "an icon"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x8aMNG\r\n\x1a\n", "an MNG animation"),
    (b"\x8bJNG\r\n\x1a\n", "a JNG picture"),
];

/// Letters in a PNG signature, which survive when its other bytes are changed as text.
const LETTERS: &[u8] = b"PNG";

const LFS: &str = "it is a pointer of Git LFS, without the picture: `git lfs pull` fetches it";
const ANNEX: &str = "it is a pointer of git-annex, without the picture: `git annex get` fetches it";
const LINE_ENDS: &str = "line endings of this PNG file were changed, as Git and file transfers do with text: add `*.png binary` to .gitattributes, and copy or check out the file again";
const CHARACTERS: &str = "it is a PNG file that a program has read and written as text, which cannot be undone: copy the file \
    again as binary";
const HTML: &str = "it is an HTML page, such as the error or login page of a failed download: download the picture again";
const BASE64: &str = "it is a PNG file as base64 text: decode it with `base64 -d`";
const LINK: &str = "it is the text of a link, which Git writes where links are switched off: run \
                    `git config core.symlinks true`, then check it out again";
const ZEROS: &str =
    "it begins with zeros, as after a crash while the file was written: write it again";

/// Clause about a file without a PNG signature, with a remedy. Returns `None` for a file that is
/// not commonly mistaken for a picture.
fn mistaken(file: &[u8]) -> Option<String> {
    let known = FORMATS.iter().find(|(beginning, _)| file.starts_with(beginning));
    let known = known.map(|(_, name)| *name).or_else(|| boxed(file));
    if let Some(name) = known {
        return Some(format!("it is {name} named as PNG: convert it to PNG"));
    }
    changed_png(file).or_else(|| text(file)).map(str::to_owned)
}

/// Name of a format whose signature is not at the start of the file.
fn boxed(file: &[u8]) -> Option<&'static str> {
    if file.starts_with(b"BM") && file.get(6..10) == Some(&[0; 4]) {
        return Some("a BMP picture");
    }
    match (file.get(..4)?, file.get(4..8)?, file.get(8..12)?) {
        (b"RIFF", _, b"WEBP") => Some("a WebP picture"),
        (_, b"ftyp", b"avif" | b"avis") => Some("an AVIF picture"),
        (_, b"ftyp", b"heic" | b"heix" | b"mif1" | b"msf1") => Some("a HEIC picture"),
        (_, b"ftyp", _) => Some("an MP4 film"),
        _ => None,
    }
}

/// Clause about a PNG file whose bytes were changed as if they were text.
fn changed_png(file: &[u8]) -> Option<&'static str> {
    // The first byte has become one to three bytes, possibly after a byte order mark.
    let at = (0..=6).find(|at| file.get(*at..).is_some_and(|rest| rest.starts_with(LETTERS)))?;
    let (first, rest) = (&file[..at], &file[at + LETTERS.len()..]);
    let is_line_end = rest.starts_with(b"\r") || rest.starts_with(b"\n");
    match (first, is_line_end) {
        (b"\x89", true) => Some(LINE_ENDS),
        (_, true) => Some(CHARACTERS),
        _ => None,
    }
}

/// Clause about a text, or about zeros.
fn text(file: &[u8]) -> Option<&'static str> {
    let start = &file[..file.len().min(4096)];
    if start.len() >= 8 && start.iter().all(|byte| *byte == 0) {
        return Some(ZEROS);
    }
    let text = String::from_utf8_lossy(start);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let lower = text.to_ascii_lowercase();
    let starts = |words: &[&str]| words.iter().any(|word| lower.starts_with(word));
    if starts(&["version https://git-lfs.github.com/", "version https://hawser.github.com/"]) {
        return Some(LFS);
    }
    if starts(&["/annex/objects/"]) || lower.contains(".git/annex/objects/") {
        return Some(ANNEX);
    }
    if starts(&["<!doctype html", "<html"]) {
        return Some(HTML);
    }
    if starts(&["<svg"]) || starts(&["<?xml"]) && lower.contains("<svg") {
        return Some("it is an SVG drawing named as PNG: convert it to PNG");
    }
    if text.starts_with("iVBORw0KGgo") || starts(&["data:image/png;base64,"]) {
        return Some(BASE64);
    }
    let is_path = file.len() < 1024 && !text.contains('\n') && lower.ends_with(".png");
    (is_path && text.contains('/')).then_some(LINK)
}
