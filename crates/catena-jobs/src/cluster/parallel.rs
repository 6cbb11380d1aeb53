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
# Run:    bash «file»         all shards, followed by the merge«behind»
#         bash «file» 3,7-9   these shards again, as requested by `catena merge`
#         JOBS=8 bash «file»  eight at a time; by default, as many as the processors allow, with «threads» each
# Watch:  the output, and logs/shards.tsv in the folder below: one line per shard with its time and exit code
# Resume: run the same command again. Finished shards end immediately, and others resume.
#
# Run it from a folder where these paths are valid. To use several machines, share the folder between them,
# install the same build of catena on all, and list the machines in a file:
#         PARALLEL='--sshloginfile machines --workdir .' bash «file»
set -u

export CATENA=${CATENA:-catena} # or its path
source=«source»
out=«out»
options=(«options»)
shards=«shards»

# Runs one shard. Retries it up to «retries» times after a file failed («file_failed»). Stops and resumes it
# after «minutes» minutes (124). Returns other exit codes of the shard.
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

# Lists the shards of a selection such as 3,7-9, one per line.
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

# Runs all shards, the merge and the film. Stops after three failed shards, so that a common error is not
# reported «shards» times.
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
