//! Duties of a server under the protocol: order, errors, and the end; and clients that violate it.

use super::Client;
use serde_json::{Value, json};
use std::io::{Read, Write};

const URI: &str = "untitled:scene";

/// Error code of a request.
fn code(client: &mut Client, method: &str, params: Value) -> i64 {
    client.ask(method, params).unwrap_err()["code"].as_i64().unwrap()
}

#[test]
fn requests_come_in_order() {
    let mut client = Client::silent();
    assert_eq!(code(&mut client, "textDocument/hover", json!({})), -32002);
    assert_eq!(code(&mut client, "shutdown", Value::Null), -32002);
    assert_eq!(code(&mut client, "initialize", json!({ "capabilities": 3 })), -32602);
    client.ask("initialize", json!({ "capabilities": {} })).unwrap();
    client.notify("initialized", json!({}));
    assert_eq!(code(&mut client, "initialize", json!({ "capabilities": {} })), -32600);
    assert_eq!(code(&mut client, "workspace/symbol", json!({ "query": "a" })), -32601);
    assert_eq!(code(&mut client, "textDocument/hover", json!({ "position": 3 })), -32602);
    assert_eq!(code(&mut client, "textDocument/hover", Value::Null), -32602);
    client.ask("shutdown", Value::Null).unwrap();
    assert_eq!(code(&mut client, "textDocument/hover", json!({})), -32600);
    client.notify("exit", Value::Null);
    assert_eq!(client.child.wait().unwrap().code(), Some(0));
}

#[test]
fn an_end_without_shutdown_is_a_failure() {
    let leave: [fn(Client) -> (Option<i32>, String); 2] = [
        |mut client| {
            client.notify("exit", Value::Null);
            ended(client)
        },
        // The editor is killed.
        ended,
    ];
    for leave in leave {
        let (code, stderr) = leave(Client::start(false));
        assert_eq!(
            (code, stderr.trim()),
            (
                Some(1),
                "error: the editor exited without a `shutdown` \
            request"
            )
        );
    }
}

/// Exit code and messages after the end of the input.
fn ended(client: Client) -> (Option<i32>, String) {
    let Client { mut child, input, .. } = client;
    drop(input);
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    (child.wait().unwrap().code(), stderr)
}

#[test]
fn what_is_no_message_is_answered_and_passed_over() {
    let mut client = Client::start(false);
    for body in ["{bad", "[]", "3", "\u{ff}", "{\"jsonrpc\": \"2.0\"}", ""] {
        client.send(body.as_bytes());
        let answer = client.receive().unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32700)));
    }
    // Lines between messages, a header without a length, and a header in other case.
    client
        .input
        .write_all(b"hello\r\nX-Other: 3\r\n\r\ncontent-LENGTH: 2\r\nA: b\r\n\r\n{}")
        .unwrap();
    client.input.flush().unwrap();
    assert_eq!(client.receive().unwrap()["error"]["code"], -32700);
    // Notifications that cannot be read or are unknown get no answer.
    client.notify("textDocument/didOpen", json!({ "textDocument": 3 }));
    client.notify("textDocument/didChange", json!({}));
    client.notify("$/cancelRequest", json!({ "id": 3 }));
    client.notify("no/thing", Value::Null);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn a_message_that_is_too_long_is_refused() {
    let mut client = Client::start(false);
    client.send(&vec![b' '; (32 << 20) + 1]);
    let answer = client.receive().unwrap();
    assert!(answer["error"]["message"].as_str().unwrap().contains("33554432 bytes"), "{answer}");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn places_and_documents_that_there_are_not_do_no_harm() {
    let mut client = Client::start(false);
    let asks = ["completion", "hover", "definition"];
    let at = |line: u32, character: u32, uri: &str| {
        let position = json!({ "line": line, "character": character });
        json!({ "textDocument": { "uri": uri }, "position": position })
    };
    let format = |uri: &str| {
        let options = json!({ "tabSize": 4, "insertSpaces": true });
        json!({ "textDocument": { "uri": uri }, "options": options })
    };
    // A document that is not open.
    for ask in asks {
        let answer = client.ask(&format!("textDocument/{ask}"), at(0, 0, URI));
        assert_eq!(answer, Ok(Value::Null));
    }
    assert_eq!(client.ask("textDocument/formatting", format(URI)), Ok(Value::Null));
    client.close(URI);
    let change = json!({ "text": "(" });
    let document = json!({ "uri": URI, "version": 2 });
    client.notify(
        "textDocument/didChange",
        json!({ "textDocument": document, "contentChanges": [change] }),
    );
    // Positions outside lines and texts, and within a surrogate pair.
    let texts = [
        "",
        "\u{feff}",
        "Scene(base: (\r\n  title: \"😀\"",
        "((((((((((((((((((((((((((",
        "\"",
        "/*",
        ")",
    ];
    for text in texts {
        client.open(URI, text);
        for (line, character) in [(0, 0), (0, 9), (1, 11), (1, 999), (9, 9), (u32::MAX, u32::MAX)] {
            for ask in asks {
                client.ask(&format!("textDocument/{ask}"), at(line, character, URI)).unwrap();
            }
        }
        client.close(URI);
    }
    assert_eq!(client.end(), Some(0));
}

#[test]
fn a_document_over_the_limit_is_said_to_be_and_left_alone() {
    let mut client = Client::start(false);
    client.open(URI, &format!("Scene( {})", " ".repeat(1 << 20)));
    let found = client.diagnostics(URI, 1);
    let message = found[0]["message"].as_str().unwrap();
    assert!(
        found.len() == 1 && message.contains("larger than the limit of 1048576 bytes"),
        "{message}"
    );
    let position = json!({ "line": 0, "character": 6 });
    let at = json!({ "textDocument": { "uri": URI }, "position": position });
    assert_eq!(client.ask("textDocument/completion", at), Ok(Value::Null));
    // A large number of faults is truncated.
    let fields: String = (0..5000).map(|number| format!("a{number}: 1, ")).collect();
    client.open(URI, &format!("Scene(base: ({fields}))"));
    let found = client.diagnostics(URI, 1);
    assert!((10..=25).contains(&found.len()), "{}", found.len());
    assert_eq!(client.end(), Some(0));
}

#[test]
fn cautions_follow_when_there_are_no_faults() {
    let mut client = Client::start(false);
    let text = "Scene(base: (frames: 3, size: (200, 200), integrator: ExplicitEuler), panels: [(label: \"one\")])";
    client.open(URI, text);
    // Faults come first; warnings that exist by then are included.
    let mut found = client.diagnostics(URI, 1);
    if found.is_empty() {
        found = client.diagnostics(URI, 1);
    }
    let warning = found.iter().find(|it| it["severity"] == 2).unwrap();
    assert_eq!(super::short(&warning["range"]), "0:87-0:92");
    assert!(
        warning["message"].as_str().unwrap().contains("gains energy at every step size"),
        "{warning}"
    );
    assert_eq!(client.end(), Some(0));
}
