//! `catena methods`: the table of methods.

use super::Failure;
use crate::sim::integrator::METHODS;
use std::io::{self, Write};

pub(super) fn run() -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    for method in METHODS {
        let order = method.order.map_or("-".into(), |order| order.to_string());
        writeln!(out, "{:<20} order {order}  {}", method.name, method.summary)
            .map_err(Failure::stdout)?;
        for option in method.options {
            writeln!(
                out,
                "    {:<10} {} ({}; default {})",
                option.name, option.summary, option.range, option.default
            )
            .map_err(Failure::stdout)?;
        }
    }
    Ok(())
}
