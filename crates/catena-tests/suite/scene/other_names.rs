//! Names of other programs: the names that they are translated to exist, and none of them hides a
//! field of a scene.

use catena::scene::fields;
use catena::scene::other_names::{
    FAMILIES, OTHER_FIELDS, OTHER_THINGS, OtherField, other_field, other_thing, quantity,
};
use catena::scene::reference::{KINDS, Kind};

/// Names in backticks, without their options.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.map(|it| it.split(['(', ':']).next().unwrap_or_default())
}

#[test]
fn advice_names_what_exists() {
    let leaf = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
    let leaves: Vec<String> = fields().iter().map(|field| leaf(&field.path)).collect();
    let things: Vec<&str> = KINDS.iter().flat_map(Kind::things).map(|thing| thing.name).collect();
    let is_known = |name: &str| leaves.iter().any(|leaf| leaf == name) || things.contains(&name);
    for other in OTHER_FIELDS {
        for (name, _) in other.means {
            assert!(leaves.iter().any(|leaf| leaf == name), "{name}");
        }
        assert!(named(other.remark).all(is_known), "{}", other.remark);
    }
    for other in OTHER_THINGS {
        assert!(named(other.advice).all(is_known), "{}", other.advice);
        assert!(named(other.advice).next().is_some(), "{}", other.advice);
    }
    for family in FAMILIES {
        for (name, _) in family.clauses {
            assert!(things.contains(name), "{name}");
        }
    }
}

#[test]
fn every_spelling_is_found_and_hides_no_name_of_a_scene() {
    let all = fields();
    for name in OTHER_FIELDS.iter().flat_map(|other| other.names) {
        assert!(other_field(name).is_some() && quantity(name).is_none(), "{name}");
    }
    // Advice about these names takes precedence over fields of other structs.
    for field in &all {
        let name = field.path.rsplit('.').next().unwrap_or_default();
        assert!(quantity(name).is_none(), "{name} is a field");
        let means_itself = |other: &OtherField| other.means.iter().any(|(it, _)| *it == name);
        assert!(other_field(name).is_none_or(means_itself), "{name} is a field");
    }
    for other in OTHER_THINGS {
        for name in other.names {
            assert!(other_thing(other.kind, name).is_some(), "{name}");
        }
    }
}
