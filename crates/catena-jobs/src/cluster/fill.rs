//! Templates: texts with names in «», and what stands for them.

/// The template with the value of each name in place of it. What values hold is not looked at
/// again.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(2 * template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('«') {
        let (name, after) = after.split_once('»').unwrap_or((after, ""));
        filled += before;
        match values.iter().find(|(known, _)| *known == name) {
            Some((_, value)) => filled += value,
            // Tests look for it in the job of every engine.
            None => filled.extend(["«", name, "»"]),
        }
        rest = after;
    }
    filled + rest
}

/// Lines as comments of scripts, YAML and submit files, without a line break at the end.
pub(super) fn comment<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let lines: Vec<String> = lines.into_iter().map(|line| format!("# {line}")).collect();
    lines.join("\n")
}

/// The text with every line but the first moved to the right by so many spaces, for a place in YAML
/// that is as deep.
pub(super) fn indented(text: &str, spaces: usize) -> String {
    text.trim_end().replace('\n', &format!("\n{}", " ".repeat(spaces)))
}
