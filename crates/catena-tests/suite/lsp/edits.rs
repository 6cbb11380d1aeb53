//! Changes of parts of texts: many changes, including invalid ones, without growing memory.

use super::Client;
use crate::repository;
use catena_tests::Random;
use serde_json::{Value, json};
use std::fs;

/// A change of the text between two positions.
fn change(start: [u32; 2], end: [u32; 2], text: &str) -> Value {
    let place = |[line, character]: [u32; 2]| json!({ "line": line, "character": character });
    json!({ "range": { "start": place(start), "end": place(end) }, "text": text })
}

fn notify(client: &mut Client, uri: &str, version: i32, changes: &[Value]) {
    let document = json!({ "uri": uri, "version": version });
    client.notify(
        "textDocument/didChange",
        json!({ "textDocument": document, "contentChanges": changes }),
    );
}

/// Messages about a version.
fn messages(client: &mut Client, uri: &str, version: i32) -> Vec<String> {
    let found = client.diagnostics(uri, version);
    found.iter().map(|it| it["message"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn changes_of_parts_are_those_of_the_editor() {
    let uri = "untitled:parts";
    let mut client = Client::start(false);
    client.open(uri, "\u{feff}Scene(\r\n  title: \"😀\", bse: (),\r\n)");
    assert!(messages(&mut client, uri, 1)[0].contains("`bse`"));
    // After a character of two units; then the whole field, beyond the end of the line.
    notify(&mut client, uri, 2, &[change([1, 16], [1, 17], "baa")]);
    assert!(messages(&mut client, uri, 2)[0].contains("`bbaae`"));
    let all = [change([1, 14], [2, 0], ""), change([1, 14], [1, 14], " base: (drag: -1)")];
    notify(&mut client, uri, 3, &all);
    assert!(messages(&mut client, uri, 3)[0].contains("at least 0"));
    notify(&mut client, uri, 4, &[json!({ "text": "Scene()" })]);
    assert!(messages(&mut client, uri, 4).is_empty());
    // Ends in the wrong order, and beyond the text.
    notify(&mut client, uri, 5, &[change([0, 6], [0, 5], "["), change([7, 7], [9, 9], "]")]);
    assert!(!messages(&mut client, uri, 5).is_empty());
    assert_eq!(client.end(), Some(0));
}

/// Position of a byte in units of the protocol, found by a scan from the start.
fn place_of(text: &str, at: usize) -> [u32; 2] {
    let before = &text[..at];
    let lines = before.replace("\r\n", "\n").replace('\r', "\n");
    let start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let units = before[start..].encode_utf16().count();
    [lines.matches('\n').count() as u32, units as u32]
}

#[test]
fn places_stay_right_while_lines_come_and_go() {
    const PARTS: [&str; 9] = ["\r", "\n", "\r\n", "😀", "é", "ab", "\n\r", "", "\r\r\n"];
    let (head, tail) = ("Scene(/*", "*/ bse: ())");
    let mut middle: Vec<char> = "one\r\ntwo\nthree\rfour".chars().collect();
    let text = |middle: &[char]| format!("{head}{}{tail}", middle.iter().collect::<String>());
    let uri = "untitled:lines";
    let mut client = Client::start(false);
    client.open(uri, &text(&middle));
    let mut edits = Edits(Random::new(7));
    for version in 2..400 {
        // Several changes per message, each relative to the text after the previous ones.
        let mut changes = Vec::new();
        for _ in 0..=edits.0.below(3) {
            let from = edits.0.below(middle.len() + 1);
            let to = (from + edits.0.below(4)).min(middle.len());
            let whole = text(&middle);
            let byte = |letter: usize| {
                head.len() + middle[..letter].iter().copied().map(char::len_utf8).sum::<usize>()
            };
            // A position within a line ending of two characters is invalid.
            let is_inside =
                |at: usize| whole[..at].ends_with('\r') && whole[at..].starts_with('\n');
            let [start, end] = [byte(from), byte(to)];
            if is_inside(start) || is_inside(end) {
                continue;
            }
            let part = *edits.0.one(&PARTS);
            changes.push(change(place_of(&whole, start), place_of(&whole, end), part));
            middle.splice(from..to, part.chars());
        }
        notify(&mut client, uri, version, &changes);
        let whole = text(&middle);
        let [line, unit] = place_of(&whole, whole.find("bse").unwrap());
        let found = client.diagnostics(uri, version);
        let range = super::short(&found[0]["range"]);
        assert_eq!(range, format!("{line}:{unit}-{line}:{}", unit + 3), "{whole:?}");
        client.unasked.clear();
    }
    assert_eq!(client.end(), Some(0));
}

#[test]
fn texts_that_become_too_long_come_back() {
    let uri = "untitled:long";
    let mut client = Client::start(false);
    client.open(uri, "Scene()");
    client.diagnostics(uri, 1);
    let too_long = "larger than the limit of 1048576 bytes";
    // Pastes text, and undoes the paste.
    let spaces = " ".repeat(2 << 20);
    notify(&mut client, uri, 2, &[change([0, 6], [0, 6], &spaces)]);
    assert!(messages(&mut client, uri, 2)[0].contains(too_long));
    notify(&mut client, uri, 3, &[change([0, 6], [0, 6 + (2 << 20)], "bse: 1")]);
    assert!(messages(&mut client, uri, 3)[0].contains("`bse`"));
    // So large that the server keeps nothing of it until the editor sends the whole text.
    for version in 4..14 {
        notify(&mut client, uri, version, &[change([0, 6], [0, 6], &spaces)]);
    }
    assert!(messages(&mut client, uri, 13)[0].contains(too_long));
    notify(&mut client, uri, 14, &[change([0, 0], [9, 0], "Scene()")]);
    assert!(messages(&mut client, uri, 14)[0].contains(too_long));
    notify(&mut client, uri, 15, &[json!({ "text": "Scene(" }), change([0, 6], [0, 6], "bse: 1)")]);
    assert!(messages(&mut client, uri, 15)[0].contains("`bse`"));
    assert_eq!(client.end(), Some(0));
}

/// Memory of a process in kilobytes; `None` if the system does not report it.
fn resident(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Edits of a user who breaks things.
struct Edits(Random);

impl Edits {
    fn next(&mut self) -> Value {
        const WORDS: [&str; 12] =
            ["(", ")", "[", "]", "\"", ",", "😀", "/*", "\r\n", "rope: (nodes: 3)", "0.5", "\u{0}"];
        let word = *self.0.one(&WORDS);
        let (line, from) = (self.0.below(20) as u32, self.0.below(60) as u32);
        let length = self.0.below(6) as u32;
        change([line, from], [line, from + length], word)
    }
}

#[test]
fn a_thousand_edits_leave_the_server_as_it_was() {
    let text = fs::read_to_string(repository("scenes/compare.ron")).unwrap();
    let mut client = Client::start(true);
    let uris = ["untitled:one", "untitled:two", "untitled:three"];
    uris.iter().for_each(|uri| client.open(uri, &text));
    let mut edits = Edits(Random::new(25));
    let process = client.child.id();
    let mut early = None;
    for version in 2..1002 {
        let uri = uris[version as usize % uris.len()];
        notify(&mut client, uri, version, &[edits.next()]);
        if version % 10 == 0 {
            let position = json!({ "line": edits.0.below(15), "character": edits.0.below(60) });
            let at = json!({ "textDocument": { "uri": uri }, "position": position });
            for ask in ["completion", "hover", "definition"] {
                client.ask(&format!("textDocument/{ask}"), at.clone()).unwrap();
            }
            client.ask("textDocument/formatting", json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 4, "insertSpaces": true } })).unwrap();
            client.unasked.clear();
        }
        // Each document is repaired from time to time, and then has no faults.
        if version % 100 == 0 {
            notify(&mut client, uri, 10_000 + version, &[json!({ "text": text })]);
            assert_eq!(messages(&mut client, uri, 10_000 + version), [""; 0]);
        }
        if version == 200 {
            early = resident(process);
        }
    }
    if let (Some(early), Some(late)) = (early, resident(process)) {
        assert!(late < early + 16_384, "{early} kB became {late} kB");
    }
    for uri in uris {
        client.close(uri);
        let position = json!({ "line": 0, "character": 0 });
        let at = json!({ "textDocument": { "uri": uri }, "position": position });
        assert_eq!(client.ask("textDocument/hover", at), Ok(Value::Null));
    }
    assert_eq!(client.end(), Some(0));
}

#[test]
fn closed_documents_are_forgotten() {
    let mut client = Client::start(false);
    let text = format!("Scene(base: (drag: 0)) //{}", " ".repeat(500_000));
    let process = client.child.id();
    let mut early = None;
    for number in 0..70 {
        let uri = format!("untitled:{number}");
        client.open(&uri, &text);
        client.diagnostics(&uri, 1);
        client.close(&uri);
        client.unasked.clear();
        // Documents kept after these would exceed the memory limit below.
        if number == 20 {
            early = resident(process);
        }
    }
    client.open("untitled:last", "Scene()");
    client.diagnostics("untitled:last", 1);
    if let (Some(early), Some(late)) = (early, resident(process)) {
        assert!(late < early + 16_384, "{early} kB became {late} kB");
    }
    assert_eq!(client.end(), Some(0));
}
