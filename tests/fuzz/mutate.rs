//! Mutates files slightly. The same seed always gives the same mutation.

use catena::scene::fields;
use catena::sim::{
    body::material::MATERIALS,
    contact::collider::COLLIDERS,
    drive::curve::CURVES,
    force::{applied::FORCES, law::LAWS},
    method::{METHODS, control::STEP_CONTROLS},
    named::OptionInfo,
};
pub use catena_tests::Random;
use std::{collections::BTreeSet, sync::LazyLock};

/// Words of scene files, manifests and journals other than numbers: all names that catena knows,
/// and punctuation.
pub static WORDS: LazyLock<Vec<String>> = LazyLock::new(words);

/// Index of a random name. Adding or removing one name changes the result of few draws only, so
/// that cases stay the same when catena gains a word.
pub fn stable(names: &[String], random: &mut Random) -> usize {
    let draw = random.bits();
    let rank = |name: &String| {
        // FNV-1a (Fowler, Noll and Vo 1991).
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Random::new(hash ^ draw).bits()
    };
    (0..names.len()).max_by_key(|index| rank(&names[*index])).unwrap_or(0)
}

fn any_word(random: &mut Random) -> &'static str {
    &WORDS[stable(&WORDS, random)]
}

fn words() -> Vec<String> {
    let mut all: BTreeSet<String> = BTreeSet::new();
    for field in fields() {
        all.extend(field.path.split('.').map(|name| format!("{name}: ")));
    }
    let options = |options: &'static [OptionInfo]| {
        options.iter().flat_map(|option| {
            [format!("({}: {})", option.name, option.default), format!("({}: ", option.name)]
        })
    };
    for method in METHODS {
        all.insert(method.name.into());
        all.extend(options(method.options));
    }
    for thing in
        [STEP_CONTROLS, LAWS, MATERIALS, FORCES, COLLIDERS, CURVES].iter().copied().flatten()
    {
        all.insert(thing.name.into());
        all.extend(options(thing.options));
    }
    all.extend(PUNCTUATION.iter().map(|word| (*word).to_owned()));
    all.into_iter().collect()
}

const PUNCTUATION: &[&str] = &[
    "Scene(",
    "base: (",
    "panels: [",
    "grid: (",
    "rows: [",
    "columns: [",
    "label: \"",
    "with: (",
    "title: \"",
    "bodies: [",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "\\",
    "/*",
    "*/",
    "//",
    "\n",
    "r#\"",
    "\"#",
    "'",
    "b'x'",
    "()",
    "[]",
    "(0, 0)",
    "(0, 0, 0)",
    "Some(",
    "None",
    "true",
    "false",
    "#![enable(unwrap_newtypes)]",
    "\u{feff}",
    "\u{0}",
    "é",
    "字",
    "\u{1f600}",
    "\u{202e}",
    "Disc",
    "Square",
    "Wires",
    "Facets",
    "Full",
    "Bare",
    "TopCorners",
    "AtEnd",
    "Orthographic",
    "\"frame\":",
    "\"file\":",
    "frame_00000.png",
    "\"sha256\":",
    "\"state_sha256\":",
    "null",
    "beat\n",
    "left\n",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "..",
    "/",
];

/// Numbers at the limits of their types, and just beyond.
pub const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "16",
    "64",
    "65",
    "0.5",
    "1e-9",
    "0.0",
    "-0.0",
    "nan",
    "NaN",
    "inf",
    "-inf",
    "1e100",
    "-1e100",
    "1.1e100",
    "1e308",
    "-1e308",
    "1e309",
    "5e-324",
    "1e-308",
    "1e-400",
    "255",
    "256",
    "65535",
    "65536",
    "1000000",
    "1000000000",
    "2147483647",
    "-2147483648",
    "4294967295",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "0x7f",
    "0b1",
    "1_000",
    "1e",
    ".5",
    "1.7976931348623157e308",
    "0.1e-1000000000000",
];

/// Bytes of numbers in binary files: lengths of lists, counts of steps, and non-numbers.
const BINARY: &[[u8; 8]] = &[
    [0; 8],
    [0xff; 8],
    [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
    f64::NAN.to_le_bytes(),
    f64::INFINITY.to_le_bytes(),
    f64::NEG_INFINITY.to_le_bytes(),
    1e308_f64.to_le_bytes(),
    (-0.0_f64).to_le_bytes(),
    5e-324_f64.to_le_bytes(),
    u64::MAX.to_be_bytes(),
    [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80],
    [0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0],
];

/// Changes bytes in one to seven places. `other` is a file of the same kind, from which parts are
/// copied. The result has at most `maximum` bytes.
pub fn mutate(
    bytes: &mut Vec<u8>,
    other: &[u8],
    is_text: bool,
    maximum: usize,
    random: &mut Random,
) {
    let changes = 1 + random.below(3) * random.below(4);
    for _ in 0..changes {
        match (random.below(12), is_text) {
            (0, _) => flip(bytes, random),
            (1, _) => cut(bytes, random),
            (2, _) => repeat(bytes, random),
            (3, _) => take_from(bytes, other, random),
            (4, _) => {
                bytes.truncate(random.below(bytes.len() + 1));
            }
            (5 | 6, true) => insert(bytes, any_word(random).as_bytes(), random),
            (_, true) => replace_token(bytes, random),
            (5 | 6, false) => {
                let number = *random.one(BINARY);
                insert(bytes, &number[..1 + random.below(8)], random);
            }
            (_, false) => overwrite(bytes, random),
        }
    }
    bytes.truncate(maximum);
}

fn flip(bytes: &mut [u8], random: &mut Random) {
    let (at, bit) = (random.below(bytes.len()), random.below(8));
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << bit;
    }
}

/// A range of bytes, usually short.
fn piece(length: usize, random: &mut Random) -> std::ops::Range<usize> {
    let start = random.below(length + 1);
    let maximum = if random.below(4) == 0 { length } else { 16 };
    let end = (start + random.below(maximum + 1)).min(length);
    start..end
}

fn cut(bytes: &mut Vec<u8>, random: &mut Random) {
    bytes.drain(piece(bytes.len(), random));
}

fn repeat(bytes: &mut Vec<u8>, random: &mut Random) {
    let part = bytes[piece(bytes.len(), random)].to_vec();
    for _ in 0..=random.below(3) {
        insert(bytes, &part, random);
    }
}

fn take_from(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let part = &other[piece(other.len(), random)];
    let at = piece(bytes.len(), random);
    bytes.splice(at, part.iter().copied());
}

fn insert(bytes: &mut Vec<u8>, part: &[u8], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    bytes.splice(at..at, part.iter().copied());
}

fn overwrite(bytes: &mut [u8], random: &mut Random) {
    let (at, number) = (random.below(bytes.len()), random.one(BINARY));
    let length = if random.below(2) == 0 { 8 } else { 1 + random.below(8) };
    for (byte, value) in bytes.iter_mut().skip(at).zip(&number[..length]) {
        *byte = *value;
    }
}

/// Replaces a number or word by another one.
fn replace_token(bytes: &mut Vec<u8>, random: &mut Random) {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    let from = random.below(bytes.len() + 1);
    let Some(start) = bytes[from..].iter().position(|byte| is_part(*byte)) else { return };
    // Extends to the start of the token if the search began inside it.
    let mut start = from + start;
    while start > 0 && is_part(bytes[start - 1]) {
        start -= 1;
    }
    let length = bytes[start..].iter().take_while(|byte| is_part(**byte)).count();
    let is_number = bytes[start].is_ascii_digit() || bytes[start] == b'-';
    let is_crossed = random.below(10) == 0;
    let new: &str = match is_number != is_crossed {
        true => random.one::<&str>(NUMBERS),
        false => any_word(random).trim_end_matches([':', ' ']),
    };
    bytes.splice(start..start + length, new.bytes());
}
