//! Requests of browsers, within limits.

use httparse::{EMPTY_HEADER, Status};
use std::io::{self, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Bytes of a request with all its headers.
pub(super) const MOST_BYTES: usize = 16 << 10;
/// How many headers it may have.
const MOST_HEADERS: usize = 64;

/// A request that may be answered.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// The path, without a query.
    pub(super) path: String,
    /// Whether the connection stays open after the answer.
    pub(super) stays: bool,
}

/// Why a request is not answered: status and reason.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal(pub(super) u16, pub(super) &'static str);

/// Reads the requests of a connection, one after another.
pub(super) struct Requests<'a> {
    stream: &'a TcpStream,
    /// What has been read and not used yet.
    bytes: Vec<u8>,
    patience: Duration,
}

impl<'a> Requests<'a> {
    /// Requests of a stream to the machine itself. `patience` limits the wait for the begin of a
    /// request, and then for its end.
    pub(super) fn new(stream: &'a TcpStream, patience: Duration) -> Self {
        Self { stream, bytes: Vec::new(), patience }
    }

    /// The next request; `None` at the end of the stream.
    ///
    /// # Errors
    /// When the connection breaks, or the request takes too long.
    pub(super) fn next(&mut self) -> io::Result<Option<Result<Request, Refusal>>> {
        let mut part = [0; 2048];
        let mut has_begun = !self.bytes.is_empty();
        let mut begin = Instant::now();
        loop {
            match parsed(&self.bytes) {
                Ok(Some((request, length))) => {
                    self.bytes.drain(..length);
                    return Ok(Some(Ok(request)));
                }
                Err(refusal) => return Ok(Some(Err(refusal))),
                Ok(None) if self.bytes.len() >= MOST_BYTES => {
                    return Ok(Some(Err(Refusal(431, "the request is too long"))));
                }
                Ok(None) => {}
            }
            if !has_begun && !self.bytes.is_empty() {
                (has_begun, begin) = (true, Instant::now());
            }
            // The limit of a single read would let each byte take as long as a request.
            let rest = self.patience.checked_sub(begin.elapsed()).filter(|rest| !rest.is_zero());
            self.stream.set_read_timeout(Some(rest.ok_or(io::ErrorKind::TimedOut)?))?;
            let room = part.len().min(MOST_BYTES - self.bytes.len());
            match self.stream.read(&mut part[..room])? {
                0 => return Ok(None),
                count => self.bytes.extend_from_slice(&part[..count]),
            }
        }
    }
}

/// The first request of these bytes and its length; `None` where its end has yet to come.
fn parsed(bytes: &[u8]) -> Result<Option<(Request, usize)>, Refusal> {
    let mut headers = [EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let length = match request.parse(bytes) {
        Ok(Status::Complete(length)) => length,
        Ok(Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => {
            return Err(Refusal(431, "the request has too many headers"));
        }
        Err(_) => return Err(Refusal(400, "this is no request")),
    };
    let values = |name: &str| {
        let same = request.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
        same.map(|header| header.value).collect::<Vec<_>>()
    };
    // A name that another site has given to this machine would let it read along.
    let port = match values("host")[..] {
        [value] => local_port(value),
        _ => None,
    };
    let port = port.ok_or(Refusal(421, FOREIGN_NAME))?;
    let path = request.path.unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default().to_owned();
    // What a page of another site asks for could not be read there, but it would hold connections.
    let is_our_page = |value: &[u8]| {
        let own = value.strip_prefix(b"http://").and_then(local_port);
        own.is_some_and(|other| other == port)
    };
    let is_alone = |value: &&[u8]| [&b"same-origin"[..], b"none"].contains(value);
    let is_foreign = !values("origin").into_iter().all(is_our_page)
        || !values("sec-fetch-site").iter().all(is_alone);
    if is_foreign && !(path == "/" && is_visit(&values)) {
        return Err(Refusal(403, "this is for the page of catena alone"));
    }
    if request.method != Some("GET") {
        return Err(Refusal(405, "there is only GET"));
    }
    let has_body = values("content-length").iter().any(|value| *value != b"0");
    if has_body || !values("transfer-encoding").is_empty() {
        return Err(Refusal(413, "a request has no content"));
    }
    let closes = values("connection").iter().any(|value| value.eq_ignore_ascii_case(b"close"));
    let stays = request.version == Some(1) && !closes;
    Ok(Some((Request { path, stays }, length)))
}

const FOREIGN_NAME: &str = "this page is answered under the names localhost, 127.0.0.1 and [::1], with any port; open it under \
    one of these, also where a port is forwarded";

/// Port that a host names, where its name is one of the machine itself; 80 where it names none.
/// Any port is fine, since ports are forwarded to others. Only a name can be given by another site.
fn local_port(host: &[u8]) -> Option<u16> {
    let host = str::from_utf8(host).ok()?.to_ascii_lowercase();
    let names = ["localhost", "127.0.0.1", "[::1]"];
    let rest = names.iter().find_map(|name| host.strip_prefix(name))?;
    if rest.is_empty() {
        return Some(80);
    }
    let digits = rest.strip_prefix(':')?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok())?
}

/// Whether somebody goes to the page, as by a link to it on another one.
fn is_visit<'a>(values: &impl Fn(&str) -> Vec<&'a [u8]>) -> bool {
    values("origin").is_empty()
        && values("sec-fetch-mode") == [b"navigate"]
        && values("sec-fetch-dest") == [b"document"]
}
