//! Draws the frames of a scene.

use super::body::{BodyLook, DrawnPart, drawn_parts};
use super::camera::{self, Camera};
use super::canvas::{Canvas, DrawingBuffers};
use super::layout::{Layout, PanelLayout, TooSmall, layout};
use super::rect::Rect;

use super::panel_painter::PanelPainter;
use super::panel_run::{BodyFrame, PanelFrame};
use super::text::{Align, Font};
use super::theme::{Ink, Theme, method_color, nth_color};
use crate::scene::{
    Arrangement, Body, Decoration, Panel, Scene, View,
    comparability::{self, Difference},
};
use image::{Rgb, RgbImage};
use std::sync::{Arc, Mutex, PoisonError};

/// The most lines about differences under a panel.
const MOST_DIFFERENCES: usize = 4;

/// Draws the frames of a scene over a template of all that they have in common.
pub struct Painter<'a> {
    scene: &'a Scene,
    font: Font,
    theme: Theme,
    layout: Layout,
    panels: Vec<PanelPainter>,
    /// Page, borders, title, labels, grounds and, in the plane, colliders.
    template: Arc<RgbImage>,
    /// The buffers that the template was drawn with, for the first canvas.
    buffers: Mutex<Option<DrawingBuffers>>,
}

impl<'a> Painter<'a> {
    /// Lays out pictures of the scene's size.
    ///
    /// # Errors
    /// When a panel would be too small to see anything.
    pub fn new(scene: &'a Scene, font: Font) -> Result<Self, TooSmall> {
        let theme = Theme::of(scene);
        let (layout, panels) = if scene.axes == 3 {
            spatial_panels(scene, &font, &theme)?
        } else {
            planar_panels(scene, &font)?
        };
        let (template, buffers) = (Arc::default(), Mutex::default());
        let mut painter = Self { scene, font, theme, layout, panels, template, buffers };
        let (template, buffers) = painter.draw_template().into_parts();
        painter.template = Arc::new(template);
        painter.buffers = Mutex::new(Some(buffers));
        Ok(painter)
    }

    /// The picture that all frames have in common.
    pub fn template(&self) -> &RgbImage {
        &self.template
    }

    /// Where each panel's bodies are drawn.
    pub fn plots(&self) -> impl Iterator<Item = Rect> + '_ {
        self.layout.panels.iter().map(|place| place.plot)
    }

    /// A canvas for [`Painter::draw`]; each thread needs its own.
    pub fn canvas(&self) -> Canvas {
        let buffers = self.buffers.lock().unwrap_or_else(PoisonError::into_inner).take();
        Canvas::with_buffers(Arc::clone(&self.template), buffers)
    }

    /// Draws one frame; `frames` has one entry for each panel of the scene.
    pub fn draw(&self, canvas: &mut Canvas, frames: &[PanelFrame]) {
        canvas.restore();
        for (index, (panel, frame)) in self.scene.panels.iter().zip(frames).enumerate() {
            self.draw_panel(canvas, panel, &self.layout.panels[index], &self.panels[index], frame);
        }
    }

    fn draw_panel(
        &self,
        canvas: &mut Canvas,
        panel: &Panel,
        place: &PanelLayout,
        painter: &PanelPainter,
        frame: &PanelFrame,
    ) {
        let inks = body_inks(panel);
        let bodies = panel.bodies.iter().zip(&frame.bodies).zip(&inks);
        let figures: Vec<_> =
            bodies.flat_map(|((body, frame), ink)| self.figures(body, frame, *ink)).collect();
        painter.draw_bodies(canvas, place.plot, &figures);
        self.draw_arrows(canvas, panel, place.plot, painter, frame);
        if self.scene.decoration == Decoration::Full {
            self.draw_divergence(canvas, panel, place.plot, &frame.bodies);
        }
        if let (Some(block), Some(area)) = (&self.layout.numbers, place.numbers) {
            let inks = [self.theme.text, self.theme.alarm];
            block.draw_values(canvas, &self.font, area, &frame.bodies, inks);
        }
    }

    /// What pins and colliders feel.
    fn draw_arrows(
        &self,
        canvas: &mut Canvas,
        panel: &Panel,
        plot: Rect,
        painter: &PanelPainter,
        frame: &PanelFrame,
    ) {
        let shown = panel.bodies.iter().zip(&frame.bodies);
        for (body, frame) in shown.filter(|(_, frame)| !frame.forces.is_empty()) {
            let arrows = painter.arrow_scale(self.scene, plot).arrows(body, frame);
            let ink = if frame.diverged.is_some() { self.theme.grey } else { self.theme.force };
            painter.draw_arrows(canvas, plot, &arrows, [ink, self.inside()]);
        }
    }

    /// The parts of a body. Those without a colour of their own have the body's.
    fn figures<'b>(
        &self,
        body: &'b Body,
        frame: &'b BodyFrame,
        ink: Ink,
    ) -> impl Iterator<Item = DrawnPart<'b>> {
        let (grey, pin, pin_inside) = (self.theme.grey, self.theme.text, self.inside());
        let looks = body.part_styles.iter().map(move |&style| {
            let own = style.color.map_or(ink, |color| Rgb(color.0));
            let ink = if frame.diverged.is_some() { grey } else { own };
            BodyLook { ink, pin, pin_inside, style }
        });
        drawn_parts(&body.setup.model, (&frame.x, &frame.springs, &frame.changes), looks)
    }

    /// The colour behind the bodies.
    fn inside(&self) -> Ink {
        match self.scene.decoration {
            Decoration::Full => self.theme.panel,
            Decoration::Bare => self.theme.page,
        }
    }

    fn draw_divergence(
        &self,
        canvas: &mut Canvas,
        panel: &Panel,
        plot: Rect,
        frames: &[BodyFrame],
    ) {
        let size = self.layout.sizes.label.min(f64::from(plot.w) / 16.0).max(10.0);
        let lines = panel.bodies.iter().zip(frames).filter_map(|(body, frame)| {
            let at = frame.diverged?;
            Some(match frames {
                [_] => format!("diverged at frame {at}"),
                _ => format!("{}: diverged at frame {at}", body.label),
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
            self.font.draw(canvas, at, Align::Center, size, self.theme.alarm, &line);
        }
    }

    fn draw_template(&self) -> Canvas {
        let mut canvas = Canvas::plain(self.scene.size, self.theme.page);
        if self.scene.decoration == Decoration::Bare {
            self.draw_surroundings(&mut canvas);
            return canvas;
        }
        let Layout { sizes, title, rows, columns, panels, .. } = &self.layout;
        if let (Some(area), Some(text)) = (title, &self.scene.title) {
            let text = self.font.fit(text, sizes.title, area.w);
            self.font.draw(
                &mut canvas,
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
                self.font.draw(&mut canvas, at, Align::Left, sizes.label, self.theme.text, &name);
            }
            for (area, name) in columns.iter().zip(column_names) {
                let at = (area.x + area.w / 2, area.y + (area.h - sizes.label as i32) / 3);
                let name = self.font.fit(name, sizes.label, area.w);
                self.font.draw(&mut canvas, at, Align::Center, sizes.label, self.theme.text, &name);
            }
        }
        for place in panels {
            canvas.fill(place.frame, self.theme.panel);
            canvas.frame(place.frame, self.theme.border);
        }
        self.draw_surroundings(&mut canvas);
        for (place, panel) in panels.iter().zip(&self.scene.panels) {
            let inks = body_inks(panel);
            if let (Some(block), Some(area)) = (&self.layout.numbers, place.numbers) {
                block.draw_names(&mut canvas, &self.font, area, &inks, self.theme.muted);
            }
            if let Some(area) = place.label {
                // A label above a legend has no colour of its own.
                let ink = place.legend.is_none().then_some(inks[0]);
                self.draw_entries(&mut canvas, area, &[(panel.label.as_str(), ink)]);
            }
            if let Some(area) = place.legend {
                let labels = panel.bodies.iter().map(|body| body.label.as_str());
                let entries: Vec<_> = labels.zip(inks.into_iter().map(Some)).collect();
                self.draw_entries(&mut canvas, area, &entries);
            }
        }
        self.draw_differences(&mut canvas);
        canvas
    }

    /// Draws the differences of each panel from the references into its lower left corner.
    fn draw_differences(&self, canvas: &mut Canvas) {
        let size = self.layout.sizes.number * 0.9;
        let line = (size * 1.3).round() as i32;
        let all = comparability::differences(self.scene);
        for (index, place) in self.layout.panels.iter().enumerate() {
            let left = place.plot.x + (size * 0.7) as i32;
            let mut top = place.plot.bottom() - (size * 0.4) as i32;
            // Small panels keep their room for ropes.
            let room = (top - place.plot.y - place.plot.h * 3 / 4) / line;
            let most = MOST_DIFFERENCES.min(room.max(0) as usize);
            for text in difference_lines(&all, index, most).iter().rev() {
                top -= line;
                let text = self.font.fit(text, size, place.plot.w - (size * 1.4) as i32);
                self.font.draw(canvas, (left, top), Align::Left, size, self.theme.muted, &text);
            }
        }
    }

    fn draw_surroundings(&self, canvas: &mut Canvas) {
        for (panel, place) in self.panels.iter().zip(&self.layout.panels) {
            panel.draw_surroundings(canvas, place.plot, &self.theme);
        }
    }

    /// Draws a line of labels, each behind a stroke in its colour if it has one.
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
            self.font.draw(canvas, (left, top), Align::Left, size, self.theme.text, &text);
            x = left + self.font.width(&text, size) + (size * 1.5) as i32;
        }
    }
}

/// The lines of a panel about its differences: at most `most`, the most important first.
fn difference_lines(all: &[Difference], panel: usize, most: usize) -> Vec<String> {
    let mine = all.iter().filter(|difference| difference.panel == panel);
    let mut lines: Vec<String> = Vec::new();
    for line in mine.map(Difference::line) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let shown = if lines.len() > most { most.saturating_sub(1) } else { most };
    let hidden = lines.len().saturating_sub(shown);
    lines.truncate(shown);
    if hidden > 0 && most > 0 {
        lines.push(format!("and {hidden} more"));
    }
    lines
}

/// Lays out a planar scene.
fn planar_panels(scene: &Scene, font: &Font) -> Result<(Layout, Vec<PanelPainter>), TooSmall> {
    let fitted = camera::fit(scene);
    let views: Vec<View> = scene.panels.iter().map(|panel| panel.view.unwrap_or(fitted)).collect();
    let aspect = views[0].extent[0] / views[0].extent[1];
    let layout = layout(scene, scene.size, font, aspect)?;
    let panels = scene
        .panels
        .iter()
        .zip(layout.panels.iter().zip(&views))
        .map(|(panel, (place, view))| {
            PanelPainter::planar(panel, Camera::planar(*view, place.plot))
        })
        .collect();
    Ok((layout, panels))
}

/// Lays out a scene in space.
fn spatial_panels(
    scene: &Scene,
    font: &Font,
    theme: &Theme,
) -> Result<(Layout, Vec<PanelPainter>), TooSmall> {
    // A viewpoint of the scene's own says nothing about width; most pictures are a third wider than
    // high.
    let aspect = match scene.panels[0].viewpoint {
        Some(_) => 4.0 / 3.0,
        None => camera::fit_viewpoint(scene, 1.0).1,
    };
    let layout = layout(scene, scene.size, font, aspect)?;
    let aspects =
        layout.panels.iter().map(|place| f64::from(place.plot.w) / f64::from(place.plot.h));
    let fitted = camera::fit_viewpoint(scene, aspects.fold(f64::INFINITY, f64::min)).0;
    let panels = scene
        .panels
        .iter()
        .zip(&layout.panels)
        .map(|(panel, place)| {
            let viewpoint = panel.viewpoint.unwrap_or(fitted);
            PanelPainter::spatial(panel, &viewpoint, place.plot, theme)
        })
        .collect();
    Ok((layout, panels))
}

/// The colour of each body: the scene's, or its method's, or the first unused one if two would be
/// equal.
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
