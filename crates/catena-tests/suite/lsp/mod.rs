//! The language server, addressed as editors do, and the layout that it gives to scenes.

mod defaults;
mod editor;
mod edits;
mod exchanges;
mod layout;
mod protocol;

use crate::catena;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A server, and an editor that waits for its answers.
struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    number: i32,
    /// Messages that were not requested, in order.
    unasked: Vec<Value>,
}

impl Client {
    /// A server without any messages so far.
    fn silent() -> Self {
        Self::in_home(Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/home")))
    }

    /// A server of a user with this home, without any messages so far.
    fn in_home(home: &Path) -> Self {
        let mut child = Command::new(catena().get_program())
            .arg("lsp")
            .env("HOME", home)
            .env("LOCALAPPDATA", home)
            .env("TMPDIR", home)
            .env_remove("XDG_CACHE_HOME")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let output = BufReader::new(output);
        Self { child, input, output, number: 0, unasked: Vec::new() }
    }

    /// A server that is ready.
    fn start(has_snippets: bool) -> Self {
        Self::silent().ready(has_snippets)
    }

    /// Makes the server ready.
    fn ready(self, has_snippets: bool) -> Self {
        let mut client = self;
        let item = json!({ "snippetSupport": has_snippets });
        let capabilities = json!({ "textDocument": { "completion": { "completionItem": item } } });
        let result = client.ask("initialize", json!({ "capabilities": capabilities })).unwrap();
        assert_eq!(result["serverInfo"]["name"], "catena");
        client.notify("initialized", json!({}));
        client
    }

    /// Sends bytes as one message.
    fn send(&mut self, body: &[u8]) {
        write!(self.input, "Content-Length: {}\r\n\r\n", body.len()).unwrap();
        self.input.write_all(body).unwrap();
        self.input.flush().unwrap();
    }

    fn notify(&mut self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.send(message.to_string().as_bytes());
    }

    /// Sends a request. Returns its result or its error.
    fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.number += 1;
        let id = self.number;
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(message.to_string().as_bytes());
        loop {
            let message = self.next();
            if message["id"] == id {
                assert_eq!(message["jsonrpc"], "2.0");
                return match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message["result"].clone()),
                };
            }
            self.unasked.push(message);
        }
    }

    /// The next message of a server that continues.
    fn next(&mut self) -> Value {
        self.receive().unwrap_or_else(|| {
            let mut stderr = String::new();
            self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
            panic!("the server has ended: {:?} {stderr}", self.child.wait())
        })
    }

    /// The next message; `None` at the end.
    fn receive(&mut self) -> Option<Value> {
        let mut length = None;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            match line.trim().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().ok(),
                _ if line.trim().is_empty() => break,
                _ => {}
            }
        }
        let mut body = vec![0; length.unwrap()];
        self.output.read_exact(&mut body).unwrap();
        Some(serde_json::from_slice(&body).unwrap())
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "ron", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn close(&mut self, uri: &str) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }

    /// Diagnostics of a version of a document as soon as they arrive: its faults, or an empty list.
    fn diagnostics(&mut self, uri: &str, version: i32) -> Vec<Value> {
        let is_it = |message: &Value| {
            let params = &message["params"];
            message["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == uri
                && params["version"] == version
        };
        let known = self.unasked.iter().position(is_it);
        let message = match known {
            Some(index) => self.unasked.remove(index),
            None => loop {
                let message = self.next();
                if is_it(&message) {
                    break message;
                }
                self.unasked.push(message);
            },
        };
        message["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// Exit code after `shutdown` and `exit`.
    fn end(mut self) -> Option<i32> {
        assert_eq!(self.ask("shutdown", Value::Null), Ok(Value::Null));
        self.notify("exit", Value::Null);
        self.child.wait().unwrap().code()
    }
}

/// A text without its mark `¦`, and the position of the mark: line and UTF-16 unit.
fn marked(text: &str) -> (String, Value) {
    let (before, after) = text.split_once('¦').expect("a text with a mark");
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let units = before[start..].encode_utf16().count();
    (format!("{before}{after}"), json!({ "line": line, "character": units }))
}

/// A range in short form: `0:7-0:11`.
fn short(range: &Value) -> String {
    let end = |end: &Value| format!("{}:{}", end["line"], end["character"]);
    format!("{}-{}", end(&range["start"]), end(&range["end"]))
}
