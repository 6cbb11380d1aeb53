//! Paths on the command line. Outputs that would replace an input are refused before anything is
//! read.

use super::{
    Failure,
    args::{PATH_OPTIONS, PathOption, PathRole},
};
use crate::film::FilmOptions;
use crate::output::{OutputError, atomic, inputs::Inputs, stdout};
use clap::ArgMatches;
use std::{
    env,
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
};

/// A path as typed, or the default of its option.
#[derive(Debug)]
struct GivenPath {
    option: &'static PathOption,
    path: PathBuf,
}

/// All paths of a command line.
#[derive(Debug, Default)]
pub(super) struct GivenPaths(Vec<GivenPath>);

impl GivenPaths {
    /// Collects the paths of the subcommand from clap's result.
    pub(super) fn of(matches: &ArgMatches) -> Self {
        let Some((command, matches)) = matches.subcommand() else { return Self::default() };
        let mut all = Vec::new();
        for option in PATH_OPTIONS.iter().filter(|option| option.command == command) {
            let values = matches.try_get_raw(option.id).ok().flatten().into_iter().flatten();
            all.extend(values.map(|path| GivenPath { option, path: path.into() }));
            let has_none = all.last().is_none_or(|last| last.option != option);
            if has_none && option.role == PathRole::Starts {
                all.extend(usual_program(option).map(|path| GivenPath { option, path }));
            }
        }
        Self(all)
    }

    /// Returns an error if an output would replace an input from the command line, or cannot be
    /// written.
    ///
    /// # Errors
    /// The first such output.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let mut inputs = Inputs::default();
        for GivenPath { option, path } in self.0.iter().filter(|it| it.option.role.is_input()) {
            inputs.add(option.what, real_input(option.role, path));
        }
        self.keep(&inputs)?;
        self.keep_apart()?;
        self.outputs().try_for_each(GivenPath::check)
    }

    /// Returns an error if two options write the same file.
    fn keep_apart(&self) -> Result<(), Failure> {
        // A file that does not exist yet is identified by the real path of its folder.
        let real = |path: &Path| {
            let in_folder = || {
                let folder = std::path::absolute(path).ok()?.parent()?.canonicalize().ok()?;
                Some(folder.join(path.file_name()?))
            };
            path.canonicalize().ok().or_else(in_folder).unwrap_or_else(|| path.into())
        };
        let writes = self.outputs().filter(|given| given.option.role == PathRole::Writes);
        let mut seen: Vec<(&str, PathBuf)> = Vec::new();
        for given in writes.filter(|given| !atomic::is_device(&given.path)) {
            let (shown, path) = (given.option.shown, real(&given.path));
            if let Some((other, _)) = seen.iter().find(|(_, known)| *known == path) {
                let path = given.path.display();
                return Err(Failure::Usage(format!(
                    "{other} and {shown} name the same file, {path}; choose different files"
                )));
            }
            seen.push((shown, path));
        }
        Ok(())
    }

    /// Returns an error if an output would replace one of these files.
    ///
    /// # Errors
    /// The first such output.
    pub(super) fn keep(&self, inputs: &Inputs) -> Result<(), Failure> {
        // A command that reads and writes the same folder recognizes its own files there.
        for GivenPath { option, path } in self.outputs().filter(|given| !given.path.is_dir()) {
            if option.role != PathRole::WritesInto {
                inputs.refuse(option.shown, path).map_err(Failure::Usage)?;
            } else if let Some(what) = inputs.replaced_by(path) {
                let what = format!("it {what} that this command reads; choose another folder");
                let error = OutputError::new("write into", path, io::Error::other(what));
                return Err(Failure::OfOption(option.shown, error));
            }
        }
        Ok(())
    }

    /// Whether an output path exists. If so, it must be compared with the inputs.
    pub(super) fn is_output_there(&self) -> bool {
        self.outputs().any(|given| given.path.symlink_metadata().is_ok())
    }

    fn outputs(&self) -> impl Iterator<Item = &GivenPath> {
        let is_output =
            |given: &&GivenPath| given.option.role.is_output() && !stdout::is_stdout(&given.path);
        self.0.iter().filter(is_output)
    }

    /// Adds the option whose path caused the failure, if it can be determined.
    pub(super) fn named(&self, failure: Failure) -> Failure {
        let Failure::Output(error) = failure else { return failure };
        let is_it = |given: &&GivenPath| {
            given.option.role != PathRole::Allows && error.path().starts_with(&given.path)
        };
        let found = self.0.iter().filter(is_it).max_by_key(|given| given.path.as_os_str().len());
        match found {
            Some(given) => Failure::OfOption(given.option.shown, error),
            None => Failure::Output(error),
        }
    }
}

impl GivenPath {
    /// Returns an error if the path cannot hold the output of the command.
    fn check(&self) -> Result<(), Failure> {
        let Self { option: PathOption { command, shown, role, .. }, path } = self;
        let is_pipe = || atomic::is_device(path);
        let checked = match role {
            PathRole::WritesInto => atomic::check_target_folder(path),
            // A format may write a folder of files, and a job runs elsewhere and later.
            PathRole::Writes if *command == "export" => Ok(()),
            PathRole::Writes if *command == "job" && *shown != "-o" && is_pipe() => {
                Err(io::Error::other("it is not an ordinary file; choose another name"))
            }
            PathRole::Writes => atomic::check_target(path),
            _ => Ok(()),
        };
        checked.map_err(|cause| Failure::OfOption(shown, OutputError::new("write", path, cause)))
    }
}

/// Real path of an input. Programs are searched for in PATH, and `-` is standard input.
fn real_input(role: PathRole, path: &Path) -> PathBuf {
    match role {
        PathRole::Starts => in_path(path.as_os_str()).unwrap_or_else(|| path.into()),
        _ if path == Path::new("-") => "/dev/stdin".into(),
        _ => path.into(),
    }
}

/// Path of the default program of an option.
fn usual_program(option: &PathOption) -> Option<PathBuf> {
    let usual = FilmOptions::default();
    let name = if option.id == "ffprobe" { usual.ffprobe } else { usual.ffmpeg };
    in_path(&name)
}

/// Path of a bare file name found in PATH.
fn in_path(name: &OsStr) -> Option<PathBuf> {
    if Path::new(name).components().count() != 1 {
        return None;
    }
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}
