//! Figures and charts, and the page of a report.

mod chart;
mod growing;
mod orders;
mod page;
mod report;
mod studies;
