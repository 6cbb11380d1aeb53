//! Environment variables that control catena.

use catena_draw::mask::Rasterizer;
use catena_sim::instructions::Instructions;

/// Checks the values of the environment variables of catena. Code that reads them later uses the
/// default for an unknown value, so a program calls this function at its start.
///
/// # Errors
/// A message that names the variable, its invalid value and the allowed ones.
pub fn check() -> Result<(), String> {
    Instructions::allowed().map_err(|wanted| {
        refusal(Instructions::VARIABLE, &wanted, &Instructions::ALL.map(Instructions::name))
    })?;
    Rasterizer::wanted().map_err(|wanted| {
        refusal(Rasterizer::VARIABLE, &wanted, &Rasterizer::ALL.map(Rasterizer::name))
    })?;
    Ok(())
}

fn refusal(variable: &str, wanted: &str, names: &[&str]) -> String {
    let names = names.join(", ");
    let names = names.rsplit_once(", ").map(|(first, last)| format!("{first} or {last}"));
    let names = names.unwrap_or_default();
    format!("the environment variable {variable} is \"{wanted}\"; set it to {names}, or unset it")
}
