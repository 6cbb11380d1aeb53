//! A chain whose upper end moves in circles, compared with measured forces.

use crate::repository;
use catena::scene::{Patch, Scene, SceneText, load};
use catena::sim::{Outcome, Simulation};
use catena::threads::spawn_scoped;
use std::thread;

/// Periods with the names of their columns, and the mean of the maximum force per revolution in
/// newtons: Bergdahl, Palm, Eskilsson and Lindahl 2016, "Dynamically scaled model experiment of a
/// mooring cable", table 8.
const MEASURED: [(f64, &str, [f64; 5]); 2] = [
    (1.25, "short", [42.5, 46.8, 54.1, 60.4, 70.3]),
    (3.5, "long", [27.8, 31.5, 37.5, 42.5, 50.1]),
];

/// Radii of the circles in metres.
const RADII: [f64; 5] = [0.075, 0.1, 0.125, 0.15, 0.2];

/// Frames per revolution.
const TURN: usize = 200;

/// Mean of the maximum tension in the last five of ten revolutions.
fn greatest(text: &SceneText, period: f64, column: &str, radius: f64) -> f64 {
    let frame_time = period / TURN as f64;
    let substeps = (frame_time / 6e-4).ceil();
    let set = [
        format!("frame_time={frame_time}"),
        format!("substeps={substeps}"),
        format!(
            "anchors=[(node: Last, curve: Series(file: \"circle.csv\", time: \"{column}\", \
             columns: [\"x\", \"y\"], scale: {radius}, shift: (32.554, 0.3), smooth: true))]"
        ),
    ];
    let patches: Vec<Patch> = set.iter().map(|patch| patch.parse().unwrap()).collect();
    let scene: Scene = load(text, &patches).unwrap();
    let setup = scene.panels[0].bodies[0].setup.clone();
    let (n, spring) = (setup.model.nodes(), *setup.model.structural().last().unwrap());
    let mut run = Simulation::new(setup);
    let mut turns = [0.0_f64; 10];
    for frame in 0..10 * TURN {
        run.advance_frame();
        let x = &run.state().x;
        let [along, up] = [0, n].map(|axis| x[axis + spring.b] - x[axis + spring.a]);
        let stretch = (along * along + up * up).sqrt() - spring.rest_length;
        turns[frame / TURN] = turns[frame / TURN].max(spring.stiffness * stretch);
    }
    assert_eq!(run.outcome(), Outcome::Fine);
    turns[5..].iter().sum::<f64>() / 5.0
}

/// No parameter was fitted: mass, drag and friction are from the article, and added mass acts in
/// all directions. CableDyn reports an error of 1.58 N over all 30 conditions.
#[test]
fn forces_of_a_chain_in_circles_are_those_measured() {
    let text = SceneText::read(&repository("scenes/chain_in_circles.ron")).unwrap();
    let cases = MEASURED.iter().flat_map(|(period, column, measured)| {
        RADII.iter().zip(measured).map(|(radius, force)| (*period, *column, *radius, *force))
    });
    let errors: Vec<f64> = thread::scope(|scope| {
        let text = &text;
        let runs = cases.map(|(period, column, radius, measured)| {
            spawn_scoped(scope, "chain", move || greatest(text, period, column, radius) - measured)
        });
        let runs: Vec<_> = runs.collect();
        runs.into_iter().map(|run| run.unwrap().join().unwrap()).collect()
    });
    let rms = (errors.iter().map(|error| error * error).sum::<f64>() / 10.0).sqrt();
    assert!(rms < 1.6, "{rms}: {errors:?}");
    assert!(errors.iter().all(|error| error.abs() < 3.0), "{errors:?}");
}
