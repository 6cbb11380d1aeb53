//! Recorded exchanges: a text, a question, and the expected answer.

use super::{Client, marked, short};
use crate::repository;
use serde::Deserialize;
use serde_json::{Value, json};

/// A question about a text; the cursor is at `¦`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exchange {
    ask: String,
    text: String,
    /// Whether the editor supports placeholders in completions.
    #[serde(default)]
    snippets: bool,
    /// The complete answer, in short form.
    #[serde(default)]
    is: Option<Value>,
    /// Parts that the answer must have.
    #[serde(default)]
    has: Vec<String>,
    /// Parts that the answer must not have.
    #[serde(default)]
    lacks: Vec<String>,
}

/// The answer, in short lines.
fn answer(client: &mut Client, exchange: &Exchange, uri: &str) -> Vec<String> {
    if exchange.ask == "diagnostics" {
        client.open(uri, &exchange.text);
        let all = client.diagnostics(uri, 1);
        let line = |it: &Value| {
            let message = it["message"].as_str().unwrap().replace('\n', " | ");
            format!("{} {message}", short(&it["range"]))
        };
        return all.iter().map(line).collect();
    }
    let (text, position) = marked(&exchange.text);
    client.open(uri, &text);
    let at = json!({ "textDocument": { "uri": uri }, "position": position });
    let result = client.ask(&format!("textDocument/{}", exchange.ask), at).unwrap();
    match exchange.ask.as_str() {
        "completion" => {
            let item = |it: &Value| {
                let edit = &it["textEdit"];
                assert_eq!(it["insertTextFormat"] == 2, edit["newText"].to_string().contains("${"));
                format!("{} <{}>", it["label"].as_str().unwrap(), edit["newText"].as_str().unwrap())
            };
            result.as_array().unwrap().iter().map(item).collect()
        }
        "hover" => {
            let text = result["contents"]["value"].as_str().unwrap_or_default();
            text.lines().map(String::from).collect()
        }
        "definition" if result.is_null() => Vec::new(),
        "definition" => {
            let file = result["uri"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
            vec![format!("{file} {}", short(&result["range"]))]
        }
        other => panic!("{other} is no question"),
    }
}

#[test]
fn exchanges_are_as_recorded() {
    let text = std::fs::read_to_string(repository("crates/catena-tests/suite/lsp/exchanges.json"))
        .unwrap();
    let exchanges: Vec<Exchange> = serde_json::from_str(&text).unwrap();
    let uri = format!("file://{}", repository("scenes/unsaved.ron").display());
    for has_snippets in [false, true] {
        let mut client = Client::start(has_snippets);
        for (index, exchange) in exchanges.iter().enumerate() {
            if exchange.snippets != has_snippets {
                continue;
            }
            // A late answer about one text must not be mistaken for an answer about the next.
            let uri = match exchange.ask.as_str() {
                "diagnostics" => uri.replace("unsaved", &format!("unsaved_{index}")),
                _ => uri.clone(),
            };
            let lines = answer(&mut client, exchange, &uri);
            let label = format!("{} of {:?}: {lines:#?}", exchange.ask, exchange.text);
            if let Some(is) = &exchange.is {
                assert_eq!(json!(lines), *is, "{label}");
            }
            for part in &exchange.has {
                assert!(lines.iter().any(|line| line.contains(part)), "{part} is not in {label}");
            }
            for part in &exchange.lacks {
                assert!(!lines.iter().any(|line| line.contains(part)), "{part} is in {label}");
            }
            client.close(&uri);
        }
        assert_eq!(client.end(), Some(0));
    }
}

/// Every documented table and field can be completed; the server's knowledge comes from the same
/// tables.
#[test]
fn every_field_can_be_completed_and_explained() {
    let mut client = Client::start(false);
    let fields = catena::scene::fields();
    for field in &fields {
        let (groups, name) = field.path.rsplit_once('.').unwrap_or(("", &field.path));
        let groups: Vec<&str> = groups.split('.').filter(|group| !group.is_empty()).collect();
        let open: String = groups.iter().map(|group| format!("{group}: (")).collect();
        let uri = "untitled:1";
        let (text, at) = marked(&format!("Scene(base: ({open}¦"));
        client.open(uri, &text);
        let at = json!({ "textDocument": { "uri": uri }, "position": at });
        let items = client.ask("textDocument/completion", at).unwrap();
        let is_it = |item: &&Value| item["label"] == name;
        let item = items.as_array().unwrap().iter().find(is_it).expect(&field.path);
        let shown = item["documentation"]["value"].as_str().unwrap();
        let summary = catena::text::printable::text(&field.summary).into_owned();
        assert!(shown.contains(&summary) && shown.contains(&field.expected), "{shown}");
        client.close(uri);
    }
    assert_eq!(client.end(), Some(0));
}
