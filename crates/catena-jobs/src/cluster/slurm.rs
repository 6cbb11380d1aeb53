//! Slurm: one script. The script submits arrays of shards, followed by the merge and the film. Each
//! of these tasks runs the script again.

use super::parts::fill;
use super::parts::{CONTINUATIONS, FILE_FAILED, HOPELESS, INCOMPLETE, RETRIES, listed};
use super::parts::{about, film_file, wait, words};
use super::{ClusterJob, Engine, FilmStep};
use catena_base::text::shell::quoted;

pub(super) const ENGINE: Engine = Engine {
    name: "slurm",
    file: "job.sh",
    what: "a script that submits an array and its dependent jobs",
    print: |job| Ok(print(job)),
};

/// Seconds between the warning signal and the time limit of a task. A short time limit reduces it.
const WARNING: u32 = 60;

const SCRIPT: &str = r#"#!/bin/bash
# «title»
#
«about»
#
# Submit:  bash «file»          all shards, followed by the merge«behind»
#          bash «file» 3,7-9    these shards again, as requested by `catena merge`
# Monitor: squeue --me          and the logs of the tasks, in logs/ of the folder below
# Resume:  run the same command again. Finished shards end immediately, and others resume.
#          scancel JOB stops all tasks of an array and keeps their finished work.
#
# Submit it from a folder that all nodes share and where these paths are valid. Tasks read the scene
# when they start, so do not change it before the end. All nodes need the same build of catena:
# shards of different builds are not merged.
#
#SBATCH --job-name=«name»
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=«threads»
#SBATCH --mem=«memory»M
#SBATCH --time=«minutes»
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:USR1@«warning»
# Clusters often ask for one of these:
##SBATCH --account=NAME
##SBATCH --partition=NAME
set -u

catena=${CATENA:-catena} # or its path, which all nodes share
source=«source»
out=«out»
options=(«options»)
# SLURM_ARRAY_TASK_COUNT is not this number, but counts the tasks of an array: 2 for --array=3,7.
shards=«shards»

# Runs a command as a step of the job, and exits with its exit code. Requeues the step up to «retries» times
# after a file failed («file_failed»), and resumes it after its time limit. Other codes end the step: something
# is missing («incomplete»), or the failure is permanent («hopeless»).
step() {
    local code is_signal is_late= restarts=${SLURM_RESTART_COUNT:-0}
    "$@" &
    # Slurm sends USR1 only to this shell, and TERM to all processes of the task.
    trap 'is_signal=1 is_late=1; kill -TERM "$!"' USR1
    trap 'is_signal=1' TERM
    «wait»
    if { [ "$code" = «file_failed» ] && [ "$restarts" -lt «retries» ]; } \
        || { [ "$code:$is_late" = 143:1 ] && [ "$restarts" -lt «continuations» ]; }; then
        echo "exit code $code: requeued (restart $((restarts + 1)))" >&2
        scontrol requeue "$SLURM_JOB_ID"
    fi
    exit "$code"
}

# Submits a step with options of sbatch, followed by this script and its arguments. Prints the job number.
submit_step() {
    local number
    number=$(sbatch --parsable --chdir="$logs" "$@") || exit
    echo "${number%%;*}"
}

# Submits shards, selected as in 3,7-9, and the steps that depend on them.
submit() {
    local list=${1:-1-$shards} script here logs most offset part first last tasks after= number
    script=$(realpath -- "$0") here=$PWD
    if ! [[ $list =~ ^[1-9][0-9]{0,5}(-[1-9][0-9]{0,5})?(,[1-9][0-9]{0,5}(-[1-9][0-9]{0,5})?)*$ ]]; then
        echo "$list: expected shards such as 3,7-9, each from 1 to $shards" >&2
        exit 2
    fi
    mkdir -p -- "$out/logs" || exit 5
    logs=$(realpath -- "$out/logs")
    # Task numbers must be below MaxArraySize, so further shards are in further arrays.
    most=$(scontrol show config | sed -n 's/^MaxArraySize *= *//p')
    most=$((${most:-1001} - 1))
    if ((most < 1)); then
        echo "this Slurm does not allow job arrays: its MaxArraySize is below 2" >&2
        exit 2
    fi
    for ((offset = 0; offset < shards; offset += most)); do
        tasks=
        for part in ${list//,/ }; do
            first=${part%-*} last=${part#*-}
            if ((first > last || last > shards)); then
                echo "$part: expected shards from 1 to $shards" >&2
                exit 2
            fi
            ((first = first > offset ? first - offset : 1))
            ((last = last - offset > most ? most : last - offset))
            ((first > last)) || tasks+=,$first-$last
        done
        [ -n "$tasks" ] || continue
        number=$(submit_step --array="${tasks#,}" --output="shard-$offset+%a.log" \
            "$script" shard "$here" "$offset") || exit
        after+=:$number
        echo "$number: shards ${tasks#,} after $offset"
    done
    number=$(submit_step --dependency="afterok$after" --kill-on-invalid-dep=yes \
        --time=«merge_minutes» --output=merge.log "$script" merge "$here") || exit
    echo "$number: merge"«submit_film»
}

case ${1-} in
shard)
    cd -- "$2" || exit 5
    step "$catena" «command» "$source" --shard "$(($3 + SLURM_ARRAY_TASK_ID))/$shards" --out "$out" \
        "${options[@]}"
    ;;
merge)
    cd -- "$2" || exit 5
    step "$catena" merge "$out"
    ;;
«film»*) submit "$@" ;;
esac
"#;

const SUBMIT_FILM: &str = r#"
    number=$(submit_step --dependency="afterok:$number" --kill-on-invalid-dep=yes \
        --time=«minutes» --mem=«memory»M --output=film.log "$script" film "$here") || exit
    echo "$number: film""#;

const FILM: &str = r#"film)
    cd -- "$2" || exit 5
    step "$catena" film "$out" -o «file»«options»
    ;;
"#;

fn print(job: &ClusterJob) -> String {
    let warning = WARNING.min(job.minutes * 15);
    let film =
        |template| job.film.as_ref().map_or_else(String::new, |film| of_film(film, template));
    let film_note = if job.film.is_some() { " and the film" } else { "" };
    fill(
        SCRIPT,
        &[
            ("title", &job.title()),
            ("about", &about(job)),
            ("file", &job.file_word(ENGINE.file)),
            ("behind", film_note),
            ("name", &job.slug()),
            ("threads", &job.threads.to_string()),
            ("memory", &job.memory.to_string()),
            ("minutes", &job.minutes.to_string()),
            ("merge_minutes", &job.merge_minutes.to_string()),
            ("warning", &warning.to_string()),
            ("source", &quoted(job.source())),
            ("out", &quoted(job.folder())),
            ("options", &words(job.own_words())),
            ("shards", &job.shards.to_string()),
            ("command", job.work.command()),
            ("file_failed", &FILE_FAILED.to_string()),
            ("incomplete", &INCOMPLETE.to_string()),
            ("hopeless", &listed(&HOPELESS)),
            ("retries", &RETRIES.to_string()),
            ("continuations", &CONTINUATIONS.to_string()),
            ("wait", &wait(4)),
            ("submit_film", &film(SUBMIT_FILM)),
            ("film", &film(FILM)),
        ],
    )
}

/// Fills in a part of the script that depends on the film.
fn of_film(film: &FilmStep, template: &str) -> String {
    let options: String = film.options.iter().map(|word| format!(" {}", quoted(word))).collect();
    fill(
        template,
        &[
            ("minutes", &film.minutes.to_string()),
            ("memory", &film.memory.to_string()),
            ("file", &film_file(film)),
            ("options", &options),
        ],
    )
}
