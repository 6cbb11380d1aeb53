//! The search for settings that make panels equal is bounded, and reports what it tried.

use crate::scene::comparability::panels;
use crate::scene_of;
use catena::scene::comparability::{MAX_BUILT, SearchExtent, notes, notes_within, search};

/// Settings that make a panel differ in ten quantities.
const TEN: &str = "substeps: 16, drag: 0.1, wind: (1, 0), gravity: (0, -2), position_factor: 0.9,
    rope: (stiffness: 50, mass: 2, pins: [0, 9], bending: 1, breaks_at: 3)";

/// Panels that differ in many quantities, and the bounds of the search for settings that make them
/// equal.
#[test]
fn a_search_over_large_bodies_ends() {
    let names = |nodes: u64, maximum: u64| {
        let scene = panels(&format!("rope: (nodes: {nodes})"), &["", TEN]);
        let search = search(&scene, maximum);
        assert!(search.built <= maximum, "{} of {maximum}", search.built);
        let extents: Vec<SearchExtent> =
            search.unfinished.iter().map(|(.., extent)| *extent).collect();
        (search.remedies.len(), extents, search.built)
    };
    // The whole search, its feasible part, and none of it.
    let (count, extents, built) = names(1000, MAX_BUILT);
    assert_eq!((count, &extents[..]), (10, &[][..]));
    assert_eq!(names(1000, built).0, 10);
    assert_eq!(names(1000, built - 1), (0, vec![SearchExtent::Part], built - 1000));
    assert_eq!(names(1000, 9_999), (0, vec![SearchExtent::Nothing], 0));
    // Combining the sides of two large sheets gives a much larger one, which is not built.
    let sheet = |rows: u64, columns: u64| {
        let sides = "corner: (0, 0), across: (5, 0), down: (0, -5)";
        format!("cloth: ({sides}, rows: {rows}, columns: {columns})")
    };
    let (wide, high) = (sheet(2, 9000), sheet(9000, 2));
    let scene = panels("", &[&wide, &high]);
    let search = search(&scene, MAX_BUILT);
    assert!(search.unfinished.is_empty() && search.built < 1_000_000, "{}", search.built);
    assert_eq!(search.remedies[0].settings, "cloth: (rows: 2, columns: 9000)");
}

/// A remedy of many settings is printed once, as it was tried; for a remedy that is too long to
/// print, the fields are named.
#[test]
fn long_remedies_are_told_as_they_were_tried() {
    let pins = |count: usize| {
        let all: Vec<String> = (0..count).map(|pin| pin.to_string()).collect();
        format!("rope: (pins: [{}])", all.join(", "))
    };
    let note = |count: usize| {
        let all = notes(&panels("rope: (nodes: 900)", &[&pins(count), ""]));
        all.into_iter().find(|note| note.starts_with("Pins differ")).unwrap()
    };
    assert!(note(60).contains(&format!("set `{}` in \"1\".", pins(60))), "{}", note(60));
    let long = note(800);
    assert!(long.contains("set `rope.pins` in \"1\" (too long to print: 39"), "{long}");
    assert!(long.len() < 200, "{long}");
    // A removed field.
    let message = notes(&panels("", &["", "rope: (breaks_at: 0.5)"])).join("\n");
    assert!(message.contains("like with like, remove `rope.breaks_at` from \"1\"."), "{message}");
    // Not tried, and not tried completely.
    let scene = panels("", &["", TEN]);
    for (maximum, part) in [
        (MAX_BUILT, "set `gravity: (0, -1)` in \"1\"."),
        (100, ". No search for a remedy was made: the bodies are too large."),
        (1000, ". The search for a remedy stopped early: the bodies are too large."),
    ] {
        let message = notes_within(&scene, maximum).join("\n");
        assert!(message.contains(part), "{maximum}: {message}");
    }
}

/// A field is named for removal only if this affects no other body.
#[test]
fn fields_of_several_bodies_are_not_left_out_for_one() {
    let breaks = "with: (rope: (breaks_at: 0.5))";
    // A label of a row names one field, so the other one is noted.
    let both = "with: (substeps: 9, rope: (breaks_at: 0.5))";
    let rows = format!("rows: [(label: \"a\"), (label: \"9 substeps\", {both})]");
    for (scene, is_named) in [
        (format!("grid: ({rows})"), true),
        (format!("grid: ({rows}, columns: [(label: \"x\"), (label: \"y\")])"), false),
        (format!("panels: [(), (with: (bodies: [({breaks}), (label: \"q\")]))]"), true),
        ("panels: [(), (with: (rope: (breaks_at: 0.5), bodies: [(), ()]))]".into(), false),
        (format!("base: (bodies: [(), ({breaks})])"), true),
        (format!("base: (bodies: [(), ({breaks})]), panels: [(), ()]"), false),
    ] {
        let message = notes(&scene_of(&format!("Scene({scene})"))).join("\n");
        assert_eq!(
            message.contains("remove `rope.breaks_at` from"),
            is_named,
            "{scene}: {message}"
        );
        assert_eq!(message.contains("No setting of"), !is_named, "{scene}: {message}");
    }
}
