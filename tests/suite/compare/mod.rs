//! Expected pictures beside actual ones.

mod diff;
