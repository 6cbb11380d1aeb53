//! Figures of a sweep, and their page.

use super::{column, make, options, read, ropes};
use catena::{job::Swept, scene::sweep::SweepOptions};
use std::{collections::BTreeSet, fs};

#[test]
fn the_page_says_what_the_table_says() {
    let folder = tempfile::tempdir().unwrap();
    let axes = ["rope.stiffness=Log(100, 1e5, 10)", "substeps=[8, 16, 32]"];
    let it = ropes(&axes, "Diverged,Strain");
    let Swept::Table(merged) = make(&it, folder.path(), None) else { panic!() };
    catena::job::sweep_page(&merged, folder.path(), &catena::job::FigureStyle::default()).unwrap();
    let page = fs::read_to_string(folder.path().join("report/index.html")).unwrap();
    let table = read(&folder.path().join("table.csv"));
    let lost = column(&table, "status").iter().filter(|status| *status == "diverged").count();
    assert!(lost > 0 && page.contains(&format!("60 rows: {} fine", 60 - lost)), "{lost}");
    for name in ["status", "strain_max_map", "strain_max_lines", "diverged_frame_map"] {
        assert!(page.contains(&format!("id=\"{name}\"")), "{name}");
        assert!(folder.path().join(format!("report/{name}.pdf")).exists());
    }
    // The legend has no colour that does not occur.
    let svg = fs::read_to_string(folder.path().join("report/status.svg")).unwrap();
    assert!(svg.contains("diverged") && !svg.contains("refused"), "{svg}");
    // A few numbers are named individually, in every plot, and cells have equal sizes.
    let labels = |text: &str| svg.matches(&format!("aria-label=\"{text}\"")).count();
    assert_eq!([labels("8"), labels("16"), labels("32"), labels("100000")], [2; 4], "{svg}");
    let cells = read(&folder.path().join("report/status.csv"));
    assert_eq!(column(&cells, "y")[..11].to_vec().concat(), "8.0".repeat(10) + "16.0");
    // A second run gives the same bytes.
    catena::job::sweep_page(&merged, folder.path(), &catena::job::FigureStyle::default()).unwrap();
    assert!(page == fs::read_to_string(folder.path().join("report/index.html")).unwrap());
}

#[test]
fn empty_plots_are_left_out_and_the_caption_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let methods = "integrator=[ExplicitEuler, SemiImplicitEuler, ConstraintVerlet]";
    let axes = [methods, "rope.stiffness=[10, 1000, 1e5]", "substeps=[8, 16]"];
    let scene = super::ROPES.split("panels").next().unwrap().to_string() + ")";
    let it = super::load(&scene, &options(&axes, "Diverged,PredictedStep")).unwrap();
    let Swept::Table(merged) = make(&it, folder.path(), None) else { panic!() };
    catena::job::sweep_page(&merged, folder.path(), &catena::job::FigureStyle::default()).unwrap();
    let report = folder.path().join("report");
    let page = fs::read_to_string(report.join("index.html")).unwrap();
    let caption = |name: &str| {
        let figure = page.split(&format!("<figure id=\"{name}\">")).nth(1).unwrap();
        figure.split("<figcaption>").nth(1).unwrap().split("</figcaption>").next().unwrap()
    };
    let message = caption("diverged_frame_map");
    assert!(message.contains("No plot of ConstraintVerlet: no run there diverges."), "{message}");
    let plots = read(&report.join("diverged_frame_map.csv"));
    let titles: BTreeSet<String> = column(&plots, "title").into_iter().collect();
    assert_eq!(titles.len(), 2, "{titles:?}");
    // An axis without effect is also named.
    let message = caption("stable_step_predicted_map");
    assert!(message.contains("It does not depend on substeps."), "{message}");
    assert!(message.contains("ConstraintVerlet: no run there has a value."), "{message}");
    let svg = fs::read_to_string(report.join("diverged_frame_map.svg")).unwrap();
    assert!(!svg.contains("aria-label=\"ConstraintVerlet\""));
}

/// A grid whose axis overrides its rows: one row remains, and the names of its bodies need no row.
#[test]
fn lines_have_markers_and_say_who_survives() {
    let folder = tempfile::tempdir().unwrap();
    let scene = "Scene(base: (frames: 30, frame_time: 1, rope: (nodes: 4, stiffness: 40), drag: 0.01),
        grid: (rows: [(label: \"few\", with: (substeps: 4)), (label: \"many\", with: (substeps: 400))],
            columns: [(label: \"explicit\", with: (integrator: ExplicitEuler)),
                (label: \"semi-implicit\", with: (integrator: SemiImplicitEuler))]))";
    let it = super::load(scene, &options(&["substeps=[16, 32, 64, 4000, 5000, 6000]"], "Diverged"))
        .unwrap();
    let Swept::Table(merged) = make(&it, folder.path(), None) else { panic!() };
    catena::job::sweep_page(&merged, folder.path(), &catena::job::FigureStyle::default()).unwrap();
    let report = folder.path().join("report");
    let points = read(&report.join("diverged_frame_lines.csv"));
    let cells = |name: &str| column(&points, name);
    let of = |kind: &str| {
        let all = cells("kind").into_iter().zip(cells("label")).zip(cells("x"));
        let all = all.filter(|((it, _), _)| it == kind).map(|((_, label), x)| (label, x));
        all.collect::<Vec<_>>()
    };
    let lost: Vec<(String, String)> =
        ["16.0", "32.0", "64.0"].map(|x| ("explicit".to_string(), x.to_string())).to_vec();
    assert_eq!([of("line"), of("points")], [lost.clone(), lost]);
    let svg = fs::read_to_string(report.join("diverged_frame_lines.svg")).unwrap();
    for expected in
        ["explicit: no run is lost at substeps 4000 to 6000.", "No run is lost: semi-implicit."]
    {
        assert!(svg.contains(&format!("aria-label=\"{expected}\"")), "{expected}: {svg}");
    }
}

#[test]
fn rows_that_are_fine_and_mean_little_are_counted() {
    // RK4 loses energy at steps above its limit, and may end in a wrong but stable shape.
    let folder = tempfile::tempdir().unwrap();
    let axes = ["rope.stiffness=Log(10, 1e5, 20)", "substeps=[8]", "drag=[0, 20]"];
    let it = ropes(&axes, "Strain,PredictedStep");
    let Swept::Table(merged) = make(&it, folder.path(), None) else { panic!() };
    catena::job::sweep_page(&merged, folder.path(), &catena::job::FigureStyle::default()).unwrap();
    let page = fs::read_to_string(folder.path().join("report/index.html")).unwrap();
    let table = read(&folder.path().join("table.csv"));
    let numbers = |name: &str| -> Vec<f64> {
        column(&table, name).iter().map(|it| it.parse().unwrap_or(f64::NAN)).collect()
    };
    let (status, strain) = (column(&table, "status"), numbers("strain_max"));
    let (dt, limit) = (numbers("dt"), numbers("stable_step_predicted"));
    let fine: Vec<usize> = (0..status.len()).filter(|row| status[*row] == "fine").collect();
    let over = |row: &&usize| dt[**row] > limit[**row];
    let torn = |row: &&usize| strain[**row] > 1.0;
    let count = |is_one: &dyn Fn(&&usize) -> bool| fine.iter().filter(|it| is_one(it)).count();
    let [both, over, torn] = [count(&|row| over(row) || torn(row)), count(&over), count(&torn)];
    assert!(over > 0 && torn > 0 && both < fine.len(), "{over} {torn} {both}");
    let message = format!(
        "Of {} rows that did not diverge, {both} may be unstable, with meaningless results: {over} \
         take steps longer than the predicted limit, {torn} stretch",
        fine.len()
    );
    assert!(page.contains(&message), "{message}");
}

/// Names of all figures of a sweep, and the number of plots in its chart of strains.
fn figures(axes: &[&str], sample: Option<&str>) -> (Vec<String>, usize) {
    let folder = tempfile::tempdir().unwrap();
    let options = SweepOptions { sample: sample.map(Into::into), ..options(axes, "Strain") };
    let it = super::load(super::ROPES, &options).unwrap();
    let Swept::Table(merged) = make(&it, folder.path(), None) else { panic!() };
    catena::job::sweep_page(&merged, folder.path(), &catena::job::FigureStyle::default()).unwrap();
    let report = folder.path().join("report");
    let names = fs::read_dir(&report).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> =
        names.filter_map(|name| Some(name.to_str()?.strip_suffix(".csv")?.into())).collect();
    names.sort();
    let plots = fs::read_to_string(report.join("strain_max_lines.csv")).unwrap_or_default();
    let plots: BTreeSet<&str> = plots.lines().filter_map(|line| line.split(',').next()).collect();
    (names, plots.len().saturating_sub(1))
}

#[test]
fn samples_have_points_and_many_lines_have_plots_of_their_own() {
    let (names, _) = figures(
        &["rope.stiffness=Log(10, 1e6)", "rope.mass=Linear(0.01, 1)"],
        Some("Sobol(count: 32)"),
    );
    assert_eq!(names, ["status_scatter", "strain_max_scatter"]);
    // Two panels and two laws: 4 lines in one plot. An axis of methods makes both panels equal, so
    // they are drawn once: 8 methods and two laws give 16 lines, in one plot per method.
    let stiffness = "rope.stiffness=[10, 20, 30]";
    let methods = "integrator=[ExplicitEuler, Rk4, Heun, Midpoint, SemiImplicitEuler, VelocityVerlet, Leapfrog, Yoshida4]";
    let laws = "rope.law=[Hooke, Exponential]";
    assert_eq!(figures(&[laws, stiffness], None).1, 1);
    assert_eq!(figures(&[methods, laws, stiffness], None).1, 8);
}
