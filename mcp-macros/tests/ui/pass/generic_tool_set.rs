//! Methods of a generic type.

use std::fmt::Debug;

use mcp_core::{IntoReply, tools};

trait Store {
    type Key: Debug;
    type Value: Debug + IntoReply;
}

struct InMemory;

impl Store for InMemory {
    type Key = u16;
    type Value = String;
}

struct Notes<S: Store, const N: usize> {
    values: Vec<S::Value>,
}

#[tools(prefix = "store.")]
impl<S, const N: usize> Notes<S, N>
where
    S: Store,
{
    #[tool]
    fn get(&self, #[arg(default = 1)] index: usize) -> Option<String> {
        let value = self.values.get(index % N)?;
        Some(format!("{value:?}"))
    }

    #[tool]
    async fn put(&self, value: S::Value, more: &[S::Value], key: <S as Store>::Key) -> S::Value {
        std::future::ready(()).await;
        let _ = (more, key);
        value
    }

    #[tool]
    fn all(&self, keys: [u8; N], first: Option<S::Key>) -> String {
        format!("{keys:?}{first:?}")
    }
}

#[test]
fn each_type_is_a_set() {
    let store = Notes::<InMemory, 3> { values: Vec::new() };
    assert_eq!(super::names(store), ["store.get", "store.put", "store.all"]);
}
