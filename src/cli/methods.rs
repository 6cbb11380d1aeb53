//! `catena methods`: the tables of what a scene can name.

use super::Failure;
use crate::output::stdout::{self, Printer};
use crate::sim::{
    collider::COLLIDERS, curve::CURVES, force::applied::FORCES, integrator::METHODS, law::LAWS,
    material::MATERIALS, option::OptionInfo, step_control::STEP_CONTROLS,
};
use std::io::{self, Write};

pub(super) fn run() -> Result<(), Failure> {
    let mut out = io::BufWriter::new(Printer::default());
    list(&mut out).and_then(|()| out.flush()).map_err(stdout::refused)?;
    Ok(())
}

fn list(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "Methods (integrator: …)")?;
    for method in METHODS {
        let order = method.order.map_or("-".into(), |order| order.to_string());
        let damped = match method.damped_order {
            Some(damped) if method.order != Some(damped) => {
                format!("; order {damped} with drag or friction in springs")
            }
            _ => String::new(),
        };
        writeln!(out, "  {:<22} order {order}  {}{damped}", method.name, method.summary)?;
        options(out, method.options)?;
    }
    let tables = [
        ("Step controls (step_control: …)", STEP_CONTROLS),
        ("Spring laws (rope: (law: …))", LAWS),
        ("Materials (rope: (material: …, area: …))", MATERIALS),
        ("Forces (forces: [ … ])", FORCES),
        ("Colliders (colliders: [ … ])", COLLIDERS),
        ("Curves (anchors: [(node: …, curve: …)])", CURVES),
    ];
    for (title, table) in tables {
        writeln!(out, "\n{title}")?;
        for thing in table {
            writeln!(out, "  {:<22} {}", thing.name, thing.summary)?;
            options(out, thing.options)?;
        }
    }
    Ok(())
}

fn options(out: &mut impl Write, options: &[OptionInfo]) -> io::Result<()> {
    for option in options {
        let OptionInfo { name, summary, range, default } = option;
        match *default {
            OptionInfo::NEEDED => writeln!(out, "      {name}: {summary} ({range}; {default})")?,
            _ => writeln!(out, "      {name}: {summary} ({range}; default {default})")?,
        }
    }
    Ok(())
}
