//! The rope pair of scenes/compare.ron with image and imageproc, written the obvious way: each
//! frame is a new picture, drawn from scratch and saved.
//!
//! Usage: obvious_rust OUT [FRAMES]

use ab_glyph::FontRef;
use image::{Rgb, RgbImage};
use imageproc::drawing::{
    draw_antialiased_line_segment_mut, draw_filled_circle_mut, draw_filled_rect_mut,
    draw_hollow_circle_mut, draw_hollow_rect_mut, draw_text_mut,
};
use imageproc::pixelops::interpolate;
use imageproc::rect::Rect;
use std::error::Error;
use std::path::Path;

const NODES: usize = 16;
const TEXT: Rgb<u8> = Rgb([17, 24, 32]);

type Vector = [f64; 2];

fn length(d: Vector) -> f64 {
    (d[0] * d[0] + d[1] * d[1]).sqrt()
}

struct Rope {
    x: Vec<Vector>,
    v: Vec<Vector>,
    last: Vec<Vector>,
    rest: Vec<f64>,
}

impl Rope {
    fn new() -> Self {
        let x: Vec<Vector> = (0..NODES).map(|i| [-400.0 * i as f64 / 15.0, 200.0]).collect();
        let rest = x.windows(2).map(|w| length([w[1][0] - w[0][0], w[1][1] - w[0][1]])).collect();
        Self { v: vec![[0.0; 2]; NODES], last: x.clone(), rest, x }
    }

    fn lengths(&self) -> impl Iterator<Item = f64> {
        self.x.windows(2).map(|w| length([w[1][0] - w[0][0], w[1][1] - w[0][1]]))
    }

    fn numbers(&self, frame: u32) -> String {
        let strains = self.lengths().zip(&self.rest).map(|(length, rest)| (length - rest) / rest);
        let kinetic: f64 = self.v.iter().map(|v| 0.5 * (v[0] * v[0] + v[1] * v[1])).sum();
        format!(
            "time {:.2}   length {:.2}   max strain {:.4}%   E kin {kinetic:.2}",
            f64::from(frame),
            self.lengths().sum::<f64>(),
            100.0 * strains.fold(f64::NEG_INFINITY, f64::max),
        )
    }
}

fn semi_implicit_euler(rope: &mut Rope, dt: f64) {
    let mut force = vec![[0.0, -1.0]; NODES];
    for j in 0..NODES - 1 {
        let d = [rope.x[j + 1][0] - rope.x[j][0], rope.x[j + 1][1] - rope.x[j][1]];
        let pull = 100.0 * (length(d) - rope.rest[j]) / length(d);
        for axis in 0..2 {
            force[j][axis] += pull * d[axis];
            force[j + 1][axis] -= pull * d[axis];
        }
    }
    for i in 1..NODES {
        for axis in 0..2 {
            rope.v[i][axis] += (force[i][axis] - 0.01 * rope.v[i][axis]) * dt;
            rope.x[i][axis] += rope.v[i][axis] * dt;
        }
    }
}

fn constraint_verlet(rope: &mut Rope, dt: f64) {
    let start = rope.x.clone();
    for j in 0..NODES - 1 {
        let d = [rope.x[j + 1][0] - rope.x[j][0], rope.x[j + 1][1] - rope.x[j][1]];
        let share = (length(d) - rope.rest[j]) / length(d);
        let (share_a, share_b) = if j == 0 { (0.0, share) } else { (0.5 * share, 0.5 * share) };
        for axis in 0..2 {
            rope.x[j][axis] += share_a * d[axis];
            rope.x[j + 1][axis] -= share_b * d[axis];
        }
    }
    let gravity = [0.0, -1.0];
    for i in 1..NODES {
        for axis in 0..2 {
            let before = rope.x[i][axis];
            rope.x[i][axis] +=
                (1.0 - 0.00005) * (before - rope.last[i][axis]) + gravity[axis] * dt * dt;
            rope.last[i][axis] = before;
            rope.v[i][axis] = (rope.x[i][axis] - start[i][axis]) / dt;
        }
    }
}

struct Panel {
    label: &'static str,
    color: Rgb<u8>,
    left: i32,
    step: fn(&mut Rope, f64),
    rope: Rope,
}

fn draw(image: &mut RgbImage, font: &FontRef, panel: &Panel, frame: u32) {
    let area = Rect::at(panel.left, 62).of_size(618, 644);
    draw_filled_rect_mut(image, area, Rgb([255, 255, 255]));
    draw_hollow_rect_mut(image, area, Rgb([196, 200, 206]));
    draw_text_mut(image, TEXT, panel.left + 40, 68, 16.0, font, panel.label);

    let at = |x: &Vector| {
        let across = f64::from(panel.left) + 309.0 + 0.6835 * x[0];
        (across.round() as i32, (395.0 - 0.6835 * x[1]).round() as i32)
    };
    let points: Vec<(i32, i32)> = panel.rope.x.iter().map(at).collect();
    for w in points.windows(2) {
        draw_antialiased_line_segment_mut(image, w[0], w[1], panel.color, interpolate);
    }
    for point in &points {
        draw_filled_circle_mut(image, *point, 4, panel.color);
    }
    draw_filled_circle_mut(image, points[0], 6, Rgb([255, 255, 255]));
    draw_hollow_circle_mut(image, points[0], 6, TEXT);

    let numbers = panel.rope.numbers(frame);
    draw_text_mut(image, TEXT, panel.left + 11, 680, 14.0, font, &numbers);
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let out = words.next().ok_or("usage: obvious_rust OUT [FRAMES]")?;
    let frames: u32 = words.next().map_or(Ok(600), |word| word.parse())?;
    std::fs::create_dir_all(&out)?;

    let font = FontRef::try_from_slice(epaint_default_fonts::HACK_REGULAR)?;
    let mut panels = [
        Panel {
            label: "Semi-implicit Euler",
            color: Rgb([0, 114, 178]),
            left: 14,
            step: semi_implicit_euler,
            rope: Rope::new(),
        },
        Panel {
            label: "Constraint Verlet",
            color: Rgb([0, 158, 115]),
            left: 647,
            step: constraint_verlet,
            rope: Rope::new(),
        },
    ];
    for frame in 0..frames {
        let mut image = RgbImage::from_pixel(1280, 720, Rgb([244, 245, 246]));
        let title = "Semi-implicit Euler and Verlet on one rope";
        draw_text_mut(&mut image, TEXT, 14, 14, 24.0, &font, title);
        for panel in &mut panels {
            if frame > 0 {
                for _ in 0..64 {
                    (panel.step)(&mut panel.rope, 1.0 / 64.0);
                }
            }
            draw(&mut image, &font, panel, frame);
        }
        image.save(Path::new(&out).join(format!("frame_{frame:05}.png")))?;
    }
    Ok(())
}
