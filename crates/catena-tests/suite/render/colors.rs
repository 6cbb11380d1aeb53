//! Colours: they contrast with light and dark backgrounds, are distinguishable, and are equal in
//! frames and figures.

use crate::{catena, scene_of};
use catena::figure::study::subjects;
use catena::render::{
    palette::{
        DISTINCT, contrast, distinct_colors, method_color, method_family, nth_shade, readable,
    },
    scene_inks,
    theme::Theme,
};
use catena::scene::{Color, Scene};
use catena::sim::method::METHODS;
use image::Rgb;

const WHITE: Rgb<u8> = Rgb([255; 3]);
const BLACK: Rgb<u8> = Rgb([0; 3]);

/// Backgrounds of bodies: panels and pages on light, dark and other backgrounds.
fn backgrounds() -> Vec<Rgb<u8>> {
    let of = |color: [u8; 3]| {
        let theme = Theme::new(Color(color));
        [theme.panel, theme.page]
    };
    let colors = [[244, 245, 247], [21, 24, 29], [0; 3], [255; 3], [0, 60, 120], [255, 220, 160]];
    colors.into_iter().flat_map(of).chain([Rgb([128; 3])]).collect()
}

#[test]
fn every_method_stands_out_from_every_background() {
    for background in backgrounds() {
        for method in METHODS {
            let found = contrast(method_color(method.name, background), background);
            assert!(found >= 3.0, "{} on {background:?}: {found:.2}", method.name);
        }
        for index in 0..24 {
            assert!(
                contrast(nth_shade(index, background), background) >= 3.0,
                "{index} on {background:?}"
            );
        }
    }
}

#[test]
fn members_of_a_family_differ_in_lightness() {
    // Panels of the default background, of a dark one, and paper.
    for background in [WHITE, Theme::new(Color([21, 24, 29])).panel, BLACK] {
        let colors: Vec<_> =
            METHODS.iter().map(|it| (it, method_color(it.name, background))).collect();
        for (index, (method, color)) in colors.iter().enumerate() {
            for (other, same) in &colors[..index] {
                assert!(color != same, "{} and {} on {background:?}", method.name, other.name);
                let families = [method, other].map(|it| {
                    let family = method_family(it.name);
                    let list = "crates/catena-draw/src/palette.rs: add it to FAMILIES";
                    family.unwrap_or_else(|| panic!("{}: {list}", it.name))[0]
                });
                let ratio = contrast(*color, *same);
                assert!(
                    families[0] != families[1] || ratio > 1.12,
                    "{} and {} on {background:?}: {ratio:.3}",
                    method.name,
                    other.name
                );
            }
        }
    }
    let mut listed: Vec<_> = (0..24).map(|index| nth_shade(index, WHITE).0).collect();
    listed.sort_unstable();
    listed.dedup();
    assert_eq!(listed.len(), 24);
}

/// A colour after the filter of a dark page, `invert(0.92) hue-rotate(180deg)`.
fn turned_over(color: Rgb<u8>) -> Rgb<u8> {
    let inverted = color.0.map(|channel| 0.92 - 0.84 * f64::from(channel) / 255.0);
    let grey = 2.0 * (0.213 * inverted[0] + 0.715 * inverted[1] + 0.072 * inverted[2]);
    Rgb(inverted.map(|channel| (255.0 * (grey - channel)).clamp(0.0, 255.0).round() as u8))
}

#[test]
fn figures_are_read_on_a_dark_page() {
    let page = Rgb([20, 24, 29]);
    for method in METHODS {
        let found = contrast(turned_over(method_color(method.name, WHITE)), page);
        assert!(found >= 3.0, "{}: {found:.2}", method.name);
    }
}

/// Colours of all bodies in frames on paper, which are equal to those in figures.
fn inks(scene: &Scene) -> Vec<Rgb<u8>> {
    let inks: Vec<_> = scene_inks(scene, WHITE).concat();
    let figures: Vec<_> = subjects(scene).iter().map(|it| it.look.color).collect();
    let read: Vec<_> = inks.iter().map(|ink| readable(*ink, WHITE)).collect();
    assert_eq!(figures, read);
    inks
}

fn panels(list: &[&str]) -> Scene {
    let panels: Vec<String> = list.iter().map(|with| format!("(with: ({with}))")).collect();
    scene_of(&format!("Scene(panels: [{}])", panels.join(", ")))
}

#[test]
fn frames_and_figures_give_a_body_one_colour() {
    let own = |name: &str| method_color(name, WHITE);
    let hue = |name: &str| distinct_colors(&[name], WHITE)[0];
    let (euler, rk4) = ("integrator: SemiImplicitEuler", "integrator: Rk4");
    assert_eq!(inks(&panels(&[euler, rk4])), [hue("SemiImplicitEuler"), hue("Rk4")]);
    let explicit = "integrator: ExplicitEuler";
    assert_eq!(inks(&panels(&[euler, explicit])), [hue("SemiImplicitEuler"), hue("ExplicitEuler")]);
    // Two or three bodies of one method have different hues; a series has shades of the method's
    // hue, from light to dark on paper.
    for count in 2..=3 {
        let names = vec!["SemiImplicitEuler"; count];
        assert_eq!(inks(&panels(&vec![euler; count])), distinct_colors(&names, WHITE));
    }
    for count in 4..=6 {
        let found = inks(&panels(&vec![euler; count]));
        let contrasts: Vec<f64> = found.iter().map(|ink| contrast(*ink, WHITE)).collect();
        assert!(contrasts.windows(2).all(|pair| pair[1] > 1.15 * pair[0]), "{contrasts:?}");
    }
    // Many bodies get colours of the list, and very many get the method's colour.
    let twelve = inks(&panels(&[rk4; 12]));
    assert!(twelve.iter().enumerate().all(|(index, ink)| *ink == nth_shade(index, WHITE)));
    assert!(inks(&panels(&[rk4; 25])).iter().all(|ink| *ink == own("Rk4")));
    // The scene's own colours take precedence, in both.
    let given =
        inks(&panels(&["style: (color: \"#123456\")", euler, "style: (color: \"yellow\")"]));
    assert_eq!(given, [Rgb([18, 52, 86]), hue("SemiImplicitEuler"), Rgb([255, 255, 0])]);
}

#[test]
fn a_body_of_coloured_parts_is_called_by_the_first_ones_colour() {
    let part = |y: f64, color: &str| {
        format!(
            "(with: (rope: (start: (0, {y}), end: (1, {y}), nodes: 3), style: (color: \"{color}\")))"
        )
    };
    let parts = [part(0.0, "#123456"), part(1.0, "#abcdef")].join(", ");
    let scene = scene_of(&format!("Scene(base: (parts: [{parts}]))"));
    assert_eq!(scene_inks(&scene, WHITE), [[Rgb([18, 52, 86])]]);
}

/// The legend stroke of a panel with only a rig has the colour of the drawn parts, in this order:
/// the rig's own colour, the file's, the colour of skins without one, or the colour of bones.
#[test]
fn a_rig_alone_is_called_by_the_colour_of_what_is_drawn() {
    let theme = Theme::new(scene_of("Scene()").background);
    let clay = {
        let file = crate::repository("scenes/figure.glb").display().to_string();
        let scene = panels(&[&format!("gravity: (0, 0, 0), rig: (file: {file:?})")]);
        let rig = scene.panels[0].bodies[0].rig.clone().unwrap();
        assert_eq!(inks(&scene), [Rgb(rig.rig.skins[0].color.unwrap())]);
        inks(&scene)[0]
    };
    assert_ne!(clay, theme.skin);
    for (fields, expected) in [
        ("skin: Tube(radius: 0.1), color: \"#123456\"", Rgb([18, 52, 86])),
        ("skin: Tube(radius: 0.1), color: \"#123456\", show: All", Rgb([18, 52, 86])),
        ("skin: Tube(radius: 0.1)", theme.skin),
        ("skin: Tube(radius: 0.1), color: \"#123456\", show: Bones", theme.bone),
        ("color: \"#123456\"", theme.bone),
        ("show: None", distinct_colors(&["SemiImplicitEuler"], WHITE)[0]),
    ] {
        // The colour of an absent rope is irrelevant.
        let style = if fields == "show: None" { "" } else { ", style: (color: \"yellow\")" };
        let bones = "bones: [(name: \"a\", length: 1)]";
        let scene = panels(&[&format!("gravity: (0, 0, 0), rig: ({bones}, {fields}){style}")]);
        assert_eq!(inks(&scene), [expected], "{fields}");
    }
}

#[test]
fn a_report_says_the_same_of_several_bodies_once_and_in_short_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let scene = "Scene(base: (frames: 3, size: (320, 240), rest: (limit: 3), rope: (nodes: 3)), panels: [
        (label: \"a\", with: (substeps: 12)), (label: \"b\", with: (substeps: 13)), (label: \"c\", with: (substeps: 14))])";
    std::fs::write(folder.path().join("s.ron"), scene).unwrap();
    catena().current_dir(&folder).args(["report", "s.ron", "--out", "r", "-q"]).assert().success();
    let page = std::fs::read_to_string(folder.path().join("r/index.html")).unwrap();
    let message = "No segments at rest of &quot;a&quot;, &quot;b&quot; and &quot;c&quot;: each body does not come to rest within 3 frames.";
    assert_eq!(page.matches("No segments at rest").count(), 1);
    assert!(page.contains(message));
    assert!(page.contains("0.08333") && !page.contains("0.083333"), "four digits");
    assert!(!page.contains("closes to 0 of"));
}

/// Matrices from linear light to the light perceived without red, green or blue cones (Machado,
/// Oliveira and Fernandes 2009).
const BLINDNESS: [[[f64; 3]; 3]; 3] = [
    [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
];

/// Linear light of a colour.
fn light(ink: Rgb<u8>) -> [f64; 3] {
    ink.0.map(|channel| {
        let value = f64::from(channel) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { libm::pow((value + 0.055) / 1.055, 2.4) }
    })
}

fn times(matrix: [[f64; 3]; 3], of: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row.iter().zip(of).map(|(a, b)| a * b).sum())
}

/// Oklab coordinates of linear light (Ottosson 2020).
fn oklab(light: [f64; 3]) -> [f64; 3] {
    let cones = [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ];
    let lab = [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ];
    times(lab, times(cones, light).map(|it| libm::cbrt(it.max(0.0))))
}

/// Minimum distance of two colours in Oklab, times 100, over all kinds of colour vision. A distance
/// of 2 is barely visible.
fn least_distance(a: Rgb<u8>, b: Rgb<u8>) -> f64 {
    let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let readers = BLINDNESS.into_iter().chain([identity]);
    let distance = |reader: [[f64; 3]; 3]| {
        let [a, b] = [a, b].map(|ink| oklab(times(reader, light(ink))));
        let square: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
        100.0 * square.sqrt()
    };
    readers.map(distance).fold(f64::INFINITY, f64::min)
}

/// In a scene of two methods, and of as many methods as there are hues, all colours are visible and
/// distinguishable with every kind of colour vision, on a light and on a dark background.
#[test]
fn methods_of_one_scene_are_told_apart_by_colour_blind_readers() {
    let check = |methods: &[&str], background: Rgb<u8>| {
        let inks = distinct_colors(methods, background);
        for (index, ink) in inks.iter().enumerate() {
            assert!(contrast(*ink, background) >= 3.0, "{} on {background:?}", methods[index]);
            for (other, same) in inks[..index].iter().enumerate() {
                let found = least_distance(*ink, *same);
                let pair = [methods[index], methods[other]];
                assert!(found >= 8.0, "{pair:?} on {background:?}: {found:.1}");
            }
        }
    };
    for background in [WHITE, Theme::new(Color([21, 24, 29])).panel] {
        for (index, method) in METHODS.iter().enumerate() {
            METHODS[..=index]
                .iter()
                .for_each(|other| check(&[method.name, other.name], background));
        }
        let names: Vec<&str> = METHODS.iter().map(|method| method.name).collect();
        names.windows(DISTINCT).for_each(|many| check(many, background));
    }
    // Scenes use these colours, and the Euler methods have different hues.
    let scene = panels(&["integrator: ExplicitEuler", "integrator: SemiImplicitEuler"]);
    assert_eq!(inks(&scene), distinct_colors(&["ExplicitEuler", "SemiImplicitEuler"], WHITE));
    let [red, blue] = [inks(&scene)[0], inks(&scene)[1]].map(|ink| oklab(light(ink)));
    assert!(red[2] > 0.05 && blue[2] < -0.05 && (red[0] - blue[0]).abs() > 0.05);
}
