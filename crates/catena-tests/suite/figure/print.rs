//! Figures for paper: the requested width, readable text at this width, and words that are text.

use crate::{catena, repository};
use ab_glyph::{Font as _, FontArc};
use catena::figure::{
    chart::{Axis, Chart, Dash, Mark, Plot, Typeface, Words, paper},
    export,
    study::strip::{self, ContactSheet, SheetRow},
};
use catena::render::{
    faces::{BUILT_IN, Faces},
    palette::nth_color,
};
use resvg::usvg::{
    Options, Tree,
    roxmltree::{Document, ParsingOptions},
};
use std::{fs, path::Path, process::Command};

fn face(words: Words) -> Typeface {
    Typeface::new(Faces::built_in().unwrap()).with_words(words)
}

/// Plots side by side, with long names.
fn chart(count: usize) -> Chart {
    let axis = |label: &str| Axis { label: label.into(), ..Axis::default() };
    let line = |index: usize| Mark::Line {
        points: (0..30)
            .map(|i| [f64::from(i), f64::from(i * i) * 1e-5 * (index + 1) as f64])
            .collect(),
        color: nth_color(index),
        label: Some(format!("method {index} with a name that is as long as one may be")),
        dash: Dash::Solid,
        width: 1.5,
    };
    let plot = |index: usize| Plot {
        title: Some(format!("Plot {index}")),
        x: axis("time, s"),
        y: axis("ω² of a mode"),
        marks: (0..4).map(line).collect(),
        ..Plot::default()
    };
    Chart {
        title: "Title".into(),
        columns: count,
        plots: (0..count).map(plot).collect(),
        plot_size: [400.0, 280.0],
        ..Chart::default()
    }
}

const MILLIMETRE: f64 = 96.0 / 25.4;

/// Checks that a figure has its intended width, that nothing is cut off, and that text is readable.
fn hold_print(svg: &str, millimetres: f64, what: &str) {
    let tree = Tree::from_str(svg, &Options::default()).unwrap();
    let width = millimetres * MILLIMETRE;
    assert!((f64::from(tree.size().width()) - width).abs() < 0.1, "{what}: {:?}", tree.size());
    let inside = tree.root().abs_layer_bounding_box();
    let ends = [inside.left(), inside.right()].map(f64::from);
    assert!(ends[0] > -0.5 && ends[1] < width + 0.5, "{what}: {ends:?} of {width}");
    let document = Document::parse_with_options(svg, ParsingOptions::default()).unwrap();
    assert!(document.root_element().attribute("width").unwrap().ends_with("mm"), "{what}");
    let view = document.root_element().attribute("viewBox").unwrap();
    let drawn: f64 = view.split(' ').nth(2).unwrap().parse().unwrap();
    for label in document.descendants().filter(|node| node.attribute("aria-label").is_some()) {
        let matrix = label.attribute("transform").unwrap().trim_start_matches("matrix(");
        let numbers: Vec<f64> =
            matrix.trim_end_matches(')').split(' ').map(|it| it.parse().unwrap()).collect();
        let points = (numbers[0] * numbers[0] + numbers[1] * numbers[1]).sqrt()
            * 1000.0
            * 0.75
            * (width / drawn);
        assert!((7.0..=9.0 + 1e-3).contains(&points), "{what}: {points} pt in {label:?}");
    }
}

#[test]
fn text_goes_on_behind_letters_of_other_faces() {
    let face = face(Words::Text);
    let mut chart = chart(1);
    // Inter has no block characters, so they become outlines.
    chart.plots[0].title = Some("Plot ▁▁▁ behind".into());
    let svg = chart.svg("a", &face, &paper());
    let document = Document::parse_with_options(&svg, ParsingOptions::default()).unwrap();
    let words = |word: &str| {
        let it = document.descendants().find(|node| {
            node.has_tag_name("tspan") && node.text().is_some_and(|text| text.trim() == word)
        });
        let number = |name: &str| it.unwrap().attribute(name).unwrap().parse::<f64>().unwrap();
        [number("x"), number("font-size")]
    };
    let ([start, size], [next, _]) = (words("Plot"), words("behind"));
    let before = face.width("Plot ▁▁▁", size);
    assert!((next - start - before).abs() < 0.01 * size, "{next} {start} {before}");
}

#[test]
fn figures_have_the_width_that_is_asked_for() {
    for count in [1, 2, 3, 6] {
        for millimetres in [60.0, 85.0, 120.0, 175.0, 300.0] {
            let face = face(Words::Outlines);
            let fitted = chart(count).fitted(millimetres * MILLIMETRE, &face);
            let what = format!("{count} plots, {millimetres} mm");
            hold_print(&fitted.svg("a", &face, &paper()), millimetres, &what);
            // A figure that would otherwise be too high has smaller frames.
            let minimum = if fitted.is_compact { 64.0 } else { 100.0 };
            assert!(fitted.plot_size[0] >= minimum, "{what}: {:?}", fitted.plot_size);
        }
    }
}

/// Height of an SVG file in millimetres.
fn height(svg: &str) -> f64 {
    f64::from(Tree::from_str(svg, &Options::default()).unwrap().size().height()) / MILLIMETRE
}

/// Texts of an SVG file, including repetitions.
fn texts(svg: &str) -> Vec<String> {
    let document = Document::parse_with_options(svg, ParsingOptions::default()).unwrap();
    let labels = document.descendants().filter_map(|node| node.attribute("aria-label"));
    labels.map(str::to_owned).collect()
}

#[test]
fn a_figure_of_many_plots_is_low_and_says_nothing_twice() {
    for (count, maximum) in [(2, 100.0), (6, 100.0), (9, 100.0), (12, 130.0), (40, 240.0)] {
        let face = face(Words::Outlines);
        let mut chart = Chart { columns: 3, ..chart(count) };
        for (index, plot) in chart.plots.iter_mut().enumerate() {
            plot.notes = vec!["Cut off where the run ends.".into()];
            // Lines that differ only in colour show the same quantity of another body.
            for mark in &mut plot.marks {
                if let Mark::Line { color, .. } = mark {
                    *color = nth_color(index % 5);
                }
            }
        }
        let fitted = chart.fitted(85.0 * MILLIMETRE, &face);
        let svg = fitted.svg("a", &face, &paper());
        let what = format!("{count} plots");
        hold_print(&svg, 85.0, &what);
        assert!(height(&svg) <= maximum, "{what}: {} mm", height(&svg));
        let texts = texts(&svg);
        for once in ["time, s", "ω² of a mode", "Cut off where the run ends."] {
            assert_eq!(
                texts.iter().filter(|it| *it == once).count(),
                1,
                "{what}: {once} {texts:?}"
            );
        }
        for index in 0..4 {
            let name = format!("method {index} with");
            let found = texts.iter().filter(|it| it.starts_with(&name)).count();
            assert_eq!(found, 1, "{what}: {name} {texts:?}");
        }
        // Every plot exists, with its title.
        for index in 0..count {
            let title = format!("Plot {index}");
            assert_eq!(texts.iter().filter(|it| **it == title).count(), 1, "{what}: {texts:?}");
        }
    }
}

#[test]
fn a_plot_that_sums_up_has_a_row_of_its_own_beside_small_ones() {
    let face = face(Words::Outlines);
    let mut chart = Chart { columns: 3, plot_size: [150.0, 150.0], ..chart(7) };
    chart.plots[6].is_main = true;
    chart.plots[6].x.label = "periods".into();
    // Widths of all frames in order, from their grids and axes.
    let widths = |svg: &str| -> Vec<f64> {
        let axes = svg.split("d=\"M0 0V").skip(1).filter_map(|rest| rest.split_once('H'));
        let width = axes.filter_map(|(_, rest)| rest.split(['M', '"']).next()?.parse().ok());
        width.collect()
    };
    let is_wide = |widths: &[f64]| widths[widths.len() - 1] > 2.0 * widths[0];
    let natural = widths(&chart.svg("a", &face, &paper()));
    assert!(is_wide(&natural), "{natural:?}");
    for millimetres in [85.0, 120.0, 175.0] {
        let fitted = chart.fitted(millimetres * MILLIMETRE, &face);
        let svg = fitted.svg("a", &face, &paper());
        hold_print(&svg, millimetres, "main");
        assert!(height(&svg) <= 1.4 * millimetres, "{millimetres}: {}", height(&svg));
        let widths = widths(&svg);
        assert!(is_wide(&widths), "{millimetres} mm: {widths:?}");
    }
}

const SMALL: &str = "Scene(base: (size: (320, 240), frames: 12, substeps: 16, rest: (limit: 300), rope: (nodes: 4)),
    panels: [(label: \"Euler\", with: (drag: 0.1)), (label: \"Verlet\", with: (integrator: ConstraintVerlet))])";

/// Makes a report of a scene for print.
fn report(args: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.ron"), SMALL).unwrap();
    let first = ["report", "s.ron", "--out", "r", "--quiet"];
    catena().current_dir(&folder).args(first).args(args).assert().success();
    folder
}

fn with_ending(folder: &Path, ending: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder.join("r")).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|it| it == ending))
        .map(|path| (path.file_stem().unwrap().to_str().unwrap().into(), fs::read(path).unwrap()))
        .collect();
    found.sort();
    found
}

#[test]
fn every_figure_fits_a_column() {
    let folder = report(&["--figure-width", "85mm", "--study-time", "0.5"]);
    let found = with_ending(folder.path(), "svg");
    assert!(found.len() > 10);
    for (name, svg) in found {
        hold_print(&String::from_utf8(svg).unwrap(), 85.0, &name);
    }
    let page = fs::read_to_string(folder.path().join("r/index.html")).unwrap();
    assert!(page.contains("--figure-width 85mm"));
}

/// Dots per metre stored in a PNG file.
fn dots_per_metre(png: &[u8]) -> Option<[u32; 2]> {
    let at = png.windows(4).position(|it| it == b"pHYs")?;
    let number =
        |from: usize| u32::from_be_bytes(png[at + from..at + from + 4].try_into().unwrap());
    assert_eq!(png[at + 12], 1, "the unit is the metre");
    Some([number(4), number(8)])
}

#[test]
fn every_command_with_figures_takes_their_width() {
    let folder = tempfile::tempdir().unwrap();
    let reference = "reference: (file: \"d.csv\")";
    let scene = SMALL.replace("(drag: 0.1)", &format!("(drag: 0.1, {reference})"));
    fs::write(folder.path().join("s.ron"), scene).unwrap();
    let data = (0..12).map(|i| format!("{i},{},{}\n", i - 400, 200.0 - 0.5 * f64::from(i * i)));
    let data: String = data.collect();
    fs::write(folder.path().join("d.csv"), format!("t,x,y\n{data}")).unwrap();
    // The data are not a motion of the scene, so `fit` says that the model does not fit.
    let rows: [(&[&str], &str, i32); 5] = [
        (&["report", "s.ron", "--out", "r", "--quiet", "--only", "energy"], "r/energy.png", 0),
        (&["figure", "s.ron", "energy", "-o", "f.png"], "f.png", 0),
        (&["stability", "s.ron", "--figure", "s.png"], "s.png", 0),
        (&["fit", "s.ron", "--vary", "drag=0.1", "--figure", "t.png"], "t.png", 1),
        (
            &["sweep", "s.ron", "--axis", "drag=[0.1,0.2,0.3]", "--out", "w", "--quiet"],
            "w/report",
            0,
        ),
    ];
    for (command, file, code) in rows {
        let path = folder.path().join(file);
        // For a folder, its first picture is used.
        let picture = || match path.is_dir() {
            true => {
                let all = fs::read_dir(&path).unwrap().map(|it| it.unwrap().path());
                let mut all: Vec<_> =
                    all.filter(|it| it.extension().is_some_and(|it| it == "png")).collect();
                all.sort();
                fs::read(&all[0]).unwrap()
            }
            false => fs::read(&path).unwrap(),
        };
        catena().current_dir(&folder).args(command).assert().code(code);
        assert_eq!(dots_per_metre(&picture()), None, "{command:?}");
        catena()
            .current_dir(&folder)
            .args(command)
            .args(["--figure-width", "85mm"])
            .assert()
            .code(code);
        let png = picture();
        assert_eq!(dots_per_metre(&png), Some([7559; 2]), "{command:?}");
        let wide = u32::from_be_bytes(png[16..20].try_into().unwrap());
        assert!(wide.abs_diff(643) <= 1, "{command:?}: {wide} dots at 7559 a metre are 85 mm");
    }
    for command in [&["stability", "s.ron"][..], &["fit", "s.ron", "--vary", "drag"]] {
        let run = catena()
            .current_dir(&folder)
            .args(command)
            .args(["--figure-width", "85mm"])
            .assert()
            .code(2);
        let text = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(text.contains("--figure FILE"), "{command:?}: {text}");
    }
}

#[test]
fn widths_have_units_and_ends() {
    let scene = repository("scenes/compare.ron");
    for (width, expected) in
        [("85", "85mm, 17.5cm or 3.35in"), ("59mm", "60 to 400 mm"), ("1e3cm", "60 to 400 mm")]
    {
        let run =
            catena().arg("report").arg(&scene).args(["--figure-width", width]).assert().code(2);
        let text = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(text.contains(expected), "{width}: {text}");
    }
}

/// The font file embedded in an SVG file.
fn font_of(svg: &str) -> Vec<u8> {
    use base64::{Engine, engine::general_purpose::STANDARD};
    let data = svg.split("data:font/ttf;base64,").nth(1).unwrap().split('"').next().unwrap();
    STANDARD.decode(data).unwrap()
}

#[test]
fn words_that_are_text_bring_the_letters_that_they_need() {
    let svg = chart(2).svg("a", &face(Words::Text), &paper());
    assert!(svg.contains(">Title</tspan>") && svg.contains(">method 0 with a name"), "{svg}");
    assert!(
        svg.contains("@font-face{font-family:\"a-letters\"")
            && svg.contains("font-family=\"a-letters, 'Inter', sans-serif\"")
    );
    let file = font_of(&svg);
    assert!(file.len() < 40_000, "{} bytes are more than a subset", file.len());
    let font = FontArc::try_from_vec(file).unwrap();
    let whole = FontArc::try_from_slice(BUILT_IN).unwrap();
    for letter in "Titleω0123mehod".chars() {
        let [id, own] = [&font, &whole].map(|font| font.glyph_id(letter));
        assert!(id.0 != 0 && font.outline(id).is_some(), "{letter}");
        assert_eq!(font.h_advance_unscaled(id), whole.h_advance_unscaled(own), "{letter}");
        assert_eq!(
            font.outline(id).unwrap().bounds,
            whole.outline(own).unwrap().bounds,
            "{letter}"
        );
    }
    assert_eq!(font.glyph_id('Q').0, 0, "letters that do not occur are left out");
    let pdf = export::pdf(&svg).unwrap();
    assert_eq!(pdf, export::pdf(&svg).unwrap());
}

#[test]
fn a_panel_that_is_lost_is_said_once_a_row_at_any_width() {
    let row = |label, diverged| SheetRow { references: Vec::new(), label, diverged, png: vec![1] };
    let rows = vec![row("lost", Some(63)), row("sound", None), row("lost later", Some(300))];
    let sheet = ContactSheet { rows, frames: vec![0, 74, 149, 224, 299], aspect: 0.6 };
    let study = strip::study(sheet).unwrap();
    assert_eq!(study.remarks, "lost diverged at frame 63. lost later diverged at frame 300.");
    for millimetres in [60.0, 85.0, 175.0, 400.0] {
        let face = face(Words::Outlines);
        let chart = study.chart.fitted(millimetres * 96.0 / 25.4, &face);
        let svg = chart.svg("strip", &face, &paper());
        // A divergence is labelled once per row, and only if a frame after it is shown.
        for (words, count) in [("lost, lost at frame 63", 1), ("sound", 1), ("lost later", 1)] {
            let found = svg.matches(&format!("aria-label=\"{words}\"")).count();
            assert_eq!(found, count, "{words} at {millimetres} mm: {svg}");
        }
        assert_eq!(svg.matches("<image").count(), 3);
    }
}

#[test]
fn words_of_pdf_files_can_be_searched() {
    let text = ["--figure-text", "real", "--study-time", "0.5", "--figure-width"];
    let folder = report(&[&text[..], &["17.5cm"]].concat());
    let second = report(&[&text[..], &["175mm", "--threads", "1"]].concat());
    for ending in ["pdf", "svg", "png"] {
        let [one, two] = [&folder, &second].map(|folder| with_ending(folder.path(), ending));
        assert!(one == two, "bytes of {ending} differ from run to run");
    }
    let has = Command::new("pdftotext").arg("-v").output().is_ok();
    assert!(has || std::env::var_os("CATENA_REQUIRE_PDFINFO").is_none(), "pdftotext is missing");
    if !has {
        return;
    }
    let read = |program: &str, name: &str, args: &[&str]| {
        let path = folder.path().join(format!("r/{name}.pdf"));
        let run = Command::new(program).arg(path).args(args).output().unwrap();
        assert!(run.status.success() && run.stderr.is_empty(), "{run:?}");
        String::from_utf8(run.stdout).unwrap()
    };
    for (name, words) in [
        ("order", ["Semi-implicit Euler: 1.00", "dt, units of time"]),
        ("energy_over_time", ["Verlet", "change of energy"]),
        ("strip", ["frame", "Euler"]),
    ] {
        let text = read("pdftotext", name, &["-"]);
        assert!(words.iter().all(|word| text.contains(word)), "{name}: {text}");
        let fonts = read("pdffonts", name, &[]);
        let row = fonts.lines().nth(2).unwrap();
        assert!(row.contains("+Inter-Regular") && row.contains("yes yes yes"), "{fonts}");
    }
}

/// Fonts of figures.
const FONTS: [(&str, &[u8]); 2] =
    [("ubuntu.ttf", epaint_default_fonts::UBUNTU_LIGHT), ("inter.ttf", BUILT_IN)];

#[test]
fn figures_have_the_font_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.ron"), SIX).unwrap();
    let run = |args: &[&str]| {
        let first = ["figure", "s.ron", "energy", "-o", "e.svg"];
        catena().current_dir(&folder).args(first).args(args).assert()
    };
    let make = |args: &[&str]| {
        run(args).success();
        fs::read_to_string(folder.path().join("e.svg")).unwrap()
    };
    let usual = [make(&[]), make(&["--figure-text", "real"])];
    for (name, bytes) in FONTS {
        fs::write(folder.path().join(name), bytes).unwrap();
        let own = [
            make(&["--figure-font", name]),
            make(&["--figure-text", "real", "--figure-font", name]),
        ];
        let is_same = name == "inter.ttf";
        assert_eq!(own[0] == usual[0], is_same, "{name}: outlines");
        assert_eq!(own[1] == usual[1], is_same, "{name}: text");
        let font = FontArc::try_from_vec(font_of(&own[1])).unwrap();
        let whole = FontArc::try_from_slice(bytes).unwrap();
        let [id, given] = [&font, &whole].map(|font| font.glyph_id('e'));
        assert_eq!(font.outline(id).unwrap().bounds, whole.outline(given).unwrap().bounds);
    }
    for (name, expected) in [("s.ron", "not a TrueType or OpenType"), ("none.ttf", "none.ttf")] {
        let stderr = run(&["--figure-font", name]).code(5);
        let stderr = String::from_utf8_lossy(&stderr.get_output().stderr).into_owned();
        assert!(stderr.contains(expected), "{stderr}");
    }
}

/// Six bodies in a grid, with labels of rows and columns.
const SIX: &str = "Scene(base: (size: (320, 240), frames: 12, rest: (limit: 100), rope: (nodes: 4), drag: 0.05),
    grid: (rows: [(label: \"-s 16\", with: (substeps: 16)), (label: \"-s 128\", with: (substeps: 128))],
        columns: [(label: \"explicit Euler\", with: (integrator: ExplicitEuler)),
            (label: \"semi-implicit Euler\"), (label: \"Verlet\", with: (integrator: ConstraintVerlet))]))";

#[test]
fn figures_of_six_bodies_are_at_most_100_mm_high_in_a_column() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.ron"), SIX).unwrap();
    let args =
        ["report", "s.ron", "--out", "r", "-q", "--figure-width", "85mm", "--study-time", "2"];
    catena().current_dir(&folder).args(args).assert().success();
    let found = with_ending(folder.path(), "svg");
    assert!(found.len() > 10);
    for (name, svg) in found {
        let svg = String::from_utf8(svg).unwrap();
        hold_print(&svg, 85.0, &name);
        assert!(height(&svg) <= 100.0, "{name}: {} mm", height(&svg));
        // Titles of vertical axes are above them, so no text is rotated.
        assert!(!svg.contains("\"matrix(0 -"), "{name}");
    }
}

#[test]
fn frames_of_eight_panels_are_at_most_100_mm_high_in_a_column() {
    let folder = tempfile::tempdir().unwrap();
    let scene = repository("scenes/eight_methods.ron");
    let args = ["strip", "-o", "strip.svg", "--figure-width", "85mm"];
    catena().current_dir(&folder).arg("figure").arg(scene).args(args).assert().success();
    let svg = fs::read_to_string(folder.path().join("strip.svg")).unwrap();
    hold_print(&svg, 85.0, "strip");
    assert!(height(&svg) <= 100.0, "{} mm", height(&svg));
}

#[test]
fn a_report_on_paper_has_a4_pages_and_only_the_figures_that_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.ron"), SIX).unwrap();
    let make = |out: &str, threads: &str| {
        let args = ["report", "s.ron", "--out", out, "-q", "--study-time", "1"];
        let more = ["--only", "strip,energy,order", "--pdf", "paper.pdf", "--threads", threads];
        catena().current_dir(&folder).args(args).args(more).assert().success();
        fs::read(folder.path().join("paper.pdf")).unwrap()
    };
    let pdf = make("r", "1");
    let mut names: Vec<String> =
        with_ending(folder.path(), "svg").into_iter().map(|(name, _)| name).collect();
    names.sort();
    assert_eq!(names, ["energy", "order", "strip"]);
    let page = fs::read_to_string(folder.path().join("r/index.html")).unwrap();
    let command = "--only strip,energy,order --study-time 1 --out r --pdf paper.pdf";
    assert!(page.contains(command));
    assert!(pdf == make("r", "2"), "bytes depend on the threads, or on chance");
    let count = pdf.windows(11).filter(|it| *it == b"/Type /Page").count();
    let boxes = pdf.windows(9).filter(|it| *it == b"/MediaBox").count();
    assert!((2..=6).contains(&boxes) && count == boxes + 1, "{count} {boxes}");
    let Ok(run) = Command::new("pdftotext").arg(folder.path().join("paper.pdf")).arg("-").output()
    else {
        return;
    };
    let text = String::from_utf8(run.stdout).unwrap();
    for part in ["What was found", "Figure 1.", "Figure 3.", "semi-implicit Euler", "Settings"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn unknown_figures_and_a_pdf_over_the_scene_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.ron"), SIX).unwrap();
    for (args, part) in
        [(["--only", "energies"], "energy_over_time"), (["--pdf", "s.ron"], "s.ron")]
    {
        let run = catena().current_dir(&folder).args(["report", "s.ron"]).args(args).output();
        let run = run.unwrap();
        let stderr = String::from_utf8(run.stderr).unwrap();
        assert!(!run.status.success() && stderr.contains(part), "{stderr}");
        assert_eq!(fs::read_to_string(folder.path().join("s.ron")).unwrap(), SIX);
    }
}

/// Figures that a scene cannot have are refused with a reason, not omitted silently.
#[test]
fn figures_that_a_scene_cannot_have_are_refused_with_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.ron"), "Scene(base: (frames: 3, rope: (nodes: 3)))").unwrap();
    for (name, reason) in [
        ("reference", "`reference`"),
        (
            "iterations",
            "corrects lengths \
        iteratively",
        ),
    ] {
        let args = ["report", "s.ron", "--only", name, "-q"];
        let run = catena().current_dir(&folder).args(args).assert().code(2);
        let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(stderr.contains(&format!("the scene has no figure \"{name}\"")), "{stderr}");
        assert!(
            stderr.contains(reason)
                && stderr.contains("the available figures are strip, energy_over_time"),
            "{stderr}"
        );
    }
    // A single figure is counted in the singular.
    let args = ["report", "s.ron", "--only", "path", "--study-time", "1"];
    let run = catena().current_dir(&folder).args(args).assert().success();
    let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(stderr.contains("1 figure and index.html"), "{stderr}");
    assert!(stderr.contains("2 of 2: path"), "{stderr}");
}

#[test]
fn samples_of_a_legend_are_where_its_labels_begin() {
    let folder = tempfile::tempdir().unwrap();
    for (word, is_mirrored) in [("rope ", false), ("חבל ", true)] {
        // Labels that are too long for the space beside the frame.
        let label = word.repeat(14);
        let panel = |number: u32, color: &str| {
            format!("(label: \"{label}{number}\", with: (style: (color: \"{color}\")))")
        };
        let scene = format!(
            "Scene(base: (frames: 20, rope: (nodes: 4), drag: 0.05), panels: [{}, {}])",
            panel(1, "#c80000"),
            panel(2, "#0000c8")
        );
        fs::write(folder.path().join("s.ron"), scene).unwrap();
        let args = ["figure", "s.ron", "energy_over_time", "-o", "e.png"];
        let more = ["--figure-width", "85mm"];
        catena().current_dir(&folder).args(args).args(more).assert().success();
        let picture = image::open(folder.path().join("e.png")).unwrap().to_rgb8();
        let below = picture.height() * 2 / 3;
        let is_sample = |(_, y, pixel): &(u32, u32, &image::Rgb<u8>)| {
            *y > below && [[200, 0, 0], [0, 0, 200]].contains(&pixel.0)
        };
        let samples = picture.enumerate_pixels().filter(is_sample).map(|(x, ..)| x);
        let (first, last) = (samples.clone().min().unwrap(), samples.max().unwrap());
        let middle = picture.width() / 2;
        assert_eq!(first > middle, is_mirrored, "{word}: {first} to {last}");
        assert_eq!(last < middle, !is_mirrored, "{word}: {first} to {last}");
    }
}
