//! Figures and charts, and the page of a report.

mod chart;
mod findings;
mod growing;
mod lecture;
mod looks;
mod orders;
mod page;
mod policy;
mod print;
pub mod report;
mod solved;
mod steady;
mod studies;
