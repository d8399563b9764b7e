//! Bytes between a task that must not block and a thread that may: for files, terminals and systems without
//! non-blocking pipes.
//!
//! tokio has the same for files, on its blocking pool; but its runtimes wait for that pool when they end, and a read
//! from a terminal may never return. These threads are detached: the process ends without them.

use std::fmt;
use std::io::{self, Read, Write};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// What may wait to be taken, in each direction.
const CAPACITY: usize = 64 << 10;

/// Reads by a thread of its own.
pub(crate) struct ThreadReader {
    shared: Arc<Shared>,
}

/// Writes by a thread of its own.
pub(crate) struct ThreadWriter {
    shared: Arc<Shared>,
}

impl ThreadReader {
    /// Starts to read, one chunk ahead of the task.
    pub(crate) fn spawn(mut source: impl Read + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        thread::Builder::new()
            .name("mcp-stdin".to_owned())
            .spawn(move || {
                let mut chunk = vec![0; CAPACITY];
                while theirs.offer(&mut source, &mut chunk) {}
            })?;
        Ok(Self { shared })
    }
}

impl ThreadWriter {
    /// Starts a thread that waits for something to write.
    pub(crate) fn spawn(mut sink: impl Write + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        thread::Builder::new()
            .name("mcp-stdout".to_owned())
            .spawn(move || {
                let mut chunk = Vec::with_capacity(CAPACITY);
                while theirs.drain(&mut sink, &mut chunk) {}
            })?;
        Ok(Self { shared })
    }
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    bytes: Vec<u8>,
    /// So many of `bytes` were taken by the task that reads.
    taken: usize,
    /// The thread is writing what it took out of `bytes`.
    writing: bool,
    /// Set by the thread when it has ended: by the end of its input, or by an error that is yet to be told.
    ended: Option<io::Result<()>>,
    /// The task is no longer interested.
    abandoned: bool,
    waker: Option<Waker>,
}

impl State {
    /// The error that ended the thread, once in its own words and by its kind from then on.
    fn take_outcome(&mut self) -> Option<io::Result<()>> {
        let repeated = match self.ended.as_ref()? {
            Ok(()) => Ok(()),
            Err(error) => Err(error.kind().into()),
        };
        self.ended.replace(repeated)
    }

    fn wait_for_thread(&mut self, cx: &Context<'_>) {
        self.waker = Some(cx.waker().clone());
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_while(&self, condition: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        self.changed
            .wait_while(self.lock(), |state| condition(state))
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads once and hands it over; false when there is nothing more to do.
    fn offer(&self, source: &mut impl Read, chunk: &mut [u8]) -> bool {
        let outcome = match source.read(chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return true,
            outcome => outcome,
        };
        let mut state = self.wait_while(|state| !state.bytes.is_empty() && !state.abandoned);
        match outcome {
            Ok(read) if read > 0 => state.bytes.extend(chunk.iter().take(read)),
            ended => state.ended = Some(ended.map(|_| ())),
        }
        let goes_on = state.ended.is_none() && !state.abandoned;
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
        goes_on
    }

    /// Writes all that waits; false when there is nothing more to do.
    fn drain(&self, sink: &mut impl Write, chunk: &mut Vec<u8>) -> bool {
        let mut state = self.wait_while(|state| state.bytes.is_empty() && !state.abandoned);
        if state.bytes.is_empty() {
            return false;
        }
        chunk.clear();
        std::mem::swap(&mut state.bytes, chunk);
        state.writing = true;
        // There is room again, so whoever waits for room can go on while this is written.
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }

        let outcome = sink.write_all(chunk).and_then(|()| sink.flush());

        let mut state = self.lock();
        state.writing = false;
        let goes_on = outcome.is_ok();
        if !goes_on {
            state.ended = Some(outcome);
        }
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
        goes_on
    }

    fn abandon(&self) {
        self.lock().abandoned = true;
        self.changed.notify_one();
    }
}

impl AsyncRead for ThreadReader {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut state = self.shared.lock();
        if state.bytes.is_empty() {
            if let Some(outcome) = state.take_outcome() {
                return Poll::Ready(outcome);
            }
            state.wait_for_thread(cx);
            return Poll::Pending;
        }
        let waiting = state.bytes.get(state.taken..).unwrap_or_default();
        let part = waiting.len().min(buf.remaining());
        buf.put_slice(waiting.get(..part).unwrap_or(waiting));
        state.taken += part;
        if state.taken == state.bytes.len() {
            state.bytes.clear();
            state.taken = 0;
            self.shared.changed.notify_one();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for ThreadWriter {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        let mut state = self.shared.lock();
        if let Some(Err(error)) = state.take_outcome() {
            return Poll::Ready(Err(error));
        }
        let room = CAPACITY.saturating_sub(state.bytes.len());
        if room == 0 {
            state.wait_for_thread(cx);
            return Poll::Pending;
        }
        let part = buf.get(..room).unwrap_or(buf);
        state.bytes.extend_from_slice(part);
        self.shared.changed.notify_one();
        Poll::Ready(Ok(part.len()))
    }

    /// Waits until the thread has written all.
    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut state = self.shared.lock();
        if let Some(Err(error)) = state.take_outcome() {
            return Poll::Ready(Err(error));
        }
        if state.writing || !state.bytes.is_empty() {
            state.wait_for_thread(cx);
            return Poll::Pending;
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(cx)
    }
}

impl Drop for ThreadReader {
    fn drop(&mut self) {
        self.shared.abandon();
    }
}

impl Drop for ThreadWriter {
    fn drop(&mut self) {
        self.shared.abandon();
    }
}

impl fmt::Debug for ThreadReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadReader").finish_non_exhaustive()
    }
}

impl fmt::Debug for ThreadWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadWriter").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// Reads what is sent to it, a message a read, and tells when it is dropped.
    struct Source {
        messages: mpsc::Receiver<io::Result<&'static [u8]>>,
        reads: mpsc::Sender<()>,
    }

    impl Read for Source {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            self.reads.send(()).ok();
            let message = self.messages.recv().unwrap_or(Ok(b""))?;
            buf[..message.len()].copy_from_slice(message);
            Ok(message.len())
        }
    }

    type Messages = mpsc::Sender<io::Result<&'static [u8]>>;

    fn source() -> (Messages, mpsc::Receiver<()>, ThreadReader) {
        let (send, messages) = mpsc::channel();
        let (reads, read) = mpsc::channel();
        let reader = ThreadReader::spawn(Source { messages, reads }).unwrap();
        (send, read, reader)
    }

    /// Writes into a channel that holds no more than one chunk.
    struct Sink(mpsc::SyncSender<Vec<u8>>);

    impl Write for Sink {
        fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
            self.0
                .send(buf.to_vec())
                .map_err(|_| io::ErrorKind::BrokenPipe)?;
            Ok(buf.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn what_the_thread_reads_arrives_in_order_and_then_the_end() {
        let (send, _reads, mut reader) = source();
        let mut arrived = [0; 3];
        send.send(Ok(b"abcde")).unwrap();
        reader.read_exact(&mut arrived).await.unwrap();
        assert_eq!(&arrived, b"abc");
        send.send(Ok(b"f")).unwrap();
        reader.read_exact(&mut arrived).await.unwrap();
        assert_eq!(&arrived, b"def");
        drop(send);
        assert_eq!(reader.read(&mut arrived).await.unwrap(), 0);
        assert_eq!(reader.read(&mut arrived).await.unwrap(), 0);
    }

    #[tokio::test]
    async fn an_interrupted_read_is_repeated_and_another_error_is_told() {
        let (send, _reads, mut reader) = source();
        send.send(Err(io::ErrorKind::Interrupted.into())).unwrap();
        send.send(Err(io::Error::other("broken"))).unwrap();
        let error = reader.read(&mut [0; 8]).await.unwrap_err();
        assert_eq!(error.to_string(), "broken");
    }

    #[tokio::test]
    async fn the_thread_reads_no_further_than_one_chunk_ahead() {
        let (send, reads, mut reader) = source();
        for _ in 0..3 {
            send.send(Ok(b"x")).unwrap();
        }
        reads.recv().unwrap();
        reads.recv().unwrap();
        // The first chunk waits to be taken, the second is in the thread's hands: no third read may begin.
        assert_eq!(reads.try_recv(), Err(mpsc::TryRecvError::Empty));
        reader.read_exact(&mut [0; 1]).await.unwrap();
        reads.recv().unwrap();
    }

    #[test]
    fn dropping_the_reader_ends_the_thread_after_its_read() {
        let (send, reads, reader) = source();
        reads.recv().unwrap();
        drop(reader);
        send.send(Ok(b"x")).unwrap();
        assert_eq!(reads.recv(), Err(mpsc::RecvError), "the source was dropped");
    }

    #[tokio::test]
    async fn a_flushed_write_has_been_written() {
        let (send, written) = mpsc::sync_channel(1);
        let mut writer = ThreadWriter::spawn(Sink(send)).unwrap();
        writer.write_all(b"hello\n").await.unwrap();
        writer.flush().await.unwrap();
        assert_eq!(written.try_recv().unwrap(), b"hello\n");
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_slow_sink_holds_the_writer_back_and_gets_all() {
        let (send, written) = mpsc::sync_channel(0);
        let mut writer = ThreadWriter::spawn(Sink(send)).unwrap();
        let all = vec![b'x'; 5 * CAPACITY];
        let mut held = 0;
        while let Ok(part) = poll_write_now(&mut writer, &all) {
            held += part;
            assert!(held <= 2 * CAPACITY, "{held} bytes wait for the sink");
        }
        let reading = thread::spawn(move || written.iter().map(|part| part.len()).sum());
        writer.write_all(&all).await.unwrap();
        writer.flush().await.unwrap();
        drop(writer);
        let arrived: usize = reading.join().unwrap();
        assert_eq!(arrived, held + all.len());
    }

    /// Writes until the writer would have to wait.
    fn poll_write_now(writer: &mut ThreadWriter, bytes: &[u8]) -> Result<usize, ()> {
        let mut cx = Context::from_waker(Waker::noop());
        match Pin::new(writer).poll_write(&mut cx, bytes) {
            Poll::Ready(written) => Ok(written.unwrap()),
            Poll::Pending => Err(()),
        }
    }

    #[tokio::test]
    async fn a_sink_that_breaks_fails_the_next_writes() {
        let (send, written) = mpsc::sync_channel(1);
        drop(written);
        let mut writer = ThreadWriter::spawn(Sink(send)).unwrap();
        writer.write_all(b"x").await.unwrap();
        for _ in 0..2 {
            let error = writer.flush().await.unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
        }
        let error = writer.write(b"y").await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn dropping_the_writer_lets_the_thread_write_what_it_has() {
        let (send, written) = mpsc::sync_channel(1);
        let mut writer = ThreadWriter::spawn(Sink(send)).unwrap();
        poll_write_now(&mut writer, b"last words").unwrap();
        drop(writer);
        assert_eq!(written.recv().unwrap(), b"last words");
        assert_eq!(written.recv(), Err(mpsc::RecvError), "the thread has ended");
    }
}
