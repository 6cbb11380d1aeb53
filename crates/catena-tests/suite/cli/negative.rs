//! Values of options that are out of range, and files in folders that do not exist.

use crate::rendered::{Bench, TINY};
use catena::cli::Cli;
use clap::CommandFactory;

/// Names of values that contain numbers.
const NUMERIC: [&str; 15] = [
    "N", "F", "S", "D", "K", "MIN", "SECONDS", "RATE", "CRF", "SHARE", "WxH", "LIST", "A-B",
    "A,B,…", "LENGTH",
];

/// Names of values for which a negative number is never allowed.
const COUNTS: [&str; 5] = ["N", "MIN", "SECONDS", "CRF", "WxH"];

#[test]
fn negative_numbers_are_values_of_their_options() {
    let bench = Bench::new(TINY);
    let mut tried = 0;
    for command in Cli::command().get_subcommands() {
        for option in command.get_arguments() {
            let name = option.get_value_names().and_then(|names| names.first());
            let Some((long, name)) = option.get_long().zip(name) else { continue };
            if !NUMERIC.contains(&name.as_str()) {
                continue;
            }
            let words = [command.get_name(), &format!("--{long}"), "-5"];
            let output = bench.run(words);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{words:?}: {stderr}");
            assert!(!stderr.contains("unexpected argument"), "{words:?}: {stderr}");
            if COUNTS.contains(&name.as_str()) {
                assert!(stderr.contains("invalid value '-5'"), "{words:?}: {stderr}");
                assert!(stderr.contains("expected "), "{words:?}: {stderr}");
            }
            tried += 1;
        }
    }
    assert!(tried > 80, "{tried}");
}

/// A command line, its exit code, and parts of its message.
const CASES: &[(&str, i32, &[&str])] = &[
    ("render scene.ron --frames -5", 2, &["expected a whole number from 1 to"]),
    ("check scene.ron --size -5x5", 2, &["invalid value '-5x5'", "expected WxH"]),
    ("check scene.ron --prices -5", 2, &["unexpected value '-5' for '--prices'"]),
    ("sweep scene.ron --axis drag=[1,2] --variant -1", 2, &["expected a whole number from 0 to"]),
    ("sweep scene.ron --variant 9", 3, &["no variant 9", "only variant is 0", "--axis"]),
    ("render scene.ron --variant 9", 3, &["no variant 9", "only variant is 0"]),
    (
        "sweep scene.ron --axis drag=[1] --variant 9",
        3,
        &["only one variant, which has the number 0"],
    ),
    ("sweep scene.ron --axis drag=[1,2] --variant 9", 3, &["numbered from 0 to 1"]),
    (
        "sweep scene.ron --axis drag=[1,2] --measure Strain, Energy",
        2,
        &["a space ends the list Strain,", "Strain,Energy"],
    ),
    (
        "trace scene.ron -o no/t.csv",
        5,
        &["-o: cannot write no/t.csv: there is no folder no; create it"],
    ),
    ("trace scene.ron -o no/deeper/t.csv", 5, &["there is no folder no/deeper"]),
    ("render scene.ron --film no/f.gif -q", 5, &["there is no folder no; create it"]),
    ("job scene.ron --for slurm -o no/job.sh", 5, &["there is no folder no; create it"]),
    ("statics scene.ron -o no/rest.png", 5, &["there is no folder no; create it"]),
    ("trace scene.ron -o scene.ron/t.csv", 5, &["scene.ron is a file, not a folder"]),
];

#[test]
fn messages_say_what_is_allowed() {
    let bench = Bench::new(TINY);
    for (line, code, parts) in CASES {
        let output = bench.run(line.split(' '));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(*code), "{line}: {stderr}");
        for part in *parts {
            assert!(stderr.contains(part), "{line} lacks `{part}`: {stderr}");
        }
    }
}
