//! `catena methods`: the tables of what a scene can name.

use super::Failure;
use crate::sim::{integrator::METHODS, law::LAWS, option::OptionInfo};
use std::io::{self, Write};

pub(super) fn run() -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    list(&mut out).map_err(Failure::stdout)
}

fn list(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "Methods (integrator: …)")?;
    for method in METHODS {
        let order = method.order.map_or("-".into(), |order| order.to_string());
        writeln!(out, "  {:<20} order {order}  {}", method.name, method.summary)?;
        options(out, method.options)?;
    }
    writeln!(out, "\nSpring laws (rope: (law: …))")?;
    for law in LAWS {
        writeln!(out, "  {:<20} {}", law.name, law.summary)?;
        options(out, law.options)?;
    }
    Ok(())
}

fn options(out: &mut impl Write, options: &[OptionInfo]) -> io::Result<()> {
    for option in options {
        let OptionInfo { name, summary, range, default } = option;
        writeln!(out, "      {name}: {summary} ({range}; default {default})")?;
    }
    Ok(())
}
