//! Messages about a wrong sweep name the place of the fault.

use super::{ROPES, load, options};
use catena::{
    scene::{
        Limits,
        sweep::{SweepOptions, load_sweep},
    },
    sweep::measure::{Shape, measures},
};

/// Options, and the message about them: a part of the message, and a part of the advice.
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
        (axes(&["rope.stif=[1]"]), "no field `stif`", "did you mean `rope.stiffness`?"),
        (axes(&["base.substeps=[1]"]), "no field `base`", "omit `base.`: `substeps`"),
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
        (axes(&["substeps=[]"]), "at least one value", ""),
        (axes(&["substeps=Logg(1, 2, 3)"]), "no interval `Logg`", "did you mean `Log`?"),
        (axes(&["substeps=Whole(1.5, 3, 3)"]), "whole numbers at both ends", ""),
        (axes(&["drag=Linear(0, 1, 1)"]), "a count of at least 2", ""),
        (axes(&["drag=Linear(0, 1)"]), "needs a count, because", "Sobol(1000)"),
        (axes(&["drag=Linear(0, 1, 1e3)"]), "", ""),
        (axes(&["drag=Linear(0, 1, 1000000000)"]), "1000000000 values are more than the limit", ""),
        (
            axes(&["drag=Linear(0, 1, 100000)", "substeps=Whole(1, 100000, 100000)"]),
            "10000000000 variants are more than the limit of 100000000",
            "",
        ),
        (sample("Sobol(1000000000)", "drag=Linear(0, 1)"), "more than the limit", ""),
        (sample("Sobol(10)", "drag=[1]"), "no axis is sampled", ""),
        (sample("Sobol(0)", "drag=Linear(0, 1)"), "at least one point", ""),
        (sample("Halton(10)", "drag=Linear(0, 1)"), "no sample `Halton`", "Sobol"),
        (except("{\"drag\": 1}"), "no axis `drag`", "substeps"),
        (except("substeps=8"), "", ""),
        (except("{}"), "would exclude every variant", ""),
        (options(&["substeps=[8]"], "Stain"), "no measure `Stain`", "did you mean `Strain`?"),
        (options(&["substeps=[8]"], "Strain, Strain"), "listed twice", ""),
        (options(&["substeps=[8]"], "Trace"), "needs `every`", "Trace(every: 60)"),
        (options(&["substeps=[8]"], "Trace(every: 0)"), "at least 1 for `every`, found 0", ""),
        (
            options(&["substeps=[8]"], "Trace(every: 2)"),
            "1001 samples exceed the limit",
            "increase `every` to at least 3 frames",
        ),
        (options(&["substeps=[8]"], "Tip(nod: 3)"), "no option `nod`", "Tip(node: 3)"),
    ]
}

/// Intervals and single values where others are expected.
fn other_kinds() -> Vec<Slip> {
    let axes = |axes: &[&str]| options(axes, "Diverged");
    vec![
        (
            axes(&["drag=Log(0, 1, 3)"]),
            "`Log` needs both ends above 0",
            "or write Linear(0, 1, count)",
        ),
        (
            axes(&["substeps=WholeLog(8, -1, 3)"]),
            "`WholeLog` needs both ends",
            "Whole(8, -1, count)",
        ),
        (axes(&["substeps=Linear(8, 64, 4)"]), "a whole number", "write Whole(8, 64, 4)"),
        (axes(&["substeps=Log(8, 65, 4)"]), "a whole number", "write WholeLog(8, 65, 4)"),
        (axes(&["integrator=Rk4"]), "found one value", "write [Rk4]"),
        (
            axes(&["integrator=Xpbd(iterations: 5)"]),
            "found one value",
            "write [Xpbd(iterations: 5)]",
        ),
        (axes(&["drag=0.5"]), "found one value", "write [0.5]"),
    ]
}

/// Mistakes that could pass silently or without advice.
fn silent_ones() -> Vec<Slip> {
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
        (options(&["substeps=[8]"], "Tip(3)"), "each option needs a name", "Tip(node: 3)"),
        (options(&["substeps=[8]"], "Tip(99)"), "no body has a node 99", "numbered from 0 to 7"),
        (options(&["substeps=[8]"], "Trace(9, 99)"), "no body has a node 99", "from 0 to 7"),
        (options(&["substeps=[8]"], "Trace(9)"), "write Trace(every: 9)", "Trace(every: 60)"),
        (options(&["substeps=[8]"], "Trace(1.5)"), "at least 1 for `every`, found 1.5", ""),
        (options(&["substeps=[8]"], "Tip(node: -1)"), "at least 0 for `node`, found -1", ""),
        (options(&["substeps=[8]"], "Strain(3)"), "this measure has no options, found 3", ""),
        (options(&["substeps=[8]"], "ReferenceError"), "no body has a `reference`", "data.csv"),
        (options(&["substeps=[8]"], "Strain,"), "missing after the last comma", "Diverged,Strain"),
        (
            axes(&["drag=Linear(8, 16, 3.5)"]),
            "for the third value, the count, found 3.5",
            "Linear(from, to, count)",
        ),
        (axes(&["drag=Log(8, 16, -3)"]), "the count, found -3", "Linear(from, to, count)"),
        (sample("Sobol(3.5)", "drag=Linear(0, 1)"), "the count, found 3.5", "Sobol(count, seed)"),
        (sample("Sobol(3, -1)", "drag=Linear(0, 1)"), "the seed, found -1", "Sobol(count, seed)"),
        (options(&["substeps=[8]"], "Tip(node: 99)"), "no body has a node 99", "Tip(node: 3)"),
        (
            options(&["substeps=[8]"], "Trace(every: 60, node: 8)"),
            "nodes are numbered from 0 to 7",
            "Trace(every: 60, node: 3)",
        ),
        (options(&["substeps=[8]"], " "), "the list of measures is empty", "Diverged,Strain"),
        (options(&["substeps=[8]"], "Strain,,Tip"), "before this comma", "remove the comma"),
        (axes(&["substeps=8,16"]), "this is not one value", "write a list in brackets: [8,16]"),
        (axes(&["drag=Linear 1 2"]), "this is not one value", "Log(1, 1e4, 32)"),
        (axes(&["drag=Linear(1, 2, x)"]), "expected a whole number", "Linear(from, to, count)"),
        (
            sample("Sobol(ten)", "drag=Linear(0, 1)"),
            "expected a whole number",
            "Sobol(count, seed)",
        ),
        (
            sample("Sobol(10)", "drag=[1]"),
            "--sample Sobol(10): the sample Sobol",
            "remove its count",
        ),
        (axes(&["drag=Linear(0, 1)"]), "--axis drag=Linear(0, 1): the axis", "Sobol(1000)"),
        (except("{\"substeps\": 99}"), "`substeps` is never 99", "its values are 8"),
        (except("{\"substeps\": Above(8)}"), "`substeps` is never above 8", "its values are 8"),
        (except("{\"substeps\": above(7)}"), "`substeps` is never above(7)", "mean Above(7)?"),
        (except("{\"substeps\": >7}"), "comparisons are written as words", "write Above(7)"),
        (except("{\"substeps\": [8]}"), "exclude every variant", "more values"),
        (except("{\"substeps\": 8"), "this `{` is never closed", "add the bracket"),
        (except("{substeps: 8}"), "expected text in quotes", "write \"substeps\""),
        (except("substeps=8"), "invalid pattern", "{\"substeps\": 16"),
    ]
}

#[test]
fn slips_on_the_command_line_are_named() {
    for (given, message, help) in table().into_iter().chain(other_kinds()).chain(silent_ones()) {
        // Measures are looked up when the sweep is built.
        let error = load(ROPES, &given).and_then(|sweep| {
            measures(
                &sweep.measures,
                Shape { axes: 2, frames: 2001, nodes: Some(8), has_reference: false },
            )
            .map(drop)
        });
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
        let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(stderr.contains(place) && stderr.contains(message), "{rest}:\n{stderr}");
    }
    for (text, message) in [
        ("Sweep(axes: {\"drag\": [1]})", "a sweep needs a `scene`"),
        ("Sweep(scene: \"rops.ron\")", "there is no scene"),
        ("Sweep(scene: \"rops.ron\")", "ropes.ron? file names are relative"),
        ("sweep(scene: \"ropes.ron\")", "a sweep must begin with `Sweep(`, not with `sweep`"),
        ("Sweep(scene: 7)", "expected the name of a scene file"),
    ] {
        std::fs::write(&path, text).unwrap();
        let run = crate::catena().arg("sweep").arg(&path).arg("--plan").assert().code(3);
        let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(stderr.contains(message), "{text}:\n{stderr}");
    }
    // A fault of the scene is shown in the scene.
    std::fs::write(folder.path().join("ropes.ron"), "Scene(base: (substeps: 0))").unwrap();
    std::fs::write(&path, "Sweep(scene: \"ropes.ron\", axes: {\"drag\": [1]})").unwrap();
    let run = crate::catena().arg("sweep").arg(&path).arg("--plan").assert().code(3);
    let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(stderr.contains("ropes.ron:1:24"), "{stderr}");
}

#[test]
fn a_sweep_of_which_every_variant_is_refused_is_an_error_with_a_table() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ropes.ron"), ROPES).unwrap();
    let run = |axis: &str, out: &str, code: i32| {
        let mut command = crate::catena();
        command.current_dir(&folder).args(["sweep", "ropes.ron", "--axis", axis, "--out", out]);
        let run = command.assert().code(code);
        String::from_utf8_lossy(&run.get_output().stderr).into_owned()
    };
    let message = run("rope.pins=[[77], [99]]", "all", 3);
    assert!(message.contains("every variant is invalid; variant 0: "), "{message}");
    assert!(message.contains("there is no node 77"), "{message}");
    let table = std::fs::read_to_string(folder.path().join("all/table.csv")).unwrap();
    assert_eq!(table.matches("refused").count(), 2, "{table}");
    // One runnable variant is enough.
    run("rope.pins=[[7], [99]]", "one", 0);
    // A shard with only refused variants is done; the whole sweep is not.
    for shard in ["1/2", "2/2"] {
        let args = ["--axis", "rope.pins=[[77], [99]]", "--out", "parts", "--shard", shard];
        let mut command = crate::catena();
        command.current_dir(&folder).args(["sweep", "ropes.ron"]).args(args).assert().code(0);
    }
    let merged = crate::catena().current_dir(&folder).args(["merge", "parts"]).assert().code(3);
    let message = String::from_utf8_lossy(&merged.get_output().stderr).into_owned();
    assert!(message.contains("2 rows (2 refused): table.csv"), "{message}");
    assert!(message.contains("every variant is invalid; the column `message`"), "{message}");
}

#[test]
fn a_node_is_looked_for_in_the_largest_body() {
    let plan = |axis: &str, code: i32| {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("ropes.ron"), ROPES).unwrap();
        let args = ["sweep", "ropes.ron", "--plan", "--measure", "Tip(node: 12)", "--axis", axis];
        crate::catena().current_dir(&folder).args(args).assert().code(code);
    };
    plan("substeps=[16]", 3);
    plan("rope.nodes=[4, 12]", 3);
    plan("rope.nodes=[4, 13]", 0);
}

#[test]
fn an_audit_that_is_asked_for_later_is_made() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ropes.ron"), ROPES).unwrap();
    let run = |more: &[&str], code: i32| {
        let args = ["sweep", "ropes.ron", "--axis", "substeps=[8, 16, 32]", "--out", "out", "-q"];
        crate::catena().current_dir(&folder).args(args).args(more).assert().code(code);
    };
    // Number of variants audited by the second shard, from its report.
    let audit = || -> usize {
        let files = std::fs::read_dir(folder.path().join("out/shards")).unwrap();
        let texts = files.filter_map(|entry| std::fs::read_to_string(entry.unwrap().path()).ok());
        let mut reports = texts.filter_map(|text| serde_json::from_str(&text).ok());
        let second = |report: &serde_json::Value| report["number"] == 2;
        let report: serde_json::Value = reports.find(second).unwrap();
        report["audit"]["hashes"].as_array().map_or(0, Vec::len)
    };
    run(&["--shard", "1/2"], 0);
    run(&["--shard", "2/2"], 0);
    assert_eq!(audit(), 0);
    run(&["--shard", "2/2", "--audit", "1"], 0);
    assert!(audit() > 0);
    crate::catena().current_dir(&folder).args(["merge", "out"]).assert().success();
    // Options that only apply to shards are refused elsewhere.
    run(&["--audit", "1"], 2);
    run(&["--plan", "--audit", "1"], 2);
}

#[test]
fn an_axis_that_the_file_has_is_named_with_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sweep.ron");
    let scene = format!("Sweep(scene: {ROPES}, axes: {{\"rope.stiffness\": [1, 2]}})");
    std::fs::write(&path, scene).unwrap();
    let text = catena::scene::SceneText::read(&path).unwrap();
    let given = options(&["rope.stiffness=[10,]"], "Diverged");
    let error = load_sweep(&text, &given, &Limits::default()).unwrap_err().report(false);
    let file = path.display();
    assert!(error.contains(&format!("`rope.stiffness` is already an axis of {file}")), "{error}");
    assert!(error.contains(&format!("or remove the axis from {file}")), "{error}");
}
