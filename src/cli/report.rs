//! `catena report`: every figure about a scene, and one page that shows them.

use super::{
    Failure,
    args::{FigureTextKind, ReportArgs},
    say, threads,
};
use crate::figure::chart::Words;
use crate::job::{self, PLAYER_FRAMES, Progress, ReportError, ReportOptions};
use crate::output::pages::PAGE;
use crate::scene::Patch;
use crate::text::shell;
use std::path::Path;

pub(super) fn run(args: &ReportArgs) -> Result<(), Failure> {
    let scene = args.scene.load()?;
    let usual = || Path::new("out").join(&scene.name).join("report");
    let path = args.out.clone().unwrap_or_else(usual);
    let options = ReportOptions {
        frames: args.frames,
        strip: args.strip.clone(),
        nodes: args.nodes.clone(),
        figure_width: args.figure_width,
        figure_text: match args.figure_text {
            FigureTextKind::Outlines => Words::Outlines,
            FigureTextKind::Real => Words::Text,
        },
        font: args.font.file.clone(),
        player_frames: args.player_frames,
        command: command(args),
        limits: args.scene.limit.limits(),
        threads: None,
    };
    let teller = Teller { is_quiet: args.quiet };
    let pool = threads::pool(threads::wanted(args.threads), "report", args.quiet)?;
    // A signal ends the process at once: no file has its name before the end.
    let made = pool.install(|| job::report(&scene, &path, &options, &teller, &()));
    let count = made.map_err(|error| match error {
        ReportError::Run(error) => Failure::from(error),
        ReportError::Interrupted => Failure::Interrupted { code: 130, said: error.to_string() },
    })?;
    teller.tell(&format!("{count} figures and {PAGE} in {}", path.display()));
    Ok(())
}

/// Prints a line for each part of the work.
struct Teller {
    is_quiet: bool,
}

impl Teller {
    fn tell(&self, line: &str) {
        if !self.is_quiet {
            say::aside(line);
        }
    }
}

impl Progress for Teller {
    fn part(&self, name: &str) {
        self.tell(name);
    }

    fn note(&self, text: &str) {
        self.tell(text);
    }
}

/// The command that makes the same report from the same folder, wherever that is written.
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
    words.extend(args.figure_width.map(|width| format!("--figure-width {width}mm")));
    if args.figure_text == FigureTextKind::Real {
        words.push("--figure-text real".into());
    }
    words.extend(args.font.file.iter().map(|path| format!("--font {}", shell::quoted(path))));
    if args.player_frames != PLAYER_FRAMES {
        words.push(format!("--player-frames {}", args.player_frames));
    }
    words.extend(args.scene.limit.option());
    words.join(" ")
}
