//! Labels of bodies follow one rule.

use crate::{catena, scene_of};
use catena::render::{layout::layout, text::Font};
use image::Rgb;

#[test]
fn a_body_is_called_the_same_everywhere() {
    // A body's own label, preceded by its panel's label if the label is not unique.
    for (panels, expected) in [
        ("(label: \"P\")", &["P"][..]),
        ("(with: (bodies: [(label: \"A\"), (label: \"B\")]))", &["A", "B"]),
        ("(label: \"P\", with: (bodies: [(label: \"A\"), (label: \"B\")]))", &["A", "B"]),
        (
            "(label: \"P\", with: (bodies: [(label: \"A\"), (label: \"B\")])),
             (label: \"Q\", with: (bodies: [(label: \"A\"), (label: \"C\")]))",
            &["P: A", "B", "Q: A", "C"],
        ),
        (
            "(label: \"A\"), (label: \"Q\", with: (bodies: [(label: \"A\"), (label: \"Q\")]))",
            &["A", "Q: A", "Q"],
        ),
        ("(), ()", &["Semi-implicit Euler", "Semi-implicit Euler"]),
    ] {
        assert_eq!(scene_of(&format!("Scene(panels: [{panels}])")).body_labels(), expected);
    }
}

#[test]
fn messages_and_tables_use_that_label() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two.ron");
    let text = "Scene(base: (frames: 2, size: (200, 150), rope: (nodes: 3), rest: (limit: 3)), panels: [
        (label: \"P\", with: (bodies: [(label: \"A\", with: (integrator: ExplicitEuler, substeps: 1, rope: (stiffness: 1e6))), (label: \"B\")]))])";
    std::fs::write(&file, text).unwrap();
    let printed = |words: &[&str]| {
        let out = catena().args(words).arg(&file).current_dir(folder.path()).output().unwrap();
        String::from_utf8(out.stdout).unwrap() + &String::from_utf8(out.stderr).unwrap()
    };
    let render = printed(&["render"]);
    assert!(render.contains("\n\"B\": ") && render.contains("in \"A\", "), "{render}");
    let stability = printed(&["stability", "--csv"]);
    assert!(stability.contains("0,0,A,") && stability.contains("0,1,B,"), "{stability}");
    let stability = printed(&["stability"]);
    assert!(stability.contains("panel 1: A (") && stability.contains("panel 1: B ("));
    for output in [render, printed(&["report", "--study-time", "0.5"])] {
        assert!(!output.contains("P: A"), "{output}");
    }
}

#[test]
fn a_picture_of_one_method_has_a_label_only_if_that_says_something() {
    let rope = "rope: (nodes: 3)";
    let two = "with: (bodies: [(label: \"A\"), (label: \"B\")])";
    for (scene, has_label, has_legend) in [
        (format!("Scene(title: \"T\", base: ({rope}))"), false, false),
        (
            "Scene(title: \"T\", base: (gravity: (0, -1, 0), rope: (start: (0, 0, 0), end: (1, 0, 0))))".to_owned(),
            false,
            false,
        ),
        // Without a title, the label is the picture's only description.
        (format!("Scene(base: ({rope}))"), true, false),
        (format!("Scene(title: \"T\", base: ({rope}), panels: [(label: \"P\")])"), true, false),
        (format!("Scene(title: \"T\", base: ({rope}), panels: [({two})])"), false, true),
        (format!("Scene(title: \"T\", base: ({rope}), panels: [(), ()])"), true, false),
    ] {
        let scene_read = scene_of(&scene);
        let found = layout(&scene_read, [640, 480], &Font::built_in().unwrap(), 1.5).unwrap();
        let panel = &found.panels[0];
        assert_eq!(
            (panel.label.is_some(), panel.legend.is_some()),
            (has_label, has_legend),
            "{scene}"
        );
    }
}

#[test]
fn panels_of_shapes_share_a_legend_if_they_have_the_same() {
    let body = |label: &str, color: &str| {
        format!("(label: \"{label}\", with: (style: (color: \"{color}\")))")
    };
    let panel = |second: &str| {
        format!("(with: (bodies: [{}, {}]))", body("at rest", "#a0a0a0"), body(second, "#0072b2"))
    };
    for (second, is_shapes, is_shared) in
        [("to one side", true, true), ("to the other", true, false), ("to one side", false, false)]
    {
        let panels = format!("{}, {}", panel("to one side"), panel(second));
        let mut scene = scene_of(&format!("Scene(base: (rope: (nodes: 4)), panels: [{panels}])"));
        scene.shapes_only = is_shapes;
        let found = layout(&scene, [640, 480], &Font::built_in().unwrap(), 1.5).unwrap();
        assert_eq!(found.legend.is_some(), is_shared, "{second}");
        assert!(found.panels.iter().all(|panel| panel.legend.is_some() != is_shared), "{second}");
    }
}

/// Columns of a picture that have a pixel in another colour than its corner, within these rows.
fn inked_columns(picture: &image::RgbImage, rows: std::ops::Range<u32>) -> Vec<u32> {
    let page = picture.get_pixel(0, 0);
    let is_inked = |x: &u32| rows.clone().any(|y| picture.get_pixel(*x, y) != page);
    (0..picture.width()).filter(is_inked).collect()
}

#[test]
fn titles_begin_at_the_side_where_their_script_does() {
    for (title, is_right) in [("rope", false), ("חבל", true), ("حبل", true)] {
        let scene = scene_of(&format!(
            "Scene(title: \"{title}\", base: (size: (320, 240), frames: 1, rope: (nodes: 4)))"
        ));
        let picture = catena::job::draw(&scene, 0).unwrap();
        let columns = inked_columns(&picture, 0..24);
        let (first, last) = (columns[0], columns[columns.len() - 1]);
        assert_eq!(first > 160 && last > 300, is_right, "{title}: {first} to {last}");
        assert_eq!(last < 160 && first < 20, !is_right, "{title}: {first} to {last}");
    }
}

#[test]
fn of_two_weights_the_heavier_one_is_larger() {
    let chain = "springs: [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6)]";
    let row = "(-3, 0), (-2, 0), (-1, 0), (0, 0), (1, 0), (2, 0), (3, 0)";
    let loose = "springs: []";
    for (nodes, springs, last, masses) in [
        ("(-3, 0), (3, 0)", loose, 1, [6, 2]),
        ("(-3, 0), (3, 0)", loose, 1, [1000, 400]),
        (row, chain, 6, [500, 100]),
        (row, chain, 6, [20, 8]),
    ] {
        let [left, right] = masses.map(|mass| mass - 1);
        let weights = format!("weights: [(node: 0, mass: {left}), (node: {last}, mass: {right})]");
        let scene = scene_of(&format!(
            "Scene(base: (size: (320, 120), frames: 1, decoration: Bare, gravity: (0, 0), view: (center: (0, 0), extent: (10, 2)), graph: (nodes: [{nodes}], {springs}, mass: 1, {weights})))"
        ));
        let picture = catena::job::draw(&scene, 0).unwrap();
        let page = *picture.get_pixel(0, 0);
        let inked = |from: u32, to: u32| {
            let all = picture.enumerate_pixels().filter(|(_, _, pixel)| **pixel != page);
            all.filter(|(x, _, _)| (from..to).contains(x)).count()
        };
        let [heavy, light] = [inked(0, 160), inked(160, 320)];
        assert!(heavy > light + light / 8, "{masses:?}: {heavy} and {light} pixels");
    }
}

/// Horizontal middle of the pixels of a colour in a picture; `None` if there are none.
fn middle_of(picture: &image::RgbImage, color: [u8; 3], rows: std::ops::Range<u32>) -> Option<f64> {
    let shown = |(x, y, pixel): (u32, u32, &Rgb<u8>)| {
        (pixel.0 == color && rows.contains(&y)).then_some(f64::from(x))
    };
    let all: Vec<f64> = picture.enumerate_pixels().filter_map(shown).collect();
    (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
}

#[test]
fn legends_run_as_their_script_does() {
    let (red, blue) = ([200, 0, 0], [0, 0, 200]);
    for (labels, is_mirrored) in [
        (["rope", "chain"], false),
        (["rope", "חבל"], false),
        (["חבל", "שרשרת"], true),
        (["حبل", "c = -0.5"], true),
        // Digits have no direction.
        (["12", "חבל"], true),
        (["12", "rope"], false),
    ] {
        let body = |label: &str, color: &str| {
            format!("(label: \"{label}\", with: (style: (color: \"{color}\")))")
        };
        let [first, second] = labels;
        let bodies = format!("{}, {}", body(first, "#c80000"), body(second, "#0000c8"));
        let scene = scene_of(&format!(
            "Scene(base: (size: (320, 240), frames: 1, rope: (nodes: 4)), panels: [(with: (bodies: [{bodies}]))])"
        ));
        let picture = catena::job::draw(&scene, 0).unwrap();
        let place = layout(&scene, [320, 240], &Font::built_in().unwrap(), 1.5).unwrap();
        let area = place.panels[0].legend.unwrap();
        let rows = area.y as u32..area.bottom() as u32;
        let [first, second] = [red, blue].map(|ink| middle_of(&picture, ink, rows.clone()));
        let (first, second) = (first.unwrap(), second.unwrap());
        let from = if is_mirrored { f64::from(area.right()) - first } else { first };
        assert!(from < 40.0, "{labels:?}: the first sample is at {first}");
        assert_eq!(first > second, is_mirrored, "{labels:?}: {first} and {second}");
        // The name of the first body follows its sample.
        let name =
            if is_mirrored { first - 24.0..first - 10.0 } else { first + 10.0..first + 24.0 };
        let inked = picture.enumerate_pixels().any(|(x, y, pixel)| {
            rows.contains(&y) && name.contains(&f64::from(x)) && pixel.0.iter().all(|it| *it < 120)
        });
        assert!(inked, "{labels:?}: no name in {name:?}");
    }
}

#[test]
fn samples_of_faint_colours_have_an_outline() {
    for (background, color, is_faint) in [
        ("#f4f5f7", [254, 254, 254], true),
        ("#f4f5f7", [232, 224, 208], true),
        ("#f4f5f7", [192, 0, 0], false),
        ("#101418", [0, 0, 255], true),
        ("#101418", [240, 240, 240], false),
    ] {
        let scene = scene_of(&format!(
            "Scene(base: (size: (320, 240), frames: 1, background: \"{background}\", rope: (nodes: 4), style: (color: \"#{:02x}{:02x}{:02x}\")), panels: [(label: \"1\"), (label: \"2\")])",
            color[0], color[1], color[2]
        ));
        let picture = catena::job::draw(&scene, 0).unwrap();
        let place = layout(&scene, [320, 240], &Font::built_in().unwrap(), 1.5).unwrap();
        let area = place.panels[0].label.unwrap();
        let light = |it: Rgb<u8>| it.0.iter().map(|&channel| i32::from(channel)).sum::<i32>() / 3;
        let theme = catena::render::theme::Theme::of(&scene);
        let ink = light(Rgb(color));
        let around = light(theme.background(&scene));
        // An outline is darker, or on a dark background lighter, than what is on both of its sides.
        let is_outline = |it: Rgb<u8>| match theme.is_light() {
            true => light(it) < ink.min(around) - 40,
            false => light(it) > ink.max(around) + 40,
        };
        let is_in = |x: u32, y: u32| {
            let (x, y) = (x as i32, y as i32);
            (area.x..area.x + 20).contains(&x) && (area.y..area.bottom()).contains(&y)
        };
        let outline =
            picture.enumerate_pixels().filter(|(x, y, it)| is_in(*x, *y) && is_outline(**it));
        assert_eq!(outline.count() > 8, is_faint, "{color:?} on {background}");
    }
}

#[test]
fn weights_of_all_panels_share_one_scale() {
    let panel = |mass: u32| {
        format!("(label: \"{mass}\", with: (rope: (weights: [(node: 3, mass: {mass})])))")
    };
    for masses in [[60, 180], [20, 2000], [7, 9]] {
        let scene = scene_of(&format!(
            "Scene(base: (size: (320, 160), frames: 1, decoration: Bare, rope: (nodes: 4, mass: 1)), grid: (rows: [(label: \"1\")], columns: [{}, {}]))",
            panel(masses[0]),
            panel(masses[1])
        ));
        let picture = catena::job::draw(&scene, 0).unwrap();
        let page = *picture.get_pixel(0, 0);
        let inked = |from: u32| {
            let inside = |x: &u32| (from..from + 160).contains(x);
            let all = picture.enumerate_pixels().filter(|(x, _, it)| inside(x) && **it != page);
            all.count()
        };
        let [light, heavy] = [inked(0), inked(160)];
        assert!(heavy > light, "{masses:?}: {light} and {heavy} pixels");
    }
}
