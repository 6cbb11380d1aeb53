//! Charts: labels of axes, placement of names, and completeness of their pictures.

use catena::figure::chart::{
    Axis, AxisSpan, CellClass, CellLook, Chart, ColorBar, Dash, Mark, Marker, Plot, Scale,
    Typeface,
    label::pushed_apart,
    paper,
    ticks::{Ticks, ticks},
};
use catena::figure::export;
use catena::render::{
    faces::{Faces, FontFileError},
    palette::nth_color,
};
use resvg::usvg::{
    Options, Tree,
    roxmltree::{Document, ParsingOptions},
};
use std::{fs, process::Command};

fn axis(label: &str, scale: Scale) -> Axis {
    Axis { label: label.into(), scale, ..Axis::default() }
}

fn line(points: Vec<[f64; 2]>, index: usize, label: &str) -> Mark {
    let label = Some(label.into());
    Mark::Line { points, color: nth_color(index), label, dash: Dash::Solid, width: 1.5 }
}

fn chart(scale: Scale, marks: Vec<Mark>) -> Chart {
    Chart {
        title: "Title <&>".into(),
        caption: "A \"caption\".".into(),
        columns: 1,
        plots: vec![Plot {
            x: axis("t / s", scale),
            y: axis("x / m", scale),
            marks,
            ..Plot::default()
        }],
        plot_size: [300.0, 200.0],
        ..Chart::default()
    }
}

/// Marks of every kind in two plots.
fn all_marks() -> Chart {
    let up = |height: f64| -> Vec<[f64; 2]> {
        (0..50).map(|i| [f64::from(i) * 0.1, height * f64::from(i * i)]).collect()
    };
    let mut chart = chart(
        Scale::Linear,
        vec![
            Mark::Area {
                upper: up(0.02),
                lower: up(0.0),
                color: nth_color(3),
                label: Some("area".into()),
            },
            line(up(0.01), 0, "line, with \"quotes\""),
            Mark::Points {
                points: up(0.005),
                color: nth_color(1),
                label: Some("points".into()),
                shape: Marker::Ring,
                size: 5.0,
            },
            Mark::Rule {
                at: 1.0 / 3.0,
                is_horizontal: true,
                color: nth_color(2),
                label: Some("limit".into()),
                dash: Dash::Dashed,
            },
            Mark::Text { at: [1.0, 20.0], text: "√λ ≤ 2".into(), color: nth_color(4) },
        ],
    );
    let names = [CellClass::named("one", nth_color(5)), CellClass::hatched("two", nth_color(5))];
    let mut second = chart.plots[0].clone();
    second.title = Some("map".into());
    second.marks = vec![Mark::Cells {
        x_edges: vec![0.0, 1.0, 2.0],
        y_edges: vec![0.0, 0.1, 0.3],
        values: vec![0, 1, 1, 7],
        classes: names.to_vec(),
    }];
    chart.plots.push(second);
    chart.columns = 2;
    chart
}

/// Lines of text in a picture, from its labels.
fn texts(svg: &str) -> Vec<String> {
    let document = Document::parse_with_options(svg, ParsingOptions::default()).unwrap();
    let labels = document.descendants().filter_map(|node| node.attribute("aria-label"));
    labels.map(String::from).collect()
}

/// Reads a picture with an independent reader, and checks for content that no picture may have.
fn check(svg: &str) {
    let tree = Tree::from_str(svg, &Options::default()).unwrap();
    assert!(tree.size().width() > 50.0 && tree.size().width() < 5000.0);
    assert!(tree.size().height() > 50.0 && tree.size().height() < 5000.0);
    for path in svg.split(" d=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(!path.contains("NaN") && !path.contains("inf"), "{path}");
    }
    let document = Document::parse_with_options(svg, ParsingOptions::default()).unwrap();
    let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    for node in document.descendants().filter(|node| node.has_tag_name("use")) {
        let link = ("http://www.w3.org/1999/xlink", "href");
        let target = node.attribute(link).unwrap().trim_start_matches('#');
        assert_eq!(ids.iter().filter(|id| **id == target).count(), 1, "{target}");
    }
}

fn of(scale: Scale, from: f64, to: f64, maximum: usize) -> Ticks {
    ticks(&AxisSpan { scale, from, to }, maximum)
}

#[test]
fn ticks_stand_at_round_numbers_and_cover_the_range() {
    for (from, to) in [
        (0.0, 1.0),
        (-3.7, 12.2),
        (0.0, 9.999),
        (1e-9, 3e-9),
        (-1e300, 1e300),
        (1e5, 1.2e6),
        (100.000_01, 100.000_02),
        (5.0, -5.0),
        (-7e-5, -6e-5),
    ] {
        for maximum in [3, 6, 10] {
            let ticks = of(Scale::Linear, from, to, maximum);
            let values: Vec<f64> = ticks.major.iter().map(|tick| tick.value).collect();
            let count = values.len();
            assert!((1..=maximum + 1).contains(&count), "{from}..{to}: {values:?}");
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            let step = (sorted[count - 1] - sorted[0]) / (count.max(2) - 1) as f64;
            let digits = format!("{step:.3e}");
            assert!(
                count == 1 || ["1.000", "2.000", "5.000"].contains(&&digits[..5]),
                "{values:?}"
            );
            // Each end is at most one step away from a tick.
            let [low, high] = [f64::min(from, to), f64::max(from, to)];
            if count > 1 {
                assert!(sorted[0] - low < step * 1.01 && high - sorted[count - 1] < step * 1.01);
            }
            let mut labels: Vec<&String> = ticks.major.iter().map(|tick| &tick.label).collect();
            labels.dedup();
            assert_eq!(labels.len(), count, "{labels:?}");
            assert!(labels.iter().all(|label| label.chars().count() <= 7), "{labels:?}");
        }
    }
}

#[test]
fn numbers_at_ticks_are_short() {
    let table: [(Scale, f64, f64, usize, &str, Option<&str>); 9] = [
        (Scale::Linear, 0.0, 1.0, 5, "0 0.2 0.4 0.6 0.8 1.0", None),
        (Scale::Linear, -2.0, 2.0, 4, "−2 −1 0 1 2", None),
        (Scale::Linear, 0.0, 4e-6, 4, "0 1 2 3 4", Some("×10⁻⁶")),
        (Scale::Linear, 0.0, 3e5, 3, "0 100 200 300", Some("×10³")),
        (Scale::Linear, 1e6, 1e6 + 0.2, 2, "0 0.1 0.2", Some("+ 1000000")),
        (Scale::Log, -6.0, -3.0, 6, "10⁻⁶ 10⁻⁵ 10⁻⁴ 10⁻³", None),
        (Scale::Log, -2.0, 1.0, 6, "0.01 0.1 1 10", None),
        (Scale::Log, -300.0, 300.0, 7, "10⁻³⁰⁰ 10⁻²⁰⁰ 10⁻¹⁰⁰ 10⁰ 10¹⁰⁰ 10²⁰⁰ 10³⁰⁰", None),
        (Scale::Log, 0.0, 1.0, 5, "1 2 5 10", None),
    ];
    for (scale, from, to, maximum, labels, factor) in table {
        let ticks = of(scale, from, to, maximum);
        let written: Vec<&str> = ticks.major.iter().map(|tick| tick.label.as_str()).collect();
        assert_eq!(written.join(" "), labels);
        assert_eq!(ticks.factor.as_deref(), factor);
    }
}

#[test]
fn names_are_pushed_apart_and_no_further() {
    let free = pushed_apart(&[10.0, 40.0], 12.0, [0.0, 100.0]).unwrap();
    assert_eq!(free, [10.0, 40.0]);
    let close = pushed_apart(&[50.0, 50.0, 50.0], 10.0, [0.0, 100.0]).unwrap();
    assert_eq!(close, [40.0, 50.0, 60.0]);
    let at_the_border = pushed_apart(&[99.0, -5.0, 98.0], 10.0, [0.0, 100.0]).unwrap();
    assert_eq!(at_the_border, [100.0, 0.0, 90.0]);
    assert_eq!(pushed_apart(&[0.0; 12], 10.0, [0.0, 100.0]), None);
    assert_eq!(pushed_apart(&[], 10.0, [0.0, 100.0]), Some(Vec::new()));

    let wanted: Vec<f64> = (0..25).map(|i| f64::from(i * i * 37 % 101)).collect();
    let mut heights = pushed_apart(&wanted, 12.0, [0.0, 300.0]).unwrap();
    heights.sort_by(f64::total_cmp);
    assert!(heights[0] >= 0.0 && heights[24] <= 300.0);
    assert!(heights.windows(2).all(|pair| pair[1] - pair[0] > 12.0 - 1e-9));
}

#[test]
fn each_name_stands_once() {
    // Names are at the ends of lines, or in the legend if too many lines have names.
    for count in [1, 8, 60] {
        let lines = (0..count).map(|i| {
            let height = f64::from(i) * 1e-3;
            line(vec![[0.0, 0.0], [1.0, height]], i as usize, &format!("name {i}"))
        });
        let svg = chart(Scale::Linear, lines.collect()).svg("a", &face(), &paper());
        check(&svg);
        let texts = texts(&svg);
        for i in 0..count {
            let name = format!("name {i}");
            assert_eq!(texts.iter().filter(|text| **text == name).count(), 1, "{name}");
        }
    }
}

fn face() -> Typeface {
    Typeface::new(Faces::built_in().unwrap())
}

#[test]
fn pictures_are_valid_and_the_same_every_time() {
    let chart = all_marks();
    let svg = chart.svg("a-b", &face(), &paper());
    check(&svg);
    assert_eq!(svg, chart.svg("a-b", &face(), &paper()));
    assert!(svg.contains("<title id=\"a-b-title\">Title &lt;&amp;&gt;</title>"));
    let picture = export::png(&svg, 2.0).unwrap();
    assert_eq!(picture, export::png(&svg, 2.0).unwrap());
    assert!(picture.width() > 1200);
    let pdf = export::pdf(&svg).unwrap();
    assert_eq!(pdf, export::pdf(&svg).unwrap());
    assert!(pdf.starts_with(b"%PDF-1.") && pdf.trim_ascii_end().ends_with(b"%%EOF"));
    let text = String::from_utf8_lossy(&pdf);
    assert!(!text.contains("CreationDate") && !text.contains("/ID"));
    assert!(export::png("<svg", 1.0).is_err() && export::png(&svg, 1e4).is_err());
}

#[test]
fn a_reader_of_pdf_agrees() {
    let svg = all_marks().svg("a", &face(), &paper());
    let size = Tree::from_str(&svg, &Options::default()).unwrap().size();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chart.pdf");
    fs::write(&path, export::pdf(&svg).unwrap()).unwrap();
    let Ok(output) = Command::new("pdfinfo").arg(&path).output() else {
        assert!(std::env::var_os("CATENA_REQUIRE_PDFINFO").is_none(), "pdfinfo is missing");
        return;
    };
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    // A CSS pixel is 3/4 of a point.
    let points = format!("{} x {} pts", size.width() * 0.75, size.height() * 0.75);
    assert!(text.contains("Pages:           1") && text.contains(&points), "{text}");
}

#[test]
fn data_without_a_range_still_makes_a_chart() {
    let table: Vec<Vec<[f64; 2]>> = vec![
        vec![],
        vec![[3.0, 401.2]],
        vec![[0.0, 5.0], [1.0, 5.0]],
        vec![[f64::NAN, 1.0], [f64::INFINITY, f64::NEG_INFINITY]],
        vec![[0.0, -1e300], [1.0, 1e300], [2.0, f64::MAX], [3.0, f64::MIN]],
        vec![[1e-300, 1e300], [1e300, 1e-300]],
        vec![[5e-324, f64::MAX], [1.0, -1.0], [0.0, 0.0]],
        vec![[1e15, 1e15], [1e15 + 1.0, 1e15 + 0.125]],
    ];
    for (index, points) in table.iter().enumerate() {
        for scale in [Scale::Linear, Scale::Log] {
            let mut marks = vec![line(points.clone(), 0, "a line")];
            marks.push(Mark::Points {
                points: points.clone(),
                color: nth_color(1),
                label: Some("points".into()),
                shape: Marker::Cross,
                size: f64::NAN,
            });
            marks.push(Mark::Area {
                upper: points.clone(),
                lower: vec![[0.0, 0.0]; points.len()],
                color: nth_color(2),
                label: None,
            });
            let mut chart = chart(scale, marks);
            chart.plots[0].equal_aspect = index % 2 == 0;
            check(&chart.svg("a", &face(), &paper()));
        }
    }
    let log = chart(Scale::Log, vec![line(vec![[1.0, 2.0], [2.0, -1.0], [3.0, 0.0]], 0, "a")]);
    let texts = texts(&log.svg("a", &face(), &paper()));
    assert!(texts.contains(&"2 points at or below 0 left out".into()), "{texts:?}");
    let empty = Chart { plots: Vec::new(), columns: 0, ..log };
    check(&empty.svg("9 a", &face(), &paper()));
}

#[test]
fn letters_without_an_outline_are_told() {
    let face = face();
    assert!(face.missing("√μωρλ²⁻×·−→≤° ₀ q̇ Üß\n").is_empty());
    assert_eq!(face.missing("绳 a 子 绳"), ['子', '绳']);
    let mut chart = all_marks();
    chart.plots[0].x.label = "时间 t / s".into();
    assert_eq!(chart.missing(&face), ['时', '间']);
    let texts = texts(&chart.svg("a", &face, &paper()));
    assert!(texts.iter().any(|text| text.starts_with("2 characters are missing")));

    // Another font is used for letters that it has.
    let with = |file: Vec<u8>| Faces::built_in().unwrap().with_fallback(file).map(Typeface::new);
    let ubuntu = epaint_default_fonts::UBUNTU_LIGHT;
    assert_eq!(face.missing("Ə"), ['Ə']);
    assert!(with(ubuntu.to_vec()).unwrap().missing("Ə a").is_empty());
    assert_eq!(with(b"no font".to_vec()).err(), Some(FontFileError::Unreadable));
    // A font without outlines: it maps its letters, but every glyph is empty.
    let mut hollow = ubuntu.to_vec();
    let count = usize::from(u16::from_be_bytes([hollow[4], hollow[5]]));
    let record = (0..count).map(|i| 12 + 16 * i).find(|at| &hollow[*at..at + 4] == b"loca");
    let word = |at: usize| u32::from_be_bytes(ubuntu[at..at + 4].try_into().unwrap()) as usize;
    let (start, length) = record.map(|at| (word(at + 8), word(at + 12))).unwrap();
    hollow[start..start + length].fill(0);
    assert_eq!(with(hollow).err(), Some(FontFileError::NoOutlines));
}

#[test]
fn numbers_read_back_to_the_same_bits() {
    let chart = all_marks();
    let text = chart.csv();
    let mut rows = text.lines();
    assert_eq!(rows.next(), Some("plot,title,mark,kind,label,x,y,x2,y2"));
    let Mark::Line { points, .. } = &chart.plots[0].marks[1] else { panic!() };
    let lines = rows.clone().filter(|row| row.starts_with("1,,2,line,"));
    for (row, point) in lines.zip(points) {
        let rest = row.strip_prefix("1,,2,line,\"line, with \"\"quotes\"\"\",").unwrap();
        let numbers: Vec<f64> = rest.split(',').take(2).map(|cell| cell.parse().unwrap()).collect();
        assert_eq!(numbers, point);
    }
    assert!(text.contains("\n1,,4,rule,limit,,0.3333333333333333,,\n"));
    assert!(text.contains("\n2,map,1,cells,two,1.0,0.0,2.0,0.1\n"));
    assert_eq!(rows.count(), 50 * 3 + 2 + 4);
}

#[test]
fn a_pdf_of_many_pictures_is_the_same_each_time() {
    let png = |value: u8| {
        let mut bytes = Vec::new();
        let image = image::RgbImage::from_pixel(4, 4, image::Rgb([value, 0, 0]));
        image.write_to(&mut std::io::Cursor::new(&mut bytes), image::ImageFormat::Png).unwrap();
        bytes
    };
    let picture = |value: u8| Plot {
        marks: vec![Mark::Picture { corners: [[0.0, 0.0], [1.0, 1.0]], png: png(value) }],
        ..Plot::default()
    };
    let plots = (0..12).map(picture).collect();
    let chart = Chart { columns: 4, plots, plot_size: [40.0, 40.0], ..Chart::default() };
    let svg = chart.svg("a", &face(), &paper());
    let pdf = export::pdf(&svg).unwrap();
    let text = String::from_utf8_lossy(&pdf).into_owned();
    let names = text.lines().filter(|line| line.trim().starts_with("/xo"));
    let names: Vec<&str> = names.collect();
    assert!(names.len() == 12 && names.is_sorted(), "{names:?}");
    assert_eq!(pdf, export::pdf(&svg).unwrap());
}

#[test]
fn color_bars_have_round_ticks_and_place_every_value() {
    let inks: Vec<_> = (0..64).map(nth_color).collect();
    let cases = [
        (Scale::Linear, [0.013, 0.187], false, "0.15"),
        (Scale::Log, [3.3e-5, 8.3], false, "10⁻³"),
        (Scale::SymLog(1), [-3000.0, 1e9], false, "10⁵"),
        (Scale::Linear, [4.0, 9.0], true, "8"),
    ];
    for (scale, ends, is_whole, tick) in cases {
        let bar = ColorBar::new("strain".into(), scale, ends, inks.clone());
        let bar = ColorBar { is_whole, ..bar };
        for index in 0..64 {
            let [from, to] = bar.values_of(index);
            let within = from + 0.5 * (to - from);
            assert_eq!(bar.place(within), Some(index), "{scale:?}: {from} to {to}");
        }
        assert!(bar.place(ends[0]).is_some() && bar.place(ends[1]).is_some());
        let cells = Mark::Cells {
            x_edges: vec![0.0, 1.0, 2.0],
            y_edges: vec![0.0, 1.0],
            values: vec![0, 1],
            classes: vec![
                CellClass { name: String::new(), ink: nth_color(0), look: CellLook::Shade },
                CellClass::hatched("diverged", nth_color(1)),
            ],
        };
        let chart = Chart { color_bar: Some(bar), ..chart(Scale::Linear, vec![cells]) };
        let svg = chart.svg("a", &face(), &paper());
        check(&svg);
        let texts = texts(&svg);
        assert!(texts.iter().any(|text| text == tick), "{scale:?}: {texts:?}");
        assert!(["strain", "diverged"].iter().all(|name| texts.iter().any(|text| text == name)));
        let from = texts.iter().position(|text| text == "strain").unwrap();
        let has_fraction = texts[from..].iter().any(|text| text.contains('.'));
        assert!(!(is_whole && has_fraction), "{texts:?}");
    }
}

/// Numbers along an axis of a narrow plot.
#[test]
fn an_axis_has_two_labelled_ticks_however_narrow_it_is() {
    for (ends, width) in [([-450.0, 450.0], 90.0), ([-4.5, 4.5], 60.0), ([0.0, 9e4], 70.0)] {
        let marks = vec![line(vec![[ends[0], 0.0], [ends[1], 1.0]], 0, "")];
        let mut narrow = chart(Scale::Linear, marks);
        narrow.plot_size = [width, 100.0];
        narrow.plots[0].x.range = Some(ends);
        narrow.plots[0].y.is_hidden = true;
        let svg = narrow.svg("a", &face(), &paper());
        let numbers = texts(&svg);
        let is_number = |text: &&String| text.replace('−', "-").parse::<f64>().is_ok();
        assert!(numbers.iter().filter(is_number).count() >= 2, "{ends:?}: {numbers:?}");
    }
}

/// Position of a text in a figure: its own translation and those of its parent groups.
fn place_of(svg: &str, text: &str) -> [f64; 2] {
    let document = Document::parse_with_options(svg, ParsingOptions::default()).unwrap();
    let node = document.descendants().find(|it| it.attribute("aria-label") == Some(text)).unwrap();
    node.ancestors().filter_map(|it| it.attribute("transform")).fold([0.0; 2], |[x, y], shift| {
        let numbers = shift.trim_end_matches(')').split([' ', ',', '(']);
        let numbers: Vec<f64> = numbers.filter_map(|part| part.parse().ok()).collect();
        let [.., right, down] = numbers[..] else { panic!("{shift}") };
        [x + right, y + down]
    })
}

#[test]
fn titles_of_a_row_have_one_height_and_names_below_part_no_columns() {
    let one = chart(Scale::Linear, vec![line(vec![[0.0, 0.0], [1.0, 1.0]], 0, "")]);
    let plot = |title: &str, label: &str| {
        let mut plot = one.plots[0].clone();
        (plot.title, plot.y.label) = (Some(title.into()), label.into());
        plot
    };
    let svg = |last: &str| {
        let mut wide = one.clone();
        wide.columns = 3;
        wide.plots = vec![plot("A", "x"), plot("B", ""), plot("C", "x"), plot("D", "x")];
        wide.plots[3].marks = vec![line(vec![[0.0, 0.0], [1.0, 1.0]], 0, last)];
        wide.svg("a", &face(), &paper())
    };
    let [short, long] = [svg("e"), svg("a name as long as that of no other line")];
    assert_eq!(place_of(&short, "A")[1], place_of(&short, "B")[1]);
    // The name of the line in the last row is below the other columns.
    assert_eq!(place_of(&short, "C"), place_of(&long, "C"));
}
