//! Requests of a page in JSON, and their answers.

use crate::player::{OpenScene, Player};
use crate::{BUILD, BodyStability, Fault, FrameReadings, GifRecorder};
use base64::{Engine, engine::general_purpose::STANDARD};
use catena_draw::scene_inks;
use catena_draw::theme::Theme;
use catena_lsp::{CompletionItem, Diagnostic, Position, completions_at, faults_of};
use catena_scene::numbers::written_numbers;
use catena_scene::{GivenFiles, Limits, default_of, fields};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A request. Files are in base64, by the names that the scene uses.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
enum Request {
    /// Opens a scene.
    Open {
        name: String,
        text: String,
        #[serde(default)]
        set: Vec<String>,
        #[serde(default)]
        files: BTreeMap<String, String>,
        #[serde(default)]
        unlimited: bool,
    },
    /// Numbers of a frame.
    Readings { frame: u64 },
    /// PNG file of a frame.
    Png { frame: u64 },
    /// Begins a GIF of a number of frames.
    BeginGif { frames: u64 },
    /// Adds a frame to the GIF.
    AddToGif { frame: u64 },
    /// Ends the GIF.
    EndGif,
    /// Steps and longest stable steps, and warnings.
    Stability,
    /// Errors of a text.
    Faults {
        text: String,
        #[serde(default)]
        files: BTreeMap<String, String>,
    },
    /// Completion at a position.
    Complete { text: String, line: u32, character: u32 },
    /// Fields whose default is a number.
    Fields,
}

/// An answer.
#[derive(Debug, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
enum PlayerAnswer {
    Opened(Box<Opened>),
    Readings { readings: Option<FrameReadings> },
    File { base64: String, notes: Vec<String> },
    Done,
    Stability { bodies: Vec<BodyStability>, cautions: Vec<String> },
    Faults { faults: Vec<Diagnostic> },
    Items { items: Vec<CompletionItem> },
    Fields { fields: Vec<NumberField> },
    Refused { faults: Vec<Fault> },
}

/// A scene that was opened.
#[derive(Debug, Serialize)]
struct Opened {
    title: String,
    build: &'static str,
    size: [u32; 2],
    frames: u64,
    seconds: f64,
    light: bool,
    bodies: Vec<OpenedBody>,
    numbers: Vec<Number>,
}

/// A body of a scene, for the chart of energies.
#[derive(Debug, Serialize)]
struct OpenedBody {
    label: String,
    ink: [u8; 3],
}

/// A number in the text. Offsets count UTF-16 units, as in a page.
#[derive(Debug, Serialize)]
struct Number {
    path: String,
    from: usize,
    to: usize,
    value: f64,
    whole: bool,
    field: Option<String>,
    before: String,
    after: String,
}

/// A field whose value is one number, and its default.
#[derive(Debug, Serialize)]
struct NumberField {
    path: String,
    value: f64,
    whole: bool,
    summary: String,
}

/// State of a page: the scene that it shows, and the GIF that it records.
#[derive(Default)]
pub struct Session {
    player: Option<Player>,
    gif: Option<GifRecorder>,
}

impl Session {
    /// Answers a request.
    pub fn answer(&mut self, request: &[u8]) -> Vec<u8> {
        let answer = match serde_json::from_slice(request) {
            Ok(request) => self.answer_to(request).unwrap_or_else(|why| refused(&why)),
            Err(error) => refused(&error.to_string()),
        };
        serde_json::to_vec(&answer).unwrap_or_default()
    }

    /// Draws a frame that was simulated.
    ///
    /// # Errors
    /// No scene is open, or the frame is not simulated.
    pub fn draw(&mut self, frame: u64, pixels: &mut Vec<u8>) -> Result<(), String> {
        self.player()?.draw(frame, pixels)
    }

    /// Number of frames to simulate before a frame can be drawn.
    pub fn steps_to(&mut self, frame: u64) -> u64 {
        self.player.as_mut().map_or(0, |player| player.steps_to(frame))
    }

    /// Simulates one more frame.
    pub fn advance(&mut self) -> bool {
        self.player.as_mut().is_some_and(Player::advance)
    }

    fn player(&mut self) -> Result<&mut Player, String> {
        self.player.as_mut().ok_or_else(|| "no scene is open".into())
    }

    fn answer_to(&mut self, request: Request) -> Result<PlayerAnswer, String> {
        Ok(match request {
            Request::Open { name, text, set, files, unlimited } => {
                // Keeping the old scene would need the memory of both scenes.
                (self.player, self.gif) = (None, None);
                let files = given(files)?;
                let open = OpenScene { name, text, set, files, is_unlimited: unlimited };
                match Player::open(&open) {
                    Ok(player) => {
                        let opened = opened(&player, &open.text);
                        self.player = Some(player);
                        PlayerAnswer::Opened(Box::new(opened))
                    }
                    Err(faults) => PlayerAnswer::Refused { faults },
                }
            }
            Request::Readings { frame } => {
                PlayerAnswer::Readings { readings: self.player()?.readings(frame).cloned() }
            }
            Request::Png { frame } => file(&self.player()?.png(frame)?, Vec::new()),
            Request::BeginGif { frames } => {
                let scene = self.player()?.scene();
                self.gif = Some(GifRecorder::start(scene.size, frames, scene.frame_time())?);
                PlayerAnswer::Done
            }
            Request::AddToGif { frame } => {
                let mut gif = self.gif.take().ok_or("no GIF has been started")?;
                self.player()?.record(frame, &mut gif)?;
                self.gif = Some(gif);
                PlayerAnswer::Done
            }
            Request::EndGif => {
                let (bytes, notes) = self.gif.take().ok_or("no GIF has been started")?.finish()?;
                file(&bytes, notes)
            }
            Request::Stability => {
                let player = self.player()?;
                PlayerAnswer::Stability { bodies: player.stability(), cautions: player.cautions() }
            }
            Request::Faults { text, files } => PlayerAnswer::Faults {
                faults: faults_of(&text, &Limits::default(), &given(files)?),
            },
            Request::Complete { text, line, character } => {
                let items = completions_at(&text, Position::new(line, character), true);
                PlayerAnswer::Items { items }
            }
            Request::Fields => PlayerAnswer::Fields { fields: number_fields() },
        })
    }
}

fn refused(why: &str) -> PlayerAnswer {
    PlayerAnswer::Refused { faults: vec![Fault::new(why)] }
}

fn file(bytes: &[u8], notes: Vec<String>) -> PlayerAnswer {
    PlayerAnswer::File { base64: STANDARD.encode(bytes), notes }
}

fn given(files: BTreeMap<String, String>) -> Result<GivenFiles, String> {
    let one = |(name, text): (String, String)| {
        let bytes = STANDARD.decode(text).map_err(|error| format!("{name}: {error}"))?;
        Ok((name, bytes.into()))
    };
    files.into_iter().map(one).collect()
}

fn opened(player: &Player, text: &str) -> Opened {
    let scene = player.scene();
    let theme = Theme::of(scene);
    let is_light = theme.is_light();
    let inks = scene_inks(scene, theme.background(scene)).into_iter().flatten();
    let labels = scene.body_labels().into_iter();
    Opened {
        title: scene.title.clone().unwrap_or_else(|| scene.name.clone()),
        build: BUILD,
        size: scene.size,
        frames: scene.frames,
        seconds: scene.frame_time(),
        light: is_light,
        bodies: labels.zip(inks).map(|(label, ink)| OpenedBody { label, ink: ink.0 }).collect(),
        numbers: numbers(text),
    }
}

/// The numbers in a text, with their offsets in UTF-16 units.
fn numbers(text: &str) -> Vec<Number> {
    let (mut at, mut units) = (0, 0);
    let mut place = |byte: usize| {
        units += text.get(at..byte).map_or(0, |part| part.encode_utf16().count());
        at = byte;
        units
    };
    let all = written_numbers(text).into_iter().map(|number| {
        let (from, to) = (place(number.span.start), place(number.span.end));
        let (field, before, after) = match number.set {
            Some(set) => (Some(set.field), set.before, set.after),
            None => (None, String::new(), String::new()),
        };
        let (path, value, whole) = (number.path, number.value, number.is_whole);
        Number { path, from, to, value, whole, field, before, after }
    });
    all.collect()
}

/// Fields whose default is one number, for sliders of fields that a scene does not set.
fn number_fields() -> Vec<NumberField> {
    let one = |field: catena_scene::FieldInfo| {
        let default = default_of(&field.path)?;
        let value: f64 = default.parse().ok()?;
        let whole = !default.contains(['.', 'e']);
        value.is_finite().then_some(NumberField {
            path: field.path,
            value,
            whole,
            summary: field.summary,
        })
    };
    fields().into_iter().filter_map(one).collect()
}
