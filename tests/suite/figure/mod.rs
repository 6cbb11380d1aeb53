//! Figures and charts, and the page of a report.

mod chart;
mod orders;
mod report;
mod studies;
