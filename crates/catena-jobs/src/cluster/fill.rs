//! Templates: texts with placeholders in «», and the values that replace them.

/// Returns the template with each placeholder replaced by its value. Placeholders inside values are
/// not replaced.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(2 * template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('«') {
        let (name, after) = after.split_once('»').unwrap_or((after, ""));
        filled += before;
        match values.iter().find(|(known, _)| *known == name) {
            Some((_, value)) => filled += value,
            // An unknown name stays visible, and tests search the job of every engine for it.
            None => filled.extend(["«", name, "»"]),
        }
        rest = after;
    }
    filled + rest
}

/// Returns the lines as `#` comments of scripts, YAML and submit files, without a final line break.
pub(super) fn comment<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let lines: Vec<String> = lines.into_iter().map(|line| format!("# {line}")).collect();
    lines.join("\n")
}

/// Returns the text with every line but the first indented by `spaces`, for a block in YAML that
/// starts at that column.
pub(super) fn indented(text: &str, spaces: usize) -> String {
    text.trim_end().replace('\n', &format!("\n{}", " ".repeat(spaces)))
}
