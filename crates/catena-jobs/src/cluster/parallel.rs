//! GNU parallel: one script, for one machine or several machines over ssh.

use super::parts::fill;
use super::parts::{CONTINUATIONS, FILE_FAILED, RETRIES};
use super::parts::{about, film_file, words};
use super::{ClusterJob, Engine};
use catena_base::text::shell::quoted;

pub(super) const ENGINE: Engine = Engine {
    name: "parallel",
    file: "job.sh",
    what: "a script for GNU parallel, on one machine or over ssh",
    print: |job| Ok(print(job)),
};

const SCRIPT: &str = r#"#!/bin/bash
# «title»
#
«about»
#
# Run:    bash «file»         all shards, and behind them the merge«behind»
#         bash «file» 3,7-9   these shards again, as `catena merge` asks for
#         JOBS=8 bash «file»  eight at a time; otherwise as many as there are processors, of «threads» each
# Look:   what it prints, and logs/shards.tsv in the folder below: a line a shard with its time and exit code
# Go on:  the same command again, whatever happened. Shards that are finished end at once, others go
#         on where they were.
#
# Run it where these paths hold. To use several machines, share the folder between them, have one build of
# catena on all, and list them in a file:
#         PARALLEL='--sshloginfile machines --workdir .' bash «file»
set -u

export CATENA=${CATENA:-catena} # or its path
source=«source»
out=«out»
options=(«options»)
shards=«shards»

# One shard. A file that failed («file_failed») is tried again, «retries» times; a shard that has run for
# «minutes» minutes (124) is ended and goes on. Other codes are the shard's own.
shard() {
    local code failed=0 late=0
    while :; do
        timeout --foreground --kill-after=60 «minutes»m \
            "$CATENA" «command» "$source" --shard "$1/$shards" --out "$out" "${options[@]}"
        code=$?
        case $code in
        «file_failed») ((++failed <= «retries»)) || return "$code" ;;
        124) ((++late <= «continuations»)) || return "$code" ;;
        *) return "$code" ;;
        esac
        sleep 1
    done
}

# Lists the shards that 3,7-9 means, a line each.
list() {
    local part
    if ! [[ $1 =~ ^[1-9][0-9]{0,5}(-[1-9][0-9]{0,5})?(,[1-9][0-9]{0,5}(-[1-9][0-9]{0,5})?)*$ ]]; then
        echo "$1: expected shards such as 3,7-9, each from 1 to $shards" >&2
        exit 2
    fi
    for part in ${1//,/ }; do
        if ((${part%-*} > ${part#*-} || ${part#*-} > shards)); then
            echo "$part: expected shards from 1 to $shards" >&2
            exit 2
        fi
        seq "${part%-*}" "${part#*-}"
    done
}

# All shards, the merge and the film. Three shards that fail end the rest: what is wrong with all of them
# should not be said «shards» times.
run() {
    local numbers
    numbers=$(list "${1:-1-$shards}") || exit
    mkdir -p -- "$out/logs" || exit 5
    parallel --jobs "${JOBS:-«jobs»}" --env CATENA --joblog "$out/logs/shards.tsv" --tag --line-buffer \
        --halt soon,fail=3 --termseq TERM,10000,KILL,25 --quote bash "$0" shard <<<"$numbers" || exit
    "$CATENA" merge "$out" || exit«film»
}

case ${1-} in
shard) shard "$2" ;;
*) run "$@" ;;
esac
"#;

const FILM: &str = r#"
    "$CATENA" film "$out" -o «file»«options»"#;

fn print(job: &ClusterJob) -> String {
    let film = job.film.as_ref().map_or_else(String::new, |film| {
        let options: Vec<String> =
            film.options.iter().map(|it| format!(" {}", quoted(it))).collect();
        fill(FILM, &[("file", &film_file(film)), ("options", &options.concat())])
    });
    let jobs = (100 / u32::from(job.threads)).max(1);
    fill(
        SCRIPT,
        &[
            ("title", &job.title()),
            ("about", &about(job)),
            ("file", &job.file_word(ENGINE.file)),
            ("behind", if job.film.is_some() { " and the film" } else { "" }),
            ("threads", &job.threads.to_string()),
            ("minutes", &job.minutes.to_string()),
            ("source", &quoted(job.source())),
            ("out", &quoted(job.folder())),
            ("options", &words(job.own_words())),
            ("shards", &job.shards.to_string()),
            ("command", job.work.command()),
            ("file_failed", &FILE_FAILED.to_string()),
            ("retries", &RETRIES.to_string()),
            ("continuations", &CONTINUATIONS.to_string()),
            ("jobs", &format!("{jobs}%")),
            ("film", &film),
        ],
    )
}
