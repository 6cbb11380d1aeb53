//! What is wrong with a sweep is said with its place.

use super::{ROPES, load, options};
use catena::{
    scene::sweep::SweepOptions,
    sweep::measure::{Shape, measures},
};

/// Options, and what is said of them: a part of the message, and of the advice.
type Slip = (SweepOptions, &'static str, &'static str);

fn table() -> Vec<Slip> {
    let sample = |sample: &str, axis: &str| SweepOptions {
        sample: Some(sample.into()),
        ..options(&[axis], "Diverged")
    };
    let except = |pattern: &str| SweepOptions {
        except: vec![pattern.into()],
        ..options(&["substeps=[8]"], "Diverged")
    };
    let axes = |axes: &[&str]| options(axes, "Diverged");
    vec![
        (axes(&["substeps"]), "expected PATH=VALUES", "rope.stiffness=Log"),
        (axes(&["rope.stifness=[1]"]), "no field `stifness`", "did you mean `rope.stiffness`?"),
        (axes(&["base.substeps=[1]"]), "no field `base`", "leave `base.` out: `substeps`"),
        (axes(&["substeps=[8, -1]"]), "expected", "substeps"),
        (axes(&["substeps=[8, 1.5]"]), "expected", "substeps"),
        (axes(&["substeps=Linear(1, 2, 3)", "drag=[0]"]), "--axis substeps=Linear", ""),
        (axes(&["substeps=[8, 16]", "substeps=[32]"]), "two axes set `substeps`", "one axis"),
        (
            axes(&["rope=[(nodes: 3)]", "rope.nodes=[4]"]),
            "two axes set `rope.nodes` and `rope`",
            "",
        ),
        (axes(&["substeps, substeps=[(8, 8)]"]), "written twice", ""),
        (axes(&["substeps, drag=[(8, 1), 16]"]), "", ""),
        (axes(&["substeps, drag=[(8, 1, 2)]"]), "expected 2 values in parentheses", ""),
        (axes(&["frames=[10, 20]"]), "the same number of frames", "--frames"),
        (axes(&["integrator=[Rk4, Rk5]"]), "`Rk5`", "Rk4"),
        (axes(&["substeps=[]"]), "one value at least", ""),
        (axes(&["substeps=Logg(1, 2, 3)"]), "no interval `Logg`", "did you mean `Log`?"),
        (axes(&["drag=Log(0, 1, 3)"]), "ends above 0", "Linear(from, to, count)"),
        (axes(&["substeps=Whole(1.5, 3, 3)"]), "whole numbers are whole", ""),
        (axes(&["drag=Linear(0, 1, 1)"]), "two numbers at least", ""),
        (axes(&["drag=Linear(0, 1)"]), "no count, and there is no sample", "Sobol(1000)"),
        (axes(&["drag=Linear(0, 1, 1e3)"]), "", ""),
        (axes(&["drag=Linear(0, 1, 1000000000)"]), "1000000000 values are more than the limit", ""),
        (
            axes(&["drag=Linear(0, 1, 100000)", "substeps=Whole(1, 100000, 100000)"]),
            "10000000000 variants are more than the limit of 100000000",
            "",
        ),
        (sample("Sobol(1000000000)", "drag=Linear(0, 1)"), "more than the limit", ""),
        (sample("Sobol(10)", "drag=[1]"), "no axis to fill", ""),
        (sample("Sobol(0)", "drag=Linear(0, 1)"), "one point at least", ""),
        (sample("Halton(10)", "drag=Linear(0, 1)"), "no sample `Halton`", "Sobol"),
        (except("{\"drag\": 1}"), "no axis `drag`", "substeps"),
        (except("substeps=8"), "", ""),
        (except("{}"), "would leave out every variant", ""),
        (options(&["substeps=[8]"], "Stain"), "no measure `Stain`", "did you mean `Strain`?"),
        (options(&["substeps=[8]"], "Strain, Strain"), "measured twice", ""),
        (options(&["substeps=[8]"], "Trace"), "needs `every`", "Trace(every: 60)"),
        (options(&["substeps=[8]"], "Trace(every: 0)"), "no such number", ""),
        (options(&["substeps=[8]"], "Trace(every: 2)"), "1001 moments are more than", "every 3"),
        (options(&["substeps=[8]"], "Tip(nod: 3)"), "no option `nod`", "Tip(node: 3)"),
    ]
}

#[test]
fn slips_on_the_command_line_are_named() {
    for (given, message, help) in table() {
        // Measures are looked up where the sweep is made.
        let error = load(ROPES, &given)
            .and_then(|sweep| measures(&sweep.measures, Shape { axes: 2, frames: 2001 }).map(drop));
        let report = error.expect_err(&format!("{given:?}")).report(false);
        assert!(report.contains(message) && report.contains(help), "{given:?}:\n{report}");
        assert!(!report.contains("panicked"));
    }
}

#[test]
fn slips_in_a_file_have_line_and_column() {
    let head = "Sweep(\n  scene: \"ropes.ron\",\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ropes.ron"), ROPES).unwrap();
    let path = folder.path().join("sweep.ron");
    for (rest, place, message) in [
        ("  axes: {\"substeps\": [8, 0]},\n)", "sweep.ron:3:26", "expected"),
        ("  axes: {\"rope.stiffnes\": [8]},\n)", "sweep.ron:3:16", "no field `stiffnes`"),
        ("  axes: {\"substeps\": [8],\n \"substeps\": [8]},\n)", "sweep.ron:4:3", "two axes set"),
        ("  axes: {\"drag\": Log(1, 0, 3)},\n)", "sweep.ron:3:18", "ends above 0"),
        ("  axis: {\"drag\": [1]},\n)", "sweep.ron:3:3", "no field `axis`"),
        ("  axes: [\"drag\"],\n)", "sweep.ron:3:9", "expected {"),
        ("  axes: {\"drag\": [1]},\n  measure: [Strain, Nothing],\n)", "sweep.ron:4:21", "Nothing"),
        ("  axes: {\"drag\": [1]},\n  frames: 0,\n)", "sweep.ron:4:11", "at least 1"),
        ("  axes: {\"drag\": [1]\n)", "sweep.ron:", ""),
    ] {
        std::fs::write(&path, format!("{head}{rest}")).unwrap();
        let run = crate::catena().arg("sweep").arg(&path).arg("--plan").assert().code(3);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains(place) && said.contains(message), "{rest}:\n{said}");
    }
    for (text, message) in [
        ("Sweep(axes: {\"drag\": [1]})", "a sweep needs a `scene`"),
        ("Sweep(scene: \"rops.ron\")", "there is no scene"),
        ("Sweep(scene: 7)", "expected the name of a scene file"),
    ] {
        std::fs::write(&path, text).unwrap();
        let run = crate::catena().arg("sweep").arg(&path).arg("--plan").assert().code(3);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains(message), "{text}:\n{said}");
    }
    // A fault of the scene is shown in the scene.
    std::fs::write(folder.path().join("ropes.ron"), "Scene(base: (substeps: 0))").unwrap();
    std::fs::write(&path, "Sweep(scene: \"ropes.ron\", axes: {\"drag\": [1]})").unwrap();
    let run = crate::catena().arg("sweep").arg(&path).arg("--plan").assert().code(3);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.contains("ropes.ron:1:24"), "{said}");
}
