//! Buffers of a figure file: their bytes, from URIs or external files, and checked views of them.

use super::document::{Buffer, JsonDocument, Whole};
use super::extensions;
use super::limits::Limits;
use super::messages::{FilePosition, GltfError};
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use catena_base::text::{link, number};
use std::borrow::Cow;
use std::path::{Component, Path};

/// Function that reads an external file. The arguments are the name relative to the figure's
/// folder, and the maximum size in bytes.
pub type ReadFile<'a> = dyn FnMut(&str, u64) -> Result<Vec<u8>, String> + 'a;

/// Document with its buffers.
#[derive(Debug)]
pub(super) struct GltfSource<'a> {
    pub(super) document: &'a JsonDocument,
    buffers: Vec<Cow<'a, [u8]>>,
}

/// Part of a buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    pub(super) bytes: &'a [u8],
    /// Bytes between the starts of adjacent elements; 0 if elements are contiguous.
    pub(super) stride: usize,
}

impl<'a> GltfSource<'a> {
    /// Reads all buffers of a document. The first may be the binary chunk of a GLB.
    pub(super) fn new(
        document: &'a JsonDocument,
        binary: Option<&'a [u8]>,
        files: &mut ReadFile<'_>,
        limits: &Limits,
    ) -> Result<Self, GltfError> {
        let mut left = limits.bytes;
        let mut buffers = Vec::with_capacity(document.buffers.len());
        for (index, buffer) in document.buffers.iter().enumerate() {
            let place = format_args!("buffers[{index}]");
            let binary = binary.filter(|_| index == 0);
            if buffer.uri.is_none()
                && binary.is_none()
                && let Some(name) = compression_of(document, index)
            {
                return Err(extensions::compressed(place, name));
            }
            let found = contents(buffer, binary, files, place, left, limits.bytes)?;
            left = left.saturating_sub(found.len() as u64);
            buffers.push(found);
        }
        Ok(Self { document, buffers })
    }

    /// Returns a buffer view after a check of its bounds.
    pub(super) fn view(
        &self,
        place: FilePosition<'_>,
        index: Whole,
    ) -> Result<View<'_>, GltfError> {
        let views = &self.document.buffer_views;
        let view = pick(views, index, place, "buffer view")?;
        let place = format_args!("bufferViews[{}]", index.0);
        let buffer = pick(&self.buffers, view.buffer, format_args!("{place}.buffer"), "buffer")?;
        let (start, length) = (view.byte_offset.0, view.byte_length.0);
        let end = start.checked_add(length);
        let bytes = end.and_then(|end| buffer.get(start..end)).ok_or_else(|| {
            let (buffer, has) = (view.buffer.0, buffer.len());
            let message = format_args!(
                "{length} bytes from offset {start}, but buffers[{buffer}] has {has} bytes"
            );
            GltfError::new(place, message)
        })?;
        let stride = view.byte_stride.0;
        let message = format_args!("{stride}, expected 4 to 252");
        let is_fine = stride == 0 || (4..=252).contains(&stride);
        GltfError::unless(is_fine, format_args!("{place}.byteStride"), message)?;
        Ok(View { bytes, stride })
    }
}

/// Returns the compression of a buffer without bytes, or of its views.
fn compression_of(document: &JsonDocument, buffer: usize) -> Option<&'static str> {
    let own = extensions::compression(&document.buffers[buffer].extensions);
    let views = document.buffer_views.iter().filter(|view| view.buffer.0 == buffer);
    own.or_else(|| views.filter_map(|view| extensions::compression(&view.extensions)).next())
}

/// Returns the bytes of a buffer, cut to the declared length. `left` of `maximum` bytes may still
/// be read.
fn contents<'a>(
    buffer: &'a Buffer,
    binary: Option<&'a [u8]>,
    files: &mut ReadFile<'_>,
    place: FilePosition<'_>,
    left: u64,
    maximum: u64,
) -> Result<Cow<'a, [u8]>, GltfError> {
    let length = buffer.byte_length.0;
    let too_large = |found: u64| {
        let [found, maximum] = [found, maximum].map(|bytes| number::bytes(bytes.into()));
        GltfError::new(
            place,
            format_args!("{found} more: all buffers together may have at most {maximum}"),
        )
    };
    if length as u64 > left {
        return Err(too_large(length as u64));
    }
    let uri_place = format_args!("{place}.uri");
    let fail = |message: String| GltfError::new(uri_place, message);
    let mut bytes = match (&buffer.uri, binary) {
        (None, Some(binary)) => Cow::Borrowed(binary),
        (None, None) => {
            let message = "it is missing: only the first buffer of a GLB may be stored in the file \
                           itself";
            return Err(fail(message.into()));
        }
        (Some(uri), _) => Cow::Owned(match parse_uri(uri).map_err(fail)? {
            BufferLocation::Data(text) if base64_length(text) > left => {
                return Err(too_large(base64_length(text)));
            }
            BufferLocation::Data(text) => decode_base64(text).map_err(fail)?,
            BufferLocation::File(name) => files(&name, left)
                .or_else(|error| literal_name(uri, &name).map_or(Err(error), |it| files(it, left)))
                .map_err(|error| fail(format!("{name}: {error}")))?,
        }),
    };
    let has = bytes.len();
    let message = format_args!("{length} bytes, but only {has} are present");
    GltfError::unless(has >= length, format_args!("{place}.byteLength"), message)?;
    match &mut bytes {
        Cow::Borrowed(bytes) => *bytes = &bytes[..length],
        Cow::Owned(bytes) => bytes.truncate(length),
    }
    Ok(bytes)
}

/// Returns the bytes that a URI names, of which at most `maximum` are read.
pub(super) fn resource(
    uri: &str,
    files: &mut ReadFile<'_>,
    maximum: u64,
) -> Result<Vec<u8>, String> {
    match parse_uri(uri)? {
        BufferLocation::Data(text) if base64_length(text) > maximum => {
            Err(format!("it has more than {}", number::bytes(maximum.into())))
        }
        BufferLocation::Data(text) => decode_base64(text),
        BufferLocation::File(name) => files(&name, maximum)
            .or_else(|error| literal_name(uri, &name).map_or(Err(error), |it| files(it, maximum)))
            .map_err(|error| format!("{name}: {error}")),
    }
}

/// Returns an element of a list, or an error if the index is out of range.
pub(super) fn pick<'a, T>(
    list: &'a [T],
    index: Whole,
    place: FilePosition<'_>,
    one: &str,
) -> Result<&'a T, GltfError> {
    list.get(index.0).ok_or_else(|| {
        let are = match list.len() {
            0 => format!("there is no {one}"),
            1 => format!("there is 1 {one}"),
            count => format!("there are {count} {one}{}", if one == "mesh" { "es" } else { "s" }),
        };
        GltfError::new(place, format_args!("{}, but {are}", index.0))
    })
}

/// Base64 decoder. Files may omit the padding at the end.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Parsed URI of a buffer.
#[derive(Debug, PartialEq)]
pub(super) enum BufferLocation<'a> {
    /// Base64 text.
    Data(&'a str),
    /// Name of a file, relative to the folder of the figure.
    File(String),
}

/// Parses a URI. Web addresses, absolute paths and paths that leave the folder are errors.
fn parse_uri(uri: &str) -> Result<BufferLocation<'_>, String> {
    if let Some(data) = without_prefix(uri, "data:") {
        let parts = data.split_once(',').filter(|(kind, _)| kind.ends_with(";base64"));
        let parts =
            parts.ok_or("expected data:TYPE;base64,TEXT: other data URIs are not supported")?;
        return Ok(BufferLocation::Data(parts.1));
    }
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    let scheme = uri.split_once(':').filter(|(scheme, _)| scheme.chars().all(is_letter));
    if let Some((scheme, _)) = scheme {
        return Err(format!(
            "“{scheme}:” is a URL scheme or a drive, but only files in the folder of the figure \
             are allowed"
        ));
    }
    let name = link::decoded(&encoded(uri.trim_start_matches("./")));
    let name = name.and_then(|path| path.into_os_string().into_string().ok());
    let name = name.filter(|name| !name.contains(['\\', ':', '\0']));
    let message =
        || format!("expected the name of a file in the same folder or below it, found “{uri}”");
    name.map(BufferLocation::File).ok_or_else(message)
}

/// Encodes each `%` of a URI that is not followed by two hexadecimal digits. Some exporters do not
/// encode names.
fn encoded(uri: &str) -> String {
    let mut parts = uri.split('%');
    let mut encoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_code =
            part.as_bytes().get(..2).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
        encoded += if is_code { "%" } else { "%25" };
        encoded += part;
    }
    encoded
}

/// Returns the file name of an unencoded URI, if it differs from the decoded name.
fn literal_name<'a>(uri: &'a str, decoded: &str) -> Option<&'a str> {
    let name = uri.trim_start_matches("./");
    let is_inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    (name != decoded && is_inside).then_some(name)
}

fn without_prefix<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// Decodes base64.
fn decode_base64(text: &str) -> Result<Vec<u8>, String> {
    BASE64.decode(text).map_err(|error| format!("its base64 text is invalid: {error}"))
}

/// Returns a lower bound of the number of bytes that a base64 text encodes.
fn base64_length(text: &str) -> u64 {
    (text.trim_end_matches('=').len() / 4 * 3) as u64
}
