//! `catena lsp`: a language server on standard input and output.

use super::Failure;
use crate::lsp::{End, serve};
use crate::output::OutputError;
use std::io;

pub(super) fn run() -> Result<(), Failure> {
    let output = Box::new(io::stdout());
    match serve(io::stdin().lock(), output) {
        Ok(End::Asked) => Ok(()),
        Ok(End::Gone) => Err(Failure::Gone),
        Err(error) => Err(OutputError::new("start", "a thread", error).into()),
    }
}
