//! Methods of a generic type.

use std::fmt::Debug;

use mcp_core::__private::Argument;
use mcp_core::{IntoReply, tools};

struct Store<T, const N: usize> {
    values: Vec<T>,
}

trait Keyed {
    type Key;
}

impl Keyed for u8 {
    type Key = u16;
}

#[tools(prefix = "store.")]
impl<T, const N: usize> Store<T, N>
where
    T: Clone + Debug + Argument + IntoReply + Sync + Keyed<Key = u16>,
{
    #[tool]
    fn get(&self, #[arg(default = 1)] index: usize) -> Option<String> {
        self.values.get(index % N).map(|value| format!("{value:?}"))
    }

    #[tool]
    async fn put(&self, value: T, more: &[T], key: <T as Keyed>::Key) -> T {
        std::future::ready(()).await;
        let _ = (more, key);
        value
    }
}

#[test]
fn each_type_is_a_set() {
    let store = Store::<u8, 3> { values: Vec::new() };
    assert_eq!(super::names(store), ["store.get", "store.put"]);
}
