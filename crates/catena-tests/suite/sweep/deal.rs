//! Division of variants into bunches and shards, and the estimate of their cost.

use super::{options, text};
use catena::{
    job::plan_sweep,
    scene::{
        Limits,
        limits::frame_cost,
        sweep::{Sweep, SweepOptions, load_sweep},
    },
    shard::ShardChoice,
    sim::{Bill, Item},
    sweep::deal::{BUNCH, Deal},
};

fn swept(scene: &str, axes: &[&str]) -> Sweep {
    load_sweep(&text(scene), &options(axes, "Work"), &Limits::default()).unwrap()
}

const ROPE: &str = "Scene(base: (rope: (start: (0, 0), end: (1, 0), nodes: 8), frames: 20))";
const PINNED: &str = "Scene(base: (rope: (start: (0, 0), end: (1, 0), pins: [5]), frames: 20))";
const CLOTH: &str = "Scene(base: (
    cloth: (corner: (0, 0, 0), across: (1, 0, 0), down: (0, 0, 1), rows: 60, columns: 60), frames: 2000,
))";

#[test]
fn every_variant_is_dealt_once_and_bunches_have_one_kind() {
    // A scene, axes, and the sizes of the largest and the smallest bunch.
    let table: [(&str, &[&str], [u64; 2]); 6] = [
        (ROPE, &["rope.stiffness=Log(1, 1e4, 100)"], [25, 25]),
        (ROPE, &["substeps=[8, 16, 32]", "rope.stiffness=Log(1, 1e4, 40)"], [20, 20]),
        (ROPE, &["rope.stiffness=Log(1, 1e4, 40)", "substeps=[8, 16, 32]"], [20, 20]),
        // The first value of each axis is invalid.
        (ROPE, &["rope.pins=[[9], [0], [0], [0]]", "drag=[0, 0.1, 0.2, 0.3]"], [16, 16]),
        (PINNED, &["rope.nodes=[3, 8, 9, 10]", "drag=[0, 0.1, 0.2, 0.3]"], [4, 4]),
        // A bunch of expensive variants would run on a single core, and a kill would lose it.
        (CLOTH, &["drag=Linear(0, 1, 32)"], [1, 1]),
    ];
    for (scene, axes, [largest, smallest]) in table {
        let sweep = swept(scene, axes);
        let deal = Deal::new(&sweep);
        let bunches: Vec<Vec<u64>> =
            deal.bunches(0..deal.count()).map(|bunch| deal.variants(bunch)).collect();
        let sizes = || bunches.iter().map(|bunch| bunch.len() as u64);
        assert_eq!([sizes().max(), sizes().min()], [Some(largest), Some(smallest)], "{axes:?}");
        assert!(largest <= BUNCH);
        let mut all: Vec<u64> = bunches.concat();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..sweep.variants()), "{axes:?}");
    }
}

/// Axes along which the work of variants varies widely.
const UNEVEN: [&str; 3] = [
    "integrator=[SemiImplicitEuler, Rk4, VelocityVerlet, Xpbd(iterations: 10), ConstraintVerlet(damping: 0.00005)]",
    "rope.stiffness=Log(1, 1e5, 20)",
    "substeps=WholeLog(4, 64, 12)",
];

fn work(axes: &[&str], measure: &str) -> f64 {
    let sweep = load_sweep(&text(ROPE), &options(axes, measure), &Limits::default()).unwrap();
    variants_work(&sweep) as f64
}

/// Estimated work of a sweep without the start of the process.
fn variants_work(sweep: &Sweep) -> u128 {
    plan_sweep(sweep).unwrap().work - Bill::of(Item::Process, 1).nanoseconds()
}

#[test]
fn an_estimate_is_in_step_with_no_axis() {
    let [methods, stiffness, substeps] = UNEVEN;
    let names = methods.trim_start_matches("integrator=[").trim_end_matches(']').split(", ");
    // With so few variants, all are examined.
    let all = |name| work(&[&format!("integrator=[{name}]"), stiffness, substeps], "Diverged");
    let exact: f64 = names.map(all).sum();
    let backwards = "substeps=WholeLog(64, 4, 12)";
    for axes in [
        [methods, stiffness, substeps],
        [methods, stiffness, backwards],
        [substeps, methods, stiffness],
        [stiffness, substeps, methods],
    ] {
        let share = work(&axes, "Diverged") / exact;
        assert!((0.75..1.33).contains(&share), "{share} of all, {axes:?}");
    }
}

#[test]
fn an_estimate_counts_what_measures_take_and_what_diverges() {
    let axes = ["rope.stiffness=Log(1, 100, 20)", "substeps=[16]"];
    let plain = work(&axes, "Diverged");
    for (measure, minimum) in
        [("Ledger", 1.2), ("PredictedStep", 1.5), ("MeasuredStep", 2.0), ("Settled", 2.0)]
    {
        let share = work(&axes, measure) / plain;
        assert!(share > minimum, "{measure} takes {share}");
    }
    // Runs that end early cost less: all of these diverge.
    let frames = 20_000;
    let taken = |stiffness: &str| {
        let given = SweepOptions {
            frames: Some(frames),
            ..options(&[stiffness, "substeps=[16]"], "Diverged")
        };
        let sweep = load_sweep(&text(ROPE), &given, &Limits::default()).unwrap();
        variants_work(&sweep)
    };
    let [ends, lasts] = ["rope.stiffness=Log(1e8, 1e9, 4)", "rope.stiffness=Log(1, 10, 4)"];
    assert!(taken(ends) * 10 < taken(lasts));
}

#[test]
fn shards_have_equal_parts_of_uneven_axes() {
    let many = ["rope.nodes=Whole(3, 34, 32)", "substeps=WholeLog(8, 512, 64)"];
    for axes in [&UNEVEN[..], &many] {
        // Enough work to be worth dividing.
        let sweep = swept(&ROPE.replace("frames: 20", "frames: 20000"), axes);
        let deal = Deal::new(&sweep);
        // By the prices of methods, which other tests compare with `check`.
        let taken = |number: u64| -> f64 {
            let scene = sweep.scene(&sweep.variant(number)).unwrap();
            let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
            bodies.map(|body| frame_cost(&body.setup) as f64).sum()
        };
        for of in [4, 16] {
            let parts = (1..=of).map(|number| {
                let slice = ShardChoice::new(number, of).unwrap().slice(deal.count());
                let all = deal.bunches(slice).flat_map(|bunch| deal.variants(bunch));
                all.map(taken).sum::<f64>()
            });
            let parts: Vec<f64> = parts.collect();
            let mean = parts.iter().sum::<f64>() / f64::from(of);
            let maximum = parts.iter().copied().fold(0.0, f64::max);
            assert!(maximum < 1.5 * mean, "{parts:?} of {mean}, {axes:?}");
        }
    }
}
