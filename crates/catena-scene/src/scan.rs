//! Checks the size of a scene's text before it is read, in time proportional to its length.
//!
//! Reading goes through the inner text once for each level. So text that is nested too deeply, and
//! lists, words and texts that are too long, are refused first. Wrong syntax is left to the reader,
//! whose messages are better.

use super::diagnostic::Fault;
use super::limits::{LIFT, Limits, too_many};
use super::token::{Token, TokenKind};

/// How many brackets may be open at once; a curve in a body of a panel has twelve.
const DEPTH: usize = 16;

/// Refuses a text that exceeds a limit.
pub(super) fn scan(text: &str, limits: &Limits) -> Result<(), Fault> {
    // For each open bracket, the number of its entries, and whether the next value begins one.
    let mut open = vec![(0_u64, true)];
    let mut tokens = 0_u64;
    let mut at = 0;
    while at < text.len() {
        let token = Token::at(text, at);
        let end = at + token.length;
        if !matches!(token.kind, TokenKind::Trivia | TokenKind::Colon | TokenKind::Other) {
            tokens += 1;
            if tokens > limits.tokens {
                let what = "words, numbers, texts and brackets, of which there are still more,";
                return Err(too_many(tokens, what, limits.tokens).at(at..end));
            }
        }
        let begins_entry =
            matches!(token.kind, TokenKind::Word | TokenKind::Text | TokenKind::Open);
        if let Some((entries, is_new @ true)) = open.last_mut().filter(|_| begins_entry) {
            (*entries, *is_new) = (*entries + 1, false);
            if *entries > limits.list {
                let what = "entries of one list, and there are still more,";
                return Err(too_many(*entries, what, limits.list).at(at..end));
            }
        }
        match token.kind {
            TokenKind::Word => long(token.length, "bytes of one word or number", limits.word, at)?,
            TokenKind::Text => long(token.length, "bytes of one text", limits.text, at)?,
            TokenKind::Open if open.len() > DEPTH => {
                let fault = Fault::new("brackets are nested too deeply").at(at..end);
                return Err(fault.help("a scene needs a dozen levels at most"));
            }
            TokenKind::Open => open.push((0, true)),
            // The reader reports a bracket that closes nothing.
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
        at = end;
    }
    Ok(())
}

/// Refuses a token of more than `most` bytes.
fn long(length: usize, what: &str, most: u64, at: usize) -> Result<(), Fault> {
    if length as u64 <= most {
        return Ok(());
    }
    let fault = too_many(length as u64, what, most);
    Err(fault.help(format!("shorten it; {LIFT}")).at(at..at + length))
}
