//! Web server for browsers, with one thread per connection and fixed limits. The server never reads
//! from a disk. It changes something only through its [`Tuner`], for requests with the token of the
//! page.

use super::{
    ShownPictures, Tuner,
    page::{self, Answer},
    request::{HostNames, MAX_BYTES, Refusal, Request, Requests, SET},
};
use catena_base::threads;
use std::{
    collections::BTreeMap,
    hash::{BuildHasher, RandomState},
    io::{self, Write},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

/// Maximum number of simultaneous connections.
pub const MAX_CONNECTIONS: usize = 32;
/// Maximum length of a request in bytes.
pub const MAX_REQUEST_BYTES: usize = MAX_BYTES;

/// Time limit for a silent connection, for a request, and for sending an answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// Pause of the listener after it failed to accept a connection.
const REST: Duration = Duration::from_millis(50);
/// Minimum time between two states of the pictures that are sent to a page.
const MIN_PAUSE: Duration = Duration::from_millis(80);
/// Time without a new state after which a comment is sent to a page, to detect a closed connection.
const MAX_PAUSE: Duration = Duration::from_secs(5);

/// Options of a server.
pub struct ServerOptions {
    /// Address on which the server listens. Other machines can reach all addresses except
    /// 127.0.0.1.
    pub host: IpAddr,
    /// Port. 0 selects any free port.
    pub port: u16,
    /// Time limit for the start of a request, and then for its end.
    pub patience: Duration,
    /// Tuner that makes the changes that the page requests. `None` for a read-only page.
    pub tuner: Option<Arc<dyn Tuner>>,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self { host: Ipv4Addr::LOCALHOST.into(), port: 0, patience: PATIENCE, tuner: None }
    }
}

/// Creates an unpredictable token of 128 bits: std takes the keys of its hashes from the system's
/// random numbers.
fn token() -> String {
    let half = |index: u8| RandomState::new().hash_one(index);
    format!("{:016x}{:016x}", half(0), half(1))
}

/// Compares bytes in a time that does not depend on where they differ.
fn is_equal(one: &[u8], other: &[u8]) -> bool {
    let differs = one.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differs == 0
}

/// Server that listens until it is dropped.
pub struct Server {
    address: SocketAddr,
    shared: Arc<ServerState>,
    listener: Option<JoinHandle<()>>,
}

/// State that all threads share.
struct ServerState {
    pictures: ShownPictures,
    patience: Duration,
    names: HostNames,
    tuner: Option<Arc<dyn Tuner>>,
    /// Secret that only the page of this server receives.
    token: String,
    is_over: AtomicBool,
    connections: Mutex<Connections>,
}

#[derive(Default)]
struct Connections {
    /// Open streams by number, so that they can be closed.
    open: BTreeMap<u64, TcpStream>,
    threads: Vec<JoinHandle<()>>,
    count: u64,
}

impl Server {
    /// Serves the page of these pictures on this port of 127.0.0.1. Port 0 selects any free port.
    ///
    /// # Errors
    /// The port is in use or not permitted, or no thread can be started.
    pub fn start(port: u16, pictures: &ShownPictures) -> io::Result<Self> {
        Self::start_patient(port, pictures, PATIENCE)
    }

    /// Starts a server like [`Server::start`]. `patience` limits the wait for the start of a
    /// request, and then the wait for its end.
    ///
    /// # Errors
    /// The errors of [`Server::start`].
    pub fn start_patient(
        port: u16,
        pictures: &ShownPictures,
        patience: Duration,
    ) -> io::Result<Self> {
        let options = ServerOptions { port, patience, ..ServerOptions::default() };
        Self::start_with(options, pictures)
    }

    /// Starts a server with options.
    ///
    /// # Errors
    /// The errors of [`Server::start`], or the address does not belong to this machine.
    pub fn start_with(options: ServerOptions, pictures: &ShownPictures) -> io::Result<Self> {
        let ServerOptions { host, port, patience, tuner } = options;
        let socket = TcpListener::bind((host, port))?;
        let address = socket.local_addr()?;
        let names = if host.is_loopback() { HostNames::Local } else { HostNames::Addresses };
        let shared = Arc::new(ServerState {
            pictures: pictures.clone(),
            patience,
            names,
            tuner,
            token: token(),
            is_over: AtomicBool::new(false),
            connections: Mutex::default(),
        });
        let theirs = Arc::clone(&shared);
        let listen = move || {
            while !theirs.is_over() {
                match socket.accept() {
                    Ok((stream, _)) => ServerState::open(&theirs, stream),
                    Err(_) => thread::sleep(REST),
                }
            }
        };
        let listener = threads::spawn("page", listen).map_err(|cause| {
            io::Error::new(cause.kind(), format!("the system cannot start a thread: {cause}"))
        })?;
        Ok(Self { address, shared, listener: Some(listener) })
    }

    /// Address of the page on this machine.
    pub fn url(&self) -> String {
        format!("http://{}/", self.own_address())
    }

    /// Address by which this machine reaches the server.
    fn own_address(&self) -> SocketAddr {
        let port = self.address.port();
        match self.address.ip() {
            IpAddr::V4(host) if host.is_unspecified() => (Ipv4Addr::LOCALHOST, port).into(),
            IpAddr::V6(host) if host.is_unspecified() => (Ipv6Addr::LOCALHOST, port).into(),
            _ => self.address,
        }
    }

    /// Port on which the server listens.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Number of open connections.
    pub fn connections(&self) -> usize {
        self.shared.connections().open.len()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        self.shared.pictures.end();
        // The listener blocks in `accept`, so a connection wakes it up.
        let woken = TcpStream::connect_timeout(&self.own_address(), REST);
        if let (Ok(_), Some(listener)) = (woken, self.listener.take()) {
            let _ = listener.join();
        }
        let threads = {
            let mut connections = self.shared.connections();
            connections.open.values().for_each(close);
            std::mem::take(&mut connections.threads)
        };
        for thread in threads {
            let _ = thread.join();
        }
    }
}

fn close(stream: &TcpStream) {
    let _ = stream.shutdown(Shutdown::Both);
}

impl ServerState {
    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    fn connections(&self) -> MutexGuard<'_, Connections> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a thread for a connection, or refuses it if there are too many.
    fn open(shared: &Arc<Self>, mut stream: TcpStream) {
        let mut connections = shared.connections();
        connections.threads.retain(|thread| !thread.is_finished());
        let Ok(clone) = stream.try_clone() else { return };
        let is_set = stream.set_write_timeout(Some(PATIENCE)).is_ok();
        if connections.open.len() >= MAX_CONNECTIONS || !is_set || shared.is_over() {
            let refusal = Refusal(503, "too many connections");
            let _ = stream.set_write_timeout(Some(REST));
            let _ = page::refusal(&refusal).write_to(&mut stream, false);
            return;
        }
        // Answers are small and urgent, so they are sent without delay.
        let _ = stream.set_nodelay(true);
        connections.count += 1;
        let number = connections.count;
        connections.open.insert(number, clone);
        let theirs = Arc::clone(shared);
        let serve = move || {
            // A broken connection is not an error of the server.
            let _ = theirs.serve(&stream);
            close(&stream);
            theirs.connections().open.remove(&number);
        };
        match threads::spawn("connection", serve) {
            Ok(thread) => connections.threads.push(thread),
            // The thread has dropped the stream, but its clone is the same connection.
            Err(_) => {
                if let Some(mut stream) = connections.open.remove(&number) {
                    let refusal = Refusal(503, "the system cannot start a thread");
                    let _ = stream.set_write_timeout(Some(REST));
                    let _ = page::refusal(&refusal).write_to(&mut stream, false);
                    close(&stream);
                }
            }
        }
    }

    /// Answers the requests of a connection.
    fn serve(&self, stream: &TcpStream) -> io::Result<()> {
        let mut requests = Requests::new(stream, self.patience, self.names);
        let mut out = stream;
        // With --host, other machines may read the page, but only this machine may change numbers.
        let is_near = stream.peer_addr().is_ok_and(|peer| peer.ip().to_canonical().is_loopback());
        let token = self.token.as_str();
        let tuner = self.tuner.as_deref().filter(|_| is_near);
        while !self.is_over()
            && let Some(request) = requests.next()?
        {
            let request = match request {
                Ok(request) => request,
                Err(refusal) => return page::refusal(&refusal).write_to(&mut out, false),
            };
            if request.path == page::EVENTS {
                return self.send_events(out);
            }
            let answer = match &request {
                Request { change: Some(change), path, .. } => match tuner {
                    Some(tuner) if is_equal(&change.token, token.as_bytes()) => {
                        self.change(tuner, path, &change.content)
                    }
                    _ => page::refusal(&Refusal(403, "a change needs the token of the page")),
                },
                Request { path, .. } if path == page::NUMBERS => match tuner {
                    Some(tuner) => page::json(tuner.numbers()),
                    None => page::refusal(&Refusal(404, "not found")),
                },
                Request { path, .. } => page::answer(path, &self.pictures, tuner.map(|_| token)),
            };
            answer.write_to(&mut out, request.stays)?;
            if !request.stays {
                break;
            }
        }
        Ok(())
    }

    /// Makes a change. The answer contains the reason if the change cannot be made.
    fn change(&self, tuner: &dyn Tuner, path: &str, content: &[u8]) -> Answer {
        let done = match path == SET {
            true => serde_json::from_slice::<Vec<String>>(content)
                .map_err(|error| error.to_string())
                .and_then(|changes| tuner.set(&changes).map(|()| !changes.is_empty())),
            false => tuner.write().map(|()| false),
        };
        match done {
            Ok(is_tuned) => {
                self.pictures.tune(is_tuned);
                page::json(tuner.numbers())
            }
            Err(why) => page::unusable(&why),
        }
    }

    /// Sends the state of the pictures after each change, until the page is closed.
    fn send_events(&self, mut out: impl Write) -> io::Result<()> {
        out.write_all(page::EVENT_HEAD.as_bytes())?;
        let (mut version, mut state) = self.pictures.numbered_json();
        loop {
            write!(out, "data: {state}\n\n")?;
            out.flush()?;
            thread::sleep(MIN_PAUSE);
            (version, state) = loop {
                if self.is_over() {
                    return Ok(());
                }
                match self.pictures.state_after(version, MAX_PAUSE) {
                    Some(new) => break new,
                    // Sending a comment detects a closed connection.
                    None => out.write_all(b":\n\n")?,
                }
            };
        }
    }
}
