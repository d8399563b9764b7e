//! The process's standard output, whatever it is.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::AsyncWrite;

use crate::handover::ThreadWriter;

/// Standard output, written in the way that suits what it is.
#[derive(Debug)]
pub(crate) struct Stdout {
    sink: Sink,
    reader: Reader,
}

#[derive(Debug)]
enum Sink {
    /// A pipe, opened anew: a description of our own can be made non-blocking without making it so for others.
    #[cfg(target_os = "linux")]
    Pipe(tokio::net::unix::pipe::Sender),
    /// A socket, which is what Node's `spawn` gives to children.
    #[cfg(unix)]
    Socket(tokio::net::UnixStream),
    /// A file, a terminal, a device, or a pipe that cannot be opened anew.
    Thread(ThreadWriter),
}

/// What is known of whoever reads our output.
enum Reader {
    /// There is no way to see it leave but by writing.
    Unseen,
    /// The future ends when it leaves. It owns a descriptor of its own, for a write waits on the other one.
    #[cfg_attr(
        not(unix),
        expect(dead_code, reason = "only descriptors can be watched")
    )]
    Watched(Pin<Box<dyn Future<Output = ()> + Send>>),
    Gone,
}

impl Stdout {
    /// Takes standard output away from the rest of the process, where it becomes the standard error: a stray `println!`
    /// would spoil the stream.
    #[cfg(unix)]
    pub(crate) fn take() -> io::Result<Self> {
        use std::os::fd::AsFd;

        let taken = Self::from_fd(io::stdout().as_fd().try_clone_to_owned()?)?;
        rustix::stdio::dup2_stdout(io::stderr())?;
        Ok(taken)
    }

    #[cfg(not(unix))]
    pub(crate) fn take() -> io::Result<Self> {
        Self::by_thread(io::stdout(), Reader::Unseen)
    }

    #[cfg(unix)]
    pub(crate) fn from_fd(fd: std::os::fd::OwnedFd) -> io::Result<Self> {
        use std::os::unix::fs::FileTypeExt;

        let file = std::fs::File::from(fd);
        let kind = file.metadata()?.file_type();
        if kind.is_socket() {
            let watched = crate::socket::from_file(file.try_clone()?)?;
            return Ok(Self {
                sink: Sink::Socket(crate::socket::from_file(file)?),
                reader: Reader::Watched(Box::pin(crate::socket::closed(watched))),
            });
        }
        #[cfg(target_os = "linux")]
        if kind.is_fifo() {
            return Self::from_fifo(file);
        }
        Self::by_thread(file, Reader::Unseen)
    }

    #[cfg(target_os = "linux")]
    fn from_fifo(file: std::fs::File) -> io::Result<Self> {
        match Self::open_pipe(&file) {
            Ok(pipe) => Ok(pipe),
            Err(error) if is_unread(&error) => Self::by_thread(file, Reader::Gone),
            // It fails without /proc, and where the pipe belongs to another user.
            Err(_) => Self::by_thread(file, Reader::Unseen),
        }
    }

    #[cfg(target_os = "linux")]
    fn open_pipe(file: &std::fs::File) -> io::Result<Self> {
        let options = tokio::net::unix::pipe::OpenOptions::new();
        let path = crate::proc_path(file);
        let pipe = options.open_sender(&path)?;
        let watched = options.open_sender(&path)?;
        let gone = async move {
            if watched.ready(tokio::io::Interest::ERROR).await.is_err() {
                std::future::pending().await
            }
        };
        Ok(Self {
            sink: Sink::Pipe(pipe),
            reader: Reader::Watched(Box::pin(gone)),
        })
    }

    fn by_thread(sink: impl io::Write + Send + 'static, reader: Reader) -> io::Result<Self> {
        let sink = Sink::Thread(ThreadWriter::spawn(sink)?);
        Ok(Self { sink, reader })
    }

    /// Becomes ready when nobody reads the output any more, where that can be seen.
    pub(crate) fn poll_gone(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match &mut self.reader {
            Reader::Unseen => Poll::Pending,
            Reader::Watched(gone) => {
                ready!(gone.as_mut().poll(cx));
                self.reader = Reader::Gone;
                Poll::Ready(())
            }
            Reader::Gone => Poll::Ready(()),
        }
    }

    fn sink(&mut self) -> Pin<&mut (dyn AsyncWrite + Send + Unpin)> {
        Pin::new(match &mut self.sink {
            #[cfg(target_os = "linux")]
            Sink::Pipe(pipe) => pipe,
            #[cfg(unix)]
            Sink::Socket(socket) => socket,
            Sink::Thread(thread) => thread,
        })
    }
}

/// Whether a pipe could not be opened because nobody has its other end.
#[cfg(target_os = "linux")]
fn is_unread(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error())
}

impl AsyncWrite for Stdout {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.get_mut().sink().poll_write(cx, buf)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().sink().poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().sink().poll_shutdown(cx)
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unseen => "Unseen",
            Self::Watched(_) => "Watched",
            Self::Gone => "Gone",
        })
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::future::poll_fn;
    use std::io::{Read, Write as _};
    use std::net::Shutdown;
    use std::os::unix::net::UnixStream;
    use std::task::Waker;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt};

    use super::*;

    /// Long enough for any machine; only a test that fails waits for it.
    const PATIENCE: std::time::Duration = std::time::Duration::from_secs(20);

    async fn gone(stdout: &mut Stdout) {
        tokio::time::timeout(PATIENCE, poll_fn(|cx| stdout.poll_gone(cx)))
            .await
            .expect("the reader was not seen to leave");
    }

    fn seems_read(stdout: &mut Stdout) -> bool {
        stdout
            .poll_gone(&mut Context::from_waker(Waker::noop()))
            .is_pending()
    }

    #[tokio::test]
    #[cfg(target_os = "linux")]
    async fn a_pipe_is_written_without_a_thread_and_stays_blocking_for_others() {
        let (mut reader, writer) = io::pipe().unwrap();
        let mut other = writer.try_clone().unwrap();
        let mut stdout = Stdout::from_fd(writer.into()).unwrap();
        assert!(matches!(stdout.sink, Sink::Pipe(_)));
        let reading = std::thread::spawn(move || {
            let mut arrived = Vec::new();
            reader.read_to_end(&mut arrived).map(|_| arrived.len())
        });
        stdout.write_all(&[b'x'; 1 << 20]).await.unwrap();
        // More than a pipe holds: a non-blocking end would refuse the rest.
        other.write_all(&[b'y'; 1 << 20]).unwrap();
        drop((stdout, other));
        assert_eq!(reading.join().unwrap().unwrap(), 2 << 20);
    }

    #[tokio::test]
    #[cfg(target_os = "linux")]
    async fn the_reader_of_a_pipe_is_seen_to_leave_without_a_write() {
        let (reader, writer) = io::pipe().unwrap();
        let mut stdout = Stdout::from_fd(writer.into()).unwrap();
        assert!(seems_read(&mut stdout));
        tokio::task::yield_now().await;
        assert!(seems_read(&mut stdout));
        drop(reader);
        gone(&mut stdout).await;
        gone(&mut stdout).await;
        let error = stdout.write_all(b"x").await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }

    #[tokio::test]
    #[cfg(target_os = "linux")]
    async fn a_pipe_that_nobody_reads_from_the_start_is_seen_as_that() {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let mut stdout = Stdout::from_fd(writer.into()).unwrap();
        gone(&mut stdout).await;
        let error = stdout.write_all(b"x").await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }

    #[tokio::test]
    #[cfg(target_os = "linux")]
    async fn a_named_pipe_that_nobody_reads_any_more_is_seen_as_that() {
        let path = std::env::temp_dir().join(format!("mcp-stdio-{}-fifo", std::process::id()));
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        let options = tokio::net::unix::pipe::OpenOptions::new();
        let reader = options.open_receiver(&path).unwrap();
        let writer = options.open_sender(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        drop(reader);
        let mut stdout = Stdout::from_fd(writer.into_blocking_fd().unwrap()).unwrap();
        assert!(!seems_read(&mut stdout));
        stdout.write_all(b"x").await.unwrap();
        let error = stdout.flush().await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }

    #[tokio::test]
    async fn a_socket_is_written_without_a_thread_and_its_reader_is_seen_to_leave() {
        let (ours, mut peer) = UnixStream::pair().unwrap();
        let mut stdout = Stdout::from_fd(ours.into()).unwrap();
        assert!(matches!(stdout.sink, Sink::Socket(_)));
        stdout.write_all(b"hello").await.unwrap();
        let mut arrived = [0; 5];
        peer.read_exact(&mut arrived).unwrap();
        assert_eq!(&arrived, b"hello");
        assert!(seems_read(&mut stdout));
        drop(peer);
        gone(&mut stdout).await;
    }

    #[tokio::test]
    async fn the_watch_on_a_socket_leaves_its_input_alone() {
        let (ours, mut peer) = UnixStream::pair().unwrap();
        let mut input = crate::stdin::Stdin::from_fd(ours.try_clone().unwrap().into()).unwrap();
        let mut stdout = Stdout::from_fd(ours.into()).unwrap();
        for message in [b"one", b"two"] {
            peer.write_all(message).unwrap();
            assert!(seems_read(&mut stdout));
            tokio::task::yield_now().await;
            assert!(seems_read(&mut stdout));
            let mut arrived = [0; 3];
            input.read_exact(&mut arrived).await.unwrap();
            assert_eq!(&arrived, message);
        }
        drop(peer);
        gone(&mut stdout).await;
    }

    #[tokio::test]
    async fn a_peer_that_only_ends_what_it_sends_still_reads() {
        let (ours, mut peer) = UnixStream::pair().unwrap();
        let probe = ours.try_clone().unwrap();
        probe.set_nonblocking(true).unwrap();
        let probe = tokio::net::UnixStream::from_std(probe).unwrap();
        let mut stdout = Stdout::from_fd(ours.into()).unwrap();
        peer.shutdown(Shutdown::Write).unwrap();
        probe.readable().await.unwrap();
        tokio::task::yield_now().await;
        assert!(seems_read(&mut stdout));
        stdout.write_all(b"hello").await.unwrap();
        peer.read_exact(&mut [0; 5]).unwrap();
    }

    #[tokio::test]
    async fn a_file_is_written_and_flushed() {
        let mut path = std::env::temp_dir();
        path.push(format!("mcp-stdio-{}-stdout", std::process::id()));
        let file = std::fs::File::create(&path).unwrap();
        let mut stdout = Stdout::from_fd(file.into()).unwrap();
        assert!(matches!(stdout.sink, Sink::Thread(_)));
        stdout.write_all(b"hello").await.unwrap();
        stdout.flush().await.unwrap();
        let written = std::fs::read(&path);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(written.unwrap(), b"hello");
    }
}
