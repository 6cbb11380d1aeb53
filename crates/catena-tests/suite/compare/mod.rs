//! Expected pictures beside actual ones.

mod alike;
mod diff;
mod numbers;
