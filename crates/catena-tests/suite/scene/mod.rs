//! Scene files: how they are read, what is refused and with which words, and which panels are equal
//! physics.

mod access;
mod bad_input;
mod bent_rods;
pub mod comparability;
mod elsewhere;
mod events;
mod faults;
mod given;
mod identity;
mod limits;
mod max_dt;
mod mesh_files;
mod meshes;
mod names;
mod numbers;
mod other_names;
mod over_time;
mod parts;
mod prices;
mod purpose;
mod recorded;
mod reference;
mod remedies;
mod remedy_search;
mod rest_start;
mod rig_bodies;
mod rig_files;
mod rig_refusals;
mod rigs;
mod rows;
mod series;
mod shapes;
mod slips;
mod solid_files;
mod spreadsheets;
