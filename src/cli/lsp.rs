//! `catena lsp`: a language server on standard input and output.

use super::{Failure, args::AccessArgs};
use crate::lsp::{End, serve_within};
use crate::output::OutputError;
use crate::scene::Limits;
use std::io;

pub(super) fn run(access: &AccessArgs) -> Result<(), Failure> {
    let output = Box::new(io::stdout());
    let limits = Limits::default().with_access(access.access());
    match serve_within(io::stdin().lock(), output, &limits) {
        Ok(End::Asked) => Ok(()),
        Ok(End::Gone) => Err(Failure::Gone),
        Err(error) => Err(OutputError::new("start", "a thread", error).into()),
    }
}
