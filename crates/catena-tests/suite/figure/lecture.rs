//! Figures of lectures on methods: each can be made by its own command for every kind of body, or
//! gives a reason why not.

use crate::{catena, repository, scene_of};
use catena::figure::chart::{Mark, Plot};
use catena::figure::study::NAMES;
use catena::job::{FigureFormat, ReportOptions, figure};
use catena::scene::Scene;

const LECTURE: [&str; 4] = ["stability_regions", "reversal", "phase_area", "iterations"];

fn options() -> ReportOptions {
    ReportOptions { frames: Some(6), study_time: Some(1.5), ..ReportOptions::default() }
}

#[test]
fn every_figure_of_a_report_can_be_made_alone() {
    let scene = scene_of("Scene(base: (integrator: Xpbd, substeps: 2, rope: (nodes: 3)))");
    for name in NAMES {
        let made = figure(&scene, name, &options(), &()).unwrap();
        match &made.study {
            Some(study) => assert_eq!(study.name, name),
            None => assert!(!made.left_out.is_empty(), "{name} says why it is not there"),
        }
    }
    let unknown = figure(&scene, "stabilty", &options(), &()).err().unwrap().to_string();
    assert!(unknown.contains("stability_regions"), "{unknown}");
}

#[test]
fn every_kind_of_body_has_the_figures_or_a_reason() {
    // Whether each figure of LECTURE exists for a body.
    let bodies: [(&str, [bool; 4]); 9] = [
        ("integrator: Rk4, rope: (nodes: 5)", [true, true, true, false]),
        (
            "integrator: SemiImplicitEuler, drag: 0.4, rope: (nodes: 5, damping: 0.01)",
            [true, true, true, false],
        ),
        ("integrator: Pbd, rope: (nodes: 5)", [false, true, true, true]),
        ("integrator: DormandPrince, rope: (nodes: 5)", [false, true, true, false]),
        ("integrator: Rk4, rope: (nodes: 4, pins: [])", [true, true, false, false]),
        ("integrator: Rk4, rope: (nodes: 2, pins: [0, 1])", [true, true, false, false]),
        (
            "integrator: VelocityVerlet, frame_time: 0.02, gravity: (0, -9.81, 0), \
             cloth: (corner: (0, 0, 0), across: (1, 0, 0), down: (0, 0, 1), rows: 3, columns: 3, \
             stiffness: 100, mass: 0.01, pins: TopCorners)",
            [true, true, true, false],
        ),
        (
            "integrator: Xpbd, rope: (nodes: 5), colliders: [Plane(point: (0, -0.5), normal: (0, 1))]",
            [false, true, false, true],
        ),
        ("integrator: ExplicitEuler, substeps: 1, rope: (nodes: 9)", [true, true, false, false]),
    ];
    for (body, expected) in bodies {
        let scene = scene_of(&format!("Scene(base: ({body}))"));
        for (name, has) in LECTURE.into_iter().zip(expected) {
            let made = figure(&scene, name, &options(), &()).unwrap();
            assert_eq!(made.study.is_some(), has, "{name} of {body}: {:?}", made.left_out);
            let Some(study) = &made.study else {
                assert!(made.left_out[0].len() > 20, "{name} of {body}");
                continue;
            };
            assert_eq!(study.table.rows.len(), 1, "{name} of {body}");
            assert!(study.table.rows.iter().all(|row| row.len() == study.table.head.len()));
            assert!(study.remarks.len() > 20, "{name} of {body}: a sentence with the finding");
            for format in [FigureFormat::Svg, FigureFormat::Csv] {
                assert!(made.file(format).unwrap().len() > 60, "{name} of {body}");
            }
        }
    }
}

#[test]
fn commands_write_charts_and_print_tables() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("rope.ron");
    std::fs::write(&scene, "Scene(base: (integrator: ExplicitEuler, frames: 5, rope: (nodes: 4)))")
        .unwrap();
    let run = |words: &[&str]| {
        let output = catena().current_dir(folder.path()).args(words).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), text, String::from_utf8(output.stderr).unwrap())
    };
    let (code, text, _) = run(&["stability", "rope.ron", "--figure", "regions.svg"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("Stability regions") && text.contains("growth per step"), "{text}");
    assert!(
        std::fs::read_to_string(folder.path().join("regions.svg")).unwrap().starts_with("<svg")
    );
    let (code, text, _) = run(&["figure", "rope.ron", "reversal", "-o", "back.pdf", "--csv"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with("body,frames there,"), "{text}");
    assert!(std::fs::read(folder.path().join("back.pdf")).unwrap().starts_with(b"%PDF"));
    let (code, _, error) = run(&["figure", "rope.ron", "reversal", "-o", "back.gif"]);
    assert!(code == Some(2) && error.contains(".svg, .pdf, .png"), "{error}");
    let (code, _, error) = run(&["figure", "rope.ron", "iterations", "-o", "none.svg"]);
    assert!(code == Some(2) && error.contains("corrects lengths iteratively"), "{error}");
    assert!(!folder.path().join("none.svg").exists());
    // An output never replaces the input.
    std::fs::rename(&scene, folder.path().join("rope.svg")).unwrap();
    let (code, _, _) = run(&["figure", "rope.svg", "reversal", "-o", "rope.svg"]);
    assert_eq!(code, Some(2));
    let (code, text, _) = run(&["methods", "ExplicitEuler", "--at", "-1,0.5", "--dt", "0.1"]);
    assert!(code == Some(0) && text.contains("stable") && text.contains("0.901"), "{text}");
    let (code, text, _) = run(&["methods", "rk4", "--at=-3,0", "--dt", "1"]);
    assert!(code == Some(0) && text.contains("unstable"), "{text}");
    let (code, _, error) = run(&["methods", "Pbd", "--at", "-1,0"]);
    assert!(code == Some(2) && error.contains("no stability region"), "{error}");
}

#[test]
fn every_scene_of_a_slip_has_stability_regions_or_a_reason() {
    let folder = repository("scenes");
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let slips = names.filter(|path| path.to_string_lossy().contains("slip_"));
    let mut count = 0;
    for path in slips {
        let scene: Scene = std::fs::read_to_string(&path).unwrap().parse().unwrap();
        let made = figure(&scene, "stability_regions", &options(), &()).unwrap();
        assert!(made.study.is_some() || !made.left_out.is_empty(), "{}", path.display());
        count += 1;
    }
    assert!(count >= 16);
}

#[test]
fn a_longest_step_far_below_the_scenes_is_kept() {
    for settings in [
        "integrator: DormandPrince(max_dt: 0.0000001)",
        "step_control: StepDoubling(max_dt: 0.0000001)",
    ] {
        let text =
            format!("Scene(base: (rope: (nodes: 5), frame_time: 0.0001, substeps: 1, {settings}))");
        let scene: Scene = text.parse().unwrap();
        let mut runs = catena::render::frames::SceneRuns::new(&scene);
        runs.advance();
        assert!(runs.simulations().all(|run| run.state().is_finite()), "{settings}");
    }
}

/// A stability region is computed for a method on one mass. Some slips change stability; others
/// only change a constant, and then the region is valid.
#[test]
fn a_slip_that_changes_what_is_stable_has_no_region() {
    for (name, kept, left_out) in [
        ("forces_not_cleared", 1, "its slip ForcesNotCleared changes its stability"),
        ("in_place", 1, "its slip InPlace changes its stability"),
        ("strain_as_force", 2, ""),
        ("gravity_as_force", 2, ""),
    ] {
        let path = repository(&format!("scenes/slip_{name}.ron"));
        let scene: Scene = std::fs::read_to_string(path).unwrap().parse().unwrap();
        let made = figure(&scene, "stability_regions", &options(), &()).unwrap();
        assert_eq!(made.study.unwrap().table.rows.len(), kept, "{name}");
        let message = made.left_out.join(" ");
        assert_eq!(message.contains("its slip"), !left_out.is_empty(), "{name}: {message}");
        assert!(message.contains(left_out), "{name}: {message}");
    }
}

#[test]
fn budgets_of_stability_are_raised_by_an_option() {
    let folder = tempfile::tempdir().unwrap();
    let scene = "Scene(base: (frames: 40, frame_time: 0.02, rope: (nodes: 24, end: (1, 0))))";
    std::fs::write(folder.path().join("s.ron"), scene).unwrap();
    let printed = |time: &str| {
        let args = ["stability", "s.ron", "--study-time", time];
        let run = catena().current_dir(&folder).args(args).assert().success();
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    let (little, much) = (printed("1e-5"), printed("inf"));
    assert!(little.contains("--study-time SECONDS raises it"), "{little}");
    assert!(!much.contains("--study-time") && much.contains("survive"), "{much}");
}

#[test]
fn distances_over_decades_have_a_logarithmic_axis_that_names_zeros() {
    let folder = tempfile::tempdir().unwrap();
    let scene = "Scene(base: (frames: 12, gravity: (0, 0), reference: (file: \"d.csv\"),
        rope: (nodes: 2, start: (0, 0), end: (1, 0), pins: [0, 1])))";
    std::fs::write(folder.path().join("s.ron"), scene).unwrap();
    // Both nodes are at rest in the scene. In the file, the first one moves away: from 0 over three
    // decades, or not at all.
    for (scale, is_log) in [(1.0, true), (0.0, false)] {
        let row = |i: i32| format!("{i},0,{},0\n{i},1,1,0\n", scale * f64::from(i * i * i));
        let rows: String = (0..12).map(row).collect();
        std::fs::write(folder.path().join("d.csv"), format!("frame,node,x,y\n{rows}")).unwrap();
        let args = ["figure", "s.ron", "reference", "-o", "r.svg"];
        catena().current_dir(&folder).args(args).assert().success();
        let svg = std::fs::read_to_string(folder.path().join("r.svg")).unwrap();
        let message = svg.contains("the distance is 0 in frame 0,");
        assert_eq!(message, is_log, "{scale}");
    }
}

#[test]
fn a_run_that_diverges_has_a_cross_beside_its_reference() {
    let folder = tempfile::tempdir().unwrap();
    let scene = "Scene(base: (size: (320, 240), frames: 30, substeps: 2, reference: (file: \"d.csv\"), rope: (nodes: 4)),
        panels: [(label: \"Euler\", with: (integrator: ExplicitEuler)), (label: \"Verlet\", with: (integrator: ConstraintVerlet))])";
    std::fs::write(folder.path().join("s.ron"), scene).unwrap();
    let rows: String = (0..30).map(|frame| format!("{frame},3,-400,{frame}\n")).collect();
    std::fs::write(folder.path().join("d.csv"), format!("frame,node,x,y\n{rows}")).unwrap();
    let figure = |name: &str, end: &str| {
        let file = format!("{name}.{end}");
        let args = ["figure", "s.ron", name, "-o", &file];
        let run = catena().current_dir(&folder).args(args).assert().success();
        let stdout = String::from_utf8(run.get_output().stdout.clone()).unwrap();
        (stdout, std::fs::read_to_string(folder.path().join(&file)).unwrap())
    };
    let (_, data) = figure("reference", "csv");
    let crosses: Vec<&str> =
        data.lines().filter(|line| line.contains(",points,diverged,")).collect();
    assert_eq!(crosses.len(), 1, "{data}");
    // The contact sheet explains its dashed lines.
    let (stdout, _) = figure("strip", "csv");
    let stdout = stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(stdout.contains("Dashed lines are the reference, d.csv."), "{stdout}");
}

#[test]
fn a_map_of_stability_shows_the_scene_however_far_it_is_from_the_limit() {
    for substeps in [12, 64, 700] {
        let scene: Scene = format!(
            "Scene(base: (frames: 6, frame_time: 1, substeps: {substeps}, drag: 0.01, rope: (nodes: 3, stiffness: 100)))"
        )
        .parse()
        .unwrap();
        let options = ReportOptions { frames: Some(6), ..ReportOptions::default() };
        let made = figure(&scene, "stability_map", &options, &()).unwrap();
        let study = made.study.unwrap_or_else(|| panic!("{substeps}: {:?}", made.left_out));
        let [low, high] = study.chart.plots[0].x.range.unwrap();
        assert!((low..=high).contains(&f64::from(substeps)), "{substeps}: {low} to {high}");
    }
}

/// Class of the cell around a point (0 for survival), if the point is in a cell of the plot.
fn cell_at(plot: &Plot, [x, y]: [f64; 2]) -> Option<usize> {
    let cells = plot.marks.iter().find_map(|mark| match mark {
        Mark::Cells { x_edges, y_edges, values, .. } => Some((x_edges, y_edges, values)),
        _ => None,
    });
    let (x_edges, y_edges, values) = cells.unwrap();
    let place = |edges: &[f64], value: f64| {
        edges.windows(2).position(|pair| (pair[0]..pair[1]).contains(&value))
    };
    Some(values[place(y_edges, y)? * (x_edges.len() - 1) + place(x_edges, x)?])
}

/// Explicit Euler lets motions grow at every step, or at every practical step: a map shows where
/// runs diverge within the time of the film, and its sentences match its cells.
#[test]
fn a_map_of_slow_growth_shows_what_survives_the_film_and_says_what_it_shows() {
    let (mut later, mut lost) = (0, 0);
    // Study time of a report, as a multiple of the time of the film.
    for (drag, substeps, films) in [
        ("0.01", 24, None),
        ("0", 24, None),
        ("0.01", 4, None),
        ("0.01", 60, Some(12.0)),
        ("0.01", 80, Some(17.0)),
        ("0.01", 60, None),
    ] {
        let case = format!("drag {drag}, {substeps} substeps, {films:?}");
        let scene: Scene = format!(
            "Scene(base: (frames: 41, frame_time: 1, substeps: {substeps}, drag: {drag},
             integrator: ExplicitEuler, rope: (nodes: 3, stiffness: 40)))"
        )
        .parse()
        .unwrap();
        let film = scene.panels[0].bodies[0].setup.frame_cost() * u128::from(scene.frames);
        let study_time = films.map(|films| 1e-9 * films * film as f64);
        let options = ReportOptions { study_time, ..ReportOptions::default() };
        let made = figure(&scene, "stability_map", &options, &()).unwrap();
        let study = made.study.unwrap_or_else(|| panic!("{case}: {:?}", made.left_out));
        let plot = &study.chart.plots[0];
        let lines = plot.marks.iter().filter_map(|mark| match mark {
            Mark::Line { label: Some(label), .. } => Some(label.as_str()),
            _ => None,
        });
        let lines: Vec<&str> = lines.collect();
        // Without damping, no step is stable forever.
        assert_eq!(lines.contains(&"predicted"), drag != "0", "{case}: {lines:?}");
        assert!(lines.contains(&"grows 10⁶ times"), "{case}: {lines:?}");
        assert_eq!(study.caption.contains("predicted by the spectrum"), drag != "0", "{case}");
        let own = cell_at(plot, [f64::from(substeps), 40.0]);
        let diverges = plot.marks.iter().any(|mark| {
            matches!(mark, Mark::Points { label: Some(label), .. } if label.contains("diverges"))
        });
        assert_eq!(study.caption.contains("A cross"), own.is_some() && diverges, "{case}");
        assert_eq!(study.caption.contains("A dot"), own.is_some() && !diverges, "{case}");
        let is_later = own == Some(0) && diverges;
        assert_eq!(study.remarks.contains("later"), is_later, "{case}: {}", study.remarks);
        (later, lost) = (later + usize::from(is_later), lost + usize::from(own == Some(1)));
    }
    assert!(later > 0 && lost > 0, "{later} and {lost}: both kinds must occur");
}
