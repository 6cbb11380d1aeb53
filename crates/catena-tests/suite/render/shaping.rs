//! Right-to-left text, letters that join or change places, and marks on letters.

use catena::{
    figure::chart::Typeface,
    render::{
        canvas::Canvas,
        faces::{Faces, ShapedGlyph},
        text::{Align, Font},
    },
    text::direction::isolated,
};
use image::{Rgb, RgbImage};
use std::{fs, path::Path, sync::Arc};

/// The built-in faces, with subsets of Noto Sans Arabic, Devanagari and Hebrew as fallbacks.
fn faces() -> Faces {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fonts");
    ["Arabic", "Devanagari", "Hebrew"].iter().fold(Faces::built_in().unwrap(), |faces, script| {
        let file = fs::read(folder.join(format!("NotoSans{script}-part.ttf"))).unwrap();
        faces.with_fallback(file).unwrap()
    })
}

/// Indices of the faces.
const ARABIC: usize = 2;
const DEVANAGARI: usize = 3;
const HEBREW: usize = 4;

/// Glyph, first character, advance, and shift to the right and upwards.
type Glyph = (u16, usize, i32, i32, i32);

/// Words with the glyphs that HarfBuzz 14 gives, from left to right, as printed by
/// `tests/fonts/make.py`: a ligature of lam and alef, vowel signs, conjuncts, a vowel that is
/// placed before its consonant, points within and above letters.
const WORDS: [(usize, &str, &[Glyph]); 8] = [
    (ARABIC, "سلام", &[(47, 3, 484, 0, 0), (33, 1, 599, 0, 0), (74, 0, 784, 0, 0)]),
    (
        ARABIC,
        "مَتّصل",
        &[
            (29, 5, 730, 0, 0),
            (62, 4, 949, 0, 0),
            (87, 2, 0, 30, 27),
            (94, 2, 373, 0, 0),
            (19, 0, 0, 142, -100),
            (49, 0, 525, 0, 0),
        ],
    ),
    (ARABIC, "حبل", &[(29, 2, 730, 0, 0), (7, 1, 343, 0, 0), (23, 0, 589, 0, 0)]),
    (
        DEVANAGARI,
        "क्षत्रिय",
        &[(12, 0, 712, 0, 0), (45, 3, 259, 0, 0), (25, 3, 552, 0, 0), (5, 7, 580, 0, 0)],
    ),
    (
        DEVANAGARI,
        "रस्सी",
        &[(6, 0, 409, 0, 0), (21, 1, 389, 0, 0), (8, 3, 676, 0, 0), (10, 3, 259, 0, 0)],
    ),
    (
        DEVANAGARI,
        "किरण",
        &[(45, 0, 259, 0, 0), (2, 0, 762, 0, 0), (6, 2, 409, 0, 0), (3, 3, 723, 0, 0)],
    ),
    (
        HEBREW,
        "שָׁלוֹם",
        &[
            (2, 6, 684, 0, 0),
            (4, 4, 0, 82, 0),
            (10, 4, 291, -10, 0),
            (5, 3, 522, 0, 0),
            (6, 0, 0, 227, 0),
            (8, 0, 0, 539, 0),
            (7, 0, 730, 0, 0),
        ],
    ),
    (HEBREW, "חבל", &[(5, 2, 522, 0, 0), (1, 1, 572, 0, 0), (3, 0, 662, 0, 0)]),
];

#[test]
fn words_are_shaped_as_by_harfbuzz() {
    let faces = faces();
    let typeface = Typeface::new(self::faces());
    for (face, word, expected) in WORDS {
        let glyphs = faces.shape(word).unwrap();
        let found: Vec<Glyph> = glyphs.iter().map(plain).collect();
        assert_eq!(found, expected, "{word}");
        assert!(glyphs.iter().all(|glyph| glyph.face == face), "{word}");
        // Charts have the same glyphs; here the units are thousandths.
        let width: i32 = glyphs.iter().map(|glyph| glyph.advance).sum();
        assert_eq!(typeface.width(word, 1000.0), f64::from(width), "{word}");
        assert!(faces.missing(word).is_empty() && typeface.missing(word).is_empty(), "{word}");
        assert!(!Faces::built_in().unwrap().missing(word).is_empty(), "{word}");
    }
}

fn plain(glyph: &ShapedGlyph) -> Glyph {
    let [right, up] = glyph.shift;
    (glyph.glyph.0, glyph.letter, glyph.advance, right, up)
}

/// Texts, and their characters from left to right according to the Unicode bidirectional algorithm
/// and the number formats of the CLDR.
const ORDERS: [(&str, &str); 12] = [
    ("חבל", "לבח"),
    ("k = 5 חבל, L = 2", "k = 5 לבח, L = 2"),
    ("abc חבל 12", "abc 12 לבח"),
    ("חבל 12 abc", "abc 12 לבח"),
    ("חבל 1.5 N/m.", ".N/m 1.5 לבח"),
    // A sign belongs to the number after it, unlike a hyphen.
    ("חבל -5", "-5 לבח"),
    // Brackets change places, and are mirrored so that they enclose the number again.
    ("חבל (\u{2212}0.5)", ")\u{2212}0.5( לבח"),
    ("חבל c = -.5", "c = -.5 לבח"),
    ("חבל 5-3", "5-3 לבח"),
    ("ב-5", "5-ב"),
    // A directional override, and its scope.
    ("\u{202e}abc\u{202c}", "\u{202c}cba\u{202e}"),
    ("Verlet: सी", "Verlet: सी"),
];

#[test]
fn directions_are_those_of_unicode() {
    let faces = faces();
    for (text, expected) in ORDERS {
        let letters: Vec<char> = text.chars().collect();
        let glyphs = faces.shape(text).unwrap();
        let mut found: Vec<char> = glyphs.iter().map(|glyph| letters[glyph.letter]).collect();
        let mut expected: Vec<char> = expected.chars().collect();
        // Directional signs have no position, and marks have the position of their letter.
        found.retain(|letter| !('\u{202a}'..='\u{202e}').contains(letter));
        expected.retain(|letter| !('\u{202a}'..='\u{202e}').contains(letter));
        if let Some(at) = expected.iter().position(|letter| *letter == 'ी') {
            expected[at] = 'स';
        }
        assert_eq!(found, expected, "{text}");
    }
    // Brackets are mirrored.
    let [open, close] = ["(", ")"].map(|bracket| faces.find(bracket.chars().next().unwrap()));
    let glyphs = faces.shape("(חבל)").unwrap();
    assert_eq!(Some(glyphs[0].in_face()), open);
    assert_eq!(glyphs.last().map(ShapedGlyph::in_face), close);
}

#[test]
fn latin_letters_are_not_shaped_and_look_the_same_if_they_are() {
    let faces = faces();
    for text in ["Verlet, dt = 0.5 s", "Üßé→… λ ÄÖÜ ѠЖы", "漢点 q' ²₃", "\u{200b}a\u{feff}b"]
    {
        assert_eq!(faces.shape(text), None, "{text}");
    }
    let font = Font::new(faces);
    let (plain, shaped) = ("To AV fi, 0.5", "\u{202a}To AV fi, 0.5\u{202c}");
    assert_eq!(drawn(&font, plain), drawn(&font, shaped));
    assert_eq!(font.width(plain, 40.0), font.width(shaped, 40.0));
    // A letter and its mark become one glyph if the face has it.
    assert_eq!(drawn(&font, "é Å"), drawn(&font, "e\u{301} A\u{30a}"));
    assert!(font.missing("e\u{301} q\u{301}").iter().all(|letter| *letter == '\u{301}'));
}

#[test]
fn letters_from_right_to_left_are_drawn_in_their_width() {
    let font = Font::new(faces());
    let ink = |text: &str| {
        let image = drawn(&font, text);
        let column = |x: &u32| (0..image.height()).any(|y| image.get_pixel(*x, y).0 != [255; 3]);
        (0..image.width()).filter(column).collect::<Vec<u32>>()
    };
    for (_, word, _) in WORDS {
        let (columns, width) = (ink(word), font.width(word, 40.0) as u32);
        let (first, last) = (columns[0], *columns.last().unwrap());
        assert!(first >= 8 && last <= 14 + width, "{word}: {first} to {last} of {width}");
        assert!(last - first > width / 2, "{word}: {first} to {last} of {width}");
    }
    // The first letter is at the right end.
    let (word, rest) = (ink("חבל"), ink("בל"));
    assert!(word.last() > rest.last() && word.first() == rest.first(), "{word:?} {rest:?}");
}

/// A line of text on white, 40 pixels high, starting at pixel 10.
fn drawn(font: &Font, text: &str) -> RgbImage {
    let mut canvas = Canvas::on(Arc::new(RgbImage::from_pixel(300, 60, Rgb([255; 3]))));
    font.draw(&mut canvas, (10, 8), Align::Left, 40.0, Rgb([0; 3]), text);
    canvas.image().clone()
}

#[test]
fn lines_are_cut_between_letters_and_keep_their_direction() {
    let faces = faces();
    // Text is not cut before marks, nor within a ligature or a conjunct.
    assert_eq!(faces.cuts("سلام"), [2, 6, 8]);
    assert_eq!(faces.cuts("שָׁלוֹם"), [6, 8, 12, 14]);
    assert_eq!(faces.cuts("क्षत्रिय"), [9, 21, 24]);
    assert_eq!(faces.cuts("aß…"), [1, 3, 6]);

    let font = Font::new(faces);
    for (text, word) in [("שָׁלוֹם שָׁלוֹם", "שָׁלוֹם"), ("abc abc", "abc")] {
        for width in 0..font.width(text, 40.0) {
            let cut = font.fit(text, 40.0, width);
            let kept = cut.strip_suffix('…').unwrap_or(&cut);
            assert!(text.starts_with(kept) && font.width(&cut, 40.0) <= width, "{cut}");
            assert!(!text[kept.len()..].starts_with(['\u{5b8}', '\u{5c1}', '\u{5b9}']), "{cut}");
        }
        assert_eq!(font.wrap(text, 40.0, font.width(word, 40.0), 2), [word, word]);
    }
    // A line of Latin letters within right-to-left text, and vice versa.
    let width = font.width("abc", 40.0).max(font.width("חבל", 40.0));
    assert_eq!(font.wrap("חבל abc", 40.0, width, 2), ["חבל", "\u{200f}abc"]);
    assert_eq!(font.wrap("abc חבל", 40.0, width, 2), ["abc", "\u{200e}חבל"]);
    let typeface = Typeface::new(self::faces());
    let width = typeface.width("abc", 40.0).max(typeface.width("חבל", 40.0));
    assert_eq!(typeface.wrap("חבל abc", 40.0, width), ["חבל", "\u{200f}abc"]);
}

#[test]
fn only_labels_from_right_to_left_are_isolated() {
    for (text, expected) in [
        ("\"Euler\" rests", "\"Euler\" rests"),
        ("\"חבל\" (0.02), \"c\"", "\"\u{2068}חבל\u{2069}\" (0.02), \"c\""),
        ("of \"c חבל\"", "of \"\u{2068}c חבל\u{2069}\""),
        ("חבל", "חבל"),
    ] {
        assert_eq!(isolated(text), expected);
    }
    // A sentence that begins with such a label still runs from left to right.
    let faces = faces();
    let text = isolated("\"חבל\" 12 c");
    let letters: Vec<char> = text.chars().collect();
    let glyphs = faces.shape(&text).unwrap();
    let mut found: Vec<char> = glyphs.iter().map(|glyph| letters[glyph.letter]).collect();
    found.retain(|letter| !('\u{2066}'..='\u{2069}').contains(letter));
    assert_eq!(found, "\"לבח\" 12 c".chars().collect::<Vec<char>>());
}
