//! Names of the files that a render writes, and of their folders.

use catena_base::text::printable;
use serde::{Deserialize, Serialize};

/// File name of the manifest.
pub const MANIFEST: &str = "manifest.json";
/// File name of the steady-state comparison.
pub const STEADY: &str = "steady.png";

/// Name of catena's private folder in a folder of frames, a report or a comparison.
pub const PRIVATE: &str = ".catena";
/// File name of the journal of an exclusive render, in the private folder.
pub(super) const JOURNAL: &str = "journal";
/// File name of the note about files that a render removes before it begins, in the private folder.
pub(super) const REMOVALS: &str = "former";
/// Name of the folder of claims, in the private folder.
pub(super) const CLAIMS: &str = "claims";

/// Exclusive upper limit of frame numbers. A larger number comes from a damaged or forged record.
pub const FRAME_LIMIT: u64 = 1 << 32;

/// Maximum length of a pattern of names in bytes. Names in packs have at most 100.
const MAX_LETTERS: usize = 80;
/// Maximum number of digits to which numbers are padded.
const MAX_DIGITS: usize = 10;
/// Characters that file names cannot have on some system, or that end a folder's name.
const REFUSED: &str = "/\\:*?\"<>|";

/// Format of the file of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameFormat {
    /// PNG with 8 bits per channel.
    #[default]
    Png,
    /// Lossless WebP with 8 bits per channel.
    WebP,
    /// OpenEXR with 32 bits per channel, in linear light.
    Exr,
}

impl FrameFormat {
    const ALL: [(Self, &'static str); 3] =
        [(Self::Png, ".png"), (Self::WebP, ".webp"), (Self::Exr, ".exr")];

    /// First bytes of a file, which all files of the format share.
    pub(super) fn signature(self) -> &'static [u8] {
        match self {
            Self::Png => b"\x89PNG\r\n\x1a\n",
            Self::WebP => b"RIFF",
            Self::Exr => b"\x76\x2f\x31\x01",
        }
    }

    /// Format of a file with this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, ending)| name.ends_with(ending)).map(|(format, _)| format)
    }
}

/// Names of the files of frames: a text before the number, the number, and a text after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "NameRecord", into = "NameRecord")]
pub struct FrameNames {
    before: String,
    digits: usize,
    after: String,
    start: u64,
}

/// Serialized form of the names in a record.
#[derive(Clone, Serialize, Deserialize)]
struct NameRecord {
    name: String,
    start_number: u64,
}

impl Default for FrameNames {
    fn default() -> Self {
        Self { before: "frame_".into(), digits: 5, after: ".png".into(), start: 0 }
    }
}

impl TryFrom<NameRecord> for FrameNames {
    type Error = String;

    fn try_from(record: NameRecord) -> Result<Self, String> {
        Ok(Self::parse(&record.name)?.starting_at(record.start_number))
    }
}

impl From<FrameNames> for NameRecord {
    fn from(names: FrameNames) -> Self {
        Self { name: names.pattern(), start_number: names.start }
    }
}

impl FrameNames {
    /// Parses a pattern with `####` or `%04d` in place of the number.
    ///
    /// # Errors
    /// Returns a description of the expected pattern if the text does not match.
    pub fn parse(text: &str) -> Result<Self, String> {
        let like = "such as 'shot_####.png' or 'shot_%04d.png'";
        let Some((at, length, digits)) = number_place(text) else {
            return Err(format!("expected a file name with one place for the number, {like}"));
        };
        let (before, after) = (&text[..at], &text[at + length..]);
        if number_place(after).is_some() || after.contains('%') || before.contains('%') {
            return Err(format!("expected a single place for the number, {like}"));
        }
        let is_refused = |letter: char| letter.is_control() || REFUSED.contains(letter);
        if let Some(letter) = text.chars().find(|letter| is_refused(*letter)) {
            let letter = letter.to_string();
            let letter = printable::text(&letter);
            let folder = if letter == "/" { "; --out names the folder" } else { "" };
            return Err(format!("a file name cannot contain “{letter}”{folder}"));
        }
        if before.starts_with('.') {
            return Err(format!("expected a name that does not begin with a dot, {like}"));
        }
        if FrameFormat::of_name(after).is_none() {
            let endings = FrameFormat::ALL.map(|(_, ending)| ending).join(", ");
            return Err(format!("expected a name that ends in one of {endings}, {like}"));
        }
        if text.len() > MAX_LETTERS || digits > MAX_DIGITS {
            return Err(format!(
                "expected at most {MAX_LETTERS} bytes and {MAX_DIGITS} digits, {like}"
            ));
        }
        Ok(Self { before: before.into(), digits, after: after.into(), start: 0 })
    }

    /// Returns the names with `start` as the number of frame 0.
    pub fn starting_at(self, start: u64) -> Self {
        Self { start: start.min(FRAME_LIMIT), ..self }
    }

    /// Whether these are the default names.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// Format of the files.
    pub fn format(&self) -> FrameFormat {
        FrameFormat::of_name(&self.after).unwrap_or_default()
    }

    /// Pattern of the names, with `#` for each digit.
    pub fn pattern(&self) -> String {
        format!("{}{}{}", self.before, "#".repeat(self.digits), self.after)
    }

    /// Names and the first number, for people and for keys.
    pub fn words(&self) -> String {
        format!("{} from {}", self.pattern(), self.start)
    }

    /// File name of a frame.
    pub fn file(&self, frame: u64) -> String {
        let (number, digits) = (self.start.saturating_add(frame), self.digits);
        format!("{}{number:0digits$}{}", self.before, self.after)
    }

    /// Number of the frame with this file name. Each frame has a single name, without a sign and
    /// without more zeros than [`Self::file`] writes.
    pub fn frame(&self, name: &str) -> Option<u64> {
        let digits = name.strip_prefix(&*self.before)?.strip_suffix(&*self.after)?;
        let frame = digits.parse::<u64>().ok()?.checked_sub(self.start)?;
        (frame < FRAME_LIMIT && name == self.file(frame)).then_some(frame)
    }
}

/// Start and length of the first place for a number in a pattern, and the digits of the number.
fn number_place(text: &str) -> Option<(usize, usize, usize)> {
    for (at, letter) in text.char_indices() {
        let rest = &text[at..];
        if letter == '#' {
            let length = rest.bytes().take_while(|byte| *byte == b'#').count();
            return Some((at, length, length));
        }
        if letter == '%' {
            let digits: String = rest[1..].chars().take_while(char::is_ascii_digit).collect();
            let is_place = rest[1 + digits.len()..].starts_with('d');
            let width = if digits.is_empty() { Some(1) } else { digits.parse::<usize>().ok() };
            let is_padded = digits.is_empty() || digits.starts_with('0');
            if let (true, true, Some(width)) = (is_place, is_padded, width) {
                return Some((at, digits.len() + 2, width.max(1)));
            }
        }
    }
    None
}

/// Default file name of a frame.
pub fn frame_name(frame: u64) -> String {
    FrameNames::default().file(frame)
}

/// Number of the frame with this default file name.
pub fn frame_number(name: &str) -> Option<u64> {
    FrameNames::default().frame(name)
}

/// Whether a render with default names gives a file this name.
pub fn is_render_file(name: &str) -> bool {
    frame_number(name).is_some() || name == STEADY || name == MANIFEST
}

/// Whether a render can give a file this name: the manifest, or a picture in the folder itself.
pub fn could_be_render_file(name: &str) -> bool {
    let is_inside = !name.starts_with('.') && !name.contains(['/', '\\', ':']);
    name == MANIFEST || (is_inside && FrameFormat::of_name(name).is_some())
}
