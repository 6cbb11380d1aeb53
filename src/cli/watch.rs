//! `catena watch`: renders a scene each time it is saved.

use super::{
    Failure,
    args::{ProgressKind, WatchArgs},
    interrupt::{self, Interrupt},
    notes,
    progress::Reporter,
    say, threads,
};
use crate::job::{self, FrameChoice, Progress, Rendered, RunError};
use crate::output::OutputError;
use crate::scene::{Scene, SceneText, scene_name};
use crate::watch::{
    Audience, FileChanges, FolderPictures, MAX_BYTES, Pictures, Server, ServerOptions,
    ShownPictures, Tuner, watch,
};
use std::{
    fs,
    io::{self, IsTerminal},
    net::Ipv4Addr,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Default port of the page.
const PORT: u16 = 8642;

pub(super) fn run(args: &WatchArgs, interrupt: &Interrupt) -> Result<(), Failure> {
    let folder = folder(args)?;
    let pool = threads::pool(threads::wanted(args.threads), "watch", args.progress.quiet)?;
    let limits = args.scene.limit.limits();
    let changes = Arc::new(FileChanges::new(&args.scene.scene, &args.scene.set, &limits));
    let mut audience = Screen::new(args, &folder);
    let mut place = PictureDestination::new(args, &folder, &changes, &mut audience)?;
    if !changes.is_notified() {
        audience.state(
            "note: the system does not report file changes here, so files are checked every second",
        );
    }
    let last_words = || "interrupted".to_owned();
    let watched = interrupt.watched(last_words);
    let reached = pool.install(|| watch(&*changes, place.pictures(), &mut audience, &watched));
    // The threads of the page must end before the process reports that it has ended.
    drop(place);
    let message = match reached {
        Some([there, frames]) if args.serve.is_none() => format!(
            "interrupted with {there} of {frames} frames in {}; resume with:\n  {}",
            folder.display(),
            interrupt::command()
        ),
        _ => "interrupted".into(),
    };
    Err(Failure::Interrupted { code: interrupt.exit_code().unwrap_or(130), message })
}

/// Folder of the frames. Returns an error for a scene that cannot be read repeatedly.
fn folder(args: &WatchArgs) -> Result<PathBuf, Failure> {
    let path = &args.scene.scene;
    if path == Path::new("-") {
        let what = "cannot watch standard input, because the scene is read again on each save; \
                    give a file";
        return Err(Failure::Usage(what.into()));
    }
    if !fs::metadata(path).is_ok_and(|meta| meta.is_file()) {
        SceneText::read_within(path, &args.scene.limit.limits())?;
        let what =
            format!("{} is not an ordinary file, so saves cannot be detected", path.display());
        return Err(Failure::Usage(what));
    }
    Ok(args.out.clone().unwrap_or_else(|| Path::new("out").join(scene_name(path))))
}

/// Destination of the pictures.
enum PictureDestination {
    Folder(FolderPictures),
    Page(ShownPictures, #[expect(dead_code, reason = "it serves until it is dropped")] Server),
}

impl PictureDestination {
    fn new(
        args: &WatchArgs,
        folder: &Path,
        changes: &Arc<FileChanges>,
        screen: &mut Screen<'_>,
    ) -> Result<Self, Failure> {
        let scene = args.scene.scene.display();
        let Some(port) = args.serve else {
            let folder_name = folder.display();
            screen.state(&format!(
                "watching {scene}, writing frames to {folder_name}; press Ctrl-C \
                                   to stop"
            ));
            return Ok(Self::Folder(FolderPictures::new(folder, &args.render_options())));
        };
        let pictures = ShownPictures::new(&args.frame_options(), MAX_BYTES);
        let host = args.host.unwrap_or(Ipv4Addr::LOCALHOST.into());
        let start = |port: u16| {
            let tuner: Arc<dyn Tuner> = Arc::<FileChanges>::clone(changes);
            let options = ServerOptions { host, port, tuner: Some(tuner), ..Default::default() };
            Server::start_with(options, &pictures)
        };
        let server = match port {
            Some(port) => start(port),
            None => start(PORT).or_else(|_| start(0)),
        };
        let refuse = |cause: io::Error| {
            let cause = match cause.kind() {
                io::ErrorKind::AddrInUse => io::Error::new(
                    cause.kind(),
                    "the port is in use; choose another port, or omit it to use a free one",
                ),
                _ => cause,
            };
            let place = format!("{host}:{}", port.unwrap_or(PORT));
            Failure::Output(OutputError::new("serve at", place, cause))
        };
        let server = server.map_err(refuse)?;
        screen.state(&format!("watching {scene}, shown at {}; press Ctrl-C to stop", server.url()));
        if !host.is_loopback() {
            let port = server.port();
            screen.state(&format!(
                "note: every machine that can reach port {port} of {host} sees the pictures, but \
                 only this machine can change numbers"
            ));
        }
        Ok(Self::Page(pictures, server))
    }

    fn pictures(&mut self) -> &mut (dyn Pictures + Send) {
        match self {
            Self::Folder(pictures) => pictures,
            Self::Page(pictures, _) => pictures,
        }
    }
}

/// The terminal of the user.
struct Screen<'a> {
    args: &'a WatchArgs,
    /// Destination of the frames, for messages.
    place: String,
    reporter: Reporter,
    /// Lines that are printed again when the screen is cleared.
    head: Vec<String>,
}

impl<'a> Screen<'a> {
    fn new(args: &'a WatchArgs, folder: &Path) -> Self {
        let place = match args.serve {
            None => folder.display().to_string(),
            Some(_) => "memory".into(),
        };
        Self { args, place, reporter: Reporter::new(&args.progress), head: Vec::new() }
    }

    /// Prints a line that remains valid for the whole run.
    fn state(&mut self, line: &str) {
        self.reporter.note(line);
        self.head.push(line.into());
    }

    /// Clears the screen for the messages of a new edition.
    fn begin(&mut self) {
        self.reporter.dismiss();
        self.reporter = Reporter::new(&self.args.progress);
        let progress = &self.args.progress;
        let is_shown = !progress.quiet && progress.progress == ProgressKind::Auto;
        if is_shown && io::stderr().is_terminal() {
            say::clear();
            self.head.iter().for_each(|line| say::aside(line));
        }
    }

    /// Notes about the pictures.
    fn notes(&self, scene: &Scene, rendered: &Rendered) -> Vec<String> {
        let frames = FrameChoice::of_options(None, self.args.frames);
        let end = frames.of(scene).map_or(scene.frames, |range| range.end);
        let cautions = job::cautions(scene, end, &self.args.font.files);
        let mut lines = job::caution_lines(&cautions.unwrap_or_default(), self.args.notes.notes);
        lines.extend(rendered.note.clone());
        lines.extend(notes::endings(&rendered.bodies));
        lines.extend(notes::unconverged(scene, &rendered.bodies));
        lines.extend(notes::stops(&rendered.bodies));
        lines
    }
}

impl Audience for Screen<'_> {
    fn started(&mut self, _: &Scene) {
        self.begin();
    }

    fn progress(&self) -> &dyn Progress {
        &self.reporter
    }

    fn refused(&mut self, error: RunError) {
        self.begin();
        let failure = Failure::from(error);
        match self.args.progress.progress {
            ProgressKind::Json => {
                let event = serde_json::json!({ "event": "refused", "said": failure.to_string() });
                say::aside_json(&event.to_string());
            }
            _ => say::failure(&failure),
        }
    }

    fn made(&mut self, scene: &Scene, rendered: &Rendered) {
        let what = match (rendered.has_steady, self.args.serve) {
            (_, Some(_)) => "",
            (true, None) => ", steady.png and manifest.json",
            (false, None) => " and manifest.json",
        };
        let notes = self.notes(scene, rendered);
        self.reporter.done(rendered.frames, what, &self.place, &notes);
    }
}
