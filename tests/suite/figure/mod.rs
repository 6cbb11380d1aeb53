//! Figures and charts, and the page of a report.

mod chart;
mod looks;
mod orders;
mod print;
mod report;
mod studies;
