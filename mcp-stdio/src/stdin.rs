//! The process's standard input, whatever it is.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};

use crate::handover::ThreadReader;

/// Standard input, read in the way that suits what it is, so that an idle read never holds the process's exit.
#[derive(Debug)]
pub(crate) enum Stdin {
    /// A pipe, opened anew: a description of our own can be made non-blocking without making it so for others.
    #[cfg(target_os = "linux")]
    Pipe(tokio::net::unix::pipe::Receiver),
    /// A socket, which is what Node's `spawn` gives to children.
    #[cfg(unix)]
    Socket(tokio::net::UnixStream),
    /// A file, a terminal, a device, or a pipe that cannot be opened anew.
    Thread(ThreadReader),
}

impl Stdin {
    /// Takes standard input away from the rest of the process, which finds `/dev/null` in its place: a child that
    /// inherits it, or a library that reads from it, would eat messages.
    #[cfg(unix)]
    pub(crate) fn take() -> io::Result<Self> {
        use std::os::fd::AsFd;

        let taken = Self::from_fd(io::stdin().as_fd().try_clone_to_owned()?)?;
        // A confined process may have no /dev/null; then it is as careful as it was.
        if let Ok(null) = std::fs::File::open("/dev/null") {
            rustix::stdio::dup2_stdin(null)?;
        }
        Ok(taken)
    }

    #[cfg(not(unix))]
    pub(crate) fn take() -> io::Result<Self> {
        ThreadReader::spawn(io::stdin()).map(Self::Thread)
    }

    #[cfg(unix)]
    pub(crate) fn from_fd(fd: std::os::fd::OwnedFd) -> io::Result<Self> {
        use std::os::unix::fs::FileTypeExt;

        let file = std::fs::File::from(fd);
        let kind = file.metadata()?.file_type();
        if kind.is_socket() {
            return crate::socket::from_file(file).map(Self::Socket);
        }
        #[cfg(target_os = "linux")]
        if kind.is_fifo() {
            let options = tokio::net::unix::pipe::OpenOptions::new();
            // It fails without /proc, and where the pipe belongs to another user.
            if let Ok(pipe) = options.open_receiver(crate::proc_path(&file)) {
                return Ok(Self::Pipe(pipe));
            }
        }
        ThreadReader::spawn(file).map(Self::Thread)
    }
}

impl AsyncRead for Stdin {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            #[cfg(target_os = "linux")]
            Self::Pipe(pipe) => Pin::new(pipe).poll_read(cx, buf),
            #[cfg(unix)]
            Self::Socket(socket) => Pin::new(socket).poll_read(cx, buf),
            Self::Thread(thread) => Pin::new(thread).poll_read(cx, buf),
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs::File;
    use std::io::{Read, Write};
    use std::os::unix::net::UnixStream;

    use tokio::io::AsyncReadExt;

    use super::*;

    async fn all(mut stdin: Stdin) -> String {
        let mut arrived = String::new();
        stdin.read_to_string(&mut arrived).await.unwrap();
        arrived
    }

    #[tokio::test]
    #[cfg(target_os = "linux")]
    async fn a_pipe_is_read_without_a_thread() {
        let (reader, mut writer) = io::pipe().unwrap();
        let stdin = Stdin::from_fd(reader.into()).unwrap();
        assert!(matches!(stdin, Stdin::Pipe(_)));
        writer.write_all(b"hello").unwrap();
        drop(writer);
        assert_eq!(all(stdin).await, "hello");
    }

    #[tokio::test]
    #[cfg(target_os = "linux")]
    async fn both_ends_of_a_pipe_stay_blocking_for_others() {
        let (mut reader, mut writer) = io::pipe().unwrap();
        let stdin = Stdin::from_fd(reader.try_clone().unwrap().into()).unwrap();
        assert!(matches!(stdin, Stdin::Pipe(_)));
        let waiting = std::thread::spawn(move || {
            let mut arrived = [0; 1];
            reader.read_exact(&mut arrived).map(|()| arrived)
        });
        // More than a pipe holds: a non-blocking end would refuse the rest.
        let writing = std::thread::spawn(move || writer.write_all(&[b'x'; 1 << 20]));
        assert_eq!(waiting.join().unwrap().unwrap(), *b"x");
        assert_eq!(all(stdin).await.len(), (1 << 20) - 1);
        writing.join().unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_socket_is_read_without_a_thread() {
        let (ours, mut peer) = UnixStream::pair().unwrap();
        let stdin = Stdin::from_fd(ours.into()).unwrap();
        assert!(matches!(stdin, Stdin::Socket(_)));
        peer.write_all(b"hello").unwrap();
        drop(peer);
        assert_eq!(all(stdin).await, "hello");
    }

    #[tokio::test]
    async fn a_file_is_read_to_its_end() {
        let file = File::open(concat!(env!("CARGO_MANIFEST_DIR"), "/src/stdin.rs")).unwrap();
        let stdin = Stdin::from_fd(file.into()).unwrap();
        assert!(matches!(stdin, Stdin::Thread(_)));
        assert_eq!(all(stdin).await, include_str!("stdin.rs"));
    }

    #[tokio::test]
    async fn the_null_device_is_at_its_end() {
        let stdin = Stdin::from_fd(File::open("/dev/null").unwrap().into()).unwrap();
        assert_eq!(all(stdin).await, "");
    }
}
