//! Pictures of what the analyses found.

pub mod chart;
pub mod export;
pub mod page;
pub mod steady;
pub mod study;
