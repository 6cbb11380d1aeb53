//! The physics: methods, forces, contacts, kernels and ledgers, against numbers that are known
//! without them.

mod batch;
pub mod bodies;
mod conformance;
mod constraint;
mod contact;
mod control;
mod crate_examples;
mod curves;
mod divergence;
mod door;
mod events;
mod experiments;
mod force_sum;
mod forces;
mod friction;
mod hanging;
mod implicit;
mod kernel_forces;
mod kernel_implicit;
mod kernel_linear;
mod kernel_projection;
mod kernel_sweeps;
mod ledger;
mod momentum;
mod over_time;
mod parts;
mod pins;
mod printed;
mod property;
mod reference;
mod rod_graph;
mod rods;
mod shapes;
mod soft_pins;
mod sweep;
mod xpbd;
