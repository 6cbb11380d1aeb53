//! Command-line options that correspond to fields of `reference`.

/// Replaces fields in backticks by the options of a command: `` `y: Down` `` by `` `--y down` ``.
pub fn of_fields(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let option = |(index, part): (usize, &str)| match index % 2 {
        1 => option(part).unwrap_or_else(|| part.to_owned()),
        _ => part.to_owned(),
    };
    parts.map(option).collect::<Vec<_>>().join("`")
}

/// Returns the option for a field with its value, such as `--scale 0.01` for `scale: 0.01`.
fn option(field: &str) -> Option<String> {
    let (name, value) = field.split_once(": ")?;
    Some(match name {
        "y" => format!("--y {}", value.to_lowercase()),
        "scale" => format!("--scale {value}"),
        "translate" => {
            let value = value.trim_matches(['(', ')']);
            format!("--translate={}", value.replace(' ', ""))
        }
        "columns" => format!("--columns{}", listed(value.trim_matches('"'))),
        "first_frame" => format!("--first-frame {value}"),
        "first_node" => format!("--first-node {value}"),
        "node_order" => format!("--node-order {}", value.to_lowercase()),
        "node" => format!("--node {value}"),
        _ => return None,
    })
}

/// Returns the argument of `--columns`. It follows `=` if the list begins with a hyphen, and is
/// quoted if a shell would split it.
fn listed(list: &str) -> String {
    let before = if list.starts_with('-') { "=" } else { " " };
    format!("{before}{}", catena_base::text::shell::quoted(list))
}

/// Returns advice with the option of a command in place of a field: `--columns frame,node,x,y`.
pub(super) fn of_advice(help: &str) -> String {
    let help = of_fields(help);
    let Some((before, rest)) = help.split_once("columns: \"") else { return help };
    let Some((list, after)) = rest.split_once('"') else { return help };
    let before = before.strip_suffix("list the columns: ").map_or(before, |_| "add ");
    format!("{before}--columns {list}{after}")
}
