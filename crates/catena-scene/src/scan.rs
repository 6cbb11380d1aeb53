//! Checks the size of a scene's text before it is read, in time proportional to its length.
//!
//! The parser visits inner text once per nesting level. Text that is nested too deeply is therefore
//! rejected first, and so are lists, words and strings that are too long. Syntax errors are left to
//! the parser, whose messages are better.

use super::diagnostic::Fault;
use super::limits::{LIFT, Limits, too_many};
use catena_ron::{TokenKind, tokens};
use std::ops::Range;

/// Maximum number of open brackets. A curve in a body of a panel has twelve.
const DEPTH: usize = 16;

/// Rejects a text that exceeds a limit.
pub(super) fn scan(text: &str, limits: &Limits) -> Result<(), Fault> {
    // For each open bracket, the number of its entries, and whether the next value starts one.
    let mut open = vec![(0_u64, true)];
    let mut count = 0_u64;
    for (kind, place) in tokens(text, 0) {
        if !matches!(kind, TokenKind::Trivia | TokenKind::Colon | TokenKind::Other) {
            count += 1;
            if count > limits.tokens {
                let what = "words, numbers, texts and brackets so far";
                return Err(too_many(count, what, limits.tokens).at(place));
            }
        }
        let starts_entry = matches!(kind, TokenKind::Word | TokenKind::Text | TokenKind::Open);
        if let Some((entries, is_new @ true)) = open.last_mut().filter(|_| starts_entry) {
            (*entries, *is_new) = (*entries + 1, false);
            if *entries > limits.list {
                let what = "entries of one list so far";
                return Err(too_many(*entries, what, limits.list).at(place));
            }
        }
        match kind {
            TokenKind::Word => long(place, "bytes of one word or number", limits.word)?,
            TokenKind::Text => long(place, "bytes of one text", limits.text)?,
            TokenKind::Open if open.len() > DEPTH => {
                let fault = Fault::new("brackets are nested too deeply").at(place);
                return Err(fault.help("remove levels of nesting: a scene needs at most twelve"));
            }
            TokenKind::Open => open.push((0, true)),
            // The reader reports closing brackets without an opening one.
            TokenKind::Close if open.len() > 1 => {
                open.pop();
            }
            TokenKind::Comma => {
                if let Some((_, is_new)) = open.last_mut() {
                    *is_new = true;
                }
            }
            TokenKind::Close | TokenKind::Colon | TokenKind::Trivia | TokenKind::Other => {}
        }
    }
    Ok(())
}

/// Rejects a token of more than `maximum` bytes.
fn long(place: Range<usize>, what: &str, maximum: u64) -> Result<(), Fault> {
    let length = place.len() as u64;
    if length <= maximum {
        return Ok(());
    }
    Err(too_many(length, what, maximum).help(format!("shorten it; {LIFT}")).at(place))
}
