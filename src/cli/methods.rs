//! `catena methods`: the tables of what a scene can name.

use super::{Failure, say};
use crate::sim::{
    body::{material::MATERIALS, shape::path::SHAPES},
    contact::collider::COLLIDERS,
    drive::{
        curve::CURVES,
        event::{action::ACTIONS, condition::CONDITIONS},
    },
    force::{applied::FORCES, law::LAWS},
    method::{METHODS, control::STEP_CONTROLS},
    named::OptionInfo,
};

pub(super) fn run() -> Result<(), Failure> {
    let mut lines = vec!["Methods (integrator: …)".to_owned()];
    for method in METHODS {
        let order = method.order.map_or("-".into(), |order| order.to_string());
        let damped = match method.damped_order {
            Some(damped) if method.order != Some(damped) => {
                format!("; order {damped} with drag or friction in springs")
            }
            _ => String::new(),
        };
        lines.push(format!("  {:<22} order {order}  {}{damped}", method.name, method.summary));
        lines.extend(options(method.options));
    }
    let tables = [
        ("Shapes (rope: (shape: …))", SHAPES),
        ("Step controls (step_control: …)", STEP_CONTROLS),
        ("Spring laws (rope: (law: …))", LAWS),
        ("Materials (rope: (material: …, area: …))", MATERIALS),
        ("Forces (forces: [ … ])", FORCES),
        ("Colliders (colliders: [ … ])", COLLIDERS),
        ("Curves (anchors: [(node: …, curve: …)], gravity: …, wind: …)", CURVES),
        ("Actions (events: [(at: …, do: …)])", ACTIONS),
        ("Conditions (events: [(when: …, do: …)])", CONDITIONS),
    ];
    for (title, table) in tables {
        lines.extend([String::new(), title.into()]);
        for thing in table {
            lines.push(format!("  {:<22} {}", thing.name, thing.summary));
            lines.extend(options(thing.options));
        }
    }
    say::lines(lines)
}

fn options(options: &'static [OptionInfo]) -> impl Iterator<Item = String> {
    options.iter().map(|option| {
        let OptionInfo { name, summary, range, default } = option;
        match *default {
            OptionInfo::NEEDED => format!("      {name}: {summary} ({range}; {default})"),
            _ => format!("      {name}: {summary} ({range}; default {default})"),
        }
    })
}
