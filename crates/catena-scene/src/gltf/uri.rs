//! Locations of a buffer's bytes: inside its URI, or in a file beside the figure.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use catena_base::text::link;
use std::path::{Component, Path};

/// Base64 decoder. Files may omit the padding at the end.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Parsed URI of a buffer.
#[derive(Debug, PartialEq)]
pub(super) enum Location<'a> {
    /// Base64 text.
    Data(&'a str),
    /// Name of a file, relative to the folder of the figure.
    File(String),
}

/// Parses a URI. Web addresses, absolute paths and paths that leave the folder are errors.
pub(super) fn locate(uri: &str) -> Result<Location<'_>, String> {
    if let Some(data) = without_prefix(uri, "data:") {
        let parts = data.split_once(',').filter(|(kind, _)| kind.ends_with(";base64"));
        let parts = parts.ok_or("expected data:TYPE;base64,TEXT: other data is not read")?;
        return Ok(Location::Data(parts.1));
    }
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    let scheme = uri.split_once(':').filter(|(scheme, _)| scheme.chars().all(is_letter));
    if let Some((scheme, _)) = scheme {
        return Err(format!(
            "“{scheme}:” begins an address or names a drive, but only files beside the figure are \
             read"
        ));
    }
    let name = link::decoded(&encoded(uri.trim_start_matches("./")));
    let name = name.and_then(|path| path.into_os_string().into_string().ok());
    let name = name.filter(|name| !name.contains(['\\', ':', '\0']));
    let message =
        || format!("expected the name of a file in the same folder or below it, found “{uri}”");
    name.map(Location::File).ok_or_else(message)
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
pub(super) fn literal<'a>(uri: &'a str, decoded: &str) -> Option<&'a str> {
    let name = uri.trim_start_matches("./");
    let is_below = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    (name != decoded && is_below).then_some(name)
}

fn without_prefix<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// Decodes base64.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, String> {
    BASE64.decode(text).map_err(|error| format!("its base64 is wrong: {error}"))
}

/// Returns a lower bound of the number of bytes that a base64 text encodes.
pub(super) fn decoded_length(text: &str) -> u64 {
    (text.trim_end_matches('=').len() / 4 * 3) as u64
}
