use std::collections::VecDeque;
use std::task::Waker;

/// Who is to be woken, by keys that were given out in ascending order.
#[derive(Debug, Default)]
pub(super) struct Wakers(VecDeque<(u64, Waker)>);

impl Wakers {
    fn position(&self, key: u64) -> Result<usize, usize> {
        self.0.binary_search_by_key(&key, |(known, _)| *known)
    }

    /// The last waker of a key counts.
    pub(super) fn insert(&mut self, key: u64, waker: &Waker) {
        match self.position(key) {
            Ok(at) => self.0[at].1.clone_from(waker),
            // Nearly always at the end.
            Err(at) => self.0.insert(at, (key, waker.clone())),
        }
    }

    /// Whether it was there.
    pub(super) fn remove(&mut self, key: u64) -> bool {
        let position = self.position(key);
        position.is_ok_and(|at| self.0.remove(at).is_some())
    }

    /// The waker of the lowest key.
    pub(super) fn pop_first(&mut self) -> Option<Waker> {
        self.0.pop_front().map(|(_, waker)| waker)
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}
