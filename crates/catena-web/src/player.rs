//! A scene that is simulated and drawn one frame at a time, forwards and backwards.
//!
//! Simulated frames are cached up to a number of bytes, so that a step back draws immediately. For
//! a frame that is no longer cached, the simulation starts again from frame 0.

use crate::{BodyStability, Fault, FrameReadings, GifRecorder, stability};
use catena_draw::canvas::Canvas;
use catena_draw::frames::{SceneRuns, SimulatedFrame, frame_bytes};
use catena_draw::text::Font;
use catena_draw::{Painter, PanelFrame};
use catena_output::{flat::FlatEncoder, png};
use catena_scene::limits::{PlannedRun, Product};
use catena_scene::{GivenFiles, Limits, Patch, Scene, SceneError, SceneText, load_with_given};
use std::collections::BTreeMap;
use std::path::Path;

/// Maximum number of bytes for cached frames.
const KEPT_BYTES: usize = 96 << 20;

/// A scene to open.
#[derive(Clone, Debug, Default)]
pub struct OpenScene {
    /// Name of the scene, such as its file name without the extension.
    pub name: String,
    /// Text of the scene.
    pub text: String,
    /// Changes as `PATH=VALUE`, as in `--set`.
    pub set: Vec<String>,
    /// Files that the scene names.
    pub files: GivenFiles,
    /// Whether scenes above the default limits are shown.
    pub is_unlimited: bool,
}

impl OpenScene {
    /// Limits of the scene.
    pub fn limits(&self) -> Limits {
        if self.is_unlimited { Limits::unlimited() } else { Limits::default() }
    }

    /// Reads the scene.
    ///
    /// # Errors
    /// The text or a change is invalid, or the run exceeds the limits.
    fn load(&self) -> Result<Scene, Vec<Fault>> {
        let patches = self.set.iter().map(|one| one.parse::<Patch>());
        let patches = patches.collect::<Result<Vec<_>, _>>();
        let patches = patches.map_err(|message| vec![Fault::new(message)])?;
        let limits = self.limits();
        let fault = |error: SceneError| vec![Fault::from(&error)];
        let path = format!("{}.ron", self.name);
        let text = SceneText::of_text(Path::new(&path), &self.text, &limits).map_err(fault)?;
        let mut scene =
            load_with_given(&text, &patches, &limits, self.files.clone()).map_err(fault)?;
        let product = Product::Pictures { size: scene.size, settles: false };
        let run = PlannedRun::up_to(scene.frames, product);
        limits.check_run(&text, &scene, &run).map_err(fault)?;
        limits.allot(&mut scene, &run);
        Ok(scene)
    }
}

/// Painter, simulations and encoder of a scene, which they borrow.
struct Running<'a> {
    painter: Painter<'a>,
    canvas: Canvas,
    runs: SceneRuns<'a>,
    /// All panels at frame 0, the sample of the encoder.
    first: Vec<PanelFrame>,
    /// Encoder of PNG files, once a file was requested.
    encoder: Option<FlatEncoder>,
}

self_cell::self_cell!(
    struct OwnScene {
        owner: Scene,
        #[not_covariant]
        dependent: Running,
    }
);

/// A cached simulated frame.
struct KeptFrame {
    frame: SimulatedFrame,
    readings: FrameReadings,
}

/// Player of a scene.
pub struct Player {
    own: OwnScene,
    kept: BTreeMap<u64, KeptFrame>,
    /// Maximum number of cached frames.
    room: usize,
}

impl Player {
    /// Reads a scene and draws the template that all of its frames share.
    ///
    /// # Errors
    /// The scene cannot be read or is too large, or its panels are too small.
    pub fn open(open: &OpenScene) -> Result<Self, Vec<Fault>> {
        let own = OwnScene::try_new(open.load()?, |scene| Running::start(scene))
            .map_err(|message| vec![Fault::new(message)])?;
        let room = (KEPT_BYTES / frame_bytes(own.borrow_owner())).max(2);
        let mut player = Self { own, kept: BTreeMap::new(), room };
        player.keep();
        Ok(player)
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        self.own.borrow_owner()
    }

    /// Number of frames of the scene.
    pub fn frames(&self) -> u64 {
        self.scene().frames
    }

    /// Number of frames to simulate before a frame can be drawn. Rewinds to frame 0 if the frame
    /// was passed and is not cached.
    pub fn steps_to(&mut self, frame: u64) -> u64 {
        let frame = frame.min(self.frames().saturating_sub(1));
        if self.kept.contains_key(&frame) {
            return 0;
        }
        let at = self.own.with_dependent(|_, running| running.runs.at());
        if frame > at {
            return frame - at;
        }
        self.own.with_dependent_mut(|_, running| running.runs.rewind());
        self.keep();
        frame
    }

    /// Simulates one more frame, up to the last frame of the scene. Returns whether a frame was
    /// simulated.
    pub fn advance(&mut self) -> bool {
        let frames = self.frames();
        let advanced = self.own.with_dependent_mut(|_, running| {
            let continues = running.runs.at() + 1 < frames && !running.runs.is_refused();
            if continues {
                running.runs.advance();
            }
            continues
        });
        if advanced {
            self.keep();
        }
        advanced
    }

    /// Whether a simulation has used up its budget, so that no further frame can be simulated.
    pub fn is_refused(&self) -> bool {
        self.own.with_dependent(|_, running| running.runs.is_refused())
    }

    /// Caches the current frame of the simulations, and evicts the earliest frames if necessary.
    fn keep(&mut self) {
        let (frame, readings) = self.own.with_dependent(|_, running| {
            let frame = running.runs.frame();
            let (panels, bodies) = (&frame.panels, running.runs.simulations());
            let readings = FrameReadings::of(frame.frame, &frame.state_sha256, panels, bodies);
            (frame, readings)
        });
        while self.kept.len() >= self.room {
            self.kept.pop_first();
        }
        self.kept.insert(frame.frame, KeptFrame { frame, readings });
    }

    /// Numbers of a cached frame; `None` if it is not cached.
    pub fn readings(&self, frame: u64) -> Option<&FrameReadings> {
        self.kept.get(&frame).map(|kept| &kept.readings)
    }

    /// Draws a cached frame, as red, green, blue and alpha of each pixel.
    ///
    /// # Errors
    /// The frame is not cached.
    pub fn draw(&mut self, frame: u64, pixels: &mut Vec<u8>) -> Result<(), String> {
        let kept = self.kept.get(&frame).ok_or_else(|| missing(frame))?;
        self.own.with_dependent_mut(|_, running| {
            running.painter.draw(&mut running.canvas, &kept.frame.panels);
            pixels.clear();
            match running.canvas.picture_with_alpha() {
                Some(picture) => pixels.extend_from_slice(picture.as_raw()),
                None => {
                    let (all, _) = running.canvas.image().as_raw().as_chunks::<3>();
                    pixels.extend(all.iter().flat_map(|[r, g, b]| [*r, *g, *b, u8::MAX]));
                }
            }
        });
        Ok(())
    }

    /// Returns the PNG file of a cached frame, with the same bytes as on the command line.
    ///
    /// # Errors
    /// The frame is not cached, or the encoder fails.
    pub fn png(&mut self, frame: u64) -> Result<Vec<u8>, String> {
        let kept = self.kept.get(&frame).ok_or_else(|| missing(frame))?;
        self.own.with_dependent_mut(|_, running| running.encode(&kept.frame.panels))
    }

    /// Adds a cached frame to a GIF.
    ///
    /// # Errors
    /// The frame is not cached, or does not fit the GIF.
    pub fn record(&mut self, frame: u64, gif: &mut GifRecorder) -> Result<(), String> {
        let kept = self.kept.get(&frame).ok_or_else(|| missing(frame))?;
        self.own.with_dependent_mut(|_, running| {
            running.painter.draw(&mut running.canvas, &kept.frame.panels);
            match running.canvas.picture_with_alpha() {
                Some(picture) => gif.add_translucent(&picture),
                None => gif.add(running.canvas.image()),
            }
        })
    }

    /// The steps of all bodies with their longest stable steps.
    pub fn stability(&self) -> Vec<BodyStability> {
        stability::of_scene(self.scene())
    }

    /// The warnings of `catena check` about steps and lengths, and notes about panels with
    /// different physics.
    pub fn cautions(&self) -> Vec<String> {
        stability::cautions(self.scene())
    }
}

impl<'a> Running<'a> {
    /// Computes the layout of the pictures of a scene, and starts its simulations.
    fn start(scene: &'a Scene) -> Result<Self, String> {
        let font = Font::built_in().map_err(|error| error.to_string())?;
        let painter = Painter::new(scene, font).map_err(|error| error.to_string())?;
        let runs = SceneRuns::new(scene);
        let (canvas, first) = (painter.canvas(), runs.panels());
        Ok(Self { painter, canvas, runs, first, encoder: None })
    }

    /// Returns the PNG file of a frame.
    fn encode(&mut self, panels: &[PanelFrame]) -> Result<Vec<u8>, String> {
        let Self { painter, canvas, first, encoder, .. } = self;
        let mut bytes = Vec::new();
        painter.draw(canvas, panels);
        if let Some(picture) = canvas.picture_with_alpha() {
            png::encode_translucent(&picture, &mut bytes).map_err(|error| error.to_string())?;
            return Ok(bytes);
        }
        if encoder.is_none() {
            painter.draw(canvas, first);
            *encoder = Some(FlatEncoder::new(painter.template(), canvas.changes()));
            painter.draw(canvas, panels);
        }
        if let Some(encoder) = encoder {
            encoder.encode(canvas.changes(), &mut bytes);
        }
        Ok(bytes)
    }
}

fn missing(frame: u64) -> String {
    format!("frame {frame} has not been simulated yet")
}
