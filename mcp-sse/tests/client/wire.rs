//! A server of HTTP that says exactly what a test tells it to, byte by byte, and shows exactly what came.

use std::fmt::Write as _;
use std::future::Future;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};

/// Nothing here takes that long, unless it never comes.
const DEADLINE: Duration = Duration::from_secs(20);

/// Waits for what should come soon.
pub(crate) async fn soon<F: Future>(future: F) -> F::Output {
    let done = tokio::time::timeout(DEADLINE, future).await;
    done.expect("it should have come by now")
}

pub(crate) struct Server {
    requests: mpsc::UnboundedReceiver<Request>,
    address: std::net::SocketAddr,
    accepting: tokio::task::JoinHandle<()>,
}

/// A request that has come whole, and waits for its response.
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
    out: mpsc::UnboundedSender<Out>,
    gone: watch::Receiver<bool>,
    /// Which connection it came on, counted from 0.
    pub(crate) connection: usize,
}

enum Out {
    Bytes(Vec<u8>),
    Done,
    Close,
}

impl Server {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, requests) = mpsc::unbounded_channel();
        let accepting = tokio::spawn(async move {
            for connection in 0.. {
                let (stream, _) = listener.accept().await.unwrap();
                stream.set_nodelay(true).unwrap();
                tokio::spawn(serve(stream, connection, sender.clone()));
            }
        });
        Self {
            requests,
            address,
            accepting,
        }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn origin(&self) -> String {
        self.url("")
    }

    /// The next request, on whichever connection.
    pub(crate) async fn next(&mut self) -> Request {
        soon(self.requests.recv()).await.unwrap()
    }

    /// The next request of this method of HTTP; others may not come before.
    pub(crate) async fn post(&mut self) -> Request {
        let request = self.next().await;
        assert_eq!(request.method, "POST", "{}", request.text());
        request
    }

    /// Nothing has come that was not looked at.
    pub(crate) fn assert_quiet(&mut self) {
        if let Ok(request) = self.requests.try_recv() {
            panic!("unexpected: {}", request.text());
        }
    }

    /// From here on nobody is at home.
    pub(crate) fn leave(&self) {
        self.accepting.abort();
    }
}

/// Serves one connection, request after request.
async fn serve(mut stream: TcpStream, connection: usize, requests: mpsc::UnboundedSender<Request>) {
    let (gone, is_gone) = watch::channel(false);
    let mut buffer = Vec::new();
    while let Some(mut request) = read_request(&mut stream, &mut buffer).await {
        let (out, mut outs) = mpsc::unbounded_channel();
        request.out = out;
        request.gone = is_gone.clone();
        request.connection = connection;
        if requests.send(request).is_err() {
            return;
        }
        loop {
            let mut byte = [0; 1];
            let out = tokio::select! {
                out = outs.recv() => out,
                read = stream.read(&mut byte) => {
                    if matches!(read, Ok(0) | Err(_)) {
                        gone.send_replace(true);
                        return;
                    }
                    buffer.push(byte[0]);
                    continue;
                }
            };
            match out {
                // A response that was dropped was not to be.
                None | Some(Out::Close) => return,
                Some(Out::Done) => break,
                Some(Out::Bytes(bytes)) => {
                    if stream.write_all(&bytes).await.is_err() {
                        gone.send_replace(true);
                        return;
                    }
                }
            }
        }
    }
    gone.send_replace(true);
}

async fn read_request(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<Request> {
    let end = loop {
        if let Some(at) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(buffer.drain(..end).collect()).unwrap();
    let mut lines = head.lines();
    let mut first = lines.next().unwrap().split(' ');
    let (method, path) = (first.next().unwrap(), first.next().unwrap());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.map_or(0, |(_, value)| value.parse().unwrap());
    while buffer.len() < length {
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
    let body = String::from_utf8(buffer.drain(..length).collect()).unwrap();
    let (out, gone) = (mpsc::unbounded_channel().0, watch::channel(false).1);
    Some(Request {
        method: method.to_owned(),
        path: path.to_owned(),
        headers,
        body,
        out,
        gone,
        connection: 0,
    })
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(known, _)| known == name);
        let value = values.next().map(|(_, value)| value.as_str());
        assert!(values.next().is_none(), "{name} came twice");
        value
    }

    /// All of it, but for the headers that say where it goes and how long it is; headers in order of their names.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{} {}\n", self.method, self.path);
        let mut headers = self.headers.clone();
        headers.retain(|(name, _)| !matches!(&**name, "host" | "content-length" | "user-agent"));
        headers.sort();
        for (name, value) in headers {
            writeln!(text, "{name}: {value}").unwrap();
        }
        if !self.body.is_empty() {
            writeln!(text, "\n{}", self.body).unwrap();
        }
        text
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// The method of JSON-RPC.
    pub(crate) fn rpc(&self) -> String {
        self.json()["method"].as_str().unwrap_or("").to_owned()
    }

    pub(crate) fn id(&self) -> String {
        self.json()["id"].to_string()
    }

    /// Answers with exactly these bytes, and is ready for the next request on the connection.
    pub(crate) fn raw(self, bytes: impl AsRef<[u8]>) {
        self.write(bytes);
        self.out.send(Out::Done).unwrap_or(());
    }

    /// Answers with a status, headers and a body.
    pub(crate) fn answer(self, status: &str, headers: &str, body: &str) {
        let length = body.len();
        let head = format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\n\r\n{body}");
        self.raw(head);
    }

    /// Answers with JSON.
    pub(crate) fn json_answer(self, body: &str) {
        self.answer("200 OK", "content-type: application/json\r\n", body);
    }

    /// Answers with this result, in JSON.
    pub(crate) fn result(self, result: &str) {
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#,
            self.id()
        );
        self.json_answer(&body);
    }

    /// Begins a stream of events.
    pub(crate) fn events(self) -> Events {
        self.events_with("")
    }

    pub(crate) fn events_with(self, headers: &str) -> Events {
        self.write(format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n{headers}transfer-encoding: chunked\r\n\r\n"
        ));
        Events(self)
    }

    pub(crate) fn accept(self) {
        self.answer("202 Accepted", "", "");
    }

    pub(crate) fn write(&self, bytes: impl AsRef<[u8]>) {
        // Whoever is gone does not read it.
        self.out
            .send(Out::Bytes(bytes.as_ref().to_vec()))
            .unwrap_or(());
    }

    /// Closes the connection.
    pub(crate) fn hang_up(self) {
        self.out.send(Out::Close).unwrap_or(());
    }

    /// Waits until the client has closed the connection.
    pub(crate) async fn gone(&mut self) {
        soon(self.gone.wait_for(|gone| *gone)).await.unwrap();
    }
}

pub(crate) struct Events(pub(crate) Request);

impl Events {
    /// Sends a chunk.
    pub(crate) fn chunk(&self, text: &str) -> &Self {
        self.0.write(format!("{:x}\r\n{text}\r\n", text.len()));
        self
    }

    /// Sends an event.
    pub(crate) fn event(&self, data: &str) -> &Self {
        self.chunk(&format!("data: {data}\n\n"))
    }

    /// Ends the stream in order.
    pub(crate) fn end(self) {
        self.0.raw("0\r\n\r\n");
    }
}
