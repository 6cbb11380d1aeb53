//! The variants of a sweep, and their order.

use super::{ROPES, load, options, ropes};
use catena::scene::sweep::{Sweep, SweepOptions, ValueKind};

/// Values of a variant, in the order of the axes.
fn values(sweep: &Sweep, number: u64) -> Vec<String> {
    sweep.variant(number).values.into_iter().map(|value| value.value).collect()
}

#[test]
fn the_last_axis_varies_most_often() {
    let axes = ["substeps=[8, 16]", "rope.stiffness=Log(1, 100, 3)"];
    let sweep = ropes(&axes, "Diverged");
    let all: Vec<Vec<String>> = (0..sweep.variants()).map(|n| values(&sweep, n)).collect();
    assert_eq!(
        all,
        [["8", "1"], ["8", "10"], ["8", "100"], ["16", "1"], ["16", "10"], ["16", "100"]]
    );
    assert_eq!(sweep.kinds(), [ValueKind::Whole, ValueKind::Real]);
}

#[test]
fn intervals_have_their_ends_and_equal_steps() {
    for (axis, expected) in [
        ("drag=Linear(0, 1, 5)", &["0", "0.25", "0.5", "0.75", "1"][..]),
        ("drag=Log(0.01, 100, 5)", &["0.01", "0.1", "1", "10", "100"]),
        ("substeps=Whole(1, 10, 4)", &["1", "4", "7", "10"]),
        ("substeps=WholeLog(1, 100, 3)", &["1", "10", "100"]),
        ("drag=Linear(0.5, 0.5, 1)", &["0.5"]),
        ("drag=[ 0.5 , 1e-3, // a comment\n 2 ]", &["0.5", "1e-3", "2"]),
    ] {
        let sweep = ropes(&[axis], "Diverged");
        let all: Vec<String> = (0..sweep.variants()).flat_map(|n| values(&sweep, n)).collect();
        assert_eq!(all.len(), expected.len(), "{axis}: {all:?}");
        for (found, expected) in all.iter().zip(expected) {
            let (found, expected) = (found.parse::<f64>(), expected.parse::<f64>());
            let (found, expected) = (found.unwrap(), expected.unwrap());
            assert!((found - expected).abs() <= 1e-12 * expected.abs(), "{axis}: {all:?}");
        }
        assert_eq!(all.last().unwrap().parse::<f64>(), expected.last().unwrap().parse::<f64>());
    }
}

#[test]
fn fields_of_one_axis_go_together_and_samples_fill_the_others() {
    let mut given = options(
        &[
            "rope.nodes, substeps=[(4, 8), (8, 16)]",
            "rope.stiffness=Log(10, 1000)",
            "drag=Linear(0, 1)",
        ],
        "Diverged",
    );
    given.sample = Some("LatinHypercube(count: 10, seed: 4)".into());
    let sweep = load(ROPES, &given).unwrap();
    assert_eq!(sweep.variants(), 20);
    let mut drags = Vec::new();
    for number in 0..20 {
        let [nodes, substeps, stiffness, drag] = values(&sweep, number).try_into().unwrap();
        assert_eq!(
            (nodes.as_str(), substeps.as_str()),
            [("4", "8"), ("8", "16")][number as usize % 2]
        );
        let stiffness: f64 = stiffness.parse().unwrap();
        assert!((10.0..1000.0).contains(&stiffness));
        drags.push((10.0 * drag.parse::<f64>().unwrap()) as usize);
        // The sample point is the same for both values of the list.
        if number % 2 == 1 {
            assert_eq!(drags.pop(), drags.last().copied());
        }
    }
    drags.sort_unstable();
    assert!(drags.into_iter().eq(0..10));
}

#[test]
fn patterns_leave_out_what_all_of_their_fields_match() {
    let axes = ["substeps=[8, 16, 32]", "rope.stiffness=Log(1, 1000, 4)", "integrator=[Rk4, Heun]"];
    let kept = |except: &[&str]| {
        let except = except.iter().map(|pattern| (*pattern).into()).collect();
        let given = SweepOptions { except, ..options(&axes, "Diverged") };
        let sweep = load(ROPES, &given).unwrap();
        (0..24).filter(|n| !sweep.leaves_out(&sweep.variant(*n))).count()
    };
    assert_eq!(kept(&[]), 24);
    assert_eq!(kept(&["{\"substeps\": 8}"]), 16);
    assert_eq!(kept(&["{\"substeps\": 8.0, \"integrator\": Rk4}"]), 20);
    assert_eq!(kept(&["{\"substeps\": [8, 16]}"]), 8);
    assert_eq!(kept(&["{\"rope.stiffness\": Above(10)}"]), 12);
    assert_eq!(kept(&["{\"rope.stiffness\": Below(10)}", "{\"integrator\": Heun}"]), 9);
    assert_eq!(kept(&["{\"rope.stiffness\": 100, \"substeps\": 32}"]), 22);
}

#[test]
fn a_file_says_the_same_as_options_and_holds_its_scene_or_names_it() {
    let inside = format!(
        "// A sweep.\nSweep(scene: {ROPES},\n axes: {{\"substeps\": [8, 16]}}, measure: [Strain], frames: 5)"
    );
    let sweep = load(&inside, &SweepOptions::default()).unwrap();
    let other = SweepOptions { frames: Some(5), ..options(&["substeps=[8, 16]"], "Strain") };
    let other = load(ROPES, &other).unwrap();
    assert_eq!(sweep.canonical(), other.canonical());
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ropes.ron"), ROPES).unwrap();
    let path = folder.path().join("sweep.ron");
    std::fs::write(&path, "Sweep(scene: \"ropes.ron\", axes: {\"substeps\": [8, 16]})").unwrap();
    let text = catena::scene::SceneText::read(&path).unwrap();
    let limits = catena::scene::Limits::default();
    let named = catena::scene::sweep::load_sweep(&text, &SweepOptions::default(), &limits).unwrap();
    assert_eq!((named.variants(), named.scene_text().text.as_str()), (2, ROPES));
}

#[test]
fn an_axis_lies_above_the_layers_of_bodies_and_below_set() {
    let given = SweepOptions {
        set: vec!["rope.nodes=4".parse().unwrap()],
        ..options(&["integrator=[Heun]", "rope=[(nodes: 6)]"], "Diverged")
    };
    // The axis sets a field that contains a field changed by --set.
    let error = load(ROPES, &given).unwrap_err().to_string();
    assert!(error.contains("--set rope.nodes=4 would override this axis"), "{error}");
    let given = SweepOptions {
        set: vec!["rope.nodes=4".parse().unwrap()],
        ..options(&["integrator=[Heun]"], "Diverged")
    };
    let sweep = load(ROPES, &given).unwrap();
    let scene = sweep.scene(&sweep.variant(0)).unwrap();
    for panel in &scene.panels {
        assert_eq!(panel.bodies[0].method.name, "Heun");
        assert_eq!(panel.bodies[0].setup.model.nodes(), 4);
    }
    assert_eq!(scene.changes(), ["integrator=Heun", "rope.nodes=4"]);
}
