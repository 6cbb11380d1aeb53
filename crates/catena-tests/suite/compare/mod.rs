//! Expected pictures compared with actual ones.

mod alike;
mod diff;
mod numbers;
