//! Answers of the server: the page, its style and script, and frames.

use super::{ShownPictures, request::Refusal};
use catena_base::text::printable;
use catena_study::figure::page::{PLAYER, STYLE, controls};
use std::{
    io::{self, Write},
    sync::Arc,
};

/// Path of the numbers that sliders move.
pub(super) const NUMBERS: &str = "/numbers";

/// Path of the event stream that keeps a page up to date.
pub(super) const EVENTS: &str = "/events";

/// Head of the answer with the endless event stream.
pub(super) const EVENT_HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\
    X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n";

/// Security headers: other sites cannot embed or read the page, and it loads nothing from other
/// sites.
const HEADERS: &str = "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n\
    Content-Security-Policy: default-src 'none'; img-src blob: data:; style-src 'self'; script-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n";

const PAGE: &str = include_str!("page.html");
const OWN_STYLE: &str = include_str!("page.css");
const OWN_SCRIPT: &str = include_str!("page.js");
const TUNING: &str = include_str!("tuning.js");

/// An HTTP answer.
pub(super) struct Answer {
    status: u16,
    kind: &'static str,
    body: Arc<[u8]>,
}

/// Returns the answer for a path. `token` is inserted into a page that may change numbers.
pub(super) fn answer(path: &str, pictures: &ShownPictures, token: Option<&str>) -> Answer {
    let text = |kind, text: String| Answer { status: 200, kind, body: text.into_bytes().into() };
    match path {
        "/" => {
            let page = PAGE.replace("«controls»", &controls(0, 0));
            let page = page.replace("«token»", token.unwrap_or_default());
            text("text/html; charset=utf-8", page)
        }
        "/page.css" => text("text/css; charset=utf-8", format!("{STYLE}{OWN_STYLE}")),
        "/page.js" => {
            text("text/javascript; charset=utf-8", format!("{PLAYER}{OWN_SCRIPT}{TUNING}"))
        }
        other => match frame(other).and_then(|(edition, frame)| pictures.picture(edition, frame)) {
            Some(body) => Answer { status: 200, kind: "image/png", body },
            None => refusal(&Refusal(404, "not found")),
        },
    }
}

/// Returns the answer for a refused request.
pub(super) fn refusal(&Refusal(status, why): &Refusal) -> Answer {
    let body = format!("{why}\n").into_bytes().into();
    Answer { status, kind: "text/plain; charset=utf-8", body }
}

/// Returns an answer in JSON.
pub(super) fn json(text: String) -> Answer {
    Answer { status: 200, kind: "application/json", body: text.into_bytes().into() }
}

/// Returns the answer for a change that cannot be made, with the reason.
pub(super) fn unusable(why: &str) -> Answer {
    let body = printable::text(why).into_owned().into_bytes().into();
    Answer { status: 422, kind: "text/plain; charset=utf-8", body }
}

/// Parses the path of a picture into edition and frame.
fn frame(path: &str) -> Option<(u64, u64)> {
    let (edition, frame) = path.strip_prefix("/frame/")?.strip_suffix(".png")?.split_once('/')?;
    Some((edition.parse().ok()?, frame.parse().ok()?))
}

impl Answer {
    pub(super) fn write_to(&self, out: &mut impl Write, stays: bool) -> io::Result<()> {
        let Self { status, kind, body } = self;
        let reason = match status {
            200 => "OK",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed\r\nAllow: GET, POST",
            411 => "Length Required",
            413 => "Content Too Large",
            415 => "Unsupported Media Type",
            421 => "Misdirected Request",
            422 => "Unprocessable Content",
            431 => "Request Header Fields Too Large",
            503 => "Service Unavailable",
            _ => "Bad Request",
        };
        let connection = if stays { "keep-alive" } else { "close" };
        let length = body.len();
        let head = format!(
            "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: {connection}\r\n{HEADERS}\r\n"
        );
        out.write_all(&[head.as_bytes(), body].concat())?;
        out.flush()
    }
}
