//! Numbers changed on the page: requirements of a request, and effects on the file.

use catena::job::FrameOptions;
use catena::scene::Limits;
use catena::watch::{
    FileChanges, Pictures, Server, ServerOptions, ShownPictures, Tuner, with_changes,
};
use serde_json::Value;
use std::{
    fs,
    io::{Read, Write},
    net::{IpAddr, Ipv4Addr, Shutdown, TcpStream},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};
use tempfile::TempDir;

const SCENE: &str = "Scene(base: (size: (64, 64), frames: 3, substeps: 2, decoration: Bare,
    view: (center: (0, 0), extent: (1200, 1200)), // a comment
    gravity: (0, -9.8), rope: (nodes: 4)))";

struct Bench {
    server: Server,
    changes: Arc<FileChanges>,
    path: PathBuf,
    _folder: TempDir,
}

fn bench(host: IpAddr) -> Bench {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.ron");
    fs::write(&path, SCENE).unwrap();
    let mut pictures = ShownPictures::new(&FrameOptions::default(), 1 << 20);
    pictures.make(1, &crate::scene_of(SCENE), &(), &()).unwrap();
    let changes = Arc::new(FileChanges::new(&path, &[], &Limits::default()));
    let tuner: Arc<dyn Tuner> = Arc::<FileChanges>::clone(&changes);
    let options = ServerOptions { host, tuner: Some(tuner), ..ServerOptions::default() };
    let server = Server::start_with(options, &pictures).unwrap();
    Bench { server, changes, path, _folder: folder }
}

impl Bench {
    fn local() -> Self {
        bench(Ipv4Addr::LOCALHOST.into())
    }

    /// Status and content of the answer to a request.
    fn ask(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.server.port())).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        let _ = stream.write_all(request.as_bytes());
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer).into_owned();
        let status = text.split(' ').nth(1).unwrap_or_else(|| panic!("{request}: {text}"));
        let content = text.split_once("\r\n\r\n").map_or("", |(_, content)| content);
        (status.parse().unwrap(), content.to_owned())
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
    }

    fn token(&self) -> String {
        let (_, page) = self.get("/");
        let (_, rest) = page.split_once("name=\"token\" content=\"").unwrap();
        rest.split('"').next().unwrap().to_owned()
    }

    /// Posts a change with these headers.
    fn post(&self, path: &str, headers: &[(&str, &str)], content: &str) -> (u16, String) {
        let lines: String =
            headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let length = content.len();
        self.ask(&format!(
            "POST {path} HTTP/1.1\r\n{lines}Content-Length: {length}\r\n\r\n{content}"
        ))
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.path).unwrap()
    }
}

/// Headers of the page's own requests.
fn own(token: &str) -> [(&str, &str); 4] {
    [
        ("Host", "localhost:9000"),
        ("Origin", "http://localhost:9000"),
        ("Content-Type", "application/json"),
        ("X-Catena-Token", token),
    ]
}

const CHANGE: &str = "[\"rope.nodes=7\", \"gravity=(0, -1.6)\"]";

#[test]
fn a_change_needs_token_origin_and_type() {
    let bench = Bench::local();
    let token = bench.token();
    assert_eq!(token.len(), 32);
    assert_ne!(token, Bench::local().token(), "each server has its own");
    let right = own(&token);
    let other = "0".repeat(32);
    let with = |name: &str, value: Option<&'static str>| -> Vec<(&str, &str)> {
        let all = right.iter().copied().filter(|(known, _)| *known != name);
        all.chain(value.map(|value| (right_name(name), value))).collect()
    };
    for (headers, wanted) in [
        (with("Host", Some("evil.example")), 421),
        (with("Host", Some("192.168.0.7:9000")), 421),
        (with("Host", None), 421),
        (with("Origin", Some("http://evil.example")), 403),
        (with("Origin", Some("http://localhost:9001")), 403),
        (with("Origin", Some("null")), 403),
        (with("Origin", None), 403),
        (with("Content-Type", Some("text/plain")), 415),
        (with("Content-Type", None), 415),
        (with("X-Catena-Token", None), 403),
        (with("X-Catena-Token", Some("")), 403),
        (own(&other).to_vec(), 403),
        (own(&token[..31]).to_vec(), 403),
        ([&right[..], &[("Sec-Fetch-Site", "cross-site")]].concat(), 403),
    ] {
        for path in ["/set", "/write"] {
            assert_eq!(bench.post(path, &headers, CHANGE).0, wanted, "{path} {headers:?}");
        }
    }
    for (path, method, wanted) in [
        ("/set", "GET", 405),
        ("/write", "GET", 405),
        ("/", "POST", 405),
        ("/set", "PUT", 405),
        ("/set", "OPTIONS", 405),
    ] {
        let (status, _) =
            bench.ask(&format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        assert_eq!(status, wanted, "{method} {path}");
    }
    assert!(bench.changes.numbers().contains("\"set\":[]"));
    assert_eq!(bench.text(), SCENE);
    let (status, answer) = bench.post("/set", &right, CHANGE);
    assert_eq!(status, 200, "{answer}");
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["set"], serde_json::json!(["rope.nodes=7", "gravity=(0, -1.6)"]));
}

/// A header name with a static lifetime.
fn right_name(name: &str) -> &'static str {
    ["Host", "Origin", "Content-Type", "X-Catena-Token"].into_iter().find(|it| *it == name).unwrap()
}

#[test]
fn a_change_is_an_edition_and_is_written_in_place() {
    use catena::watch::Changes;
    let bench = Bench::local();
    let token = bench.token();
    let first = bench.changes.next(0, &()).unwrap();
    assert_eq!(first.scene.unwrap().panels[0].bodies[0].setup.model.nodes(), 4);
    assert_eq!(bench.post("/set", &own(&token), CHANGE).0, 200);
    let second = bench.changes.next(first.number, &()).unwrap();
    assert!(second.number > first.number);
    let scene = second.scene.unwrap();
    assert_eq!(scene.panels[0].bodies[0].setup.model.nodes(), 7);
    assert_eq!(scene.changes(), ["rope.nodes=7", "gravity=(0, -1.6)"]);
    assert_eq!(bench.text(), SCENE, "nothing is written before it is asked for");
    assert_eq!(bench.post("/write", &own(&token), "[]").0, 200);
    let written = SCENE.replace("-9.8", "-1.6").replace("nodes: 4", "nodes: 7");
    assert_eq!(bench.text(), written);
    assert!(bench.changes.numbers().contains("\"set\":[]"));
    let (status, why) = bench.post("/write", &own(&token), "[]");
    assert_eq!((status, why.as_str()), (422, "there are no changes to write"));
}

#[test]
fn a_change_that_cannot_be_used_is_refused_in_words_and_changes_nothing() {
    let bench = Bench::local();
    let token = bench.token();
    assert_eq!(bench.post("/set", &own(&token), "[\"substeps=4\"]").0, 200);
    for (content, word) in [
        ("[\"rope.nodes=0\"]", "nodes"),
        ("[\"rope.nods=3\"]", "nods"),
        ("[\"rope.nodes\"]", "PATH=VALUE"),
        ("[\"title=\\\"<b>\\\"\"]", "title"),
        ("{}", "expected"),
        ("[1]", "expected"),
        ("", "EOF"),
    ] {
        let (status, why) = bench.post("/set", &own(&token), content);
        assert_eq!(status, 422, "{content}: {why}");
        assert!(why.contains(word), "{content}: {why}");
        assert!(bench.changes.numbers().contains("substeps=4"), "{content}");
    }
    let long = format!("[\"substeps={}\"]", "1".repeat(9000));
    assert_eq!(bench.post("/set", &own(&token), &long).0, 413);
    assert_eq!(bench.text(), SCENE);
}

#[test]
fn only_numbers_that_the_file_writes_are_written() {
    let text = "Scene(base: (rope: (nodes: 8), integrator: Xpbd(iterations: 4)), // 8\n panels: [(with: (drag: 0.1))])";
    let write = |changes: &[&str]| {
        let changes: Vec<String> = changes.iter().map(ToString::to_string).collect();
        with_changes(text, &changes)
    };
    let wanted = text.replace("nodes: 8", "nodes: 12").replace("iterations: 4", "iterations: 9");
    let both = ["integrator=Xpbd(iterations: 9)", "rope.nodes=12"];
    assert_eq!(write(&both).unwrap(), wanted);
    for change in ["drag=0.2", "substeps=3", "integrator=Verlet", "rope.nodes=x", "rope.nodes=1)"] {
        let why = write(&[change]).unwrap_err();
        assert!(why.contains("by hand"), "{change}: {why}");
    }
}

#[test]
fn other_machines_look_and_do_not_change() {
    let bench = bench(Ipv4Addr::UNSPECIFIED.into());
    let page = |host: &str| {
        bench.ask(&format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")).0
    };
    for (host, wanted) in [
        ("192.168.0.7:8642", 200),
        ("[fe80::1]:8642", 200),
        ("localhost", 200),
        ("evil.example:8642", 421),
        ("192.168.0.7.evil.example", 421),
        ("[fe80::1", 421),
        ("", 421),
    ] {
        assert_eq!(page(host), wanted, "{host}");
    }
    // Requests from this machine come from a loopback address, as does the page here.
    assert_eq!(bench.token().len(), 32);
}
