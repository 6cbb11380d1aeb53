//! Pictures of what the analyses found.

pub mod steady;
