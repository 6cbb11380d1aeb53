//! Shard of a render: a part of the frames, and its report.

mod content;
mod files;
mod film;
mod segments;

pub(in crate::job) use content::{FilmContent, RenderContent};
pub(in crate::job) use files::whole as whole_in_pack;
pub(in crate::job) use film::segment_frames;

use super::task::Task;
use super::{RenderError, RenderOptions, Rendered, TaskPart, with_task};
use crate::job::film::film_encoding;
use crate::job::frames::{FrameEncoder, FramePipeline};
use crate::job::options::within;
use crate::job::{Interruption, Progress, RunError};
use crate::shard::{
    RanOn, ShardAudit, ShardChoice, ShardFile, ShardKind, ShardPlace, ShardReport, ShardSource,
    refuse_occupied,
};
use catena_base::read;
use catena_output::film::{FilmError, FilmFormat, FilmOptions, FilmTarget};
use catena_output::folder::Folder;
use catena_output::lock::LockMode;
use catena_output::names::FrameNames;
use catena_output::pack::PACK;
use catena_output::{OutputError, atomic, hash};
use catena_scene::Scene;
use catena_scene::limits::FilmEncoding;
use std::ffi::OsStr;
use std::io;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::time::Instant;

/// Options of a render shard.
#[derive(Clone, Debug, PartialEq)]
pub struct ShardOptions {
    /// Number of the shard, and the total number.
    pub choice: ShardChoice,
    /// Options of the whole render. The folder must not be shared, and frames start at 0.
    pub render: RenderOptions,
    /// Form in which the frames are stored.
    pub product: ShardProduct,
    /// Share of the neighbour's frames that are computed again, above 0 and at most 1, so that a
    /// merge can detect a faulty machine. Not available for films.
    pub audit: Option<f64>,
    /// Command line, from which the merge derives the command that runs a shard again. Empty if a
    /// program called the job.
    pub command: String,
}

/// Form in which a shard stores its frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ShardProduct {
    /// One file per frame.
    #[default]
    Frames,
    /// One tar file.
    Pack,
    /// Segments of a film with this file name in the output folder, as mp4, mov, mkv or webm.
    Film(String, FilmOptions),
}

/// Result of rendering a shard.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderedShard {
    /// Frames of the shard. Only the first shard has the steady-state comparison.
    pub rendered: Rendered,
    /// Path of the report.
    pub report: PathBuf,
    /// Whether the frames were already merged, so that there was nothing to do.
    pub is_merged: bool,
}

/// Files and report content that a shard has made.
struct FolderShard {
    rendered: Rendered,
    files: Vec<ShardFile>,
    content: RenderContent,
}

/// Renders a shard of a scene into the folder `shards`. [`crate::job::merge`] merges all shards in
/// its parent, and the result is bit-identical to an undivided [`crate::job::render`].
///
/// Existing intact frames of the same shard are reused.
///
/// # Errors
/// The errors of [`crate::job::render`], and options that a shard does not support.
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
    refuse_others(&place, &options.render.names)?;
    let (product, encoding) = (place.product(), options.encoding()?);
    // Only one shard makes the comparison. The first one has the shortest simulation.
    let steady = options.render.steady && choice.number() == 1 && encoding.is_none();
    let render = RenderOptions { steady, ..options.render.clone() };
    let part = TaskPart { frames: &|all| options.range(all.end), encoding };
    with_task(scene, &product, &render, &part, progress, interruption, |task| {
        let total = task.range.end;
        let source = options.source(&task, total);
        ShardReport::refuse_foreign(&place, ShardKind::Render, &source)
            .map_err(RunError::Option)?;
        let range = options.range(total);
        let mut report = ShardReport::new(ShardKind::Render, &source, choice, total);
        report.items = [range.start, range.end];
        let there = ShardReport::read(&place, &report.key)?;
        let task = task.part(range, &product, place.report());
        if options.product == ShardProduct::Frames
            && let Some(there) = there.as_ref()
            && let Some(rendered) = files::report_if_merged(&task, folder, there)
        {
            return Ok(RenderedShard { rendered, report: place.report(), is_merged: true });
        }
        if there.is_none() {
            task.withdraw_report()?;
        }
        let files = there.iter().flat_map(|report| &report.files);
        let known = files.filter_map(|file| Some((file.file.rsplit('/').next()?, &*file.sha256)));
        let folder = Folder::open(&product, LockMode::Exclusive)?.of_catena_alone(known);
        let made = match &options.product {
            ShardProduct::Frames => files::run_files(&task, &folder, &place, total)?,
            ShardProduct::Pack => files::run_pack(&task, &folder, &place, total)?,
            ShardProduct::Film(name, film) => {
                film::run(&task, &folder, &place, &report.key, total, name, film)?
            }
        };
        let audit = options.audit.and_then(|share| Some((choice.neighbour()?, share)));
        let audit = audit.map(|(neighbour, share)| {
            let frames = neighbour.audited(total, share);
            audit_frames(&task, &folder, neighbour, &frames)
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

/// Returns an error if links or foreign files occupy the paths of a shard.
fn refuse_others(place: &ShardPlace, names: &FrameNames) -> Result<(), OutputError> {
    place.refuse_links()?;
    // A pack of an earlier render may have other names, which are in its report.
    let report = read::file(&place.report(), read::LARGE).ok();
    let report = report.and_then(|bytes| ShardReport::parse(&bytes).ok());
    let earlier = report.and_then(|report| report.content::<RenderContent>().ok());
    let earlier = earlier.map(|content| content.source.names);
    let known: Vec<FrameNames> =
        [names.clone(), FrameNames::default()].into_iter().chain(earlier).collect();
    refuse_occupied(place, PACK, |start| files::is_pack(start, &known))?;
    ShardReport::refuse_other_kind(place, ShardKind::Render)
}

impl ShardOptions {
    /// Returns the options with the frame rate of the film filled in, if there is a film.
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
            return refuse("shard: a shard has its own folder and cannot be shared");
        }
        if self.render.frames.is_part() {
            return refuse(
                "shard: the frames of a shard follow from its number; omit the range of frames",
            );
        }
        if let ShardProduct::Film(name, options) = &self.product {
            if self.audit.is_some() {
                return refuse(
                    "audit: segments of films cannot be audited, because they depend on ffmpeg",
                );
            }
            let mut parts = Path::new(name).components();
            if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) {
                return refuse(
                    "film: with a shard, give a file name without folders; the merge writes the \
                     film into its own folder",
                );
            }
            match FilmFormat::choose(&FilmTarget::new(OsStr::new(name)), options.format) {
                Ok(format) if format.needs_ffmpeg() => {}
                Ok(_) => {
                    return refuse(
                        "film: shards support only mp4, mov, mkv and webm, whose segments can be \
                         joined",
                    );
                }
                Err(error) => return Err(RunError::Option(error.to_string())),
            }
        }
        within("audit", self.audit.unwrap_or(1.0), f64::MIN_POSITIVE..=1.0)
    }

    /// Encoding of the film, if the shard makes segments of a film.
    fn encoding(&self) -> Result<Option<FilmEncoding>, FilmError> {
        let ShardProduct::Film(name, options) = &self.product else { return Ok(None) };
        let format = FilmFormat::choose(&FilmTarget::new(OsStr::new(name)), options.format)?;
        film_encoding(format, options).map(Some)
    }

    /// Frame range of the shard.
    fn range(&self, total: u64) -> Range<u64> {
        match self.product {
            ShardProduct::Film(..) => segments::range(self.choice, total),
            _ => self.choice.slice(total),
        }
    }

    /// Everything that the bytes of all shards depend on, under the names of options.
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
        let shards = ShardSource::new()
            .with("the name of the scene", &*source.scene)
            .with("the text of the scene", &*source.scene_sha256)
            .with("files of the scene", files.join(", "))
            .with("--set", source.set.join(" "))
            .with("--size", format!("{width}x{height}"))
            .with("--font", source.font_sha256.as_deref().unwrap_or("built in"))
            .with(content::FRAMES, total.to_string())
            .with("--steady-time or --no-steady", steady)
            .with("--pack or --film", product);
        match source.names.is_usual() {
            true => shards,
            false => shards.with("--name or --start-number", source.names.words()),
        }
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

/// Name of the file of a finished audit in the private folder.
const AUDIT: &str = "audit";

/// Draws frames of the neighbour and hashes them, unless a finished audit exists.
fn audit_frames(
    task: &Task<'_>,
    folder: &Folder,
    neighbour: ShardChoice,
    frames: &[u64],
) -> Result<ShardAudit, RenderError> {
    let path = folder.private().join(AUDIT);
    let there = read::file(&path, read::LARGE).ok();
    let there = there.as_deref().and_then(|bytes| {
        let text = hash::decode_line(&task.key, bytes.strip_suffix(b"\n")?)?;
        serde_json::from_str::<ShardAudit>(text).ok()
    });
    let is_same = |audit: &ShardAudit| audit.hashes.iter().map(|(at, _)| at).eq(frames);
    if let Some(audit) = there.filter(|audit| is_same(audit)) {
        return Ok(audit);
    }
    // Checkpoints of other folders are not used, since they may come from the audited machine.
    let mut simulator = task.simulator(folder);
    let encoder = FrameEncoder::new(task.painter, simulator.first(), &task.source.names, &());
    let mut hashes = Vec::new();
    let interruption = task.interruption;
    let pipeline = FramePipeline { progress: &(), interruption, on_failure: &|| {} };
    pipeline.encode(&encoder, &mut simulator, frames, |entry, _| {
        hashes.push((entry.frame, entry.sha256));
        Ok(())
    })?;
    if task.interruption.is_set() {
        let all = task.range.end - task.range.start;
        return Err(RenderError::Interrupted { there: all, frames: all });
    }
    if let Some(refusal) = simulator.refusal() {
        return Err(refusal.into());
    }
    let audit = ShardAudit { number: neighbour.number(), hashes };
    let text = serde_json::to_string(&audit).map_err(io::Error::other);
    let text = text.map_err(|cause| OutputError::new("write", &path, cause))?;
    atomic::write(&path, hash::encode_line(&task.key, &text).as_bytes())?;
    Ok(audit)
}
