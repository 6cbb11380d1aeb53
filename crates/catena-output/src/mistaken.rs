//! Identifies files that are named as PNG but are of another kind.

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
const LINE_ENDS: &str = "it is a PNG file whose line ends were changed, as Git and transfers do with text: write `*.png binary` \
    into .gitattributes and copy or check out the file again";
const CHARACTERS: &str = "it is a PNG file that a program has read and written as text, which cannot be undone: copy the file \
    again as binary";
const HTML: &str = "it is an HTML page, such as the error or login page of a failed download: download the picture again";
const BASE64: &str = "it is a PNG file as base64 text: decode it with `base64 -d`";
const LINK: &str = "it is the text of a link, which Git writes where links are switched off: `git config core.symlinks true`, \
    then check it out again";
const ZEROS: &str =
    "it begins with zeros, as after a crash while the file was written: write it again";

/// Clause about a file without a PNG signature, with a remedy. Returns `None` for a file that is
/// not commonly mistaken for a picture.
pub(super) fn mistaken(file: &[u8]) -> Option<String> {
    let known = FORMATS.iter().find(|(beginning, _)| file.starts_with(beginning));
    let known = known.map(|(_, name)| *name).or_else(|| boxed(file));
    if let Some(name) = known {
        return Some(format!("it is {name} named as PNG: convert it to PNG"));
    }
    changed_png(file).or_else(|| text(file)).map(str::to_owned)
}

/// Name of a format whose signature follows other bytes.
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
    let begins = |words: &[&str]| words.iter().any(|word| lower.starts_with(word));
    if begins(&["version https://git-lfs.github.com/", "version https://hawser.github.com/"]) {
        return Some(LFS);
    }
    if begins(&["/annex/objects/"]) || lower.contains(".git/annex/objects/") {
        return Some(ANNEX);
    }
    if begins(&["<!doctype html", "<html"]) {
        return Some(HTML);
    }
    if begins(&["<svg"]) || begins(&["<?xml"]) && lower.contains("<svg") {
        return Some("it is an SVG drawing named as PNG: convert it to PNG");
    }
    if text.starts_with("iVBORw0KGgo") || begins(&["data:image/png;base64,"]) {
        return Some(BASE64);
    }
    let is_path = file.len() < 1024 && !text.contains('\n') && lower.ends_with(".png");
    (is_path && text.contains('/')).then_some(LINK)
}
