//! Draws the frames of a scene.

use super::camera::{self, Camera};
use super::canvas::Canvas;
use super::layout::{Layout, PanelBox, Rect, TooSmall, layout};
use super::rope::{Look, draw_rope};
use super::shot::{BodyShot, PanelShot};
use super::text::{Align, BrokenFont, Font};
use super::theme::{Ink, Theme, method_color, nth_color};
use crate::scene::{Arrangement, Decoration, Panel, Scene, View};
use crate::sim::Model;
use image::{Rgb, RgbImage};

/// Everything that the frames of a scene have in common.
pub struct Painter<'a> {
    scene: &'a Scene,
    font: Font,
    theme: Theme,
    layout: Layout,
    cameras: Vec<Camera>,
    /// What never changes: page, borders, title, labels.
    template: RgbImage,
}

/// A scene that cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum PaintError {
    /// The picture is too small.
    #[error(transparent)]
    TooSmall(#[from] TooSmall),
    /// The typeface is broken.
    #[error(transparent)]
    Font(#[from] BrokenFont),
}

impl<'a> Painter<'a> {
    /// Lays out pictures of the scene's size.
    ///
    /// # Errors
    /// When the picture is too small for its panels.
    pub fn new(scene: &'a Scene) -> Result<Self, PaintError> {
        let font = Font::built_in()?;
        let theme = Theme::of(scene);
        let fitted = camera::fit(scene);
        let views: Vec<View> =
            scene.panels.iter().map(|panel| panel.view.unwrap_or(fitted)).collect();
        let aspect = views[0].extent[0] / views[0].extent[1];
        let layout = layout(scene, scene.size, &font, aspect)?;
        let cameras = layout
            .panels
            .iter()
            .zip(&views)
            .map(|(place, view)| Camera::new(*view, place.plot))
            .collect();
        let mut painter =
            Self { scene, font, theme, layout, cameras, template: RgbImage::new(0, 0) };
        painter.template = painter.draw_template();
        Ok(painter)
    }

    /// A canvas to hand to [`Painter::draw`]; one a thread.
    pub fn canvas(&self) -> Canvas {
        Canvas::new(self.template.clone())
    }

    /// Draws one frame: a shot for each panel of the scene.
    pub fn draw(&self, canvas: &mut Canvas, shots: &[PanelShot]) {
        canvas.reset(&self.template);
        for (index, (panel, shot)) in self.scene.panels.iter().zip(shots).enumerate() {
            self.draw_panel(canvas, panel, &self.layout.panels[index], &self.cameras[index], shot);
        }
    }

    fn draw_panel(
        &self,
        canvas: &mut Canvas,
        panel: &Panel,
        place: &PanelBox,
        camera: &Camera,
        shot: &PanelShot,
    ) {
        let inks = body_inks(panel);
        for ((body, shot), ink) in panel.bodies.iter().zip(&shot.bodies).zip(&inks) {
            let ink = if shot.diverged.is_some() { self.theme.grey } else { *ink };
            let model: &Model = &body.setup.model;
            let pin_inside = match self.scene.decoration {
                Decoration::Full => self.theme.panel,
                Decoration::Bare => self.theme.page,
            };
            let look = Look { ink, pin: self.theme.text, pin_inside, style: body.style };
            draw_rope(canvas, place.plot, camera, model, (&shot.x, &shot.springs), &look);
        }
        if self.scene.decoration == Decoration::Full {
            self.draw_divergence(canvas, panel, place.plot, &shot.bodies);
        }
        if let (Some(block), Some(area)) = (&self.layout.numbers, place.numbers) {
            let lines: Vec<_> = shot.bodies.iter().zip(inks).collect();
            let inks = (self.theme.muted, self.theme.text);
            block.draw(canvas.image_mut(), &self.font, area, &lines, inks);
        }
    }

    fn draw_divergence(&self, canvas: &mut Canvas, panel: &Panel, plot: Rect, shots: &[BodyShot]) {
        let size = self.layout.sizes.label.min(f64::from(plot.w) / 16.0).max(10.0);
        let lines = panel.bodies.iter().zip(shots).filter_map(|(body, shot)| {
            let frame = shot.diverged?;
            Some(match shots {
                [_] => format!("diverged at frame {frame}"),
                _ => format!("{}: diverged at frame {frame}", body.label),
            })
        });
        for (index, line) in lines.enumerate() {
            let line = self.font.fit(&line, size, plot.w - 8);
            let (w, h) = (self.font.width(&line, size) + size as i32, (size * 1.35) as i32);
            let x = plot.x + (plot.w - w) / 2;
            let y = plot.y + (size * 0.5) as i32 + index as i32 * (h + 2);
            let plate = Rect { x, y, w, h }.intersect(plot);
            canvas.fill(plate, self.theme.panel);
            let at = (plot.x + plot.w / 2, y + (size * 0.12) as i32);
            self.font.draw(canvas.image_mut(), at, Align::Center, size, self.theme.alarm, &line);
        }
    }

    fn draw_template(&self) -> RgbImage {
        let [width, height] = self.scene.size;
        let mut canvas = Canvas::new(RgbImage::from_pixel(width, height, self.theme.page));
        if self.scene.decoration == Decoration::Bare {
            return canvas.into_image();
        }
        let Layout { sizes, title, rows, columns, panels, .. } = &self.layout;
        if let (Some(area), Some(text)) = (title, &self.scene.title) {
            let text = self.font.fit(text, sizes.title, area.w);
            self.font.draw(
                canvas.image_mut(),
                (area.x, area.y),
                Align::Left,
                sizes.title,
                self.theme.text,
                &text,
            );
        }
        if let Arrangement::Grid { rows: row_names, columns: column_names } =
            &self.scene.arrangement
        {
            for (area, name) in rows.iter().zip(row_names) {
                let at = (area.x, area.y + (area.h - sizes.label as i32) / 2);
                let name = self.font.fit(name, sizes.label, area.w - sizes.gap / 2);
                self.font.draw(
                    canvas.image_mut(),
                    at,
                    Align::Left,
                    sizes.label,
                    self.theme.text,
                    &name,
                );
            }
            for (area, name) in columns.iter().zip(column_names) {
                let at = (area.x + area.w / 2, area.y + (area.h - sizes.label as i32) / 3);
                let name = self.font.fit(name, sizes.label, area.w);
                self.font.draw(
                    canvas.image_mut(),
                    at,
                    Align::Center,
                    sizes.label,
                    self.theme.text,
                    &name,
                );
            }
        }
        for (place, panel) in panels.iter().zip(&self.scene.panels) {
            canvas.fill(place.frame, self.theme.panel);
            canvas.frame(place.frame, self.theme.border);
            let inks = body_inks(panel);
            if let Some(area) = place.label {
                // Where a legend follows, the label has no colour of its own.
                let ink = place.legend.is_none().then_some(inks[0]);
                self.draw_entries(&mut canvas, area, &[(panel.label.as_str(), ink)]);
            }
            if let Some(area) = place.legend {
                let labels = panel.bodies.iter().map(|body| body.label.as_str());
                let entries: Vec<_> = labels.zip(inks.into_iter().map(Some)).collect();
                self.draw_entries(&mut canvas, area, &entries);
            }
        }
        canvas.into_image()
    }

    /// A line of labels, each after a stroke in its colour if it has one.
    fn draw_entries(&self, canvas: &mut Canvas, area: Rect, entries: &[(&str, Option<Ink>)]) {
        let size = self.layout.sizes.label;
        let room = area.w / entries.len() as i32;
        let mut x = area.x + (size * 0.7) as i32;
        let top = area.y + (size * 0.4) as i32;
        for (text, ink) in entries {
            let mut left = x;
            if let Some(ink) = ink {
                let (middle, stroke) = (f64::from(top) + size * 0.5, size * 1.2);
                canvas.shape(area, *ink, |pen| {
                    let (a, b) = ([f64::from(x), middle], [f64::from(x) + stroke, middle]);
                    pen.line(a, b, 3.0);
                    pen.disc([f64::from(x) + stroke / 2.0, middle], (size * 0.5).round());
                });
                left += (stroke + size * 0.5) as i32;
            }
            let text = self.font.fit(text, size, room - (left - x) - (size * 1.1) as i32);
            self.font.draw(
                canvas.image_mut(),
                (left, top),
                Align::Left,
                size,
                self.theme.text,
                &text,
            );
            x = left + self.font.width(&text, size) + (size * 1.5) as i32;
        }
    }
}

/// The colour of each body: the scene's, or its method's, or the first unused one where two would be the same.
pub fn body_inks(panel: &Panel) -> Vec<Ink> {
    let mut inks: Vec<Ink> = Vec::with_capacity(panel.bodies.len());
    for body in &panel.bodies {
        let own = body.style.color.map(|color| Rgb(color.0));
        let ink = own.unwrap_or_else(|| {
            std::iter::once(method_color(body.method.name))
                .chain((0..8).map(nth_color))
                .find(|ink| !inks.contains(ink))
                .unwrap_or_else(|| method_color(body.method.name))
        });
        inks.push(ink);
    }
    inks
}
