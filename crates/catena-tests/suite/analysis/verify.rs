//! `catena verify`: its checks pass and detect errors, and its table shows their results.

use crate::catena;
use catena::analysis::verify::{
    Check, CheckSetups, Gate, Refinement, Tolerance, checks, refinements, run,
};
use catena::sim::contact::Contacts;
use catena::sim::{
    Setup,
    force::{Gravity, Term},
    method::{ExplicitEuler, ImplicitEuler, METHODS},
};
use catena::text::csv;
use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

/// The slowest checks.
const LONG: [&str; 3] = [
    "ratio of tensions, μ = 0.1",
    "ratio of tensions, μ = 0.4",
    "time until the ends differ in height by half",
];

#[test]
fn every_check_passes() {
    let mut checks = checks();
    if !crate::is_thorough() {
        // Long checks take seconds. Tests of the capstan and of falling chains compare other runs
        // with the same formulas, and the nightly job runs the checks.
        let is_long = |check: &Check| LONG.iter().any(|name| check.name.starts_with(name));
        let all = checks.len();
        checks.retain(|check| !is_long(check));
        assert_eq!(all - checks.len(), LONG.len());
    }
    for (check, finding) in checks.iter().zip(run(&checks, &CheckSetups::default())) {
        assert!(finding.passes, "{}: {}, not {}", check.name, finding.measured, check.expected);
        assert!(
            finding.measured.is_finite() || finding.measured == check.expected,
            "{}",
            check.name
        );
    }
}

#[test]
fn errors_of_rods_are_of_order_2_and_their_chart_has_them() {
    let of = |one: &Refinement| (one.values.len(), one.orders());
    for (one, (count, orders)) in refinements(&[16, 32]).iter().map(|one| (one, of(one))) {
        assert_eq!(count, 2, "{}", one.name);
        assert!((1.8..2.2).contains(&orders[0]), "{}: {orders:?}", one.name);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rods.csv");
    let run = catena().args(["verify", "--rod-orders"]).arg(&path).output().unwrap();
    assert!(run.status.success(), "{run:?}");
    let table = String::from_utf8(run.stdout).unwrap();
    assert!(table.contains("ring of Michell") && table.contains("2.04"), "{table}");
    assert!(std::fs::read_to_string(&path).unwrap().lines().count() > 8);
}

#[test]
fn names_are_unique_and_every_method_with_an_order_is_checked() {
    let checks = checks();
    let names: BTreeSet<&str> = checks.iter().map(|check| check.name.as_str()).collect();
    assert_eq!(names.len(), checks.len());
    for method in METHODS.iter().filter(|method| method.order.is_some()) {
        let order = checks.iter().find(|check| check.name == format!("order of {}", method.name));
        let order = order.unwrap_or_else(|| panic!("no order of {}", method.name));
        assert_eq!(order.expected, f64::from(method.order.unwrap()), "{}", method.name);
        // The values that `catena methods` and the stability limit use follow from the recurrence.
        if let Some(limit) = method.limit.filter(|limit| *limit > 0.0) {
            let name = format!("limit of {}", method.name);
            let found = checks.iter().find(|check| check.name == name).unwrap().expected;
            assert!(found == limit || (found - limit).abs() < 1e-3, "{name}: {limit}, not {found}");
        }
    }
}

#[test]
fn a_number_beyond_its_tolerance_does_not_pass() {
    for check in checks() {
        let Check { expected, tolerance, .. } = check;
        let passes = |measured: f64| check.judge(measured).passes;
        assert!(passes(expected), "{}", check.name);
        if check.gate == Gate::Information {
            assert!(passes(f64::NAN), "{}", check.name);
            continue;
        }
        let beyond = 1.01 * tolerance.greatest() + 1e-9 * expected.abs().max(1.0);
        let wrong: &[f64] = match tolerance {
            Tolerance::Relative(_) if expected.is_infinite() => &[1.0],
            Tolerance::Relative(_) => &[expected * (1.0 + beyond), expected * (1.0 - beyond)],
            Tolerance::Absolute(_) => &[expected + beyond, expected - beyond],
            Tolerance::AtMost => &[expected + beyond],
            Tolerance::AtLeast => &[expected - beyond],
        };
        for measured in wrong.iter().chain(&[f64::NAN]) {
            assert!(!passes(*measured), "{}: {measured}", check.name);
        }
    }
}

/// Slightly changes gravity, stiffness, rest lengths and masses, each by a different factor.
fn other_constants(setup: &mut Setup) {
    let more = setup.forces.iter().find_map(|force| match force.term() {
        Some(Term::Gravity { acceleration }) => {
            Some(acceleration.iter().map(|g| 0.01 * g).collect())
        }
        _ => None,
    });
    if let Some(acceleration) = more {
        setup.forces.push(Arc::new(Gravity { acceleration }));
    }
    for spring in &mut setup.model.springs {
        spring.stiffness *= 1.03;
        spring.rest_length *= 1.002;
    }
    setup.model.mass.iter_mut().for_each(|mass| *mass *= 0.98);
}

#[test]
fn every_check_notices_something_that_is_wrong() {
    let calls = AtomicU32::new(0);
    let another_each_time = |setup: &mut Setup| {
        let call = calls.fetch_add(1, Ordering::Relaxed);
        setup.initial.x.iter_mut().for_each(|x| *x += 1e-3 * f64::from(call));
    };
    // Checks of contact take the longest, so the alterations that they detect come first.
    let alterations: [(&str, &(dyn Fn(&mut Setup) + Sync)); 6] = [
        ("nothing to touch", &|setup| setup.contacts = Contacts::default()),
        ("no rods", &|setup| setup.forces.retain(|force| force.rods().is_none())),
        ("other constants", &other_constants),
        ("explicit Euler", &|setup| setup.method = Arc::new(ExplicitEuler {})),
        ("implicit Euler", &|setup| setup.method = Arc::new(ImplicitEuler::default())),
        ("another start each time", &another_each_time),
    ];
    // Checks of formulas against printed numbers run no simulation.
    let is_printed =
        |check: &Check| check.name.ends_with("as printed") || check.name.ends_with("about 506");
    let mut unmoved: Vec<Check> = checks();
    unmoved.retain(|check| check.gate == Gate::Discrete && !is_printed(check));
    for (name, alteration) in alterations {
        // Other checks have no rods to lose, and no contact.
        let is_concerned = |check: &Check| match name {
            // A chain that touches no table never hangs half over its edge, which takes long to
            // detect.
            "nothing to touch" => {
                let is_contact = check.group == "contact" || check.name.contains("wall");
                is_contact
                    && !check.name.starts_with("time until the ends differ in height by half")
            }
            "no rods" => check.group == "rods",
            _ => true,
        };
        let (concerned, mut others): (Vec<Check>, Vec<Check>) =
            unmoved.into_iter().partition(is_concerned);
        let findings = run(&concerned, &CheckSetups::altered(alteration));
        let before = concerned.len();
        let kept = concerned.into_iter().zip(findings).filter(|(_, finding)| finding.passes);
        unmoved = kept.map(|(check, _)| check).collect();
        assert!(unmoved.len() < before, "{name} is noticed by no check");
        unmoved.append(&mut others);
    }
    let names: Vec<&str> = unmoved.iter().map(|check| check.name.as_str()).collect();
    assert!(names.is_empty(), "nothing fails these: {names:#?}");
}

fn verify(arguments: &[&str]) -> (i32, String, String) {
    let output = catena().arg("verify").args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_table_is_grouped_and_fits_its_width() {
    let (code, out, err) = verify(&["--only", "as printed", "--threads", "1"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let count = checks().iter().filter(|check| check.name.contains("as printed")).count();
    assert_eq!(out.lines().last(), Some(&*format!("{count} of {count} checks pass")), "{out}");
    assert!(out.contains("\nlimits of a rope"), "{out}");
    assert!(out.contains("ω_max of 16 nodes, as printed"), "{out}");
    for check in checks() {
        assert!(check.name.chars().count() <= 60, "{} is too long", check.name);
        assert!(check.reference.chars().count() <= 118, "{} is too long", check.reference);
    }
    for line in out.lines() {
        assert!(line.chars().count() <= 120, "{line}");
    }
    // A group name in any case, with a row that does not count.
    let (code, out, _) = verify(&["--only", "STRETCHED STRING"]);
    assert_eq!(code, 0);
    assert!(out.ends_with("\n5 of 5 checks pass; 1 more for information only\n"), "{out}");
    let lengths: BTreeSet<usize> = out
        .lines()
        .filter(|line| line.ends_with("pass") && line.starts_with("    "))
        .map(|line| line.chars().count())
        .collect();
    assert_eq!(lengths.len(), 1, "rows are aligned: {out}");
}

#[test]
fn csv_reads_back_to_the_same_numbers() {
    let (code, out, _) = verify(&["--only", "catenary", "--csv"]);
    assert_eq!(code, 0);
    let mut lines = out.lines();
    let columns = "group,check,reference,gate,tolerance_of,expected,measured,error,tolerance,pass";
    assert_eq!(lines.next(), Some(columns));
    let chosen: Vec<Check> =
        checks().into_iter().filter(|check| check.group == "catenary").collect();
    let findings = run(&chosen, &CheckSetups::default());
    assert_eq!(lines.clone().count(), chosen.len());
    for ((line, check), finding) in lines.zip(&chosen).zip(findings) {
        let [group, name, reference] = [check.group, &check.name, check.reference].map(csv::cell);
        let text = format!("{group},{name},{reference},");
        let rest = line.strip_prefix(&text).unwrap_or_else(|| panic!("{line}"));
        let cells: Vec<&str> = rest.split(',').collect();
        let number = |index: usize| cells[index].parse::<f64>().unwrap();
        assert_eq!(number(2).to_bits(), check.expected.to_bits());
        assert_eq!(number(3).to_bits(), finding.measured.to_bits());
        assert_eq!((number(4), number(5)), (finding.error, check.tolerance.greatest()));
        assert_eq!(cells[6], finding.passes.to_string());
    }
}

#[test]
fn a_check_that_does_not_exist_is_wrong_usage() {
    let (code, out, err) = verify(&["--only", "perpetual motion"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("no check has \"perpetual motion\" in its name"), "{err}");
    assert!(err.contains("hanging chain, catenary, swings"), "{err}");
}

#[test]
fn a_failed_check_has_its_own_exit_code() {
    use catena::cli::Failure;
    assert_eq!(Failure::Checks(2).exit_code(), 1);
    assert_eq!(Failure::Checks(2).to_string(), "error: 2 checks failed");
    assert_eq!(Failure::Checks(1).to_string(), "error: 1 check failed");
}
