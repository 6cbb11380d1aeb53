//! Web server for browsers on this machine, with one thread per connection and fixed limits. The
//! server never reads from a disk.

use super::{
    ShownPictures, page,
    request::{MOST_BYTES, Refusal, Requests},
};
use catena_base::threads;
use std::{
    collections::BTreeMap,
    io::{self, Write},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

/// Maximum number of simultaneous connections.
pub const MOST_CONNECTIONS: usize = 32;
/// Maximum length of a request in bytes.
pub const MOST_REQUEST_BYTES: usize = MOST_BYTES;

/// Time limit for a silent connection, for a request, and for sending an answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// Pause of the listener after it failed to accept a connection.
const REST: Duration = Duration::from_millis(50);
/// Minimum and maximum time between two messages to a page.
const LEAST_PAUSE: Duration = Duration::from_millis(80);
const MOST_PAUSE: Duration = Duration::from_secs(5);

/// A server that listens until it is dropped.
pub struct Server {
    address: SocketAddr,
    shared: Arc<ServerState>,
    listener: Option<JoinHandle<()>>,
}

/// State that all threads share.
struct ServerState {
    pictures: ShownPictures,
    patience: Duration,
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
    /// Serves the page of these pictures at this port of 127.0.0.1. Port 0 selects any free port.
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
        let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = socket.local_addr()?;
        let shared = Arc::new(ServerState {
            pictures: pictures.clone(),
            patience,
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
            io::Error::new(cause.kind(), format!("the system refuses a thread: {cause}"))
        })?;
        Ok(Self { address, shared, listener: Some(listener) })
    }

    /// Address of the page.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Port that the server listens to.
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
        let woken = TcpStream::connect_timeout(&self.address, REST);
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
        if connections.open.len() >= MOST_CONNECTIONS || !is_set || shared.is_over() {
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
            // A broken connection is no error of the server.
            let _ = theirs.serve(&stream);
            close(&stream);
            theirs.connections().open.remove(&number);
        };
        match threads::spawn("connection", serve) {
            Ok(thread) => connections.threads.push(thread),
            // The thread has dropped the stream, but its clone is the same connection.
            Err(_) => {
                if let Some(mut stream) = connections.open.remove(&number) {
                    let refusal = Refusal(503, "the system refuses a thread");
                    let _ = stream.set_write_timeout(Some(REST));
                    let _ = page::refusal(&refusal).write_to(&mut stream, false);
                    close(&stream);
                }
            }
        }
    }

    /// Answers the requests of a connection.
    fn serve(&self, stream: &TcpStream) -> io::Result<()> {
        let mut requests = Requests::new(stream, self.patience);
        let mut out = stream;
        while !self.is_over()
            && let Some(request) = requests.next()?
        {
            let request = match request {
                Ok(request) => request,
                Err(refusal) => return page::refusal(&refusal).write_to(&mut out, false),
            };
            if request.path == page::EVENTS {
                return self.tell(out);
            }
            page::answer(&request.path, &self.pictures).write_to(&mut out, request.stays)?;
            if !request.stays {
                break;
            }
        }
        Ok(())
    }

    /// Sends the state of the pictures after each change, until the page is closed.
    fn tell(&self, mut out: impl Write) -> io::Result<()> {
        out.write_all(page::EVENT_HEAD.as_bytes())?;
        let (mut version, mut told) = self.pictures.told();
        loop {
            write!(out, "data: {told}\n\n")?;
            out.flush()?;
            thread::sleep(LEAST_PAUSE);
            (version, told) = loop {
                if self.is_over() {
                    return Ok(());
                }
                match self.pictures.told_after(version, MOST_PAUSE) {
                    Some(new) => break new,
                    // Sending a comment detects a closed connection.
                    None => out.write_all(b":\n\n")?,
                }
            };
        }
    }
}
