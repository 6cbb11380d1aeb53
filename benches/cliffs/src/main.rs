//! Cost of each method, force, spring law and contact relative to semi-implicit Euler on the same
//! body. Costs are nanoseconds per node and force evaluation; ratios come from interleaved runs.
//!
//! `cargo run --release -p cliffs` prints all rows; `-- friction` prints only rows whose body and
//! name contain one of the given words. Every method in the table of methods has a row, so a new
//! method appears here automatically.

// A benchmark that cannot continue should fail.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic, missing_docs)]

mod bodies;
mod cases;
mod floor;
mod grids;
mod topologies;
mod touching;

use cases::Case;
use catena_sim::Simulation;
use floor::Divisions;
use std::time::Instant;

/// Number of interleaved runs of each case and its reference.
const PAIRS: usize = 9;

/// Minimum nanoseconds per run, so that the clock's resolution does not matter.
const MIN: f64 = 1e6;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    println!("{:<14} {:<44} {:>9} {:>9} {:>7}", "body", "case", "ns", "ratio", "goal");
    for case in cases::all() {
        let label = format!("{} {}", case.group, case.name);
        let is_asked = |word: &String| label.contains(&**word);
        if words.is_empty() || words.iter().any(is_asked) {
            print(&case);
        }
    }
    if words.is_empty() || words.iter().any(|word| word == "grid") {
        let two = floor::of_spring_in_plane(Divisions::OfDirection);
        let four = floor::of_spring_in_plane(Divisions::OfDirectionAndMass);
        println!("grid           {:<44} {two:>9.2}", "a square root and two divisions");
        println!("grid           {:<44} {four:>9.2}", "a square root and four divisions");
        // Constraint Verlet does not sum the forces of springs.
        let methods = [
            ("SemiImplicitEuler", four),
            ("VelocityVerlet", four),
            ("Rk4", 4.0 * four),
            ("ConstraintVerlet", two),
        ];
        for (method, floor) in methods {
            grids::print_method(method, floor);
        }
        grids::print_features();
    }
}

fn print(case: &Case) {
    let mut own = Run::new(case.setup.clone(), case.evaluations);
    let mut reference = Run::new(case.reference.clone(), 1);
    let (mut ratios, mut times) = (Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        let (one, other) = (own.nanoseconds(), reference.nanoseconds());
        ratios.push(one / other);
        times.push(one);
    }
    let goal = case.goal.map_or(String::new(), |goal| format!("{goal}x"));
    let (time, ratio) = (median(times), median(ratios));
    let miss = if case.goal.is_some_and(|goal| ratio > goal) { " *" } else { "" };
    println!("{:<14} {:<44} {time:>9.2} {ratio:>8.2}x {goal:>7}{miss}", case.group, case.name);
}

/// A simulation that continues from one run to the next.
struct Run {
    simulation: Simulation,
    /// Number of frames per run.
    frames: u64,
    /// Nodes × steps per frame × evaluations per step.
    work: f64,
}

impl Run {
    fn new(setup: std::sync::Arc<catena_sim::Setup>, evaluations: u64) -> Self {
        let work = setup.model.nodes() as f64 * setup.substeps as f64 * evaluations as f64;
        let mut run = Self { simulation: Simulation::new(setup), frames: 1, work };
        // The first frame allocates the buffers that later frames reuse.
        run.take();
        run.frames = (MIN / run.take()).ceil().max(1.0) as u64;
        run
    }

    /// Simulates the frames of a run and returns the total nanoseconds.
    fn take(&mut self) -> f64 {
        let start = Instant::now();
        (0..self.frames).for_each(|_| self.simulation.advance_frame());
        start.elapsed().as_secs_f64() * 1e9
    }

    /// Nanoseconds per node and evaluation.
    fn nanoseconds(&mut self) -> f64 {
        self.take() / (self.frames as f64 * self.work)
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
