//! Scenes that are rendered again on each save.

mod browser;
mod command;
mod editions;
mod files;
mod order;
mod page;
mod requests;
mod tuning;
mod watching;
