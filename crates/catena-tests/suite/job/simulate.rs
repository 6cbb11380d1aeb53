//! Motions in memory equal the simulations, and pictures at rest equal a render.

use crate::repository;
use catena::job::{
    self, BodyMotion, FrameChoice, FrameError, RenderOptions, RunError, SimulateOptions,
};
use catena::scene::{Scene, SceneText, load};
use catena::sim::Simulation;
use std::fs;

fn scene(name: &str, changes: &[&str]) -> Scene {
    let text = SceneText::read(&repository("scenes").join(name)).unwrap();
    let patches: Vec<_> = changes.iter().map(|change| change.parse().unwrap()).collect();
    load(&text, &patches).unwrap()
}

fn motions(scene: &Scene, frames: u64, ledger: bool) -> Vec<BodyMotion> {
    let options = SimulateOptions { frames: Some(frames), ledger, ..SimulateOptions::default() };
    job::simulate(scene, &options, &(), &()).unwrap()
}

#[test]
fn motions_are_those_of_simulations() {
    for name in ["compare.ron", "coil_in_space.ron", "bounce.ron"] {
        let scene = scene(name, &[]);
        let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
        for (motion, body) in motions(&scene, 5, false).iter().zip(bodies) {
            let mut simulation = Simulation::new(body.setup.clone());
            let (nodes, axes) = (motion.nodes, motion.axes);
            for (frame, time) in motion.times.iter().enumerate() {
                assert_eq!(*time, simulation.state().t);
                let here = &motion.positions[frame * nodes * axes..][..nodes * axes];
                let places: Vec<f64> =
                    simulation.positions().flat_map(|place| place[..axes].to_vec()).collect();
                assert_eq!(here, places, "{name}: {} at frame {frame}", motion.label);
                simulation.advance_frame();
            }
            assert_eq!(motion.velocities.len(), 5 * nodes * axes);
        }
    }
}

/// Energies without a ledger equal energies with one, whatever stiffness a method gives to springs.
#[test]
fn energies_do_not_depend_on_the_ledger() {
    for method in ["SemiImplicitEuler", "ConstraintVerlet", "Pbd", "Xpbd(compliance: 0.001)"] {
        let scene = scene("compare.ron", &[&format!("integrator={method}"), "rope.damping=0.1"]);
        let (plain, kept) = (motions(&scene, 6, false), motions(&scene, 6, true));
        for (plain, kept) in plain.iter().zip(&kept) {
            assert_eq!(plain.positions, kept.positions, "{method}");
            assert_eq!(plain.energies, kept.energies[..3], "{method}");
            assert!(plain.energies[0].1[5] > 0.0 && kept.energies.len() > 3, "{method}");
        }
    }
}

#[test]
fn the_picture_at_rest_is_that_of_a_render() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene("compare.ron", &["rope.nodes=4"]);
    let options = RenderOptions {
        frames: FrameChoice::First(2),
        size: Some([320, 180]),
        ..RenderOptions::default()
    };
    job::render(&scene, folder.path(), &options, &(), &()).unwrap();
    let picture = job::steady_picture(&scene, &options, &(), &()).unwrap().unwrap();
    let written = fs::read(folder.path().join("steady.png")).unwrap();
    assert_eq!(catena::output::png::encode(&picture).unwrap(), written);
}

#[test]
fn what_cannot_be_simulated_is_refused() {
    let scene = scene("compare.ron", &[]);
    let none = SimulateOptions { frames: Some(0), ..SimulateOptions::default() };
    let refused = job::simulate(&scene, &none, &(), &()).unwrap_err();
    assert!(matches!(refused, FrameError::Run(RunError::Option(_))), "{refused}");
    let stopped = job::simulate(&scene, &SimulateOptions::default(), &(), &|| true).unwrap_err();
    assert!(matches!(stopped, FrameError::Interrupted), "{stopped}");
    let scene = self::scene("compare.ron", &["rope.nodes=100000"]);
    let limits = catena::scene::Limits::unlimited();
    let many = SimulateOptions { frames: Some(1_000_000_000), limits, ..Default::default() };
    let refused = job::simulate(&scene, &many, &(), &()).unwrap_err();
    assert!(refused.to_string().contains("not enough memory"), "{refused}");
}
