//! HTTP requests of browsers, with limits on their size and duration.

use httparse::{EMPTY_HEADER, Status};
use std::io::{self, Read};
use std::net::{IpAddr, TcpStream};
use std::time::{Duration, Instant};

/// Maximum size of a request with all its headers, in bytes.
pub(super) const MAX_BYTES: usize = 16 << 10;
/// Maximum number of headers.
const MAX_HEADERS: usize = 64;

/// An accepted request.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// Path without the query.
    pub(super) path: String,
    /// Change that the page requests. `None` for a request that only reads.
    pub(super) change: Option<Change>,
    /// Whether the connection stays open after the answer.
    pub(super) stays: bool,
}

/// A request that changes something.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// Token that the page received.
    pub(super) token: Vec<u8>,
    /// Content in JSON.
    pub(super) content: Vec<u8>,
}

/// Host names under which the server may be addressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HostNames {
    /// Names of this machine only.
    Local,
    /// Names of this machine, and every numeric address. Numeric addresses are safe: a site that
    /// binds its own name to this machine still sends that name.
    Addresses,
}

/// Reason for refusing a request: HTTP status and text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal(pub(super) u16, pub(super) &'static str);

/// Reader of the requests of a connection.
pub(super) struct Requests<'a> {
    stream: &'a TcpStream,
    /// Bytes that were read but not yet parsed.
    bytes: Vec<u8>,
    patience: Duration,
    names: HostNames,
}

impl<'a> Requests<'a> {
    /// Creates a reader of a stream. `patience` limits the wait for the start of a request, and
    /// then the wait for its end.
    pub(super) fn new(stream: &'a TcpStream, patience: Duration, names: HostNames) -> Self {
        Self { stream, bytes: Vec::new(), patience, names }
    }

    /// Returns the next request, or `None` at the end of the stream.
    ///
    /// # Errors
    /// The connection breaks, or the request takes too long.
    pub(super) fn next(&mut self) -> io::Result<Option<Result<Request, Refusal>>> {
        let mut part = [0; 2048];
        let mut has_begun = !self.bytes.is_empty();
        let mut begin = Instant::now();
        loop {
            match parsed(&self.bytes, self.names) {
                Ok(Some((request, length))) => {
                    self.bytes.drain(..length);
                    return Ok(Some(Ok(request)));
                }
                Err(refusal) => return Ok(Some(Err(refusal))),
                Ok(None) if self.bytes.len() >= MAX_BYTES => {
                    return Ok(Some(Err(Refusal(431, "the request is too long"))));
                }
                Ok(None) => {}
            }
            if !has_begun && !self.bytes.is_empty() {
                (has_begun, begin) = (true, Instant::now());
            }
            // A fixed timeout per read would allow that time for each byte.
            let rest = self.patience.checked_sub(begin.elapsed()).filter(|rest| !rest.is_zero());
            self.stream.set_read_timeout(Some(rest.ok_or(io::ErrorKind::TimedOut)?))?;
            let room = part.len().min(MAX_BYTES - self.bytes.len());
            match self.stream.read(&mut part[..room])? {
                0 => return Ok(None),
                count => self.bytes.extend_from_slice(&part[..count]),
            }
        }
    }
}

/// Parses the first request and its length in bytes. `None` if the request is incomplete.
fn parsed(bytes: &[u8], names: HostNames) -> Result<Option<(Request, usize)>, Refusal> {
    let mut headers = [EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let length = match request.parse(bytes) {
        Ok(Status::Complete(length)) => length,
        Ok(Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => {
            return Err(Refusal(431, "the request has too many headers"));
        }
        Err(_) => return Err(Refusal(400, "invalid request")),
    };
    let values = |name: &str| {
        let same = request.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
        same.map(|header| header.value).collect::<Vec<_>>()
    };
    // Another site can bind its own name to this machine (DNS rebinding), and could then read the
    // answers.
    let port = match values("host")[..] {
        [value] => own_port(value, names),
        _ => None,
    };
    let port = port.ok_or(Refusal(421, FOREIGN_NAME))?;
    let path = request.path.unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default().to_owned();
    // A page of another site cannot read the answers, but it could occupy connections.
    let is_our_page = |value: &[u8]| {
        let own = value.strip_prefix(b"http://").and_then(|host| own_port(host, names));
        own.is_some_and(|other| other == port)
    };
    let is_alone = |value: &&[u8]| [&b"same-origin"[..], b"none"].contains(value);
    let is_foreign = !values("origin").into_iter().all(is_our_page)
        || !values("sec-fetch-site").iter().all(is_alone);
    if is_foreign && !(path == "/" && is_visit(&values)) {
        return Err(Refusal(403, "only the page of catena may send this request"));
    }
    let closes = values("connection").iter().any(|value| value.eq_ignore_ascii_case(b"close"));
    let stays = request.version == Some(1) && !closes;
    let is_change = CHANGES.contains(&path.as_str());
    match request.method {
        Some("GET") if !is_change => {}
        Some("POST") if is_change => {
            let changed = change(&values, &bytes[length..])?;
            return Ok(changed.map(|(change, more)| {
                (Request { path, change: Some(change), stays }, length + more)
            }));
        }
        _ => return Err(Refusal(405, "the method must be GET, or POST for changes")),
    }
    let has_body = values("content-length").iter().any(|value| *value != b"0");
    if has_body || !values("transfer-encoding").is_empty() {
        return Err(Refusal(413, "a request must not have content"));
    }
    Ok(Some((Request { path, change: None, stays }, length)))
}

/// Paths of requests that change something.
const CHANGES: [&str; 2] = [SET, WRITE];
/// Path of requests that change numbers.
pub(super) const SET: &str = "/set";
/// Path of requests that write the changed numbers into the file.
pub(super) const WRITE: &str = "/write";

/// Reads a change from the headers and the bytes after them, and returns it with its length in
/// bytes. `None` if the content is incomplete.
fn change<'a>(
    values: &impl Fn(&str) -> Vec<&'a [u8]>,
    received: &[u8],
) -> Result<Option<(Change, usize)>, Refusal> {
    // Every browser sends the origin of a POST, and requests permission before it sends JSON to
    // another site.
    if values("origin").len() != 1 {
        return Err(Refusal(403, "a change must come from the page"));
    }
    if values("content-type") != [b"application/json"] {
        return Err(Refusal(415, "the content type of a change must be application/json"));
    }
    let [token] = values("x-catena-token")[..] else {
        return Err(Refusal(403, "a change needs the token of the page"));
    };
    let length = match values("content-length")[..] {
        [length] if values("transfer-encoding").is_empty() => {
            str::from_utf8(length).ok().and_then(|digits| digits.parse::<usize>().ok())
        }
        _ => None,
    };
    let length = length.ok_or(Refusal(411, "a change needs a Content-Length"))?;
    if length > MAX_BYTES / 2 {
        return Err(Refusal(413, "the change is too long"));
    }
    let Some(content) = received.get(..length) else { return Ok(None) };
    Ok(Some((Change { token: token.to_vec(), content: content.to_vec() }, length)))
}

const FOREIGN_NAME: &str = "this page is available only under the names localhost, 127.0.0.1 and [::1], with any port; open it under \
    one of these names, also through a forwarded port";

/// Returns the port of a `Host` value, or 80 if the value has no port. `None` if the server may not
/// be addressed under this name. Any port is accepted because ports may be forwarded. An attacker
/// controls only the name.
fn own_port(host: &[u8], names: HostNames) -> Option<u16> {
    let host = str::from_utf8(host).ok()?.to_ascii_lowercase();
    let local = ["localhost", "127.0.0.1", "[::1]"];
    let address = || {
        let end = match host.strip_prefix('[') {
            Some(inside) => inside.find(']')? + 2,
            None => host.find(':').unwrap_or(host.len()),
        };
        let (name, rest) = host.split_at_checked(end)?;
        let digits = name.trim_start_matches('[').trim_end_matches(']');
        digits.parse::<IpAddr>().is_ok().then_some(rest)
    };
    let rest = local.iter().find_map(|name| host.strip_prefix(name));
    let rest = match names {
        HostNames::Local => rest,
        HostNames::Addresses => rest.or_else(address),
    }?;
    if rest.is_empty() {
        return Some(80);
    }
    let digits = rest.strip_prefix(':')?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok())?
}

/// Whether the user navigates to the page, for example by a link on another page.
fn is_visit<'a>(values: &impl Fn(&str) -> Vec<&'a [u8]>) -> bool {
    values("origin").is_empty()
        && values("sec-fetch-mode") == [b"navigate"]
        && values("sec-fetch-dest") == [b"document"]
}
