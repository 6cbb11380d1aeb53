//! Prices of runs: each operation of the table occurs, and estimates match the work of commands.

use crate::repository;
use catena::analysis::stability::{warning_amount, warning_counted};
use catena::render::gives_up_view;
use catena::scene::{
    Limits, Scene, SceneText,
    limits::{Estimate, Extras, FilmEncoding, PlannedRun, Product},
    load, load_within,
};
use catena::sim::{Bill, Item};
use std::fs;

/// All scenes of the repository, with their names.
fn scenes() -> Vec<(String, Scene)> {
    let mut paths: Vec<_> =
        fs::read_dir(repository("scenes")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "ron"));
    let scene = |path: &std::path::PathBuf| load(&SceneText::read(path).unwrap(), &[]).unwrap();
    paths.iter().map(|path| (path.display().to_string(), scene(path))).collect()
}

fn scene_of(settings: &str) -> Scene {
    let text = format!("Scene(base: ({settings}))");
    let text = SceneText { origin: "test".into(), name: "test".into(), text };
    load_within(&text, &[], &Limits::default()).unwrap()
}

fn products(size: [u32; 2]) -> Vec<Product> {
    let films = FilmEncoding::ALL.map(|encoding| Product::Film { size, encoding });
    let others = [
        Product::Pictures { size, settles: true },
        Product::Shown { size },
        Product::Rows,
        Product::Energies,
        Product::Topology { each_step: false },
        Product::Export { bytes: 1, work: 1 },
        Product::Numbers,
    ];
    films.into_iter().chain(others).collect()
}

/// Operations that no scene of the repository has.
const RARE: &[&str] = &[
    "frames: 2, motion_blur: (samples: 2)",
    "frames: 9, integrator: ConstraintVerlet, drag: 0.1, forces: [PointForce(node: Last, force: (1, 0))]",
    "frames: 9, integrator: VelocityVerlet, step_control: StabilityLimit(safety: 0.5), rope: (law: Exponential(alpha: 2))",
    "frames: 9, forces: [PointDrag(node: Last, density: 1, area: 1, flow: Profile(points: [(-300, (1, 0)), (300, (2, 0))]))]",
    "frames: 9, contact: (of: Drawn, thickness: 1), rope: (shape: Arc(angle: 300, toward: (0, -1)), pins: [])",
    "frames: 20, contact: (of: Drawn, thickness: 1), colliders: [Plane(point: (0, 195), normal: (0, 1))]",
    "frames: 9, contact: (of: Drawn, thickness: 1), rope: (start: (0, 200), end: (-400, 200), nodes: 16, shape: Arc(angle: 180, toward: (0, 1)), pins: []), colliders: [Sphere(center: (-200, 200), radius: 198.4)]",
    "frames: 3, contact: (thickness: 20), rope: (end: (-300, 200), length: 320)",
    "frames: 3, cloth: (corner: (0, 0), across: (1, 0), down: (0, -1), rows: 12, columns: 12)",
    "frames: 3, integrator: ConstraintVerlet, cloth: (corner: (0, 0), across: (1, 0), down: (0, -1), rows: 4, columns: 4, pins: TopEdge)",
    "frames: 3, integrator: Xpbd, net: (corner: (0, 0), across: (1, 0), down: (0, -1), rows: 2, columns: 2, pins: TopEdge)",
    "frames: 3, integrator: ImplicitEuler, rope: (start: (0, 0, 0), end: (1, 0, 0), nodes: 6, material: Steel, rod: (width: 0.02, height: 0.001))",
    "frames: 3, contact: (of: Drawn, thickness: 0.02), cloth: (corner: (0, 0, 0), across: (1, 0, 0), down: (0, 1, 0), rows: 4, columns: 4)",
    "frames: 3, integrator: ImplicitEuler, cloth: (corner: (0, 0), across: (1, 0), down: (0, -1), rows: 40, columns: 40, stiffness: 100)",
    "frames: 3, integrator: ImplicitEuler, cloth: (corner: (0, 0, 0), across: (1, 0, 0), down: (0, 1, 0), rows: 4, columns: 4), forces: [FacetDrag(density: 1)]",
    "frames: 3, integrator: ImplicitEuler, graph: (nodes: [(0, -1), (1, 0)], springs: [], mass: 1), forces: [Route(to: Last, axial: 1e3, via: [Ring(at: (0.5, 0), friction: 0.1)])]",
    "frames: 3, forces: [LineDrag(density: 1, diameter: 0.01, flow: Changing(curve: Gusts(mean: (1, 0), strength: 0.3, seed: 5)))]",
    "frames: 3, integrator: Shake, cloth: (corner: (0, 0), across: (1, 0), down: (0, -1), rows: 4, columns: 4, pins: TopEdge)",
];

/// Nanoseconds of the search for steps above the stability limit.
fn searches(scene: &Scene, frames: u64) -> u64 {
    let bodies: Vec<_> = scene.panels.iter().flat_map(|panel| &panel.bodies).collect();
    let maximum = warning_amount(bodies.len());
    bodies.iter().map(|body| warning_counted(&body.setup, frames, maximum).1).sum()
}

/// A price that no estimate uses would be meaningless.
#[test]
fn every_operation_of_the_table_occurs() {
    let mut all = Bill::default();
    let scenes = scenes().into_iter().map(|(_, scene)| scene);
    for scene in scenes.chain(RARE.iter().map(|settings| scene_of(settings))) {
        let frames = scene.frames.min(20);
        let extras = Extras::of_first(&scene, frames).with_searches(searches(&scene, frames));
        for product in products([640, 360]) {
            let run = PlannedRun::up_to(frames, product);
            all.add_times(&Estimate::with(&scene, &run, &extras).bill, 1);
        }
    }
    let found: Vec<Item> = all.rows().map(|(item, _)| item).collect();
    let missing: Vec<_> = Item::ALL.iter().filter(|item| !found.contains(item)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(Item::ALL.iter().all(|item| item.price() > 0));
}

/// An estimate with samples is at least the one without, and half of the frames cost less.
#[test]
fn estimates_grow_with_what_is_done() {
    for (name, scene) in scenes() {
        let frames = scene.frames.min(8);
        let extras = Extras::of_first(&scene, frames);
        for product in products([640, 360]) {
            let work = |frames: u64, extras: &Extras| {
                Estimate::with(&scene, &PlannedRun::up_to(frames, product), extras).work()
            };
            // Pictures may show less of a body than at the start.
            let is_drawn = matches!(
                product,
                Product::Pictures { .. } | Product::Film { .. } | Product::Shown { .. }
            );
            let grows = work(frames, &extras) >= work(frames, &Extras::none());
            assert!(grows || is_drawn, "{name} {product:?}");
            assert!(work(frames, &extras) > work(frames / 2, &extras), "{name} {product:?}");
        }
    }
}

/// A fitted view falls back if finding its frames takes long, but not because of a price.
#[test]
fn no_scene_gives_up_its_view() {
    for (name, scene) in scenes() {
        assert!(!gives_up_view(&scene), "{name}");
    }
}

/// A body outside the picture is drawn at little cost, and so is one that leaves the picture.
#[test]
fn bodies_outside_the_picture_cost_little() {
    let drawing = |pins: &str, target: &str| {
        let scene = scene_of(&format!(
            "frames: 65, substeps: 10, frame_time: 0.04, gravity: (0, -10, 0), cloth: (corner: \
             (0, 0, 0), across: (1, 0, 0), down: (0, -1, 0), rows: 20, columns: 20, stiffness: \
             500, damping: 0.1{pins}), style: (surface: Wires), camera: (eye: (0.5, -0.5, 3), \
             target: {target})"
        ));
        let extras = Extras::of_first(&scene, scene.frames);
        let run = PlannedRun::up_to(scene.frames, Product::Shown { size: [640, 480] });
        Estimate::with(&scene, &run, &extras).bill
    };
    let tubes = |bill: Bill| {
        let of_tubes = bill.rows().filter(|(item, _)| *item == Item::TubePixel);
        of_tubes.map(|(_, count)| count).sum::<u128>()
    };
    let pinned = ", pins: TopEdge";
    let seen = tubes(drawing(pinned, "(0.5, -0.5, 0)"));
    assert!(seen > 0);
    assert_eq!(tubes(drawing(pinned, "(0.5, -0.5, 6)")), 0);
    // The free cloth falls out of the picture within 0.5 s of 2.6 s.
    let falling = tubes(drawing("", "(0.5, -0.5, 0)"));
    assert!(falling > 0 && falling < seen / 2, "{falling} {seen}");
}

/// The search for unstable steps counts its work, and stays within its budget.
#[test]
fn searches_before_pictures_stay_within_their_budget() {
    let scene = scene_of(
        "frames: 30, substeps: 4, frame_time: 0.0015, integrator: AdamsBashforthMoulton3, cloth: \
         (corner: (0, 0, 0), across: (1, 0, 0.1), down: (0, -1, 0), rows: 30, columns: 30, \
         stiffness: 500, mass: 0.01, law: TensionOnly, pins: TopEdge), forces: [FacetDrag(density: \
         1.2, flow: Uniform(velocity: (3, 1, 8)))]",
    );
    let setup = &scene.panels[0].bodies[0].setup;
    let maximum = warning_amount(1);
    let work = warning_counted(setup, scene.frames, maximum).1;
    assert!(work > 0 && work < 2 * maximum.whole(), "{work}");
}

/// Work of a run that writes nothing, in nanoseconds, with a sample of all frames.
fn simulation(settings: &str) -> u128 {
    let scene = scene_of(settings);
    let extras = Extras::of_first(&scene, scene.frames);
    let run = PlannedRun::up_to(scene.frames, Product::Numbers);
    Estimate::with(&scene, &run, &extras).simulation
}

/// The price of steps does not depend on how many of them make a frame. A frame that the sample
/// does not complete must not count as a whole one.
#[test]
fn prices_of_steps_do_not_depend_on_frames() {
    let drum = "gravity: (0, -9.81), integrator: ImplicitEuler, contact: (of: Drawn, \
        thickness: 0.02), colliders: [Sphere(center: (0, 0), radius: 0.2, friction: 0.3)], rope: \
        (shape: Arc(angle: 180), start: (0.211, 0), end: (-0.211, 0), length: 0.65, nodes: 41, \
        mass: 0.002, stiffness: 4e4, damping: 2, pins: [First])";
    let coil = "gravity: (0, -9.81), integrator: SemiImplicitEuler, contact: (thickness: 0.004), \
        colliders: [Plane(point: (0, 0), normal: (0, 1), friction: 0.3)], rope: (start: \
        (0, 0.003), end: (1, 0.003), nodes: 200, mass: 0.01, stiffness: 500, damping: 0.1)";
    for settings in [drum, coil] {
        let of = |frames: u64, substeps: u64| {
            let frame_time = substeps as f64 / 3840.0;
            simulation(&format!(
                "frames: {}, substeps: {substeps}, frame_time: {frame_time}, {settings}",
                frames + 1
            )) as f64
        };
        let ratio = of(3, 2560) / of(120, 64);
        assert!((0.7..1.4).contains(&ratio), "{settings}: {ratio}");
    }
}

/// Frame 0 is the initial state, so a run of it takes no step.
#[test]
fn the_first_frame_costs_no_step() {
    let work = |frames: u64| simulation(&format!("frames: {frames}"));
    assert_eq!(work(1), 0);
    // Each estimate is rounded down to nanoseconds.
    assert!((work(3) - 2 * work(2)) <= 1 && work(2) > 0);
}

/// A body that comes to rest in its sample is priced up to that frame. Without a sample, nothing
/// shows that it rests, because nothing damps it.
#[test]
fn rest_in_the_sample_ends_the_wait() {
    let scene = scene_of(
        "frames: 200, substeps: 40, gravity: (0, -10), frame_time: 0.02, rest: (frames: 20), \
         rope: (shape: Rest, start: (0, 0), end: (4, 0), length: 5, pins: [First, Last])",
    );
    let product = Product::Pictures { size: [640, 360], settles: true };
    let run = PlannedRun::up_to(scene.frames, product);
    let with = Estimate::with(&scene, &run, &Extras::of_first(&scene, scene.frames));
    let without = Estimate::of(&scene, &run);
    let a_frame = scene.panels[0].bodies[0].setup.frame_cost();
    assert!(with.settling.abs_diff(20 * a_frame) <= 20, "{} {a_frame}", with.settling);
    assert!(without.settling > 1000 * a_frame, "{}", without.settling);
}

/// Each encoding of films has its own price.
#[test]
fn films_are_priced_by_their_encoding() {
    let scene = scene_of("frames: 100, rope: (nodes: 4)");
    let work = |encoding| {
        let product = Product::Film { size: [1280, 720], encoding };
        Estimate::of(&scene, &PlannedRun::up_to(scene.frames, product)).drawing
    };
    use FilmEncoding::{Apng, Gif, H264, Intermediate, Raw, Vp9, WebP, Y4m};
    let order = [Raw, Y4m, Apng, WebP, H264, Intermediate, Vp9].map(work);
    assert!(order.is_sorted(), "{order:?}");
    assert!(work(Gif) > work(WebP) && work(Gif) < work(Vp9));
    assert!(work(Vp9) > 2 * work(H264) && work(Apng) < work(H264) / 2);
}

/// Bending springs are not drawn, so they do not make pictures more expensive.
#[test]
fn only_threads_are_priced_for_pictures() {
    let rope = |bending: u32| {
        let settings = format!("rope: (start: (0, 0, 0), end: (9, 0, 0), bending: {bending})");
        let scene = scene_of(&settings);
        let size = [640, 360];
        Estimate::of(&scene, &PlannedRun::up_to(2, Product::Pictures { size, settles: false }))
    };
    let (soft, stiff) = (rope(0), rope(5));
    assert!(stiff.springs > soft.springs);
    assert_eq!(stiff.drawing, soft.drawing);
}

/// Operations of the pictures of a scene, without samples.
fn pictures(settings: &str) -> Bill {
    let scene = scene_of(settings);
    let product = Product::Pictures { size: [1280, 720], settles: false };
    Estimate::of(&scene, &PlannedRun::up_to(scene.frames, product)).bill
}

fn count(bill: &Bill, item: Item) -> u128 {
    bill.rows().find(|(found, _)| *found == item).map_or(0, |(_, count)| count)
}

/// A body that a camera shows from twice as far away is half as long in the picture, and has a
/// quarter of the pixels.
#[test]
fn prices_of_pictures_follow_the_camera() {
    let seen = |distance: u32, surface: &str| {
        pictures(&format!(
            "frames: 2, camera: (eye: (0.5, 0.5, {distance})), style: (surface: {surface}, \
             line_width: 2), cloth: (corner: (0, 0, 0), across: (1, 0, 0), down: (0, 1, 0), rows: \
             5, columns: 5)"
        ))
    };
    for (surface, item, factor) in
        [("Wires", Item::TubePixel, 2.0), ("Facets", Item::FacetPixel, 4.0)]
    {
        let [near, far] = [8, 16].map(|distance| count(&seen(distance, surface), item) as f64);
        assert!((near / far / factor - 1.0).abs() < 0.05, "{surface}: {near} and {far}");
    }
}

/// A flow with gusts that is the same everywhere is evaluated once, and not per segment.
#[test]
fn gusts_are_priced_per_evaluation() {
    let gusts = |nodes: u32| {
        let bill = pictures(&format!(
            "frames: 9, integrator: Rk4, rope: (nodes: {nodes}), forces: [LineDrag(density: 1, \
             diameter: 0.01, flow: Changing(curve: Gusts(mean: (1, 0), strength: 0.3, seed: 5)))]"
        ));
        (count(&bill, Item::Gust), count(&bill, Item::DragSegment))
    };
    let ((few, of_few), (many, of_many)) = (gusts(5), gusts(101));
    assert!(few > 0 && few == many, "{few} and {many}");
    assert_eq!(25 * of_few, of_many);
}

/// A step that exceeds the sample does not count as all steps of its frame. The cloth has more
/// springs than SHAKE can hold, so each step takes thousands of sweeps.
#[test]
fn a_sample_counts_the_steps_that_it_takes() {
    let settings = "frames: 2, substeps: 50, frame_time: 0.025, gravity: (0, -1), integrator: \
        Shake, cloth: (corner: (0, 0), across: (1, 0), down: (0, -1), rows: 10, columns: 22, mass: \
        0.01, stiffness: 2097, damping: 0.01, pins: TopCorners)";
    let scene = scene_of(settings);
    let setup = scene.panels[0].bodies[0].setup.clone();
    let mut run = catena::sim::Simulation::new(setup);
    run.advance_steps(8);
    let each = catena::sim::run::extra_bill(&run).nanoseconds() as f64 / 8.0;
    let estimate = simulation(settings) as f64 / 50.0;
    assert!((0.5..2.0).contains(&(estimate / each)), "{estimate} and {each}");
}

/// Constraint Verlet has no kernel for one rope with drag, so its springs cost more.
#[test]
fn drag_ends_the_kernel_of_constraint_verlet() {
    let work = |drag: f64| {
        let settings = format!("frames: 100, integrator: ConstraintVerlet, drag: {drag}");
        simulation(&format!("{settings}, rope: (nodes: 30)"))
    };
    assert!(work(0.1) > 4 * work(0.0));
}
