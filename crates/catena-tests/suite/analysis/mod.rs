//! Numbers about simulations: modes, settling, longest stable steps, and `catena verify`.

mod driven;
mod fit;
mod held_limits;
mod lecture;
mod lengths;
mod patience;
mod quantities;
mod regions;
mod stability;
mod stability_runs;
mod stability_theory;
mod statics;
mod topology;
mod verify;
