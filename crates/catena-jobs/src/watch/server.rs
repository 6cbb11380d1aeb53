//! Serves the page to browsers on this machine: a thread for each connection, within limits, and
//! nothing that lies on a disk.

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

/// How many connections there may be at once.
pub const MOST_CONNECTIONS: usize = 32;
/// How long a request may be, in bytes.
pub const MOST_REQUEST_BYTES: usize = MOST_BYTES;

/// How long a connection may be silent, how long a request may take, and how long a browser may
/// take to receive.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long the listener rests after it could not take a connection.
const REST: Duration = Duration::from_millis(50);
/// The shortest time between two messages to a page, and the longest.
const LEAST_PAUSE: Duration = Duration::from_millis(80);
const MOST_PAUSE: Duration = Duration::from_secs(5);

/// A server that listens until it is dropped.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    listener: Option<JoinHandle<()>>,
}

/// What the threads share.
struct Shared {
    pictures: ShownPictures,
    patience: Duration,
    is_over: AtomicBool,
    connections: Mutex<Connections>,
}

#[derive(Default)]
struct Connections {
    /// Streams by number, to close them.
    open: BTreeMap<u64, TcpStream>,
    threads: Vec<JoinHandle<()>>,
    count: u64,
}

impl Server {
    /// Serves the page of these pictures on this port of 127.0.0.1; 0 is any that is free.
    ///
    /// # Errors
    /// When the port is in use, or may not be listened to.
    pub fn start(port: u16, pictures: &ShownPictures) -> io::Result<Self> {
        Self::start_patient(port, pictures, PATIENCE)
    }

    /// Likewise, where so long is waited for a request to begin, and so long then for its end.
    ///
    /// # Errors
    /// As [`Server::start`].
    pub fn start_patient(
        port: u16,
        pictures: &ShownPictures,
        patience: Duration,
    ) -> io::Result<Self> {
        let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = socket.local_addr()?;
        let shared = Arc::new(Shared {
            pictures: pictures.clone(),
            patience,
            is_over: AtomicBool::new(false),
            connections: Mutex::default(),
        });
        let theirs = Arc::clone(&shared);
        let listen = move || {
            while !theirs.is_over() {
                match socket.accept() {
                    Ok((stream, _)) => Shared::open(&theirs, stream),
                    Err(_) => thread::sleep(REST),
                }
            }
        };
        let listener = threads::spawn("page", listen).map_err(|cause| {
            io::Error::new(cause.kind(), format!("the system refuses a thread: {cause}"))
        })?;
        Ok(Self { address, shared, listener: Some(listener) })
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// The port that it listens to.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// How many connections there are.
    pub fn connections(&self) -> usize {
        self.shared.connections().open.len()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        self.shared.pictures.end();
        // The listener waits for a connection, so it gets one.
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

impl Shared {
    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    fn connections(&self) -> MutexGuard<'_, Connections> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a connection, if there is room for it.
    fn open(shared: &Arc<Self>, mut stream: TcpStream) {
        let mut connections = shared.connections();
        connections.threads.retain(|thread| !thread.is_finished());
        let Ok(clone) = stream.try_clone() else { return };
        let is_set = stream.set_write_timeout(Some(PATIENCE)).is_ok();
        if connections.open.len() >= MOST_CONNECTIONS || !is_set || shared.is_over() {
            let refusal = Refusal(503, "there are too many connections");
            let _ = stream.set_write_timeout(Some(REST));
            let _ = page::refusal(&refusal).write_to(&mut stream, false);
            return;
        }
        // Frames are small and wanted at once.
        let _ = stream.set_nodelay(true);
        connections.count += 1;
        let number = connections.count;
        connections.open.insert(number, clone);
        let theirs = Arc::clone(shared);
        let serve = move || {
            // A connection that breaks is the browser's matter.
            let _ = theirs.serve(&stream);
            close(&stream);
            theirs.connections().open.remove(&number);
        };
        match threads::spawn("connection", serve) {
            Ok(thread) => connections.threads.push(thread),
            // The stream has gone with the thread, but its clone is the same connection.
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

    /// Tells a page how things stand, whenever that changes, until it is closed.
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
                    // A comment finds out whether somebody still listens.
                    None => out.write_all(b":\n\n")?,
                }
            };
        }
    }
}
