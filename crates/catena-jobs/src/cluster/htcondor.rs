//! HTCondor: one DAG with inline submit descriptions. Each shard is a node, followed by the merge
//! and the film.

use super::parts::fill;
use super::parts::{CONTINUATIONS, FILE_FAILED, INTERRUPTED, RETRIES};
use super::{ClusterJob, Engine, FilmStep, job::no_option, parts::about, text_of};
use catena_base::text::{printable, shell};
use std::ffi::OsString;
use std::path::Path;

pub(super) const ENGINE: Engine =
    Engine { name: "htcondor", file: "job.dag", what: "a DAG with its submit descriptions", print };

const LANGUAGE: &str = "HTCondor";

const DAG: &str = r#"# «title»
#
«about»
#
# Submit:  mkdir -p «logs» && condor_submit_dag «file»
# Monitor: condor_q -dag -nobatch, and «file».dagman.out; logs of the shards are in the folder of
#          the first command
# Resume:  condor_submit_dag «file» runs the nodes that failed. If `catena merge` requests shards that
#          succeeded, condor_submit_dag -force «file» runs all nodes again: finished shards end
#          immediately, and others resume. condor_rm stops the job and keeps finished work.
#
# Submit it from a folder that all machines of the pool share and where these paths are valid. All
# machines need the same build of catena in PATH: shards of different builds are not merged.
SUBMIT-DESCRIPTION shard {
    arguments = «shard»
    output = «log_folder»/shard-$(number).log
    error = «log_folder»/shard-$(number).log
    request_cpus = «threads»
    request_memory = «memory»M
    allowed_execute_duration = «seconds»
«common»}
SUBMIT-DESCRIPTION merge {
    arguments = «merge»
    output = «log_folder»/merge.log
    error = «log_folder»/merge.log
    request_cpus = 1
    request_memory = «memory»M
    allowed_execute_duration = «merge_seconds»
«common»}
«film»
«nodes»JOB merge merge
«edges»"#;

/// Settings that all submit descriptions share.
const COMMON: &str = r#"    executable = /usr/bin/env
    transfer_executable = false
    should_transfer_files = no
    getenv = PATH, CATENA_*
    log = «log_folder»/htcondor.log
    # SIGTERM: catena finishes the current frames.
    kill_sig = SIGTERM
    job_max_vacate_time = 60
    # Retries after a file failed («file_failed»), after an interruption («interrupted») and after a kill.
    # Other failures are permanent.
    max_retries = «retries»
    retry_until = ExitBySignal =?= false && !member(ExitCode, {«retried»})
    # A job that is held because it reached its time limit (47) resumes.
    periodic_release = HoldReasonCode == 47 && NumJobStarts < «continuations»
"#;

const FILM: &str = r#"SUBMIT-DESCRIPTION film {
    arguments = «arguments»
    output = «log_folder»/film.log
    error = «log_folder»/film.log
    request_cpus = 1
    request_memory = «memory»M
    allowed_execute_duration = «seconds»
«common»}
"#;

/// Maximum number of nodes per `PARENT` line.
const NODES_A_LINE: u32 = 50;

fn print(job: &ClusterJob) -> Result<String, String> {
    let out = job.folder();
    let logs = out.join("logs");
    let log_folder = value(text_of(logs.as_os_str(), LANGUAGE)?)?;
    let [first, second] = INTERRUPTED;
    let common = fill(
        COMMON,
        &[
            ("log_folder", &log_folder),
            ("file_failed", &FILE_FAILED.to_string()),
            ("interrupted", &format!("{first} and {second}")),
            ("retried", &format!("{FILE_FAILED}, {first}, {second}")),
            ("retries", &RETRIES.to_string()),
            ("continuations", &CONTINUATIONS.to_string()),
        ],
    );
    let before = ["catena".into(), job.work.command().into(), job.source().into_os_string()];
    let mut after = vec!["--out".into(), out.clone().into_os_string()];
    after.extend(job.own_words());
    let shard = format!(
        "\"{} --shard $(number)/{} {}\"",
        arguments(&before)?,
        job.shards,
        arguments(&after)?
    );
    let merge = ["catena".into(), "merge".into(), out.into_os_string()];
    let film =
        job.film.as_ref().map(|film| of_film(job, film, &common, &log_folder)).transpose()?;
    Ok(fill(
        DAG,
        &[
            ("title", &job.title()),
            ("about", &about(job)),
            ("logs", &shell::quoted(&logs)),
            ("file", &job.file_word(ENGINE.file)),
            ("shard", &shard),
            ("log_folder", &log_folder),
            ("threads", &job.threads.to_string()),
            ("memory", &job.memory.to_string()),
            ("seconds", &(u64::from(job.minutes) * 60).to_string()),
            ("common", &common),
            ("merge", &format!("\"{}\"", arguments(&merge)?)),
            ("merge_seconds", &(u64::from(job.merge_minutes) * 60).to_string()),
            ("film", &film.unwrap_or_default()),
            ("nodes", &nodes(job.shards)),
            ("edges", &edges(job)),
        ],
    ))
}

/// Node definitions of all shards.
fn nodes(shards: u32) -> String {
    let node = |number: u32| {
        format!("JOB shard-{number} shard\nVARS shard-{number} number=\"{number}\"\n")
    };
    (1..=shards).map(node).collect()
}

/// Dependencies between the nodes.
fn edges(job: &ClusterJob) -> String {
    let mut lines = String::new();
    for first in (1..=job.shards).step_by(NODES_A_LINE as usize) {
        let last = (first + NODES_A_LINE - 1).min(job.shards);
        let names: Vec<String> = (first..=last).map(|number| format!("shard-{number}")).collect();
        lines += &format!("PARENT {} CHILD merge\n", names.join(" "));
    }
    if job.film.is_some() {
        lines += "JOB film film\nPARENT merge CHILD film\n";
    }
    lines
}

fn of_film(
    job: &ClusterJob,
    film: &FilmStep,
    common: &str,
    log_folder: &str,
) -> Result<String, String> {
    let file = no_option(Path::new(&film.file)).into_os_string();
    let mut words = vec!["catena".into(), "film".into(), job.folder().into_os_string()];
    words.extend(["-o".into(), file]);
    words.extend(film.options.iter().cloned());
    Ok(fill(
        FILM,
        &[
            ("arguments", &format!("\"{}\"", arguments(&words)?)),
            ("log_folder", log_folder),
            ("memory", &film.memory.to_string()),
            ("seconds", &(u64::from(film.minutes) * 60).to_string()),
            ("common", common),
        ],
    ))
}

/// Returns `text` as a value in a submit description, with each `$` escaped because macros start
/// with it. HTCondor replaces `$$(NAME)` when it has matched a machine, and no escape prevents
/// that, so such a text is an error.
fn value(text: &str) -> Result<String, String> {
    let shown = || printable::line(text);
    if text.contains(char::is_control) {
        return Err(format!(
            "{}: submit descriptions of {LANGUAGE} cannot contain line breaks or control \
             characters; choose another name or text",
            shown()
        ));
    }
    if ["$$(", "$$["].iter().any(|start| text.contains(start)) {
        return Err(format!(
            "{}: {LANGUAGE} replaces $$( and $$[ with attributes of a machine; choose another name \
             or text",
            shown()
        ));
    }
    Ok(text.replace('$', "$(DOLLAR)"))
}

/// Returns the words as the value of `arguments` in double quotes. A word with spaces or quotes is
/// wrapped in single quotes, and each quote in it is doubled.
fn arguments(words: &[OsString]) -> Result<String, String> {
    let mut all = Vec::new();
    for word in words {
        let text = value(text_of(word, LANGUAGE)?)?;
        let is_bare = |letter: char| !letter.is_whitespace() && letter != '\'' && letter != '"';
        all.push(match !text.is_empty() && text.chars().all(is_bare) {
            true => text,
            false => format!("'{}'", text.replace('\'', "''").replace('"', "\"\"")),
        });
    }
    Ok(all.join(" "))
}
