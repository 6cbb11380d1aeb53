//! Colours of a picture, except the colours of its bodies.

use catena_scene::{Backdrop, Color, Decoration, Scene};
use image::Rgb;

/// Colour of a drawn shape.
pub type Ink = Rgb<u8>;

/// Haze colour, mixed into soft backdrops and the ground of three-dimensional panels.
const HAZE: Ink = Rgb([132, 148, 172]);

/// Mixes two colours. A share of 0 gives `a`, 256 gives `b`.
pub fn mix(a: Ink, b: Ink, share: i32) -> Ink {
    let channel = |i: usize| {
        let (a, b) = (i32::from(a.0[i]), i32::from(b.0[i]));
        (a + ((b - a) * share + 128).div_euclid(256)) as u8
    };
    Rgb([channel(0), channel(1), channel(2)])
}

/// Colours of a picture, derived from its background.
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
    /// Skins that set no colour.
    pub skin: Ink,
    /// Bones.
    pub bone: Ink,
    /// Background of panels in space at the top and at the bottom. `None` if it is flat.
    pub backdrop: Option<[Ink; 2]>,
    /// Whether the background is invisible.
    pub is_clear: bool,
}

impl Theme {
    /// Theme for a background: light text on a dark background, dark text on a light background.
    pub fn new(background: Color) -> Self {
        let page = Rgb(background.0);
        let is_dark = background.is_dark();
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
            skin: if is_dark { Rgb([150, 163, 180]) } else { Rgb([146, 160, 178]) },
            bone: if is_dark { Rgb([214, 200, 170]) } else { Rgb([226, 205, 160]) },
            alarm: if is_dark { Rgb([255, 138, 120]) } else { Rgb([180, 35, 24]) },
            backdrop: None,
            is_clear: false,
        }
    }

    /// Colour behind the bodies of a scene.
    pub fn background(&self, scene: &Scene) -> Ink {
        match scene.decoration {
            Decoration::Full => self.panel,
            Decoration::Bare => self.page,
        }
    }

    /// Whether text is darker than the background.
    pub fn is_light(&self) -> bool {
        let sum = |ink: Ink| ink.0.iter().map(|&channel| u32::from(channel)).sum::<u32>();
        sum(self.page) > sum(self.text)
    }

    /// Theme in which page and panels are blended over a backdrop with the opacity `alpha`.
    pub fn over(self, backdrop: Ink, alpha: u8) -> Self {
        let over = |ink: Ink| Rgb(mixed(backdrop.0, ink.0, alpha));
        Self { page: over(self.page), panel: over(self.panel), is_clear: alpha == 0, ..self }
    }

    /// Theme of a scene.
    pub fn of(scene: &Scene) -> Self {
        let theme = Self::new(scene.background);
        let backdrop = match scene.backdrop {
            Backdrop::Flat => None,
            Backdrop::Soft => Some(theme.soft(theme.background(scene))),
            Backdrop::Gradient(colors) => Some(colors.map(|color| Rgb(color.0))),
        };
        Self { backdrop, ..theme }
    }

    /// Soft gradient around a colour, paler towards the horizon at the bottom.
    fn soft(&self, around: Ink) -> [Ink; 2] {
        match self.is_light() {
            true => [mix(around, HAZE, 68), mix(around, HAZE, 10)],
            false => [around, mix(around, HAZE, 44)],
        }
    }

    /// Background of panels in space at the top and at the bottom; `flat` if the theme has no
    /// backdrop.
    pub fn backdrop_or(&self, flat: Ink) -> [Ink; 2] {
        self.backdrop.unwrap_or([flat; 2])
    }

    /// Colour of a ground near the camera.
    pub fn ground(&self) -> Ink {
        if self.is_light() { mix(self.panel, HAZE, 96) } else { mix(self.panel, HAZE, 64) }
    }
}

/// Mixes two colours by an opacity of the upper one, rounded to the nearest value.
pub fn mixed(below: [u8; 3], above: [u8; 3], alpha: u8) -> [u8; 3] {
    let alpha = u32::from(alpha);
    [0, 1, 2].map(|k| {
        let sum = u32::from(below[k]) * (255 - alpha) + u32::from(above[k]) * alpha;
        ((sum + 127) / 255) as u8
    })
}
