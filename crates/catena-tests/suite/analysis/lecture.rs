//! Time reversal, area in phase space and convergence of iterations, compared with theory.

use crate::scene_of;
use catena::analysis::{
    budget::CoreTime,
    iterations::{NoIterations, convergence},
    phase_area::{NoArea, phase_area},
    reversal::{ReversalEnd, reversal},
};
use catena::sim::{
    Rope, Setup, Simulation,
    method::{METHODS, with_defaults},
};
use std::sync::Arc;

const PLENTY: CoreTime = CoreTime { seconds: 100.0 };

/// A rope that swings down from the horizontal.
fn swinging(name: &str) -> Setup {
    let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 8).of(0.1, 100.0).pin(0);
    let setup = Setup::new(&rope).gravity([0.0, -9.81]).frames(1.0 / 60.0, 16).check().unwrap();
    Setup { method: with_defaults(name).unwrap(), ..(*setup).clone() }
}

fn of_text(text: &str) -> Arc<Setup> {
    Arc::clone(&scene_of(text).panels[0].bodies[0].setup)
}

#[test]
fn symmetric_methods_return_to_rounding_and_others_to_their_error() {
    // Minimum and maximum distance from the start after 30 frames forward and back.
    let bands: [(&str, [f64; 2]); 14] = [
        ("VelocityVerlet", [0.0, 1e-12]),
        ("Leapfrog", [0.0, 1e-12]),
        ("StormerVerlet", [0.0, 1e-12]),
        ("PositionVerlet", [0.0, 1e-11]),
        ("Yoshida4", [0.0, 1e-12]),
        ("ImplicitMidpoint", [0.0, 1e-12]),
        ("Rk4", [1e-11, 1e-7]),
        ("Heun", [1e-7, 1e-4]),
        ("AdamsBashforth2", [1e-7, 1e-3]),
        ("AdamsBashforthMoulton4", [1e-11, 1e-5]),
        ("SemiImplicitEuler", [1e-4, 0.1]),
        ("ExplicitEuler", [1e-2, 10.0]),
        ("ImplicitEuler", [1e-3, 10.0]),
        ("Pbd", [1e-3, 10.0]),
    ];
    for (name, [minimum, maximum]) in bands {
        let found = reversal(&Arc::new(swinging(name)), 30, &|| ()).unwrap();
        assert_eq!((found.back.len(), found.there.len()), (31, 31), "{name}");
        assert_eq!((found.back[0].from_path, found.losses.len()), (0.0, 0), "{name}");
        let missed = found.missed().unwrap();
        assert!((minimum..=maximum).contains(&missed), "{name}: {missed}");
        assert!(found.there.iter().copied().fold(0.0, f64::max) > 0.3, "{name} moved");
    }
}

#[test]
fn every_method_reverses_from_its_memory_as_after_an_impulse() {
    for info in METHODS {
        let mut run = Simulation::new(Arc::new(swinging(info.name)));
        (0..5).for_each(|_| run.advance_frame());
        let before = run.state().clone();
        run.reverse();
        let after = run.state();
        assert_eq!(before.x, after.x, "{}", info.name);
        assert!(before.v.iter().zip(&after.v).all(|(a, b)| *a == -b), "{}", info.name);
        // The next frame returns towards the previous one.
        run.advance_frame();
        let mut there = Simulation::new(Arc::new(swinging(info.name)));
        (0..4).for_each(|_| there.advance_frame());
        let apart = |x: &[f64]| -> f64 {
            x.iter().zip(&there.state().x).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
        };
        let (near, far) = (apart(&run.state().x), apart(&before.x));
        assert!(near < 0.25 * far, "{}: {near} of {far}", info.name);
    }
}

#[test]
fn what_cannot_return_says_why() {
    let there = |more: &str, frames| {
        let text = format!("Scene(base: (integrator: VelocityVerlet, rope: (nodes: 5{more}))");
        let setup = of_text(&text);
        reversal(&setup, frames, &|| ())
    };
    for (more, loss) in [
        ("), drag: 0.5", "drag or friction in springs"),
        (", damping: 0.01)", "drag or friction in springs"),
        ("), velocity_factor: 0.999", "its velocity or position factor"),
        ("), colliders: [Plane(point: (0, -99), normal: (0, 1))]", "contacts"),
    ] {
        assert_eq!(there(more, 4).unwrap().losses, [loss], "{more}");
    }
    let force = "), forces: [PointForce(node: 3, force: (1, 0), until: 1)]";
    assert!(there(force, 4).unwrap_err().contains("change with time"));
    assert!(there("), impulses: [(node: 3, at: 0.05, impulse: (1, 0))]", 4).is_err());
    let lost = of_text("Scene(base: (integrator: ExplicitEuler, substeps: 1, rope: (nodes: 9)))");
    let found = reversal(&lost, 200, &|| ()).unwrap();
    assert!(matches!(found.end, ReversalEnd::LostThere(_)), "{:?}", found.end);
    assert_eq!((found.missed(), found.back.len()), (None, 0));
}

#[test]
fn the_area_changes_by_the_determinant_of_a_step() {
    type Factor = fn(f64) -> f64;
    let same: Factor = |_| 1.0;
    // |R(ix)|² with x = ωdt.
    let factors: [(&str, Factor); 14] = [
        ("SemiImplicitEuler", same),
        ("VelocityVerlet", same),
        ("Leapfrog", same),
        ("StormerVerlet", same),
        ("PositionVerlet", same),
        ("ForceVerlet", same),
        ("Yoshida4", same),
        ("ImplicitMidpoint", same),
        ("Shake", same),
        ("ExplicitEuler", |x| 1.0 + x * x),
        ("ImplicitEuler", |x| 1.0 / (1.0 + x * x)),
        ("Heun", |x| 1.0 + x * x * x * x / 4.0),
        ("Midpoint", |x| 1.0 + x * x * x * x / 4.0),
        ("Rk4", |x| {
            let (re, im) = (1.0 - x * x / 2.0 + x * x * x * x / 24.0, x - x * x * x / 6.0);
            re * re + im * im
        }),
    ];
    for (name, factor) in factors {
        let found = phase_area(&swinging(name), PLENTY).unwrap();
        let (growth, expected) = (found.growth().unwrap(), factor(found.step));
        let allowed = 1e-9_f64.max(1e-4 * (expected - 1.0).abs());
        assert!((growth - expected).abs() < allowed, "{name}: {growth}, {expected}");
        assert_eq!(found.moments[0].area, 1.0, "{name}");
        assert_eq!(found.moments[0].outline.len(), 24, "{name}");
    }
}

#[test]
fn damping_shrinks_the_area_as_the_exact_motion_does() {
    let setup = of_text("Scene(base: (integrator: Rk4, drag: 0.8, rope: (nodes: 6)))");
    let found = phase_area(&setup, PLENTY).unwrap();
    assert!(found.damping > 0.0);
    let last = found.moments.last().unwrap();
    let time = last.periods * std::f64::consts::TAU / found.omega;
    let exact = libm::exp(-found.damping * time);
    assert!((last.area - exact).abs() < 1e-3 * exact, "{}, {exact}", last.area);
    let loose = of_text("Scene(base: (integrator: Rk4, rope: (nodes: 6, pins: [])))");
    assert_eq!(phase_area(&loose, PLENTY), Err(NoArea::Restless));
    assert_eq!(phase_area(&setup, CoreTime { seconds: 0.0 }), Err(NoArea::Work));
}

#[test]
fn sweeps_converge_at_the_rate_of_gauss_and_seidel() {
    // Springs in a line: J M⁻¹ Jᵀ = [[1, -1], [-1, 2]] for a pin and two equal masses, whose sweeps
    // leave a12² / (a11 a22) = 1/2 of the error.
    let straight = |nodes: usize, name: &str| {
        let rope = Rope::new([0.0, 0.0], [0.0, -1.0], nodes).of(1.0, 100.0).pin(0);
        let setup = Setup::new(&rope).gravity([0.0, -9.81]).frames(0.01, 1).check().unwrap();
        Setup { method: with_defaults(name).unwrap(), ..(*setup).clone() }
    };
    let found = convergence(&straight(3, "Pbd"), 2, PLENTY).unwrap();
    assert!((found.rate.unwrap() - 0.5).abs() < 1e-3, "{found:?}");
    assert!(found.left < 1e-12 && found.own == 10, "{found:?}");
    // One spring is corrected at once.
    let one = convergence(&straight(2, "Pbd"), 2, PLENTY).unwrap();
    assert!(one.points[0].error < 1e-14 && one.rate.is_none(), "{one:?}");
    // A longer rope converges more slowly; Newton's method needs a few iterations at any length.
    let rate = |nodes| convergence(&straight(nodes, "Pbd"), 2, PLENTY).unwrap().rate.unwrap();
    assert!(rate(5) > 0.5 && rate(9) > rate(5) && rate(9) < 1.0);
    let newton = convergence(&swinging("Shake"), 10, PLENTY).unwrap();
    assert!(newton.points.len() <= 5, "{newton:?}");
    // Compliant springs converge to other lengths than their rest lengths.
    let soft = convergence(&swinging("Xpbd"), 10, PLENTY).unwrap();
    assert!(soft.points.last().unwrap().error < 1e-12 && soft.left > 1e-3, "{soft:?}");
    assert_eq!(convergence(&swinging("Rk4"), 2, PLENTY), Err(NoIterations::None));
}
