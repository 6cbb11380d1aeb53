//! The numbers under a panel.

use catena::render::{
    BodyShot,
    numbers::{Item, short},
};
use catena::sim::{SpringMemory, StepReport};

#[test]
fn steps_are_shown_as_they_were_taken() {
    let shot = |report, length| BodyShot {
        t: 1.5,
        x: Vec::new(),
        springs: SpringMemory::default(),
        length,
        strain: 0.0,
        kinetic: 0.0,
        report,
        diverged: None,
    };
    let value = |item: Item, report| item.value(&shot(report, None), 2);
    let report = StepReport { count: 5, least_dt: 1.234e-3, greatest_dt: 1.0, unconverged: 2 };
    assert_eq!(value(Item::Step, report).as_deref(), Some("1.23e-3"));
    assert_eq!(value(Item::Unconverged, report).as_deref(), Some("2"));
    assert_eq!(value(Item::Step, StepReport::none()).as_deref(), Some("-"));
    assert_eq!(value(Item::Unconverged, StepReport::one(0.1)), None);
    assert_eq!(value(Item::Length, report), None, "a sheet has no length");
    assert_eq!(Item::Length.value(&shot(report, Some(2.5)), 2).as_deref(), Some("2.500"));
}

#[test]
fn numbers_are_short_at_every_size() {
    for (value, text) in [
        (0.0, "0"),
        (401.2, "401.20"),
        (-3.25, "-3.250"),
        (0.01234, "0.0123"),
        (4.2e-7, "4.20e-7"),
        (123_456.7, "123457"),
        (1.0e300, "1.00e300"),
    ] {
        assert_eq!(short(value), text);
    }
}
