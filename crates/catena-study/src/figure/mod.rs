//! Figures of results: charts, the page of a report, the steady-state comparison.

pub mod chart;
pub mod export;
pub mod findings;
pub mod page;
pub mod steady;
pub mod study;
