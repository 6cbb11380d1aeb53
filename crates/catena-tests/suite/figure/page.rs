//! The page of a report in a browser: dark, narrow, wide and on paper.

use super::report::{SMALL, browse, chromium, report};
use catena::figure::{
    chart::{Axis, Chart, Mark, Plot, Typeface},
    page::{ReportPage, paper::pages},
    study::{NumberTable, Study},
};
use catena::render::faces::Faces;
use std::{io::Cursor, path::Path, process::Command};

/// Bodies with many differences, so that their table is wide.
const WIDE: &str = "Scene(
    title: \"Many differences\",
    base: (size: (320, 240), frames: 4, substeps: 16, rest: (limit: 20), rope: (nodes: 4), background: \"#101820\"),
    panels: [
        (label: \"a rope with a long name\", with: (drag: 0.1, gravity: (0, -2))),
        (label: \"Verlet\", with: (integrator: ConstraintVerlet, substeps: 8)),
        (label: \"another\", with: (rope: (stiffness: 300, mass: 2, bending: 5), substeps: 12)),
        (label: \"last\", with: (rope: (damping: 0.1), forces: [PointForce(node: 3, force: (0.1, 0))])),
    ])";

/// Six panels in a column, whose contact sheet is higher than wide.
const SIX: &str = "Scene(
    title: \"Six bodies\",
    base: (
        frames: 20, frame_time: 1, gravity: (0, -1),
        rope: (start: (0, 200), end: (-400, 200), nodes: 16, stiffness: 100, pins: [0]),
    ),
    grid: (
        rows: [
            (label: \"64 steps\", with: (substeps: 64)),
            (label: \"128 steps\", with: (substeps: 128)),
        ],
        columns: [
            (label: \"explicit Euler\", with: (integrator: ExplicitEuler, drag: 0.01)),
            (label: \"semi-implicit Euler\", with: (drag: 0.01)),
            (label: \"Verlet\", with: (integrator: ConstraintVerlet)),
        ],
    ))";

/// Results of a script in pages that a browser shows side by side, each in a frame of this width.
fn found_in(pages: &[(&Path, u32)], script: &str, options: &[&str]) -> Option<Vec<String>> {
    let frame = |(page, width): &(&Path, u32)| {
        format!("<iframe src=\"file://{}\" width={width} height=900></iframe>", page.display())
    };
    let script = format!(
        "onload = () => {{
            const ask = (it) => it.contentWindow.eval(`{script}`);
            document.title = [...document.querySelectorAll('iframe')].map(ask).join('|');
        }};"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frames.html");
    let style = "<style>iframe { border: 0; flex: none } body { display: flex }</style>";
    let frames = pages.iter().map(frame).collect::<String>();
    std::fs::write(&path, format!("<title></title>{style}<body>{frames}</body>")).unwrap();
    // Pages in frames are separate files, which the script has to access.
    let options = [options, &["--allow-file-access-from-files"]].concat();
    let dom = browse(&path, &script, &options)?;
    let title = dom.split("<title>").nth(1)?.split("</title>").next()?;
    Some(title.split('|').map(str::to_owned).collect())
}

#[test]
fn a_page_is_dark_and_whole_for_each_reader() {
    let options = ["--quiet", "--study-time", "0.5"];
    let folders = [SMALL, WIDE].map(|scene| report(scene, &options));
    let [small, wide] = folders.each_ref().map(|it| it.path().join("report/index.html"));
    a_dark_page_has_a_dark_player(&small, &wide);
    a_light_page_stays_as_it_is_and_is_whole_on_any_screen(&small, &wide);
    on_paper_tables_are_whole_and_captions_stay_with_figures(&wide);
}

/// Filters of the player and of the contact sheet, which show the same frames.
const FILTERS: &str = "[...document.querySelectorAll('#frame, #strip svg')]
    .map((it) => getComputedStyle(it).filter).join()";

fn a_dark_page_has_a_dark_player(small: &Path, wide: &Path) {
    let inverted = "invert(0.92) hue-rotate(180deg)";
    let pages = [(small, 800), (wide, 800)];
    let dark = ["--blink-settings=preferredColorScheme=0"];
    let Some(found) = found_in(&pages, FILTERS, &dark) else { return };
    let expected = [format!("{inverted},{inverted}"), "none,none".into()];
    assert_eq!(found, expected, "a frame that is dark itself stays as it is");
}

fn a_light_page_stays_as_it_is_and_is_whole_on_any_screen(small: &Path, wide: &Path) {
    // The page itself never scrolls sideways. On a phone, a table may scroll within its own frame.
    let script = format!(
        "{FILTERS} + ' ' + innerWidth + ' ' + (document.documentElement.scrollWidth <= innerWidth) + ' ' + (() => {{
        const table = document.querySelector('.settings').parentElement;
        const scrolls = getComputedStyle(table).overflowX === 'auto';
        return table.scrollWidth <= table.clientWidth ? 'whole' : scrolls ? 'scrolls' : 'cut off';
    }})()"
    );
    let wanted = [
        (wide, 390, "true"),
        (wide, 768, "true"),
        (wide, 1440, "true whole"),
        (small, 800, "true"),
    ];
    let pages = wanted.map(|(page, width, _)| (page, width));
    let light = ["--blink-settings=preferredColorScheme=1"];
    let Some(all) = found_in(&pages, &script, &light) else { return };
    for ((_, width, wanted), found) in wanted.iter().zip(&all) {
        let start = format!("none,none {width} {wanted}");
        let is_whole = found.starts_with(&start) && !found.contains("cut");
        assert!(is_whole, "{width}: {found}");
    }
    assert_eq!(all.len(), wanted.len());
}

/// A word of a PDF file: its page, its box and its text.
struct Word {
    page: usize,
    x: [f64; 2],
    y: f64,
    text: String,
}

/// Prints a page. Returns the width of its paper and all words on it.
fn printed(page: &Path) -> Option<(f64, Vec<Word>)> {
    let is_needed = std::env::var_os("CATENA_REQUIRE_PDFINFO").is_some();
    let has = Command::new("pdftotext").arg("-v").output().is_ok();
    assert!(has || !is_needed, "pdftotext is missing");
    let profile = tempfile::tempdir().unwrap();
    let pdf = page.with_file_name("printed.pdf");
    let mut browser = chromium(profile.path()).filter(|_| has)?;
    browser.arg("--no-pdf-header-footer").arg(format!("--print-to-pdf={}", pdf.display()));
    browser.arg(format!("file://{}", page.display())).output().unwrap();
    let run = Command::new("pdftotext").arg("-bbox").arg(&pdf).arg("-").output().unwrap();
    let text = String::from_utf8(run.stdout).unwrap();
    let number = |line: &str, name: &str| -> f64 {
        let start = line.find(&format!("{name}=\"")).unwrap() + name.len() + 2;
        line[start..].split('"').next().unwrap().parse().unwrap()
    };
    let (mut width, mut count, mut words) = (0.0, 0, Vec::new());
    for line in text.lines().map(str::trim) {
        if line.starts_with("<page ") {
            (width, count) = (number(line, "width"), count + 1);
        } else if line.starts_with("<word ") {
            let text = line.split('>').nth(1).unwrap().split('<').next().unwrap().to_string();
            let x = [number(line, "xMin"), number(line, "xMax")];
            words.push(Word { page: count, x, y: number(line, "yMin"), text });
        }
    }
    Some((width, words))
}

/// Positions of a sequence of words.
fn find<'a>(words: &'a [Word], text: &str) -> &'a [Word] {
    let wanted: Vec<&str> = text.split(' ').collect();
    let found = words
        .windows(wanted.len())
        .find(|window| window.iter().zip(&wanted).all(|(word, wanted)| word.text == *wanted));
    found.unwrap_or_else(|| panic!("`{text}` is not on paper"))
}

fn on_paper_tables_are_whole_and_captions_stay_with_figures(page: &Path) {
    let Some((width, words)) = printed(page) else { return };
    for word in &words {
        assert!(word.x[0] > 0.0 && word.x[1] < width, "{} is cut off", word.text);
    }
    for text in ["held lengths", "rope with a long", "catena report"] {
        find(&words, text);
    }
    for caption in ["Frames 0,", "Causes of the change", "Height and vertical velocity"] {
        let [first, ..] = find(&words, caption) else { unreachable!() };
        assert!(first.y > 100.0, "{caption}: a figure is on the page before, {}", first.page);
    }
}

#[test]
fn on_paper_a_heading_is_above_a_figure_and_figures_are_whole() {
    let folder = report(SIX, &["--quiet", "--only", "strip,energy"]);
    let Some((width, words)) = printed(&folder.path().join("report/index.html")) else { return };
    // A word of the heading also occurs in the appendix; the heading comes first.
    let start = |text: &str| &find(&words, text)[0];
    let [heading, across, column] = ["Figures", "Frames 0,", "Causes of the"].map(start);
    assert_eq!([across.page, column.page], [heading.page; 2]);
    // The caption in the column is below its chart; the text of the chart is not text in the file.
    assert!(heading.y < across.y && across.y + 150.0 < column.y, "{} {}", across.y, column.y);
    assert!(column.x[1] < width / 2.0, "the caption went on in the other column");
    let [settings, alike] = ["Settings", "The same for all bodies"].map(start);
    assert_eq!([settings.page, alike.page], [heading.page + 1; 2]);
}

/// A figure for paper: across the page if it is a picture, otherwise in a column.
fn figure(index: usize, is_wide: bool, height: f64) -> Study {
    let mark = match is_wide {
        true => {
            let mut png = Cursor::new(Vec::new());
            image::RgbImage::new(2, 2).write_to(&mut png, image::ImageFormat::Png).unwrap();
            Mark::Picture { corners: [[0.0; 2], [1.0; 2]], png: png.into_inner() }
        }
        false => Mark::Text { at: [0.5; 2], text: "narrow".into(), color: image::Rgb([0; 3]) },
    };
    let axis = || Axis { range: Some([0.0, 1.0]), ..Axis::default() };
    let plot = Plot { x: axis(), y: axis(), marks: vec![mark], ..Plot::default() };
    let chart = Chart {
        columns: 1,
        plots: vec![plot],
        plot_size: [if is_wide { 640.0 } else { 280.0 }, height],
        ..Chart::default()
    };
    let (name, caption) = (format!("figure-{index}"), "A caption.".into());
    Study { name, chart, caption, remarks: String::new(), table: NumberTable::default() }
}

#[test]
fn a_heading_stays_with_a_figure_and_columns_fill_the_page_before_a_wide_one() {
    let typeface = Typeface::new(Faces::built_in().unwrap());
    // Thirty findings leave less than half of the first page.
    let findings = (0..30).map(|number| format!("finding {number}")).collect();
    let page = ReportPage { findings, ..ReportPage::default() };
    // Width class and height of each figure, and the page numbers of the heading and of each
    // figure.
    let cases: [(&[(bool, f64)], &[usize]); 4] = [
        (&[(true, 600.0), (false, 200.0), (false, 200.0)], &[0, 1, 0, 0]),
        (&[(true, 200.0), (false, 200.0)], &[0, 0, 1]),
        (&[(true, 600.0)], &[1, 1]),
        (&[(false, 200.0), (true, 600.0)], &[0, 0, 1]),
    ];
    for (figures, expected) in cases {
        let study =
            |(index, (is_wide, height)): (usize, &(bool, f64))| figure(index, *is_wide, *height);
        let studies: Vec<Study> = figures.iter().enumerate().map(study).collect();
        let all = pages(&page, &studies, &typeface);
        let names = (1..=figures.len()).map(|number| format!("aria-label=\"Figure {number}. "));
        let found = ["aria-label=\"Figures\"".to_string()].into_iter().chain(names);
        let place = |text: String| all.iter().position(|page| page.contains(&text));
        let found: Vec<usize> = found.map(|text| place(text).unwrap()).collect();
        assert_eq!(found, expected, "{figures:?}");
    }
}
