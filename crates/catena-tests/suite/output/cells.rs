//! Any reader of CSV files gets the same texts from cells that were written.

use catena::text::csv::cell;

/// Cells of a row according to RFC 4180, as other programs read them.
fn read(row: &str) -> Vec<String> {
    let (mut cells, mut is_quoted) = (vec![String::new()], false);
    let mut letters = row.chars().peekable();
    while let Some(letter) = letters.next() {
        let last = cells.len() - 1;
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cells[last].push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            letter => cells[last].push(letter),
        }
    }
    cells
}

#[test]
fn names_come_back_as_one_cell_each_and_stay_apart() {
    let rows = [
        ("plain", "plain"),
        ("'tis quoted", "'tis quoted"),
        ("\"", "\""),
        ("\"a\", b; c", "\"a\", b; c"),
        ("a\nb\rc", "a\\nb\\rc"),
        (" lead", " lead"),
        ("", ""),
        ("=1+2", "'=1+2"),
        ("'=1+2", "''=1+2"),
        ("''-1, \"x\"", "'''-1, \"x\""),
        ("-", "'-"),
    ];
    let row = rows.map(|(text, _)| cell(text)).join(",");
    assert!(!row.contains(['\n', '\r']), "{row}");
    assert_eq!(read(&row), rows.map(|(_, expected)| expected));
}
