//! `catena report`: all figures about a scene, and a page that shows them.

use super::{Failure, args::ReportArgs, paths::GivenPaths, progress::terminal_bar, say, threads};
use crate::figure::findings::{Finding, HEADINGS, divided};
use crate::job::{self, PLAYER_FRAMES, Progress, ReportError, ReportOptions};
use crate::output::{OutputError, atomic, pages::PAGE};
use crate::scene::Patch;
use crate::text::{number::counted, printable, shell, wrap::wrapped};
use indicatif::ProgressBar;
use std::{
    io::{self, IsTerminal},
    path::Path,
    sync::Mutex,
    time::{Duration, Instant},
};

pub(super) fn run(args: &ReportArgs, paths: &GivenPaths) -> Result<(), Failure> {
    let scene = args.scene.load()?;
    paths.keep(&job::scene_inputs(&scene))?;
    let usual = || Path::new("out").join(&scene.name).join("report");
    let path = args.out.clone().unwrap_or_else(usual);
    let options = ReportOptions {
        frames: args.frames,
        strip: args.strip.clone(),
        nodes: args.nodes.clone(),
        player_frames: args.player_frames,
        study_time: args.study_time,
        only: args.only.clone(),
        pdf: args.pdf.is_some(),
        command: command(args),
        limits: args.scene.limit.limits(),
        ..args.style.options()
    };
    let teller = Teller::new(args.quiet);
    if let Some(warning) = scene.override_warning(false) {
        teller.print(&format!("warning: {warning}"));
    }
    job::understood(&scene).iter().for_each(|text| teller.print(&format!("note: {text}")));
    let pool = threads::pool(threads::wanted(args.threads), "report", args.quiet)?;
    // A pipe without a reader is an error before hours of work. The pipe stays open until the end.
    let device = args.pdf.as_deref().filter(|path| atomic::is_device(path));
    let _device = device
        .map(|path| {
            atomic::open_device(path).map_err(|cause| OutputError::new("write", path, cause))
        })
        .transpose()?;
    // A signal ends the process immediately; the page lists the missing figures.
    let made = pool.install(|| job::report(&scene, &path, &options, &teller, &()));
    let made = made.map_err(|error| match error {
        ReportError::Run(error) => Failure::from(error),
        ReportError::Interrupted => Failure::Interrupted { code: 130, message: error.to_string() },
    })?;
    let figures = counted(made.figures as u64, "figure");
    teller.done(&format!("{figures} and {PAGE} in {}", path.display()));
    if let (Some(path), Some(bytes)) = (&args.pdf, &made.pdf) {
        atomic::write_to(path, |out| {
            out.write_all(bytes).map_err(|cause| OutputError::new("write", path, cause))
        })?;
        teller.print(&format!("wrote {}", printable::path(path)));
    }
    if args.quiet { Ok(()) } else { say::lines(findings(&made.findings)) }
}

/// Maximum number of sentences of each part on the terminal.
const MAX_SENTENCES: usize = 8;

/// Findings for the terminal, wrapped, with a heading for each part.
fn findings(all: &[Finding]) -> Vec<String> {
    let mut lines = Vec::new();
    for (heading, sentences) in HEADINGS.into_iter().zip(divided(all)) {
        if sentences.is_empty() {
            continue;
        }
        lines.extend([String::new(), format!("{heading}:")]);
        let shown = sentences.iter().take(MAX_SENTENCES);
        lines.extend(shown.flat_map(|sentence| wrapped("  -", sentence, 4)));
        let more = sentences.len().saturating_sub(MAX_SENTENCES);
        lines.extend((more > 0).then(|| format!("  {more} more in findings.md")));
    }
    lines
}

/// Minimum time between two plain lines about one part.
const PLAIN_PERIOD: Duration = Duration::from_secs(2);
/// Minimum time between two changes of the line on a terminal.
const BAR_PERIOD: Duration = Duration::from_millis(100);

/// Prints the current part of the work, its progress and the elapsed time.
struct Teller {
    is_quiet: bool,
    /// Status line on a terminal.
    bar: Option<ProgressBar>,
    part: Mutex<ReportedPart>,
}

/// State of the current part.
struct ReportedPart {
    name: String,
    began: Instant,
    /// Time of the last message.
    reported: Instant,
}

impl Teller {
    fn new(is_quiet: bool) -> Self {
        let is_seen = !is_quiet && io::stderr().is_terminal();
        let bar = is_seen.then(|| terminal_bar(None, "{bar:32} {msg}"));
        let now = Instant::now();
        let part = Mutex::new(ReportedPart { name: String::new(), began: now, reported: now });
        Self { is_quiet, bar, part }
    }

    fn print(&self, line: &str) {
        match &self.bar {
            _ if self.is_quiet => {}
            Some(bar) => bar.println(printable::line(line)),
            None => say::aside(line),
        }
    }

    /// Prints the final line.
    fn done(&self, line: &str) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
        if !self.is_quiet {
            say::aside(line);
        }
    }
}

impl Progress for Teller {
    fn part(&self, name: &str, number: u64, of: u64) {
        let name = format!("{number} of {of}: {name}");
        match &self.bar {
            Some(bar) => {
                bar.set_length(of);
                bar.set_position(number - 1);
                bar.set_message(name.clone());
            }
            None => self.print(&name),
        }
        if let Ok(mut part) = self.part.lock() {
            let now = Instant::now();
            *part = ReportedPart { name, began: now, reported: now };
        }
    }

    fn part_reached(&self, done: u64, all: u64) {
        let Ok(mut part) = self.part.lock() else { return };
        let period = if self.bar.is_some() { BAR_PERIOD } else { PLAIN_PERIOD };
        if part.reported.elapsed() < period {
            return;
        }
        part.reported = Instant::now();
        let percent = 100 * done / all.max(1);
        let line =
            format!("{}, {percent} %, {:.0} s", part.name, part.began.elapsed().as_secs_f64());
        match &self.bar {
            Some(bar) => bar.set_message(line),
            None => self.print(&line),
        }
    }

    fn note(&self, text: &str) {
        self.print(text);
    }
}

/// Command that makes the same report in the same place if it runs in the same folder.
fn command(args: &ReportArgs) -> String {
    let mut words = vec![format!("catena report {}", shell::quoted(&args.scene.scene))];
    let patches = args.scene.set.iter().map(Patch::text);
    words.extend(patches.map(|patch| format!("--set {}", shell::quoted(&patch))));
    words.extend(args.frames.map(|frames| format!("--frames {frames}")));
    for (option, numbers) in [("--nodes", &args.nodes), ("--strip", &args.strip)] {
        words.extend(numbers.as_ref().map(|numbers| {
            let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
            format!("{option} {}", numbers.join(","))
        }));
    }
    words.extend(args.only.as_ref().map(|names| format!("--only {}", names.join(","))));
    words.extend(args.style.words());
    if args.player_frames != PLAYER_FRAMES {
        words.push(format!("--player-frames {}", args.player_frames));
    }
    words.extend(args.study_time.map(|seconds| format!("--study-time {seconds}")));
    words.extend(args.scene.limit.words().iter().map(shell::quoted));
    for (option, path) in [("--out", &args.out), ("--pdf", &args.pdf)] {
        words.extend(path.as_ref().map(|path| format!("{option} {}", shell::quoted(path))));
    }
    words.join(" ")
}
