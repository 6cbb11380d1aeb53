//! Numbers about simulations: modes, settling, longest stable steps, and `catena verify`.

mod held_limits;
mod lengths;
mod patience;
mod quantities;
mod stability;
mod stability_runs;
mod stability_theory;
mod topology;
mod verify;
