//! Colours in CSS notation.

use super::diagnostic::{Fault, nearest};
use super::grammar::{Grammar, Inside, Thing, Word};
use super::layered::FieldValue;
use super::read::{FromRon, Optional};
use super::values::Share;
use crate::entry::Entry;
use catena_ron::Node;

/// Opaque colour as red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub [u8; 3]);

impl Color {
    /// Whether light text is easier to read on the colour than dark text.
    pub fn is_dark(self) -> bool {
        let [r, g, b] = self.0.map(i32::from);
        299 * r + 587 * g + 114 * b < 128_000
    }

    /// Returns advice for an unquoted word in place of a colour.
    pub(super) fn quoted(word: &str) -> String {
        let hex = word.strip_prefix("0x").filter(|hex| matches!(hex.len(), 3 | 6));
        let meant = hex.map(|hex| format!("#{hex}"));
        let meant = meant.unwrap_or_else(|| name_of(word).unwrap_or("navy").into());
        format!("a colour needs quotes: \"{meant}\"")
    }

    /// Parses the text between the quotes.
    ///
    /// # Errors
    /// Returns an error when the text is not an opaque colour.
    pub(super) fn read(found: &str) -> Result<Self, Fault> {
        match found.parse() {
            Ok(svgtypes::Color { red, green, blue, alpha: 255 }) => Ok(Self([red, green, blue])),
            _ => Err(no_color(found, "an opaque colour", &Self::expected())),
        }
    }
}

/// Returns the fault of a text between quotes that is not a colour of this kind.
fn no_color(found: &str, kind: &str, expected: &str) -> Fault {
    let help = match name_of(found) {
        Some(name) => format!("did you mean \"{name}\"? expected {expected}"),
        None => format!("expected {expected}"),
    };
    Fault::new(format!("\"{found}\" is not {kind}")).help(help)
}

/// Colour with an opacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tint {
    /// Red, green and blue.
    pub color: Color,
    /// Opacity: 0 is invisible, 255 opaque.
    pub alpha: u8,
}

impl Tint {
    /// Parses the text between the quotes.
    ///
    /// # Errors
    /// Returns an error when the text is not a colour.
    pub(super) fn read(found: &str) -> Result<Self, Fault> {
        match found.parse() {
            Ok(svgtypes::Color { red, green, blue, alpha }) => {
                Ok(Self { color: Color([red, green, blue]), alpha })
            }
            Err(_) => Err(no_color(found, "a colour", &Self::expected())),
        }
    }

    /// Rounds red, green, blue and opacity, each from 0 to 1, to 8 bits.
    pub(super) fn of_shares(shares: [f64; 4]) -> Self {
        let [r, g, b, alpha] = shares.map(|part| (255.0 * part.clamp(0.0, 1.0)).round() as u8);
        Self { color: Color([r, g, b]), alpha }
    }
}

impl FromRon for Tint {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        if node.opens('(') {
            let shares = <[Share; 4]>::from_ron(node).map_err(|fault| {
                fault
                    .help("write (red, green, blue, opacity), each from 0 to 1: (0, 0.4, 0.7, 0.5)")
            })?;
            return Ok(Self::of_shares(shares.map(|share| share.0)));
        }
        let word = node.text();
        let found = match String::from_ron(node) {
            Ok(found) => found,
            Err(fault) if word.chars().all(char::is_alphanumeric) => {
                return Err(fault.help(Color::quoted(word)));
            }
            Err(fault) => return Err(fault),
        };
        Self::read(&found).map_err(|fault| fault.at(node.span()))
    }
}

impl FieldValue for Tint {
    fn grammar() -> Grammar {
        Grammar::Color
    }

    fn expected() -> String {
        "a CSS colour in quotes, \"#1f77b4\" or \"#1f77b480\" with an opacity, \"navy\", \"rgb(0, 114, 178)\", or (red, green, blue, opacity) from 0 to 1".into()
    }
}

/// Background of a picture: a colour with an opacity, the word `Transparent`, or a gradient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Background {
    /// Colour behind the panels. For a gradient, the colour halfway.
    pub tint: Tint,
    /// Colours at the top and at the bottom of panels in space.
    pub gradient: Option<[Color; 2]>,
}

readable! {
    /// Vertical gradient behind panels in space.
    pub struct Gradient {
        /// Colour at the top.
        top: Optional<Color>,
        /// Colour at the bottom.
        bottom: Optional<Color>,
    }
}

/// Name of a gradient.
const GRADIENT: &str = "Gradient";

/// Advice for a gradient.
const WRITE_GRADIENT: &str = "write Gradient(top: \"#cfd8e3\", bottom: \"white\")";

impl Background {
    /// Meaning of the word `Transparent`: invisible, with the dark text of a light background.
    const TRANSPARENT: Self =
        Self { tint: Tint { color: Color([0xf4, 0xf5, 0xf7]), alpha: 0 }, gradient: None };

    fn of_gradient(node: Node<'_>) -> Result<Self, Fault> {
        let span = node.span();
        let options = node.options();
        if options.text().trim().is_empty() {
            return Err(Fault::new("a gradient needs `top` and `bottom`")
                .of_missing_field()
                .help(WRITE_GRADIENT)
                .at(span));
        }
        let Gradient { top, bottom } = Gradient::from_ron(options)?;
        let (Some(top), Some(bottom)) = (top.0, bottom.0) else {
            let fault = Fault::new("a gradient needs `top` and `bottom`").of_missing_field();
            return Err(fault.help(WRITE_GRADIENT).at(span));
        };
        let middle = [0, 1, 2].map(|k| u8::midpoint(top.0[k], bottom.0[k]));
        let tint = Tint { color: Color(middle), alpha: u8::MAX };
        Ok(Self { tint, gradient: Some([top, bottom]) })
    }
}

impl FromRon for Background {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        if node.text() == "Transparent" {
            return Ok(Self::TRANSPARENT);
        }
        if node.head() == GRADIENT || node.text() == GRADIENT {
            return Self::of_gradient(node);
        }
        let is_meant = node.text().to_ascii_lowercase().contains("transparent");
        let tint = Tint::from_ron(node).map_err(|fault| match is_meant {
            true => fault.help("write Transparent for pictures without a background"),
            false => fault,
        })?;
        Ok(Self { tint, gradient: None })
    }
}

impl FieldValue for Background {
    fn grammar() -> Grammar {
        const TRANSPARENT: &[Word] =
            &[Word { name: "Transparent", summary: "no background: frames have an alpha channel" }];
        const OF_TWO: Thing = Thing {
            name: GRADIENT,
            summary: "vertical gradient behind panels in space",
            inside: Inside::Grammar(Grammar::Fields(|| Gradient::inside().members())),
        };
        Grammar::Either(|| {
            vec![Grammar::Color, Grammar::Words(TRANSPARENT), Grammar::Things(|| vec![OF_TWO])]
        })
    }

    fn expected() -> String {
        "a CSS colour in quotes, \"#1f77b4\" or \"#1f77b480\" with an opacity, \"navy\", \"rgb(0, 114, 178)\"; Transparent; or in space Gradient(top: colour, bottom: colour)".into()
    }
}

impl FromRon for Color {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        let word = node.text();
        let found = match String::from_ron(node) {
            Ok(found) => found,
            Err(fault) if word.chars().all(char::is_alphanumeric) => {
                return Err(fault.help(Self::quoted(word)));
            }
            Err(fault) => return Err(fault),
        };
        Self::read(&found).map_err(|fault| fault.at(node.span()))
    }
}

impl FieldValue for Color {
    fn grammar() -> Grammar {
        Grammar::Color
    }

    fn expected() -> String {
        "an opaque CSS colour in quotes: \"#1f77b4\", \"navy\", \"rgb(0, 114, 178)\"".into()
    }
}

/// Returns the colour name most similar to a word, if any.
fn name_of(word: &str) -> Option<&'static str> {
    nearest(word, NAMES.split_whitespace()).map(|(_, name)| name)
}

/// Colour names of CSS Color Module Level 4, without `transparent`.
pub const NAMES: &str = "
    aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
    cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray
    darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen
    darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue
    firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew
    hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan
    lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
    lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue
    mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred
    midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid
    palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple
    red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue
    slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow
    yellowgreen
";
