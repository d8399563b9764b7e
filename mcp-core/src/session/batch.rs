/// The answers to the requests of one batch, sent as one array when all are in.
#[derive(Debug, Default)]
pub(super) struct Batches {
    slots: Vec<Option<Batch>>,
    held: usize,
}

#[derive(Debug)]
struct Batch {
    /// Answers that are in, each followed by a comma.
    answers: Vec<u8>,
    missing: usize,
}

impl Batches {
    /// Bytes of answers that wait for others of their batch.
    pub(super) const fn held(&self) -> usize {
        self.held
    }

    /// Opens a batch that is complete only after [`leave`](Self::leave) was called once for the opening itself.
    pub(super) fn open(&mut self) -> usize {
        let batch = Batch {
            answers: Vec::new(),
            missing: 1,
        };
        let free = self.slots.iter().position(Option::is_none);
        let index = free.unwrap_or(self.slots.len());
        match self.slots.get_mut(index) {
            Some(slot) => *slot = Some(batch),
            None => self.slots.push(Some(batch)),
        }
        index
    }

    /// One more answer is due.
    pub(super) fn join(&mut self, index: usize) {
        if let Some(Some(batch)) = self.slots.get_mut(index) {
            batch.missing += 1;
        }
    }

    /// Adds an answer to the batch, which `write` writes as a frame of its own.
    pub(super) fn answer(&mut self, index: usize, write: impl FnOnce(&mut Vec<u8>)) {
        if let Some(Some(batch)) = self.slots.get_mut(index) {
            let before = batch.answers.len();
            write(&mut batch.answers);
            if let Some(end) = batch.answers.last_mut() {
                *end = b',';
            }
            self.held += batch.answers.len() - before;
        }
    }

    /// One answer less is due: it is in, or will never come. Writes the array when it was the last.
    pub(super) fn leave(&mut self, index: usize, out: &mut Vec<u8>) {
        let Some(slot) = self.slots.get_mut(index) else {
            return;
        };
        let Some(batch) = slot else { return };
        batch.missing = batch.missing.saturating_sub(1);
        if batch.missing > 0 {
            return;
        }
        if let Some((_, answers)) = batch.answers.split_last() {
            out.push(b'[');
            out.extend_from_slice(answers);
            out.push(b']');
            out.push(b'\n');
        }
        self.held -= batch.answers.len();
        *slot = None;
    }
}
