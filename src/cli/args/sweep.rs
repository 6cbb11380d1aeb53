//! Options of `catena sweep`.

use super::{
    LimitArgs, ProgressArgs,
    diff::Share,
    value::{VariantRange, whole},
};
use crate::cli::complete;
use crate::job::{MOST_FRAMES, SweepJobOptions};
use crate::scene::{
    Limits, Patch, SceneError, SceneText,
    sweep::{Sweep, SweepOptions, load_sweep},
};
use crate::shard::ShardChoice;
use crate::text::shell;
use clap::{Args, ValueHint};
use std::{ffi::OsString, path::PathBuf};

#[derive(Debug, Args)]
pub(in crate::cli) struct SweepArgs {
    /// The sweep file, or a scene to which --axis adds what varies; - reads standard input.
    #[arg(value_name = "SWEEP", add = complete::scenes())]
    pub(in crate::cli) file: PathBuf,
    #[command(flatten)]
    choice: SweepChoiceArgs,
    /// How many frames each variant has [default: what the sweep or the scene says].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MOST_FRAMES))]
    frames: Option<u64>,
    /// Change a field of every variant, such as rope.nodes=8. It can be given several times.
    #[arg(long, value_name = "PATH=VALUE", add = complete::patches())]
    set: Vec<Patch>,
    /// The folder to write table.csv, table.parquet, sweep.json and report/index.html into
    /// [default: out/<name>/sweep].
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Measure one shard, such as 3/64: shard 3 of 64. All of them may run at once, on any
    /// machines; `catena merge DIR` puts them together.
    #[arg(long, value_name = "I/N")]
    pub(in crate::cli) shard: Option<ShardChoice>,
    /// Measure this share of the neighbouring shard's variants as well, such as 1%, by which the
    /// merge finds a machine that computes wrong numbers.
    #[arg(long, value_name = "SHARE", requires = "shard", conflicts_with_all = ["plan", "variant", "sheet"])]
    audit: Option<Share>,
    /// Say how many variants there are and what they take, and write nothing.
    #[arg(long, conflicts_with_all = ["shard", "out"])]
    pub(in crate::cli) plan: bool,
    /// Print the command that renders this variant, and write nothing; the first one has the number
    /// 0.
    #[arg(long, value_name = "N", conflicts_with_all = ["shard", "out", "plan"])]
    pub(in crate::cli) variant: Option<u64>,
    /// Draw the last frame of these variants side by side into sheet/sheet.png, .svg and .pdf, and
    /// write nothing else: 0,20,40 or 5-9.
    #[arg(long, value_name = "A,B-C,…", value_delimiter = ',', conflicts_with_all = ["shard", "plan", "variant"])]
    sheet: Option<Vec<VariantRange>>,
    /// How many threads work [default: as many as there are processors]. The
    /// bytes do not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(in crate::cli) threads: Option<u16>,
    #[command(flatten)]
    limit: LimitArgs,
    #[command(flatten)]
    pub(in crate::cli) progress: ProgressArgs,
}

/// What varies, and what is measured.
#[derive(Debug, Args)]
pub(in crate::cli) struct SweepChoiceArgs {
    /// A field that varies, and its values. It can be given several times; the last one varies
    /// most often from one variant to the next.
    #[arg(long = "axis", value_name = "PATH=VALUES", add = complete::axes())]
    axes: Vec<String>,
    /// Fill the axes without a count with so many points: 'Sobol(1000)', 'LatinHypercube(1000)' or
    /// 'Random(1000)'; a second number is a seed.
    #[arg(long, value_name = "SAMPLE", add = complete::samples())]
    sample: Option<String>,
    /// Leave out the variants that match: '{"substeps": 16, "rope.stiffness": Above(1e3)}'.
    /// It can be given several times.
    #[arg(long, value_name = "PATTERN")]
    except: Vec<String>,
    /// What is measured: Diverged, Settled, Tip, Trace, Strain, Energy, Ledger, PredictedStep,
    /// MeasuredStep, Work, StateHash and ReferenceError, with commas between them [default: what
    /// the sweep says, and otherwise Diverged,Strain,Energy].
    #[arg(long, value_name = "A,B,…", add = complete::measures())]
    measure: Option<String>,
}

impl SweepChoiceArgs {
    /// Options of a sweep from the command line.
    pub(in crate::cli) fn options(&self, frames: Option<u64>, set: &[Patch]) -> SweepOptions {
        SweepOptions {
            axes: self.axes.clone(),
            sample: self.sample.clone(),
            except: self.except.clone(),
            measure: self.measure.clone(),
            frames,
            set: set.to_vec(),
        }
    }

    /// Given options as typed, for another command.
    pub(in crate::cli) fn words(&self) -> Vec<OsString> {
        let axes = self.axes.iter().map(|axis| ("--axis", axis));
        let sample = self.sample.iter().map(|sample| ("--sample", sample));
        let except = self.except.iter().map(|pattern| ("--except", pattern));
        let measure = self.measure.iter().map(|measure| ("--measure", measure));
        let all = axes.chain(sample).chain(except).chain(measure);
        all.flat_map(|(name, value)| [name.into(), value.into()]).collect()
    }
}

impl SweepArgs {
    /// Reads the sweep.
    pub(in crate::cli) fn load(&self) -> Result<Sweep, SceneError> {
        let limits = self.limit.limits();
        let text = SceneText::read_within(&self.file, &limits)?;
        load_sweep(&text, &self.choice.options(self.frames, &self.set), &limits)
    }

    /// Limits of each variant, from which those of the whole sweep are derived.
    pub(in crate::cli) fn limits(&self) -> Limits {
        self.limit.limits()
    }

    /// Variants of the requested sheet.
    pub(in crate::cli) fn sheet(&self) -> Option<Vec<u64>> {
        Some(self.sheet.as_ref()?.iter().flat_map(|range| range.0.clone()).collect())
    }

    /// Command that makes the same table, regardless of the folder and the shards.
    fn repeat(&self) -> String {
        let mut words = vec!["catena sweep".to_owned(), shell::quoted(&self.file)];
        words.extend(self.choice.words().iter().map(shell::quoted));
        words.extend(self.frames.map(|frames| format!("--frames {frames}")));
        let set = self.set.iter().map(|patch| format!("--set {}", shell::quoted(patch.text())));
        words.extend(set);
        words.extend(self.limit.words().iter().map(shell::quoted));
        words.join(" ")
    }

    /// Options of the job.
    pub(in crate::cli) fn options(&self, command: String) -> SweepJobOptions {
        SweepJobOptions {
            shard: self.shard,
            limits: self.limit.limits(),
            threads: None,
            command,
            repeat: self.repeat(),
            audit: self.audit.map(|share| share.0),
        }
    }
}
