//! Answers and refusals of the server of the page.

use catena::job::FrameOptions;
use catena::watch::{MAX_CONNECTIONS, MAX_REQUEST_BYTES, Pictures, Server, ShownPictures};
use std::{
    io::{Read, Write},
    net::{Shutdown, TcpStream},
    time::Duration,
};

const SCENE: &str = "Scene(base: (size: (64, 64), frames: 3, substeps: 2, decoration: Bare,
    view: (center: (0, 0), extent: (1200, 1200)), rope: (nodes: 4)))";

fn served() -> (Server, ShownPictures) {
    let mut pictures = ShownPictures::new(&FrameOptions::default(), 1 << 20);
    pictures.make(1, &crate::scene_of(SCENE), &(), &()).unwrap();
    (Server::start(0, &pictures).unwrap(), pictures)
}

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    stream
}

/// The complete answer to these bytes, without further input.
fn answer(server: &Server, request: &[u8]) -> Vec<u8> {
    let mut stream = connect(server);
    // A refused request may not be read completely.
    let _ = stream.write_all(request);
    let _ = stream.shutdown(Shutdown::Write);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    answer
}

fn status(server: &Server, request: &str) -> u16 {
    let answer = answer(server, request.as_bytes());
    let text = String::from_utf8_lossy(&answer);
    text.split(' ').nth(1).unwrap_or_else(|| panic!("{request:?}: {text:?}")).parse().unwrap()
}

fn get(server: &Server, path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port())
}

#[test]
fn only_the_page_and_its_frames_are_answered() {
    let (server, pictures) = served();
    for (path, wanted) in [
        ("/", 200),
        ("/page.css", 200),
        ("/page.js", 200),
        ("/frame/1/0.png", 200),
        ("/frame/1/2.png?again", 200),
        ("/frame/1/3.png", 404),
        ("/frame/2/0.png", 404),
        ("/frame/1/-1.png", 404),
        ("/frame/1/99999999999999999999999.png", 404),
        ("/frame/1/../../Cargo.toml", 404),
        ("/../../../../etc/passwd", 404),
        ("/%2e%2e/%2e%2e/etc/passwd", 404),
        ("//etc/passwd", 404),
        ("/scene.ron", 404),
        ("http://127.0.0.1/", 404),
    ] {
        assert_eq!(status(&server, &get(&server, path)), wanted, "{path}");
    }
    let answer = answer(&server, get(&server, "/frame/1/1.png").as_bytes());
    let head = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
    assert_eq!(answer[head + 4..], *pictures.picture(1, 1).unwrap());
    let head = String::from_utf8_lossy(&answer[..head]).to_lowercase();
    for wanted in ["content-type: image/png", "no-store", "nosniff", "default-src 'none'"] {
        assert!(head.contains(wanted), "{head}");
    }
}

#[test]
fn requests_have_limits() {
    let (server, _) = served();
    let port = server.port();
    let of = |method: &str, headers: &str| format!("{method} / HTTP/1.1\r\n{headers}\r\n");
    let host = format!("Host: localhost:{port}\r\n");
    let many = "x: y\r\n".repeat(65);
    let long = format!("x: {}\r\n", "y".repeat(2 * MAX_REQUEST_BYTES));
    for (request, wanted) in [
        (of("GET", &host), 200),
        (of("GET", &format!("hOST: LOCALHOST:{port}\r\n")), 200),
        (of("GET", ""), 421),
        (of("GET", &format!("Host: example.com:{port}\r\n")), 421),
        (of("GET", "Host: \r\n"), 421),
        (of("GET", &format!("{host}Host: example.com\r\n")), 421),
        (of("POST", &host), 405),
        (of("HEAD", &host), 405),
        (of("PUT", &host), 405),
        (of("GET", &format!("{host}Content-Length: 5\r\n")), 413),
        (of("GET", &format!("{host}Transfer-Encoding: chunked\r\n")), 413),
        (of("GET", &format!("{host}{many}")), 431),
        (of("GET", &format!("{host}{long}")), 431),
        (format!("GET /{} HTTP/1.1\r\n", "y".repeat(2 * MAX_REQUEST_BYTES)), 431),
        ("\u{1}\u{2}\r\n\r\n".into(), 400),
        ("GET / HTTP/9.9\r\n\r\n".into(), 400),
    ] {
        let start: String = request.chars().take(80).collect();
        assert_eq!(status(&server, &request), wanted, "{start:?}");
    }
    // Half a request gets no answer.
    assert_eq!(answer(&server, b"GET / HT"), b"");
}

#[test]
fn names_of_this_machine_are_answered_at_any_port_and_others_are_not() {
    let (server, _) = served();
    let of = |host: &str| format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let own = server.port();
    for host in [
        "localhost:9000",
        "127.0.0.1:9000",
        "[::1]:9000",
        "LocalHost:1",
        "localhost:65535",
        // A browser omits port 80.
        "localhost",
        "127.0.0.1",
        "[::1]",
    ] {
        assert_eq!(status(&server, &of(host)), 200, "{host}");
    }
    let foreign = [
        format!("evil.example:{own}"),
        format!("localhost.evil.example:{own}"),
        format!("evil.localhost:{own}"),
        format!("127.0.0.1.evil.example:{own}"),
        format!("127.0.0.1.:{own}"),
        format!("evil.example@localhost:{own}"),
        format!("localhost:{own}@evil.example"),
        format!("localhost:{own}, evil.example"),
        format!("192.168.0.1:{own}"),
        format!("0.0.0.0:{own}"),
        format!("::1:{own}"),
        format!("[::1:{own}"),
        "localhost:".into(),
        "localhost:x".into(),
        "localhost:+80".into(),
        "localhost:65536".into(),
        "localhost: 80".into(),
        "localhost9000".into(),
    ];
    for host in foreign {
        let message = String::from_utf8(answer(&server, of(&host).as_bytes())).unwrap();
        assert!(message.starts_with("HTTP/1.1 421 "), "{host}: {message}");
        assert!(
            message.contains("localhost, 127.0.0.1 and [::1], with any port"),
            "{host}: {message}"
        );
    }
    // An origin is accepted if it is a local name with the port of the Host header, whatever
    // address the port leads to.
    for (origin, wanted) in
        [("localhost:9000", 200), ("[::1]:9000", 200), ("localhost:9001", 403), ("evil:9000", 403)]
    {
        let request = format!(
            "GET /page.js HTTP/1.1\r\nHost: localhost:9000\r\nOrigin: http://{origin}\r\n\r\n"
        );
        assert_eq!(status(&server, &request), wanted, "{origin}");
    }
}

/// Headers by which a browser names the requesting site, and the answer to them on each path.
#[test]
fn other_sites_are_refused() {
    let (server, _) = served();
    let port = server.port();
    let own = format!("Origin: http://127.0.0.1:{port}\r\n");
    let visit = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n";
    let cases = [
        (own.clone(), [200, 200]),
        ("Sec-Fetch-Site: none\r\n".into(), [200, 200]),
        (format!("{own}Sec-Fetch-Site: same-origin\r\n"), [200, 200]),
        (format!("origin: http://localhost:{port}\r\n"), [200, 200]),
        ("Origin: http://evil.example\r\n".into(), [403, 403]),
        ("Origin: null\r\n".into(), [403, 403]),
        (format!("Origin: http://127.0.0.1:{}\r\n", port ^ 1), [403, 403]),
        (format!("{own}Origin: http://evil.example\r\n"), [403, 403]),
        ("Sec-Fetch-Site: cross-site\r\n".into(), [403, 403]),
        ("Sec-Fetch-Site: same-site\r\n".into(), [403, 403]),
        ("Sec-Fetch-Site: \r\n".into(), [403, 403]),
        (format!("{own}Sec-Fetch-Site: cross-site\r\n"), [403, 403]),
        // A link to the page is allowed anywhere, but a frame with the page belongs to another
        // site.
        (format!("{visit}Sec-Fetch-Dest: document\r\n"), [200, 403]),
        (format!("{visit}Sec-Fetch-Dest: iframe\r\n"), [403, 403]),
        (format!("{visit}Sec-Fetch-Dest: document\r\nOrigin: null\r\n"), [403, 403]),
    ];
    for (headers, wanted) in cases {
        for (path, wanted) in ["/", "/frame/1/0.png"].into_iter().zip(wanted) {
            let request = get(&server, path);
            let request = format!("{}{headers}\r\n", request.strip_suffix("\r\n").unwrap());
            assert_eq!(status(&server, &request), wanted, "{path}: {headers}");
        }
    }
    // A stream of another site does not occupy a connection.
    let mut stream = connect(&server);
    let request = get(&server, "/events");
    let request = request.strip_suffix("\r\n").unwrap();
    let _ = write!(stream, "{request}Sec-Fetch-Site: cross-site\r\n\r\n");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 403 Forbidden\r\n"), "{answer}");
}

/// A request that never ends is dropped, even if it keeps sending.
#[test]
fn slow_requests_end() {
    let mut pictures = ShownPictures::new(&FrameOptions::default(), 1 << 20);
    pictures.make(1, &crate::scene_of(SCENE), &(), &()).unwrap();
    let server = Server::start_patient(0, &pictures, Duration::from_secs(2)).unwrap();
    let mut stream = connect(&server);
    stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    let head = get(&server, "/");
    stream.write_all(head.strip_suffix("\r\n").unwrap().as_bytes()).unwrap();
    let is_open = |stream: &mut TcpStream| match stream.read(&mut [0]) {
        Ok(count) => {
            assert_eq!(count, 0, "nothing is answered to what has no end");
            false
        }
        Err(error) => {
            use std::io::ErrorKind::{TimedOut, WouldBlock};
            [TimedOut, WouldBlock].contains(&error.kind())
        }
    };
    // Sending the maximum number of bytes of a request would take longer than any test.
    let mut letters = 0;
    while is_open(&mut stream) {
        letters += 1;
        assert!(letters < 2400, "the request goes on");
        let part = if letters == 1 { "x: y" } else { "y" };
        if stream.write_all(part.as_bytes()).is_err() {
            break;
        }
    }
    assert_eq!(status(&server, &head), 200);
}

#[test]
fn several_requests_have_one_connection() {
    let (server, _) = served();
    let both = get(&server, "/nothing") + &get(&server, "/page.js");
    let text = String::from_utf8(answer(&server, both.as_bytes())).unwrap();
    let found: Vec<_> =
        text.match_indices("HTTP/1.1 ").map(|(at, _)| &text[at + 9..at + 12]).collect();
    assert_eq!(found, ["404", "200"]);
}

#[test]
fn connections_have_a_limit_and_end_with_the_server() {
    let (server, _) = served();
    let open: Vec<TcpStream> = (0..MAX_CONNECTIONS)
        .map(|_| {
            let mut stream = connect(&server);
            stream.write_all(get(&server, "/events").as_bytes()).unwrap();
            let mut first = [0; 15];
            stream.read_exact(&mut first).unwrap();
            assert_eq!(&first, b"HTTP/1.1 200 OK");
            stream
        })
        .collect();
    assert_eq!(server.connections(), MAX_CONNECTIONS);
    assert_eq!(status(&server, &get(&server, "/")), 503);
    drop(server);
    for mut stream in open {
        // The connection ends, although it would otherwise continue forever.
        let _ = stream.read_to_end(&mut Vec::new());
    }
}

#[test]
fn a_page_hears_how_things_stand() {
    let (server, mut pictures) = served();
    let mut stream = connect(&server);
    stream.write_all(get(&server, "/events").as_bytes()).unwrap();
    let mut heard = Vec::new();
    let mut until = |wanted: &str| {
        let mut part = [0; 4096];
        while !String::from_utf8_lossy(&heard).contains(wanted) {
            let count = stream.read(&mut part).unwrap();
            assert!(count > 0, "{wanted}: {}", String::from_utf8_lossy(&heard));
            heard.extend_from_slice(&part[..count]);
        }
    };
    until(r#""edition":1,"#);
    let wrong = "Scene(base: (rope: (nods: 4)))".parse::<catena::scene::Scene>().unwrap_err();
    pictures.refuse(&wrong.into());
    until("there is no field `nods`");
    pictures.started();
    pictures.make(2, &crate::scene_of(SCENE), &(), &()).unwrap();
    until(r#""edition":2,"#);
}
