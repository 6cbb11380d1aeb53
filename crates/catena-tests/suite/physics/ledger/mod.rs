//! The energy ledger: it closes for every method and body, it changes nothing, and each account is
//! correct.

mod accounts;
mod closing;
mod methods;

use catena::scene::{SceneText, load};
use catena::sim::{
    Setup, Simulation, State,
    run::ledger::{Balance, Ledger},
};
use std::sync::Arc;

/// The setup of a body, or the reason why it is invalid.
fn try_setup(settings: &str) -> Result<Arc<Setup>, String> {
    let text = format!("Scene(base: ({settings}))");
    let text = SceneText { origin: "test".into(), name: "test".into(), text };
    let scene = load(&text, &[]).map_err(|error| error.to_string())?;
    Ok(Arc::clone(&scene.panels[0].bodies[0].setup))
}

/// A simulation with a ledger.
fn kept(settings: &str) -> Simulation {
    let setup = try_setup(settings).unwrap_or_else(|error| panic!("{settings}: {error}"));
    let mut simulation = Simulation::new(setup);
    simulation.keep_ledger();
    simulation
}

fn ledger(simulation: &Simulation) -> Ledger {
    *simulation.ledger().expect("a ledger is kept")
}

/// The ledger after this number of frames.
fn after(settings: &str, frames: u64) -> Balance {
    let mut simulation = kept(settings);
    (0..frames).for_each(|_| simulation.advance_frame());
    ledger(&simulation).run
}

fn bits(state: &State) -> Vec<u64> {
    std::iter::once(&state.t).chain(&state.x).chain(&state.v).map(|value| value.to_bits()).collect()
}

fn assert_near(found: f64, expected: f64, within: f64, what: &str) {
    let off = (found - expected).abs();
    assert!(off <= within * expected.abs(), "{what}: {found:e}, not {expected:e}");
}
