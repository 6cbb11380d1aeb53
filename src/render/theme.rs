//! Colours of pictures and figures.

use crate::scene::{Color, Decoration, Scene};
use image::Rgb;

/// A colour that a line is drawn in.
pub type Ink = Rgb<u8>;

/// The colours of Okabe and Ito (2008), which colour-blind readers can tell apart.
const COLORS: [Ink; 8] = [
    Rgb([213, 94, 0]),
    Rgb([0, 114, 178]),
    Rgb([230, 159, 0]),
    Rgb([0, 158, 115]),
    Rgb([204, 121, 167]),
    Rgb([86, 180, 233]),
    Rgb([148, 103, 189]),
    Rgb([140, 120, 60]),
];

/// The families of methods, each with its hue. A method is a shade of its family's hue, by its
/// place in the list, so new ones stand at the end.
const FAMILIES: [(Ink, &[&str]); 6] = [
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
];

/// How much black or white the shades of a hue have, in 256ths: white above 0, black below.
const SHADES: [i32; 7] = [0, -110, 100, -60, 50, -150, 140];

/// The colour of the `index`-th entry of a list: after eight, darker ones follow, then lighter
/// ones.
pub fn nth_color(index: usize) -> Ink {
    let base = COLORS[index % COLORS.len()];
    match index / COLORS.len() {
        0 => base,
        1 => mix(base, Rgb([0; 3]), 110),
        _ => mix(base, Rgb([255; 3]), 90),
    }
}

/// The family of a method and its place in it, by the name that scenes write.
pub fn method_family(name: &str) -> Option<[usize; 2]> {
    FAMILIES.iter().enumerate().find_map(|(family, (_, members))| {
        Some([family, members.iter().position(|member| *member == name)?])
    })
}

/// The colour of a method, by the name that scenes write.
pub fn method_color(name: &str) -> Ink {
    let Some([family, member]) = method_family(name) else { return COLORS[5] };
    let (hue, shade) = (FAMILIES[family].0, SHADES[member % SHADES.len()]);
    let towards = if shade < 0 { Rgb([0; 3]) } else { Rgb([255; 3]) };
    mix(hue, towards, shade.abs())
}

/// Mixes two colours: a share of 0 gives `a`, 256 gives `b`.
pub fn mix(a: Ink, b: Ink, share: i32) -> Ink {
    let channel = |i: usize| {
        let (a, b) = (i32::from(a.0[i]), i32::from(b.0[i]));
        (a + ((b - a) * share + 128).div_euclid(256)) as u8
    };
    Rgb([channel(0), channel(1), channel(2)])
}

/// The colours of a picture, derived from its background.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Background behind the panels.
    pub page: Ink,
    /// Background of a panel.
    pub panel: Ink,
    /// Panel borders and rules.
    pub border: Ink,
    /// Titles, labels, numbers.
    pub text: Ink,
    /// Less important text.
    pub muted: Ink,
    /// Bodies that diverged.
    pub grey: Ink,
    /// Text about divergence.
    pub alarm: Ink,
    /// Arrows of forces.
    pub force: Ink,
    /// Colliders.
    pub solid: Ink,
    /// Borders of colliders.
    pub solid_border: Ink,
}

impl Theme {
    /// Light text on a dark background, dark text on a light one.
    pub fn new(background: Color) -> Self {
        let page = Rgb(background.0);
        let [r, g, b] = background.0.map(i32::from);
        let is_dark = 299 * r + 587 * g + 114 * b < 128_000;
        let (white, black) = (Rgb([255; 3]), Rgb([17, 24, 32]));
        let text = if is_dark { Rgb([236, 240, 244]) } else { black };
        let solid = mix(page, text, if is_dark { 56 } else { 40 });
        Self {
            page,
            solid,
            solid_border: mix(solid, text, 96),
            panel: mix(page, white, if is_dark { 14 } else { 256 }),
            border: mix(page, text, if is_dark { 80 } else { 48 }),
            text,
            muted: mix(text, page, 104),
            grey: mix(text, page, 150),
            force: if is_dark { Rgb([255, 214, 92]) } else { Rgb([190, 18, 92]) },
            alarm: if is_dark { Rgb([255, 138, 120]) } else { Rgb([180, 35, 24]) },
        }
    }

    /// The colour behind the bodies of a scene.
    pub fn behind(&self, scene: &Scene) -> Ink {
        match scene.decoration {
            Decoration::Full => self.panel,
            Decoration::Bare => self.page,
        }
    }

    /// Whether words are darker than the background.
    pub fn is_light(&self) -> bool {
        let sum = |ink: Ink| ink.0.iter().map(|&channel| u32::from(channel)).sum::<u32>();
        sum(self.page) > sum(self.text)
    }

    /// The theme that a scene asks for.
    pub fn of(scene: &Scene) -> Self {
        Self::new(scene.background)
    }
}
