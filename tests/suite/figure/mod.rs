//! Figures and charts, and the page of a report.

mod chart;
mod growing;
mod looks;
mod orders;
mod policy;
mod page;
mod print;
pub mod report;
mod steady;
mod studies;
