//! Drawing of the frames of a scene.

use super::body::{BodyLook, DrawnPart, WeightScale, drawn_parts};
use super::camera::{Camera, SeenFrames};
use super::canvas::{Canvas, DrawingBuffers};
use super::color_scale::{self, ColorScale};
use super::data::{FrameData, MovedObjects, PartPair};
use super::headings::Headings;
use super::inks::scene_inks;
use super::layout::{Layout, PanelLayout, TooSmall};
use super::mask::Rasterizer;
use super::motion_blur::LightSum;
use super::numbers::shows_skins;
use super::panel_painter::{PanelPainter, fitted_panels, weight_scale};
use super::panel_run::{BodyFrame, PanelFrame};
use super::rect::Rect;
use super::reference::{self, DashPen};
use super::rigs::{self, DrawnRig};
use super::routes::{self, RoutePen};
use super::smooth::smooth;
use super::text::Align;
use super::theme::{Ink, Theme, mix};
use super::wound::WoundRope;
use super::{key_paths, solids};
use crate::changes::BodyChanges;
use crate::font::Font;
use crate::panel_objects::{PanelObjects, Trail};
use catena_base::threads::in_pool;
use catena_scene::{Body, ColorBy, Decoration, Fit, Panel, Pattern, Scene, Style};
use catena_sim::Form;
use catena_sim::rig::SkinMeasures;
use image::{Rgb, RgbImage};
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum length of a straight piece of a trail, in pixels of a picture of 1280x720.
const TRAIL_PIECE: f64 = 6.0;

/// Radius of the ring around a pin, in pixels of a picture of 1280x720.
const PIN: f64 = 9.0;

/// Ghosts show no effects of events.
static NO_CHANGES: BodyChanges = BodyChanges::NONE;

/// Draws the frames of a scene over a template of everything that they share.
pub struct Painter<'a> {
    scene: &'a Scene,
    font: Font,
    rasterizer: Rasterizer,
    theme: Theme,
    layout: Layout,
    panels: Vec<PanelPainter>,
    /// Colours of the bodies of each panel.
    inks: Vec<Vec<Ink>>,
    /// Scales of all quantities that colours show.
    scales: Vec<ColorScale>,
    /// Scale of the weights of all panels.
    weight_scale: Option<WeightScale>,
    /// Content of panels without a view of their own. `None` if all panels have one.
    fit: Option<Fit>,
    /// Page, borders, title, labels, grounds and colliders.
    template: Arc<RgbImage>,
    /// Painter of the same pictures over white, if the background is translucent. This painter
    /// then draws over black.
    over_white: Option<Box<Self>>,
    /// Buffers that the template was drawn with, for the first canvas.
    buffers: Mutex<Option<DrawingBuffers>>,
}

/// Options of a [`Painter`].
#[derive(Clone, Debug)]
pub struct PainterOptions {
    /// Positions found by an earlier simulation. `None` simulates the frames if a view has to fit
    /// them.
    pub seen: Option<SeenFrames>,
    /// Rasterizer that draws planar shapes. All give the same pixels.
    pub rasterizer: Rasterizer,
}

impl Default for PainterOptions {
    fn default() -> Self {
        Self { seen: None, rasterizer: Rasterizer::chosen() }
    }
}

impl<'a> Painter<'a> {
    /// Computes the layout of pictures of the scene's size.
    ///
    /// # Errors
    /// A panel would be too small.
    pub fn new(scene: &'a Scene, font: Font) -> Result<Self, TooSmall> {
        Self::with_options(scene, font, PainterOptions::default())
    }

    /// Computes the layout of pictures of the scene's size, with options.
    ///
    /// # Errors
    /// A panel would be too small.
    pub fn with_options(
        scene: &'a Scene,
        font: Font,
        options: PainterOptions,
    ) -> Result<Self, TooSmall> {
        in_pool(|| {
            if scene.background_alpha == u8::MAX {
                return Self::in_theme(scene, font, options, Theme::of(scene));
            }
            let alpha = scene.background_alpha;
            let over = |backdrop: u8| Theme::of(scene).over(Rgb([backdrop; 3]), alpha);
            let white = Self::in_theme(scene, font.clone(), options.clone(), over(255))?;
            let black = Self::in_theme(scene, font, options, over(0))?;
            Ok(Self { over_white: Some(Box::new(white)), ..black })
        })
    }

    /// Makes a painter of one set of colours.
    fn in_theme(
        scene: &'a Scene,
        font: Font,
        PainterOptions { seen, rasterizer }: PainterOptions,
        theme: Theme,
    ) -> Result<Self, TooSmall> {
        let scales = color_scale::scales(scene);
        let (layout, panels, fit) = fitted_panels(scene, &font, &theme, seen)?;
        let inks = scene_inks(scene, Theme::of(scene).background(scene));
        let mut painter = Self {
            scene,
            font,
            rasterizer,
            theme,
            layout,
            panels,
            inks,
            scales,
            weight_scale: weight_scale(scene),
            fit,
            template: Arc::default(),
            over_white: None,
            buffers: Mutex::default(),
        };
        let (template, buffers) = painter.draw_template().into_parts();
        painter.template = Arc::new(template);
        painter.buffers = Mutex::new(Some(buffers));
        Ok(painter)
    }

    /// Same result as [`Painter::fit`], without the passes and pictures that only drawing needs.
    ///
    /// # Errors
    /// A panel would be too small.
    pub fn fit_of(
        scene: &Scene,
        font: &Font,
        seen: Option<SeenFrames>,
    ) -> Result<Option<Fit>, TooSmall> {
        in_pool(|| fitted_panels(scene, font, &Theme::of(scene), seen)).map(|(_, _, fit)| fit)
    }

    /// Content of panels without a view of their own. `None` if all panels have one.
    pub fn fit(&self) -> Option<Fit> {
        self.fit
    }

    /// Picture of everything that all frames share.
    pub fn template(&self) -> &RgbImage {
        &self.template
    }

    /// Area of each panel in which its bodies are drawn.
    pub fn plots(&self) -> impl Iterator<Item = Rect> + '_ {
        self.layout.panels.iter().map(|place| place.plot)
    }

    /// Whether pictures are translucent.
    pub fn has_alpha(&self) -> bool {
        self.over_white.is_some()
    }

    /// Canvas for [`Painter::draw`]. Each thread needs its own.
    pub fn canvas(&self) -> Canvas {
        let buffers = self.buffers.lock().unwrap_or_else(PoisonError::into_inner).take();
        let canvas = Canvas::with_buffers(Arc::clone(&self.template), buffers);
        let over_white = self.over_white.as_ref().map(|painter| painter.canvas());
        canvas.with_rasterizer(self.rasterizer).with_white(over_white)
    }

    /// Draws one frame. `frames` has one entry per panel of the scene.
    pub fn draw(&self, canvas: &mut Canvas, frames: &[PanelFrame]) {
        if let (Some(painter), Some(canvas)) = (&self.over_white, canvas.over_white()) {
            painter.draw(canvas, frames);
        }
        canvas.restore();
        self.draw_panels(canvas, frames, true);
    }

    /// Draws one frame as the mean of its moments, or sharp if there are none. Numbers stay sharp.
    pub fn draw_moments(
        &self,
        canvas: &mut Canvas,
        frames: &[PanelFrame],
        moments: &[Vec<PanelFrame>],
    ) {
        if moments.is_empty() {
            return self.draw(canvas, frames);
        }
        if let (Some(painter), Some(canvas)) = (&self.over_white, canvas.over_white()) {
            painter.draw_moments(canvas, frames, moments);
        }
        let mut sum = LightSum::default();
        for moment in moments {
            canvas.restore();
            self.draw_panels(canvas, moment, false);
            sum.add(canvas.image());
        }
        canvas.restore();
        sum.draw(canvas);
        for (index, (panel, frame)) in self.scene.panels.iter().zip(frames).enumerate() {
            self.draw_numbers(canvas, panel, &self.layout.panels[index], frame);
        }
    }

    fn draw_panels(&self, canvas: &mut Canvas, frames: &[PanelFrame], has_numbers: bool) {
        for (index, (panel, frame)) in self.scene.panels.iter().zip(frames).enumerate() {
            let (place, inks) = (&self.layout.panels[index], &self.inks[index]);
            let moved = self.moved(panel, place.plot, frame);
            if let Some(moved) = moved.as_ref().filter(|_| self.has_surroundings()) {
                moved.draw_surroundings(canvas, place.plot, &self.theme);
            }
            let painter = moved.as_ref().unwrap_or(&self.panels[index]);
            self.draw_panel(canvas, panel, inks, place, painter, frame);
            if has_numbers {
                self.draw_numbers(canvas, panel, place, frame);
            }
        }
    }

    /// Whether the surroundings of bodies are drawn. In space, bodies without them would seem to
    /// float.
    fn has_surroundings(&self) -> bool {
        self.scene.axes == 3 || self.scene.decoration == Decoration::Full
    }

    /// Painter of a panel with a moving camera or view, at the time of a frame.
    fn moved(&self, panel: &Panel, plot: Rect, frame: &PanelFrame) -> Option<PanelPainter> {
        let t = time(frame);
        if panel.view_motion.is_some() {
            return Some(PanelPainter::planar(panel, Camera::planar(panel.view_at(t)?, plot)));
        }
        panel.motion.as_ref()?;
        let viewpoint = panel.viewpoint_at(t)?.upright(f64::from(plot.w) / f64::from(plot.h));
        Some(PanelPainter::spatial(panel, &viewpoint, plot, &self.theme, self.inside()))
    }

    fn draw_panel(
        &self,
        canvas: &mut Canvas,
        panel: &Panel,
        inks: &[Ink],
        place: &PanelLayout,
        painter: &PanelPainter,
        frame: &PanelFrame,
    ) {
        let bodies = || panel.bodies.iter().zip(&frame.bodies).zip(inks);
        let ghosts = bodies().flat_map(|((body, frame), ink)| self.ghosts(body, frame, *ink));
        let parts = bodies().flat_map(|((body, frame), ink)| self.parts(body, frame, *ink));
        let parts: Vec<_> = ghosts.chain(parts).collect();
        let longest = TRAIL_PIECE * self.layout.sizes.stroke * painter.pixel();
        let trails =
            bodies().flat_map(|((body, frame), ink)| self.trails(body, frame, *ink, longest));
        let paths = self.paths(panel, painter);
        let routes =
            bodies().flat_map(|((body, frame), ink)| self.routes(body, frame, *ink, painter));
        let trails: Vec<_> = paths.chain(trails).chain(routes).collect();
        let over: Vec<_> = self.references(panel, painter, time(frame)).collect();
        let is_full = self.scene.decoration == Decoration::Full;
        let t = time(frame);
        let rigs = rigs::rigs(panel).into_iter().map(|rig| DrawnRig::new(rig, t, &self.theme));
        let rigs: Vec<_> = rigs.collect();
        let mut moving = solids::moving_solids(panel, t);
        let mut spokes = solids::spokes(panel, t);
        for ((body, frame), ink) in bodies() {
            let model = &body.setup.model;
            for (part, style) in model.parts.iter().zip(body.part_styles_at(frame.t)) {
                let ink = self.body_look(frame, &style, *ink).ink;
                moving.extend(solids::rigid(model, part, &frame.x, ink));
                spokes.extend(solids::spokes_of(model, part, &frame.x));
            }
        }
        let objects = PanelObjects {
            parts: &parts,
            trails: &trails,
            over: &over,
            rigs: &rigs,
            moving: &moving,
            spokes: &spokes,
        };
        painter.draw_bodies(canvas, place.plot, &self.theme, objects);
        if is_full {
            painter.draw_marks(canvas, place.plot, &parts);
        }
        self.draw_arrows(canvas, panel, place.plot, painter, frame);
        if is_full {
            self.draw_divergence(canvas, panel, painter, place.plot, &frame.bodies, &parts);
        }
    }

    /// Numeric data of each pixel at a frame, with the motion since the previous frame.
    pub fn data(&self, frames: &[PanelFrame], before: &[PanelFrame]) -> FrameData {
        let mut data = FrameData::nothing(self.scene.size);
        let (mut first, both) = (0, frames.iter().zip(before));
        for (index, (panel, (frame, before))) in self.scene.panels.iter().zip(both).enumerate() {
            let plot = self.layout.panels[index].plot;
            let moved = self.moved(panel, plot, frame);
            let painter = moved.as_ref().unwrap_or(&self.panels[index]);
            let moved_before = self.moved(panel, plot, before);
            let camera_before = moved_before.as_ref().unwrap_or(&self.panels[index]).camera();
            let mut parts = Vec::new();
            let bodies = panel.bodies.iter().zip(&frame.bodies).zip(&before.bodies);
            for (number, ((body, now), before)) in bodies.enumerate() {
                let ink = self.inks[index][number];
                let of_body = self.parts(body, now, ink).filter(|part| part.look.alpha > 0);
                parts.extend(of_body.map(|part| PartPair {
                    now: part,
                    before: DrawnPart { x: &before.x, ..part },
                    body: first + number as u32 + 1,
                }));
            }
            first += panel.bodies.len() as u32;
            let times = [time(frame), time(before)];
            let rigs_at = |t: f64| -> Vec<DrawnRig<'_>> {
                let rigs = rigs::rigs(panel).into_iter();
                rigs.map(|rig| DrawnRig::new(rig, t, &self.theme)).collect()
            };
            let (rigs, moving) =
                (times.map(rigs_at), solids::moved_solids(panel, times[0], times[1]));
            let objects = MovedObjects { parts, rigs, moving };
            let points = painter.surface_points(plot, &objects);
            data.add(plot, &points, &objects.parts, camera_before);
        }
        data
    }

    /// Draws the live numbers of a panel.
    fn draw_numbers(
        &self,
        canvas: &mut Canvas,
        panel: &Panel,
        place: &PanelLayout,
        frame: &PanelFrame,
    ) {
        let t = time(frame);
        if let (Some(block), Some(area)) = (&self.layout.numbers, place.numbers) {
            let inks = [self.theme.text, self.theme.muted, self.theme.alarm];
            let has_skins = shows_skins(self.scene);
            let skin =
                |body: &Body| SkinMeasures::of(&body.rig.as_ref().filter(|_| has_skins)?.rig, t);
            let bodies = panel.bodies.iter().zip(&frame.bodies);
            let of_body = |(body, frame)| (frame, skin(body), reference::distance(body, frame));
            let bodies: Vec<_> = bodies.map(of_body).collect();
            block.draw_values(canvas, &self.font, area, &bodies, inks);
        }
    }

    /// Draws the forces on pins and colliders.
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
            let stroke = self.layout.sizes.stroke;
            painter.draw_arrows(canvas, plot, stroke, &arrows, [ink, self.inside()]);
        }
    }

    /// Parts of a body. A part without its own colour has the colour of the body.
    fn parts<'b>(
        &'b self,
        body: &'b Body,
        frame: &'b BodyFrame,
        ink: Ink,
    ) -> impl Iterator<Item = DrawnPart<'b>> {
        let styles = body.part_styles_at(frame.t);
        let looks = styles.map(move |style| self.body_look(frame, &style, ink));
        let values = frame.diverged.is_none().then_some(&frame.values);
        let scale = self.scales.iter().find(|scale| scale.quantity == body.style.color_by);
        let winding = frame.wound.as_ref().map(WoundRope::winding);
        drawn_parts(&body.setup.model, &frame.x, &frame.springs, &frame.changes, looks)
            .filter(|part| !is_solid(part))
            .map(move |part| DrawnPart { values: values.zip(scale), winding, ..part })
            .map(without_pattern)
    }

    /// Parts of a body at its earlier positions, the earliest first. The colour fades with age. A
    /// diverged body has none, since they would hide its last shape.
    fn ghosts<'b>(
        &'b self,
        body: &'b Body,
        frame: &'b BodyFrame,
        ink: Ink,
    ) -> impl Iterator<Item = DrawnPart<'b>> {
        let count = if frame.diverged.is_some() { 0 } else { frame.past.ghosts.len() };
        frame.past.ghosts[..count].iter().enumerate().rev().flat_map(move |(age, x)| {
            let share = 256 * (age + 2) / (count + 2);
            let looks = body.part_styles_at(frame.t).map(move |style| {
                let style = Style { mark_pins: false, node_size: 0.0, ..style };
                let look = self.body_look(frame, &style, ink);
                let ink = mix(self.past_ink(&style, look.ink), self.inside(), share as i32);
                BodyLook { ink, is_ghost: true, ..look }
            });
            drawn_parts(&body.setup.model, x, &frame.springs, &NO_CHANGES, looks)
                .filter(|part| !is_solid(part))
        })
    }

    /// Lines that show the reference motions of a panel's bodies.
    fn references(
        &self,
        panel: &Panel,
        painter: &PanelPainter,
        t: f64,
    ) -> impl Iterator<Item = Trail> {
        let pen = DashPen { ink: self.theme.text, ..self.pen(painter) };
        panel.bodies.iter().flat_map(move |body| pen.trails(body, t))
    }

    /// Paths of the moving pins of a panel.
    fn paths(&self, panel: &Panel, painter: &PanelPainter) -> impl Iterator<Item = Trail> {
        let pen = self.pen(painter);
        panel.bodies.iter().flat_map(move |body| key_paths::trails(body, &pen))
    }

    /// Pen for lines that belong to no body.
    fn pen(&self, painter: &PanelPainter) -> DashPen {
        let stroke = self.layout.sizes.stroke;
        DashPen { pixel: stroke * painter.pixel(), stroke, ink: self.theme.grey }
    }

    /// Returns the trails of nodes as smooth lines that start at the current positions. Each
    /// interval is divided into pieces of about `longest`, but at most 8 of them.
    fn trails<'b>(
        &'b self,
        body: &'b Body,
        frame: &'b BodyFrame,
        ink: Ink,
        longest: f64,
    ) -> impl Iterator<Item = Trail> + 'b {
        let n = body.setup.model.nodes();
        let look = self.body_look(frame, &body.style_at(frame.t), ink);
        frame.past.trails.iter().zip(&body.trails).map(move |(trail, node)| {
            let place = |axis: usize| frame.x.get(axis * n + node).copied().unwrap_or(0.0);
            let mut points = vec![[0, 1, 2].map(place)];
            points.extend(trail);
            let inks = [self.past_ink(&body.style, look.ink), self.inside()];
            let width = (0.6 * look.style.line_width).max(look.stroke);
            Trail { points: smooth(&points, longest), inks, width, alpha: look.alpha }
        })
    }

    /// Ropes over pulleys, with the pulleys.
    fn routes(
        &self,
        body: &Body,
        frame: &BodyFrame,
        ink: Ink,
        painter: &PanelPainter,
    ) -> Vec<Trail> {
        let look = self.body_look(frame, &body.style_at(frame.t), ink);
        let pen = RoutePen {
            rope: self.past_ink(&body.style, look.ink),
            wheel: self.theme.solid_border,
            width: look.style.line_width,
            thin: (0.6 * look.style.line_width).max(look.stroke),
            pixel: painter.pixel(),
            alpha: look.alpha,
        };
        routes::trails(&routes::shown(body, frame), pen)
    }

    /// Neutral colour for trails, ghosts, routes and labels of a body that is coloured by a scale,
    /// so that they do not look like values. `ink` for other bodies, or if the scene sets a colour.
    fn past_ink(&self, style: &Style, ink: Ink) -> Ink {
        let is_by_scale = style.color_by != ColorBy::None && style.color.is_none();
        if is_by_scale { self.theme.grey } else { ink }
    }

    /// Look of a part with this style.
    fn body_look(&self, frame: &BodyFrame, style: &Style, ink: Ink) -> BodyLook {
        let own = style.color.map_or(ink, |color| Rgb(color.0));
        let ink = if frame.diverged.is_some() { self.theme.grey } else { own };
        let alpha = if frame.diverged.is_some() { u8::MAX } else { style.alpha };
        let style = &Style { alpha, ..*style };
        let pin = [self.theme.text, self.inside()];
        let look = BodyLook::new(ink, pin, *style, self.layout.sizes.stroke);
        BodyLook { weight_scale: self.weight_scale, ..look }
    }

    /// Colour behind the bodies.
    fn inside(&self) -> Ink {
        self.theme.background(self.scene)
    }

    /// Crosses out the bodies that diverged, and names them at the top or bottom of the plot. The
    /// side that hides less of the bodies is chosen, clear of pins and crosses if possible.
    fn draw_divergence(
        &self,
        canvas: &mut Canvas,
        panel: &Panel,
        painter: &PanelPainter,
        plot: Rect,
        frames: &[BodyFrame],
        figures: &[DrawnPart<'_>],
    ) {
        let size = self.layout.sizes.label.min(f64::from(plot.w) / 16.0).max(10.0);
        let lines = panel.bodies.iter().zip(frames).filter_map(|(body, frame)| {
            let at = frame.diverged?;
            let line = match frames {
                [_] => format!("diverged at frame {at}"),
                _ => format!("{}: diverged at frame {at}", body.label),
            };
            Some(self.font.wrap(&line, size, plot.w - 8, 2))
        });
        let lines: Vec<String> = lines.flatten().collect();
        let Some(width) = lines.iter().map(|line| self.font.width(line, size)).max() else {
            return;
        };
        let (line, margin) = ((size * 1.35) as i32 + 2, (size * 0.5) as i32);
        let (w, h) = (width + size as i32, lines.len() as i32 * line);
        let crosses = self.cross_out(canvas, plot, panel, painter, frames, size);
        let plate = self.free_plate(painter, plot, [w, h, margin], figures, &crosses);
        canvas.fill(plate, self.theme.panel);
        for (index, text) in lines.iter().enumerate() {
            let y = plate.y + (size * 0.12) as i32 + index as i32 * line;
            let at = (plate.x + plate.w / 2, y);
            self.font.draw(canvas, at, Align::Center, size, self.theme.alarm, text);
        }
    }

    /// Draws a cross over each body that diverged, and returns their areas. `size` is the text size
    /// of labels.
    fn cross_out(
        &self,
        canvas: &mut Canvas,
        plot: Rect,
        panel: &Panel,
        painter: &PanelPainter,
        frames: &[BodyFrame],
        size: f64,
    ) -> Vec<Rect> {
        let bodies = panel.bodies.iter().zip(frames);
        let diverged = bodies.filter(|(_, frame)| frame.diverged.is_some());
        let crosses = diverged.filter_map(|(body, frame)| {
            let n = body.setup.model.nodes();
            let node =
                |i: usize| [0, 1, 2].map(|axis| frame.x.get(axis * n + i).copied().unwrap_or(0.0));
            painter.draw_cross(canvas, plot, (0..n).map(node), size, self.theme.alarm)
        });
        crosses.collect()
    }

    /// Area for words of this width and height over a plot, at its top or bottom. It is centred, or
    /// in a corner if a centred area would hide a pin or a cross.
    fn free_plate(
        &self,
        painter: &PanelPainter,
        plot: Rect,
        [w, h, margin]: [i32; 3],
        figures: &[DrawnPart<'_>],
        crosses: &[Rect],
    ) -> Rect {
        let [left, middle, right] =
            [plot.x + margin, plot.x + (plot.w - w) / 2, plot.right() - margin - w];
        let [top, bottom] = [plot.y + margin, plot.bottom() - margin - h];
        let at = |x: i32, y: i32| Rect { x, y, w, h }.intersect(plot);
        let covered = |plate: &Rect| painter.covered(*plate, figures);
        let reach = (PIN * self.layout.sizes.stroke).ceil() as i32;
        // Pins and crosses that a plate would hide.
        let hidden = |plate: &Rect| {
            let Rect { x, y, w, h } = *plate;
            let around = Rect { x: x - reach, y: y - reach, w: w + 2 * reach, h: h + 2 * reach };
            let is_hidden = |cross: &&Rect| {
                let common = cross.intersect(*plate);
                common.w > 0 && common.h > 0
            };
            painter.pins_in(around, figures) + crosses.iter().filter(is_hidden).count()
        };
        let [above, below] = [at(middle, top), at(middle, bottom)];
        let usual = if covered(&below) < covered(&above) { below } else { above };
        if hidden(&usual) == 0 {
            return usual;
        }
        let corners = [left, right].into_iter().flat_map(|x| [at(x, top), at(x, bottom)]);
        let all = [usual, above, below].into_iter().chain(corners);
        all.min_by_key(|plate| (hidden(plate), covered(plate))).unwrap_or(usual)
    }

    fn draw_template(&self) -> Canvas {
        let mut canvas = Canvas::new(RgbImage::new(self.scene.size[0], self.scene.size[1]))
            .with_rasterizer(self.rasterizer);
        canvas.fill(canvas.all(), self.theme.page);
        if self.scene.decoration == Decoration::Bare {
            self.draw_surroundings(&mut canvas);
            return canvas;
        }
        let headings = Headings::new(self.scene, &self.font, &self.layout, &self.theme);
        headings.draw(&mut canvas);
        for place in &self.layout.panels {
            canvas.fill(place.frame, self.theme.border);
            let inside = place.frame.shrunk(self.layout.sizes.hairline());
            canvas.fill(inside, self.theme.panel);
            if let Some([top, bottom]) = self.theme.backdrop {
                // Text above and below the plot lies on its background.
                canvas.fill(Rect { h: place.plot.bottom() - inside.y, ..inside }, top);
                let h = inside.bottom() - place.plot.bottom();
                canvas.fill(Rect { y: place.plot.bottom(), h, ..inside }, bottom);
            }
        }
        self.draw_surroundings(&mut canvas);
        let places = self.layout.panels.iter().zip(&self.inks);
        for (index, ((place, inks), panel)) in places.zip(&self.scene.panels).enumerate() {
            let own = |body: &Body, ink: &Ink| self.past_ink(&body.style, *ink);
            let all = panel.bodies.iter().zip(inks).map(|(body, ink)| (body, own(body, ink)));
            let all: Vec<(&Body, Ink)> = all.collect();
            let inks: Vec<Ink> = all.iter().map(|(_, ink)| *ink).collect();
            if let (Some(block), Some(area)) = (&self.layout.numbers, place.numbers) {
                let inks = [self.theme.muted, self.theme.backdrop_or(self.inside())[1]];
                block.draw_names(&mut canvas, &self.font, area, &all, inks);
            }
            if let Some(area) = place.label {
                // A label above a legend has no colour of its own.
                let ink = (panel.bodies.len() == 1).then_some(inks[0]);
                headings.draw_entries(&mut canvas, area, &[(panel.label.as_str(), ink)]);
            }
            let shared = self.layout.legend.filter(|_| index == 0);
            if let Some(area) = place.legend.or(shared) {
                let labels = panel.bodies.iter().map(|body| body.label.as_str());
                let entries: Vec<_> = labels.zip(inks.iter().copied().map(Some)).collect();
                headings.draw_entries(&mut canvas, area, &entries);
            }
        }
        if let Some(area) = self.layout.color_bars {
            let sizes = self.layout.sizes;
            color_scale::draw_bars(&mut canvas, &self.font, area, sizes, &self.theme, &self.scales);
        }
        headings.draw_notes(&mut canvas);
        canvas
    }

    fn draw_surroundings(&self, canvas: &mut Canvas) {
        let places = self.panels.iter().zip(&self.layout.panels);
        // The surroundings seen by a moving camera are drawn with each frame.
        for ((painter, place), panel) in places.zip(&self.scene.panels) {
            painter.draw_backdrop(canvas);
            if !panel.moves() && self.has_surroundings() {
                painter.draw_surroundings(canvas, place.plot, &self.theme);
            }
        }
    }
}

/// Whether a part is a rigid body, which is drawn as a whole.
fn is_solid(part: &DrawnPart<'_>) -> bool {
    part.part.is_some_and(|part| matches!(part.form, Form::Solid(_)))
}

/// Time of a frame. Diverged bodies stop, so the maximum counts.
fn time(frame: &PanelFrame) -> f64 {
    frame.bodies.iter().map(|body| body.t).fold(0.0, f64::max)
}

/// Removes the pattern of a part that has no rows and columns.
fn without_pattern(part: DrawnPart<'_>) -> DrawnPart<'_> {
    let BodyLook { style, .. } = part.look;
    let pattern = if part.columns().is_some() { style.pattern } else { Pattern::Plain };
    DrawnPart { look: BodyLook { style: Style { pattern, ..style }, ..part.look }, ..part }
}
