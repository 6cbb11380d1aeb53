//! Chromium, controlled through its command pipe, so that a page can change while it is observed.
#![cfg(unix)]

use super::watching::DEADLINE;
use crate::figure::report::chromium;
use serde_json::{Value, json};
use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Write},
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

pub struct Browser {
    child: Child,
    commands: File,
    answers: BufReader<File>,
    session: Option<Value>,
    count: u64,
    _profile: TempDir,
}

impl Browser {
    /// Shows a page; `None` without Chromium.
    pub fn open(url: &str) -> Option<Self> {
        let profile = tempfile::tempdir().unwrap();
        let chromium = chromium(profile.path())?;
        let [to, from] = ["to", "from"].map(|name| profile.path().join(name));
        assert!(Command::new("mkfifo").args([&to, &from]).status().unwrap().success());
        // The browser reads commands from file descriptor 3 and answers on file descriptor 4.
        let script = r#"to=$1; from=$2; shift 2; exec "$@" 3<"$to" 4>"$from""#;
        let child = Command::new("sh")
            .args(["-c", script, "sh"])
            .args([&to, &from])
            .arg(chromium.get_program())
            .args(chromium.get_args())
            .arg("--remote-debugging-pipe")
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let commands = fs::OpenOptions::new().write(true).open(&to).unwrap();
        let answers = BufReader::new(File::open(&from).unwrap());
        let mut browser =
            Self { child, commands, answers, session: None, count: 0, _profile: profile };
        let page = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached = json!({ "targetId": page["targetId"], "flatten": true });
        browser.session =
            Some(browser.call("Target.attachToTarget", attached)["sessionId"].clone());
        browser.call("Page.enable", json!({}));
        browser.call("Page.navigate", json!({ "url": url }));
        Some(browser)
    }

    /// Calls a method of the browser.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.count += 1;
        let mut message = json!({ "id": self.count, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = session.clone();
        }
        self.commands.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let mut answer = Vec::new();
            self.answers.read_until(0, &mut answer).unwrap();
            assert_eq!(answer.pop(), Some(0), "the browser has ended");
            let mut answer: Value = serde_json::from_slice(&answer).unwrap();
            if answer["id"] == self.count {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].take();
            }
        }
    }

    /// Value of an expression in the page; null if it fails, for example before the page exists.
    pub fn value(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true });
        self.call("Runtime.evaluate", params)["result"]["value"].take()
    }

    /// Waits until an expression has a value.
    #[track_caller]
    pub fn until(&mut self, expression: &str, wanted: impl Into<Value>) {
        let (wanted, mut last) = (wanted.into(), self.value(expression));
        let start = Instant::now();
        while last != wanted {
            let time = start.elapsed();
            assert!(time < DEADLINE, "{expression} is {last} in place of {wanted}");
            thread::sleep(Duration::from_millis(10));
            last = self.value(expression);
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
