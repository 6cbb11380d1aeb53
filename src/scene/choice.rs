//! A name with options in parentheses, such as `ConstraintVerlet(damping: 0.00005)`.
//!
//! Which options there are only the named thing knows, so the text is kept as it stands and read in a second
//! step. A name without parentheses means all options at their defaults.

use super::diagnostic::{Fault, fault_of_ron};
use super::layered::Value;
use super::load::ron_options;
use crate::sim::{Method, integrator};
use ron::value::RawValue;
use serde::{Deserialize, Deserializer};

/// A method and its options, unread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodChoice {
    text: String,
}

impl<'de> Deserialize<'de> for MethodChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self { text: raw.trim().get_ron().into() })
    }
}

impl Value for MethodChoice {
    fn expected() -> String {
        integrator::METHOD_NAMES.join(" or ")
    }
}

impl MethodChoice {
    /// Reads the options. A fault's span counts from the start of the written text.
    pub fn read(&self) -> Result<Box<dyn Method>, Fault> {
        let name_end =
            self.text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.text.len());
        let (name, options) = self.text.split_at(name_end);
        let options_text = if options.trim().is_empty() { "()" } else { options };

        let mut reader = ron::Deserializer::from_str_with_options(options_text, &ron_options())
            .map_err(|error| fault_of_ron(&error, options_text).moved(name_end))?;
        let method = match integrator::read(name, &mut reader) {
            Some(Ok(method)) => method,
            Some(Err(error)) => {
                let error = reader.span_error(error);
                return Err(fault_of_ron(&error, options_text).moved(name_end));
            }
            None if name.is_empty() => {
                let help = format!("allowed here: {}", integrator::METHOD_NAMES.join(", "));
                let fault = Fault::new("expected the name of a method, without quotes").help(help);
                return Err(fault.at(0..self.text.len()));
            }
            None => {
                return Err(
                    Fault::unknown("method", name, integrator::METHOD_NAMES).at(0..name_end.max(1))
                );
            }
        };
        method.check().map_err(|bad| {
            let message =
                format!("`{}` of {name} is out of range: expected {}", bad.option, bad.expected);
            let span = super::locate::locate(options_text, bad.option);
            Fault::new(message).at(span.unwrap_or(0..options_text.len())).moved(name_end)
        })?;
        Ok(method)
    }
}
