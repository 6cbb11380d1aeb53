//! Text in HTML and in SVG.

/// A colour as style sheets and SVG write it: red, green and blue from 0 to 255 as `#rrggbb`.
pub fn color([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A text escaped for use between tags and in attributes, in HTML as in XML.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' | '\t' | '\r' => out.push(letter),
            // XML cannot write these characters in any form.
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(letter),
        }
    }
    out
}

/// Bytes as the text that data addresses hold.
pub fn base64(bytes: &[u8]) -> String {
    use base64::{Engine, engine::general_purpose::STANDARD};
    STANDARD.encode(bytes)
}
