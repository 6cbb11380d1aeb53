//! Segments of a film become the film.

use super::{MergeError, Merged};
use crate::film::{self, FilmError, FilmFormat, FilmOptions};
use crate::job::{
    Interruption, Progress,
    progress::{Stage, time},
    render::{FilmContent, RenderContent},
};
use crate::shard::{Damage, FoundReport, ShardKind, ShardSet};
use std::path::{Component, Path};

pub(super) fn run<'a>(
    (path, set): (&Path, &ShardSet),
    film: &FilmContent,
    contents: impl Iterator<Item = &'a RenderContent> + Clone,
    options: &FilmOptions,
    (progress, interruption): (&dyn Progress, &dyn Interruption),
) -> Result<Merged, MergeError> {
    let frames = contents.clone().map(|content| content.total).max().unwrap_or(0);
    let damaged = faults(set, contents.clone());
    let format: Option<FilmFormat> = film.format.parse().ok();
    let mut parts = Path::new(&film.name).components();
    let is_name = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
    let (Some(format), true, true) = (format, is_name, damaged.is_empty()) else {
        return Err(set.damaged(damaged).into());
    };
    interruption.begins();
    time(progress, Stage::Hash, || set.check_files())?;
    let segments: Vec<String> = contents
        .filter_map(|content| content.film.as_ref())
        .flat_map(|it| it.segments.clone())
        .collect();
    let target = path.join(&film.name);
    let stop = || interruption.is_set();
    progress.begin(frames, 0);
    let joined = film::join((set.folder(), &segments), (&target, format), frames, options, &stop);
    joined.map_err(|error| match error {
        FilmError::Stopped => MergeError::Interrupted { there: 0, frames },
        error => error.into(),
    })?;
    (0..frames).for_each(|_| progress.frame());
    Ok(Merged {
        kind: ShardKind::Render,
        shards: set.of(),
        rows: frames,
        has_steady: false,
        film: Some(target),
        is_packed: false,
    })
}

/// Reports whose segments are not the files that they name, in their order.
fn faults<'a>(set: &ShardSet, contents: impl Iterator<Item = &'a RenderContent>) -> Vec<Damage> {
    let is_right = |(FoundReport { report, .. }, content): &(&FoundReport, &RenderContent)| {
        let segments = content.film.iter().flat_map(|film| &film.segments);
        let plain = |name: &String| {
            name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte))
        };
        segments.clone().all(plain) && segments.eq(report.files.iter().map(|file| &file.file))
    };
    let pairs = set.reports().iter().zip(contents);
    let wrong = pairs.filter(|pair| !is_right(pair));
    wrong
        .map(|(FoundReport { report, file }, _)| {
            let what = format!("{file}: its segments are not its files");
            Damage { number: report.number, what }
        })
        .collect()
}
