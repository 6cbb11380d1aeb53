//! A shard of a render: a part of the frames, and the report of it.

mod audit;
mod content;
mod film;
mod frames;
mod pack;

pub(in crate::job) use content::{FilmContent, RenderContent};
pub(in crate::job) use film::segment_frames;
pub(in crate::job) use pack::whole as whole_in_pack;

use super::{RenderError, RenderOptions, Rendered, task::Task, with_task};
use crate::film::{FilmError, FilmFormat, FilmOptions, FilmTarget};
use crate::job::{FrameChoice, Interruption, Progress, RunError, options::within};
use crate::output::{OutputError, folder::Folder, lock::LockMode, pack::PACK};
use crate::scene::Scene;
use crate::shard::{
    RanOn, ShardChoice, ShardFile, ShardKind, ShardPlace, ShardReport, ShardSource, refuse_occupied,
};
use std::{
    ffi::OsStr,
    io,
    ops::Range,
    path::{Component, Path, PathBuf},
    time::Instant,
};

/// How a shard of a render is made.
#[derive(Clone, Debug, PartialEq)]
pub struct ShardOptions {
    /// Which shard of how many.
    pub choice: ShardChoice,
    /// The whole render. It must not be shared, and its frames begin with 0.
    pub render: RenderOptions,
    /// What becomes of the frames.
    pub product: ShardProduct,
    /// Computes this share of the neighbour's frames once more, above 0 and at most 1, so that the
    /// merge can tell a machine that computes wrong; not for films.
    pub audit: Option<f64>,
    /// The command that was typed, which the merge names when the shard has to run again; empty
    /// where there is none.
    pub command: String,
}

/// What a shard makes of its frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ShardProduct {
    /// A file each.
    #[default]
    Frames,
    /// One tar.
    Pack,
    /// Segments of a film with this file name in the folder, as mp4, mov or mkv.
    Film(String, FilmOptions),
}

/// A shard that is rendered.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderedShard {
    /// Its frames. Only the first shard has the steady-state comparison.
    pub rendered: Rendered,
    /// Its report.
    pub report: PathBuf,
    /// Whether its frames are merged already, so that nothing was done.
    pub is_merged: bool,
}

/// What a shard has made.
struct FolderShard {
    rendered: Rendered,
    files: Vec<ShardFile>,
    content: RenderContent,
}

/// Renders a shard of a scene, into `shards` in the folder that [`crate::job::merge`] puts all of
/// them together in. The bytes are those of an unbroken [`crate::job::render`].
///
/// Frames of the same shard that are there and whole are taken over.
///
/// # Errors
/// As [`crate::job::render`], and where the options are not those of a shard.
pub fn render_shard(
    scene: &Scene,
    folder: &Path,
    options: &ShardOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<RenderedShard, RenderError> {
    options.check()?;
    let (start, options) = (Instant::now(), &options.at_frame_time(scene.frame_time()));
    let (choice, place) = (options.choice, ShardPlace::new(folder, options.choice));
    refuse_others(&place)?;
    // One shard makes the comparison. The first has the least to simulate.
    let is_film = matches!(options.product, ShardProduct::Film(..));
    let steady = options.render.steady && choice.number() == 1 && !is_film;
    let render = RenderOptions { steady, ..options.render.clone() };
    let (product, part) = (place.product(), |all: Range<u64>| options.range(all.end));
    with_task(scene, &product, &render, &part, (progress, interruption), |task| {
        let total = task.range.end;
        let source = options.source(&task, total);
        ShardReport::refuse_foreign(&place, ShardKind::Render, &source)
            .map_err(RunError::Option)?;
        let range = options.range(total);
        let mut report = ShardReport::new(ShardKind::Render, &source, choice, total);
        report.items = [range.start, range.end];
        let there = ShardReport::read(&place, &report.key)?;
        let task = task.part(range, &product, place.report());
        let are_files = options.product == ShardProduct::Frames;
        if let Some(there) = there.as_ref().filter(|_| are_files)
            && let Some(rendered) = frames::merged(&task, folder, there)
        {
            return Ok(RenderedShard { rendered, report: place.report(), is_merged: true });
        }
        if there.is_none() {
            task.is_unfinished()?;
        }
        let files = there.iter().flat_map(|report| &report.files);
        let known = files.filter_map(|file| Some((file.file.rsplit('/').next()?, &*file.sha256)));
        let folder = Folder::open(&product, LockMode::Exclusive)?.of_catena_alone(known);
        let made = match &options.product {
            ShardProduct::Frames => frames::run(&task, &folder, &place, total)?,
            ShardProduct::Pack => pack::run(&task, &folder, &place, total)?,
            ShardProduct::Film(name, film) => {
                film::run(&task, &folder, (&place, &report.key), total, (name, film))?
            }
        };
        let audit = options.audit.and_then(|share| Some((choice.neighbour()?, share)));
        let audit = audit.map(|(neighbour, share)| {
            let frames = neighbour.audited(total, share);
            audit::audited(&task, &folder, neighbour, &frames)
        });
        report.audit = audit.transpose()?;
        report.files = made.files;
        report.rows = made.rendered.frames;
        let refuse = |error| OutputError::new("write", place.report(), io::Error::other(error));
        report.content = serde_json::to_value(made.content).map_err(refuse)?;
        report.ran_on = RanOn::here(start, options.command.clone());
        let report = report.publish(&place)?;
        Ok(RenderedShard { rendered: made.rendered, report, is_merged: false })
    })
}

/// Refuses links and files of others in the place of a shard.
fn refuse_others(place: &ShardPlace) -> Result<(), OutputError> {
    place.refuse_links()?;
    refuse_occupied(place, (PACK, pack::is_pack))?;
    ShardReport::refuse_other_kind(place, ShardKind::Render)
}

impl ShardOptions {
    /// The same with the rate of the film, if there is one.
    fn at_frame_time(&self, frame_time: f64) -> Self {
        let product = match &self.product {
            ShardProduct::Film(name, film) => {
                ShardProduct::Film(name.clone(), film.at_frame_time(frame_time, FilmFormat::Mp4))
            }
            other => other.clone(),
        };
        Self { product, ..self.clone() }
    }

    fn check(&self) -> Result<(), RunError> {
        let refuse = |what: &str| Err(RunError::Option(what.into()));
        if self.render.shared.is_some() {
            return refuse("shard: a shard has a folder of its own and is not shared");
        }
        if matches!(self.render.frames, FrameChoice::Part(_)) {
            return refuse("shard: its frames follow from its number, so they cannot be a part");
        }
        if let ShardProduct::Film(name, options) = &self.product {
            if self.audit.is_some() {
                return refuse(
                    "audit: segments of films are not audited, since they depend on ffmpeg",
                );
            }
            let mut parts = Path::new(name).components();
            if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) {
                return refuse(
                    "film: with a shard it is the name of a file in the folder that shards are merged into, without folders",
                );
            }
            let target = FilmTarget::new(OsStr::new(name));
            match FilmFormat::choose(&target, options.format) {
                Ok(format) if format.needs_ffmpeg() => {}
                Ok(_) => {
                    return refuse("film: only mp4, mov and mkv have segments that can be joined");
                }
                Err(error) => return Err(RunError::Option(error.to_string())),
            }
        }
        within("audit", self.audit.unwrap_or(1.0), f64::MIN_POSITIVE..=1.0)
    }

    /// The frames of the shard.
    fn range(&self, total: u64) -> Range<u64> {
        match self.product {
            ShardProduct::Film(..) => film::range(self.choice, total),
            _ => self.choice.slice(total),
        }
    }

    /// What the bytes of all shards depend on, by the names of options.
    fn source(&self, task: &Task<'_>, total: u64) -> ShardSource {
        let source = &task.source;
        let files: Vec<String> =
            source.files.iter().map(|(name, hash)| format!("{name} {hash}")).collect();
        let [width, height] = source.size;
        let time = self.render.steady_time;
        let steady = match (self.render.steady, time) {
            (false, _) => "none".into(),
            (true, None) => "as long as the frames take".into(),
            (true, Some(seconds)) => format!("{seconds} s"),
        };
        let product = match &self.product {
            ShardProduct::Frames => "frames".into(),
            ShardProduct::Pack => "packs".into(),
            ShardProduct::Film(name, options) => film::named(name, options),
        };
        ShardSource::new()
            .with("the name of the scene", &*source.scene)
            .with("the text of the scene", &*source.scene_sha256)
            .with("files of the scene", files.join(", "))
            .with("--set", source.set.join(" "))
            .with("--size", format!("{width}x{height}"))
            .with("--font", source.font_sha256.as_deref().unwrap_or("built in"))
            .with(content::FRAMES, total.to_string())
            .with("--steady-time or --no-steady", steady)
            .with("--pack or --film", product)
    }
}

impl From<FilmError> for RenderError {
    fn from(error: FilmError) -> Self {
        match error {
            FilmError::Output(error) => Self::from(error),
            error => Self::Film(error),
        }
    }
}
