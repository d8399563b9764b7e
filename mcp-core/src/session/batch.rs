/// The answers to the requests of one batch, sent as one array when all are in.
#[derive(Debug, Default)]
pub(super) struct Batches(Vec<Option<Batch>>);

#[derive(Debug)]
struct Batch {
    /// Answers that are in, each followed by a comma.
    answers: Vec<u8>,
    missing: usize,
}

impl Batches {
    /// Opens a batch that is complete only after [`leave`](Self::leave) was called once for the opening itself.
    pub(super) fn open(&mut self) -> usize {
        let batch = Batch {
            answers: Vec::new(),
            missing: 1,
        };
        let free = self.0.iter().position(Option::is_none);
        let index = free.unwrap_or(self.0.len());
        match self.0.get_mut(index) {
            Some(slot) => *slot = Some(batch),
            None => self.0.push(Some(batch)),
        }
        index
    }

    /// One more answer is due.
    pub(super) fn join(&mut self, index: usize) {
        if let Some(Some(batch)) = self.0.get_mut(index) {
            batch.missing += 1;
        }
    }

    /// Where an answer of the batch is written, as a frame of its own.
    pub(super) fn buffer(&mut self, index: usize) -> Option<&mut Vec<u8>> {
        Some(&mut self.0.get_mut(index)?.as_mut()?.answers)
    }

    /// One answer less is due: it has been written, or will never come. Writes the array when it was the last.
    pub(super) fn leave(&mut self, index: usize, out: &mut Vec<u8>) {
        let Some(slot) = self.0.get_mut(index) else {
            return;
        };
        let Some(batch) = slot else { return };
        if let Some(end) = batch.answers.last_mut()
            && *end == b'\n'
        {
            *end = b',';
        }
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
        *slot = None;
    }
}
