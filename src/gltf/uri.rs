//! Where a buffer's bytes are: within its URI, or in a file beside the figure.

use crate::text::link;
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Files write the padding at the end or leave it out.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// What a URI says.
#[derive(Debug, PartialEq)]
pub(super) enum Location<'a> {
    /// Bytes as text in base64.
    Data(&'a str),
    /// The name of a file, relative to the folder of the figure.
    File(String),
}

/// Takes a URI apart. Addresses, absolute paths and paths that leave the folder are refused.
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
    let name = link::decoded(uri.trim_start_matches("./"));
    let name = name.and_then(|path| path.into_os_string().into_string().ok());
    let name = name.filter(|name| !name.contains(['\\', ':', '\0']));
    let message =
        || format!("expected the name of a file in the same folder or below it, found “{uri}”");
    name.map(Location::File).ok_or_else(message)
}

fn without_prefix<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// The bytes that base64 stands for.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, String> {
    BASE64.decode(text).map_err(|error| format!("its base64 is wrong: {error}"))
}

/// How many bytes a text in base64 stands for, at least.
pub(super) fn decoded_length(text: &str) -> u64 {
    (text.trim_end_matches('=').len() / 4 * 3) as u64
}
