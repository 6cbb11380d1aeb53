//! The numbers under a panel.

use catena::render::{BodyFrame, ShownPast, Values, events::BodyChanges, numbers::LiveNumber};
use catena::sim::{SpringMemory, StepReport};
use catena::text::number::{bytes, count, digits, short, tabular};

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
    let value = |item: LiveNumber, report| item.value(&frame(report, None), None, 2);
    let report = StepReport { count: 5, least_dt: 1.234e-3, greatest_dt: 1.0, unconverged: 2 };
    assert_eq!(value(LiveNumber::Step, report).as_deref(), Some("1.23e-3"));
    assert_eq!(value(LiveNumber::Unconverged, report).as_deref(), Some("2"));
    assert_eq!(value(LiveNumber::Step, StepReport::none()).as_deref(), Some("-"));
    assert_eq!(value(LiveNumber::Unconverged, StepReport::one(0.1)), None);
    let length = value(LiveNumber::Length, report);
    assert_eq!(length.as_deref(), Some("-"), "a sheet has no length");
    assert_eq!(
        LiveNumber::Length.value(&frame(report, Some(2.5)), None, 2).as_deref(),
        Some("2.500")
    );
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
