//! Options of `catena sweep`.

use super::{
    FigureStyleArgs, LimitArgs, ProgressArgs,
    diff::Share,
    value::{VariantRange, whole},
};
use crate::cli::args::completers;
use crate::job::{MAX_FRAMES, SweepJobOptions};
use crate::scene::{
    Limits, Patch, SceneError, SceneText,
    sweep::{MAX_VARIANTS, Sweep, SweepOptions, load_sweep},
};
use crate::shard::ShardChoice;
use crate::text::shell;
use clap::{Args, ValueHint};
use std::{ffi::OsString, path::PathBuf};

#[derive(Debug, Args)]
pub(in crate::cli) struct SweepArgs {
    /// Sweep file, or a scene together with --axis; - reads standard input.
    #[arg(value_name = "SWEEP", add = completers::scenes())]
    pub(in crate::cli) file: PathBuf,
    #[command(flatten)]
    choice: SweepChoiceArgs,
    /// Number of frames of each variant [default: the value of the sweep or scene].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MAX_FRAMES))]
    frames: Option<u64>,
    /// Set a field of every variant, such as rope.nodes=8. Can be repeated.
    #[arg(long, value_name = "PATH=VALUE", add = completers::patches())]
    set: Vec<Patch>,
    /// Output folder for table.csv, table.parquet, sweep.json and report/index.html [default:
    /// out/<name>/sweep].
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Measure only one shard, such as 3/64: shard 3 of 64. Shards can run in parallel on any
    /// machine; `catena merge DIR` joins them.
    #[arg(long, value_name = "I/N")]
    pub(in crate::cli) shard: Option<ShardChoice>,
    /// Measure this share of the neighbouring shard's variants as well, such as 1%. The merge
    /// compares them to find machines that compute wrong results.
    #[arg(long, value_name = "SHARE", requires = "shard", conflicts_with_all = ["plan", "variant", "sheet"])]
    audit: Option<Share>,
    /// Print the number of variants and their estimated cost; write nothing.
    #[arg(long, conflicts_with_all = ["shard", "out"])]
    pub(in crate::cli) plan: bool,
    /// Print the command that renders this variant; write nothing. The first variant is 0.
    #[arg(long, value_name = "N", conflicts_with_all = ["shard", "out", "plan"], value_parser = whole::<u64>(0..=MAX_VARIANTS - 1))]
    pub(in crate::cli) variant: Option<u64>,
    /// Draw the last frames of these variants, such as 0,20,40 or 5-9, side by side. Writes only
    /// sheet/sheet.png, .svg and .pdf.
    #[arg(long, value_name = "A,B-C,…", value_delimiter = ',', conflicts_with_all = ["shard", "plan", "variant"])]
    sheet: Option<Vec<VariantRange>>,
    /// Number of threads [default: one per processor]. The output does not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(in crate::cli) threads: Option<u16>,
    #[command(flatten)]
    pub(in crate::cli) style: FigureStyleArgs,
    #[command(flatten)]
    limit: LimitArgs,
    #[command(flatten)]
    pub(in crate::cli) progress: ProgressArgs,
}

/// Axes and measures of a sweep.
#[derive(Debug, Args)]
pub(in crate::cli) struct SweepChoiceArgs {
    /// Field to vary and its values. Can be repeated; the last axis varies fastest.
    #[arg(long = "axis", value_name = "PATH=VALUES", add = completers::axes())]
    axes: Vec<String>,
    /// Sample of points for axes without a count: 'Sobol(1000)', 'LatinHypercube(1000)' or
    /// 'Random(1000)'. An optional second number is the seed.
    #[arg(long, value_name = "SAMPLE", add = completers::samples())]
    sample: Option<String>,
    /// Exclude matching variants: '{"substeps": 16, "rope.stiffness": Above(1e3)}'. Can be
    /// repeated.
    #[arg(long, value_name = "PATTERN")]
    except: Vec<String>,
    /// Measures, separated by commas: Diverged, Settled, Tip, Trace, Strain, Energy, Ledger,
    /// PredictedStep, MeasuredStep, Work, StateHash and ReferenceError [default: the sweep's
    /// measures, otherwise Diverged,Strain,Energy].
    #[arg(long, value_name = "A,B,…", add = completers::measures())]
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

    /// Limits of each variant, from which the limits of the whole sweep are derived.
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
