//! Scenes that are rendered anew on each save.

mod browser;
mod command;
mod editions;
mod files;
mod order;
mod page;
mod requests;
mod watching;
