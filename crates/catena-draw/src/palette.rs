//! Colours of methods, and a general palette: hues that colour-blind readers can distinguish, in
//! shades with enough contrast to their background.

use super::theme::Ink;
use catena_sim::drive::track::color_space::{
    CONES, CONES_OF_LAB, LAB, LIGHT, decode, encode, product,
};
use image::Rgb;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Colours of Okabe and Ito (2008), which colour-blind readers can distinguish; and two more.
const COLORS: [Ink; 8] = [
    Rgb([213, 94, 0]),
    Rgb([0, 114, 178]),
    Rgb([230, 159, 0]),
    Rgb([0, 158, 115]),
    Rgb([204, 121, 167]),
    Rgb([86, 180, 233]),
    Rgb([148, 103, 189]),
    Rgb([124, 132, 30]),
];

/// Families of methods with their hues. A method's position in its family determines the shade, so
/// new methods are appended.
const FAMILIES: [(Ink, &[&str]); 7] = [
    (COLORS[1], &["SemiImplicitEuler", "ExplicitEuler"]),
    (
        COLORS[2],
        &[
            "ForceVerlet",
            "VelocityVerlet",
            "PositionVerlet",
            "Leapfrog",
            "StormerVerlet",
            "Yoshida4",
        ],
    ),
    (COLORS[3], &["ConstraintVerlet", "Shake", "Pbd", "Xpbd"]),
    (COLORS[0], &["Rk4", "Midpoint", "Heun", "DormandPrince", "DormandPrince8"]),
    (
        COLORS[4],
        &[
            "AdamsBashforth2",
            "AdamsBashforth3",
            "AdamsBashforth4",
            "AdamsBashforthMoulton2",
            "AdamsBashforthMoulton3",
            "AdamsBashforthMoulton4",
            "LectureAdamsBashforth2",
        ],
    ),
    (COLORS[7], &["ImplicitEuler", "ImplicitMidpoint"]),
    // Methods as printed in lectures, for which the Adams family has no shades left.
    (COLORS[6], &["LecturePredictorCorrector", "LectureAdamsBashforth3"]),
];

/// Number of the last shade of a hue. Shade 0 is the closest to the background.
pub const LAST_SHADE: f64 = 6.0;

/// Shades of the members of a family, on a light and on a dark background. The shade of the first
/// member is the closest to the hue itself.
const MEMBERS: [[u8; 7]; 2] = [[1, 4, 0, 5, 2, 3, 6], [2, 5, 0, 4, 1, 3, 6]];

/// Shade for each successive pass through [`COLORS`].
const TURNS: [u8; 3] = [1, 5, 3];

/// Minimum contrast of shades, slightly above the 3:1 that WCAG 2.1 requires for graphics, as a
/// margin for rounding.
const MIN: f64 = 3.1;

/// Range of lightness from the first to the last shade, on a light and on a dark background.
const SPANS: [f64; 2] = [0.30, 0.36];

/// Contrast of two colours as defined by WCAG 2.1, from 1 to 21.
pub fn contrast(a: Ink, b: Ink) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Number of colours that all differ in hue and in lightness.
pub const DISTINCT: usize = SLOTS.len();

/// Colours for the bodies of one scene: an index into [`COLORS`], and the shades on a light and on
/// a dark background. Any two also differ for colour-blind readers. A search over all shades
/// maximised their minimum distance. Bodies take them in this order.
const SLOTS: [(usize, [u8; 2]); 8] = [
    (1, [0, 1]),
    (0, [3, 3]),
    (3, [2, 3]),
    (4, [1, 0]),
    (6, [3, 4]),
    (7, [0, 0]),
    (5, [6, 6]),
    (2, [6, 6]),
];

/// Preferred slot of each family of methods.
const FAMILY_SLOTS: [usize; 7] = [0, 7, 2, 1, 3, 5, 4];

/// Preferred slot of a method. The two Euler methods are compared most often, so they differ.
fn slot_of(method: &str) -> usize {
    match method {
        "ExplicitEuler" => 1,
        _ => FAMILY_SLOTS[method_family(method).unwrap_or_default()[0]],
    }
}

/// Colours that differ in hue and lightness, for bodies of these methods in front of `background`.
/// Each body gets the preferred hue of its method, or the next free one. After [`DISTINCT`] bodies
/// the colours repeat.
pub fn distinct_colors(methods: &[&str], background: Ink) -> Vec<Ink> {
    let mut taken = [false; DISTINCT];
    let mut color = |method: &&str| {
        if taken.iter().all(|taken| *taken) {
            taken.fill(false);
        }
        let own = slot_of(method);
        let free = std::iter::once(own).chain(0..DISTINCT).find(|slot| !taken[*slot]);
        let slot = free.unwrap_or(own);
        taken[slot] = true;
        let (hue, shades) = SLOTS[slot];
        let of_hue = Shades::of(COLORS[hue], background);
        of_hue.nth(f64::from(shades[usize::from(of_hue.rises)]))
    };
    methods.iter().map(&mut color).collect()
}

/// The `index`-th palette colour, for white paper. Some palette colours are too light for thin
/// lines. After the last one, the palette repeats.
pub fn nth_color(index: usize) -> Ink {
    COLORS[index % COLORS.len()]
}

/// The `index`-th palette colour, in a shade with enough contrast to `background`. The first 24
/// differ.
pub fn nth_shade(index: usize, background: Ink) -> Ink {
    let turn = TURNS[index / COLORS.len() % TURNS.len()];
    Shades::of(nth_color(index), background).nth(f64::from(turn))
}

/// Indices of the family and member of a method, by its name in scenes.
pub fn method_family(name: &str) -> Option<[usize; 2]> {
    FAMILIES.iter().enumerate().find_map(|(family, (_, members))| {
        Some([family, members.iter().position(|member| *member == name)?])
    })
}

/// Colour of a method in front of `background`, by its name in scenes.
pub fn method_color(name: &str, background: Ink) -> Ink {
    let [family, member] = method_family(name).unwrap_or_default();
    let shades = Shades::of(FAMILIES[family].0, background);
    let members = MEMBERS[usize::from(shades.rises)];
    shades.nth(f64::from(members[member % members.len()]))
}

/// Colour of a family in front of `background`. `shade`, from 0 to [`LAST_SHADE`], selects the
/// shade of the family's hue.
pub fn family_shade(family: usize, shade: f64, background: Ink) -> Ink {
    Shades::of(FAMILIES[family].0, background).nth(shade)
}

/// The colour itself if its contrast to `background` suffices, otherwise its closest shade with
/// enough contrast.
pub fn readable(ink: Ink, background: Ink) -> Ink {
    if contrast(ink, background) >= 3.0 { ink } else { Shades::of(ink, background).nth(0.0) }
}

/// Contrast below which a sample of a colour is hard to see.
const FAINT: f64 = 2.0;

/// Whether a sample of a colour in front of `background` needs an outline.
pub(super) fn is_faint(ink: Ink, background: Ink) -> bool {
    contrast(ink, background) < FAINT
}

/// Maximum number of cached shades. A scene has few backgrounds.
const MAX_KEPT: usize = 256;

thread_local! {
    /// Per-thread cache of shades, by hue and background. Charts request the same few repeatedly.
    static FOUND: RefCell<BTreeMap<[[u8; 3]; 2], Shades>> = const { RefCell::new(BTreeMap::new()) };
}

/// Shades of a hue with enough contrast to a background.
#[derive(Clone, Copy)]
struct Shades {
    hue: Ink,
    /// Lightness of the shade closest to the background.
    first: f64,
    /// Lightness step between shades.
    step: f64,
    /// Whether the shades are lighter than the background.
    rises: bool,
}

impl Shades {
    /// Shades from the cache, computed if necessary.
    fn of(hue: Ink, background: Ink) -> Self {
        FOUND.with_borrow_mut(|found| {
            if found.len() >= MAX_KEPT {
                found.clear();
            }
            *found.entry([hue.0, background.0]).or_insert_with(|| Self::found(hue, background))
        })
    }

    /// Shades on the side of the background, darker or lighter, with the wider range of lightness.
    fn found(hue: Ink, background: Ink) -> Self {
        let from = oklab(background)[0];
        let [dark, light] = [0.0, 1.0].map(|end| nearest(hue, background, [from, end]));
        let rises = 1.0 - light > dark;
        let (first, room) = if rises { (light, 0.9 * (1.0 - light)) } else { (dark, 0.75 * dark) };
        let span = SPANS[usize::from(rises)].min(room);
        let step = if rises { span } else { -span } / LAST_SHADE;
        Self { hue, first, step, rises }
    }

    fn nth(&self, shade: f64) -> Ink {
        at_lightness(self.hue, self.first + shade * self.step)
    }
}

/// Lightness closest to the background's at which a hue has enough contrast, searched towards black
/// or white. If there is none, that end itself.
fn nearest(hue: Ink, background: Ink, [mut near, mut far]: [f64; 2]) -> f64 {
    for _ in 0..14 {
        let middle = 0.5 * (near + far);
        if contrast(at_lightness(hue, middle), background) >= MIN {
            far = middle;
        } else {
            near = middle;
        }
    }
    far
}

/// Lightness from 0 (black) to 1 (white), and the two coordinates of hue and chroma.
pub(super) fn oklab(ink: Ink) -> [f64; 3] {
    product(&LAB, product(&CONES, ink.0.map(linear)).map(libm::cbrt))
}

/// The hue of a colour at another lightness, with as much of its chroma as sRGB can represent.
pub(super) fn at_lightness(ink: Ink, lightness: f64) -> Ink {
    let [_, a, b] = oklab(ink);
    let with = |chroma: f64| linear_rgb([lightness, chroma * a, chroma * b]);
    let is_shown =
        |rgb: &[f64; 3]| rgb.iter().all(|channel| (-1e-4..=1.0 + 1e-4).contains(channel));
    let mut found = with(1.0);
    if !is_shown(&found) {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..12 {
            let middle = 0.5 * (low + high);
            if is_shown(&with(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        found = with(low);
    }
    Rgb(found.map(encoded))
}

/// Luminance of a colour relative to white.
pub(super) fn luminance(ink: Ink) -> f64 {
    let [r, g, b] = ink.0.map(linear);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn linear_rgb(lab: [f64; 3]) -> [f64; 3] {
    product(&LIGHT, product(&CONES_OF_LAB, lab).map(|value| value * value * value))
}

/// Linear light of an sRGB channel.
fn linear(channel: u8) -> f64 {
    decode(f64::from(channel) / 255.0).0
}

/// The sRGB channel for an amount of linear light.
fn encoded(light: f64) -> u8 {
    (255.0 * encode(light.clamp(0.0, 1.0)).0).round() as u8
}
