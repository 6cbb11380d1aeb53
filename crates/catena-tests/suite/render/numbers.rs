//! The numbers under a panel.

use crate::scene_of;
use catena::render::{
    BodyFrame, ShownPast, Values,
    events::BodyChanges,
    number_format::{NumberFormat, NumberFormats},
    numbers::LiveNumber,
};
use catena::sim::{SpringMemory, StepReport};
use catena::text::number::{
    bytes, compared_bytes, compared_durations, count, digits, short, tabular,
};

#[test]
fn steps_are_shown_as_they_were_taken() {
    let frame = |report, length| BodyFrame {
        t: 1.5,
        x: Vec::new(),
        springs: SpringMemory::default(),
        changes: BodyChanges::NONE,
        length,
        strain: 0.0,
        kinetic: 0.0,
        report,
        forces: Vec::new(),
        values: Values::default(),
        past: ShownPast::default(),
        wound: None,
        diverged: None,
    };
    let formats = NumberFormats::of(&scene_of("Scene()"));
    let value = |item: LiveNumber, report| item.value(&frame(report, None), None, &formats);
    let report = StepReport { count: 5, least_dt: 1.234e-3, greatest_dt: 1.0, unconverged: 2 };
    assert_eq!(value(LiveNumber::Step, report).as_deref(), Some("1.23e-3"));
    assert_eq!(value(LiveNumber::Unconverged, report).as_deref(), Some("2"));
    assert_eq!(value(LiveNumber::Step, StepReport::none()), None, "no step before frame 0");
    assert_eq!(value(LiveNumber::Unconverged, StepReport::one(0.1)), None);
    let length = value(LiveNumber::Length, report);
    assert_eq!(length, None, "a sheet has no length");
    assert_eq!(
        LiveNumber::Length.value(&frame(report, Some(2.5)), None, &formats).as_deref(),
        Some("2.50")
    );
}

/// All values of a quantity in a film have one format, whatever happens to the body.
#[test]
fn a_film_writes_its_numbers_in_one_form() {
    let formats = |fields: &str| NumberFormats::of(&scene_of(&format!("Scene(base: ({fields}))")));
    // The rope of 400 under gravity 1: energies up to 6400.
    let usual = formats("");
    for (format, value, text) in [
        (usual.length, 404.413, "404.41"),
        (usual.length, 0.0, "0.00"),
        (usual.length, 31_415.926_5, "31415.93"),
        (usual.length, 3.1e7, ">1000000"),
        (usual.energy, 2396.22, "2396.2"),
        (usual.energy, 808_709.3, "808709.3"),
        (usual.energy, 8.27e6, "8270000.0"),
        (usual.energy, 8.27e80, ">10000000"),
        (usual.strain, 1.378_6, "1.379"),
        (usual.strain, -1e9, "<-100000"),
    ] {
        let found = format.text(value);
        assert!(found == text && found.len() <= 9, "{value}: {found}");
    }
    // A bound is never larger than the value that it represents.
    for decimals in 0..=6 {
        let format = NumberFormat::Fixed(decimals);
        let bound = format.text(1e300);
        let limit: f64 = bound.strip_prefix('>').unwrap().parse().unwrap();
        assert!(format.text(0.99 * limit).parse::<f64>().is_ok(), "{bound}");
        assert!(format.text(-1e300).strip_prefix('<').unwrap().parse::<f64>().unwrap() == -limit);
    }
    // A stiff wire and a light thread have as many digits as they need.
    let wire = formats(
        "gravity: (0, -9.81), rope: (material: Steel, area: 1e-4, start: (0, 0), end: (1, 0))",
    );
    assert_eq!([wire.length.text(1.0), wire.energy.text(1.0)], ["1.0000", "1.0000"]);
    let tiny = formats("gravity: (0, -1e-9), rope: (mass: 1e-6)");
    assert_eq!(tiny.energy, NumberFormat::Scientific);
}

#[test]
fn live_numbers_keep_their_width_at_every_size() {
    for (value, text) in [
        (0.0, "0"),
        (401.2, "401.20"),
        (-3.25, "-3.250"),
        (0.01234, "0.0123"),
        (4.2e-7, "4.20e-7"),
        (123_456.7, "123457"),
        (1.0e300, "1.00e300"),
    ] {
        assert_eq!(tabular(value), text);
    }
}

#[test]
fn numbers_in_sentences_have_few_digits() {
    for (value, text) in [
        (0.0, "0"),
        (401.234, "401.2"),
        (-3.0, "-3"),
        (1.0 / 3600.0, "0.0002778"),
        (4.21e-5, "4.21e-5"),
        (123_456.7, "123500"),
        (1.0e300, "1e300"),
        (f64::INFINITY, "inf"),
        (f64::NAN, "NaN"),
    ] {
        assert_eq!(short(value), text);
    }
    assert_eq!(digits(std::f64::consts::PI, 8), "3.1415927");
    assert_eq!(digits(std::f64::consts::PI, 2), "3.1");
    for (value, text) in [(9_999_999, "9999999"), (10_000_000, "1.00e7")] {
        assert_eq!(count(value), text);
    }
    for (value, text) in [(1023, "1023 bytes"), (1536, "1.5 KiB"), (5 << 40, "5.0 TiB")] {
        assert_eq!(bytes(value), text);
    }
}

#[test]
fn amounts_that_differ_read_differently() {
    const MINUTE: u128 = 60_000_000_000;
    const GIB: u128 = 1 << 30;
    for (pair, texts) in [
        ([MINUTE, MINUTE], ["1 minute", "1 minute"]),
        ([MINUTE * 3 / 2, MINUTE], ["1.5 minutes", "1 minute"]),
        ([61_200_000_000, MINUTE], ["1.02 minutes", "1 minute"]),
        ([59_990_000_000, MINUTE], ["59.99 seconds", "1 minute"]),
        ([122_400_000_000, 2 * MINUTE], ["2.04 minutes", "2.00 minutes"]),
        ([3_601_000_000_000, 60 * MINUTE], ["1.0003 hours", "1 hour"]),
        ([500_100, 500_000], ["0.0005001 seconds", "0.0005 seconds"]),
    ] {
        assert_eq!(compared_durations(pair), texts.map(String::from), "{pair:?}");
    }
    for (pair, texts) in [
        ([33 * GIB, 32 * GIB], ["33.0 GiB", "32.0 GiB"]),
        ([32 * GIB + (1 << 20), 32 * GIB], ["32.001 GiB", "32.000 GiB"]),
        ([7, 8], ["7 bytes", "8 bytes"]),
    ] {
        assert_eq!(compared_bytes(pair), texts.map(String::from), "{pair:?}");
    }
    // Neighbouring numbers of nanoseconds are told apart as well.
    let [one, other] = compared_durations([MINUTE + 1, MINUTE]);
    assert_ne!(one, other);
}
