//! Methods of a generic type that are prompts and resources.

use std::fmt::Debug;
use std::sync::Arc;

use mcp_core::{Completing, PromptSet, ResourceSet, prompts, resources};

trait Store: Send + Sync + 'static {
    type Key: Debug;
    type Value: Debug;
}

struct InMemory;

impl Store for InMemory {
    type Key = u16;
    type Value = String;
}

struct Notes<S: Store, const N: usize> {
    _store: S,
}

#[prompts(prefix = "store.")]
impl<S, const N: usize> Notes<S, N>
where
    S: Store,
{
    #[prompt]
    async fn put(
        &self,
        value: S::Value,
        more: &[S::Value],
        #[complete(Self::keys)] key: Option<S::Key>,
    ) -> String {
        format!("{value:?}{more:?}{key:?}{N}")
    }

    async fn keys(self: Arc<Self>, typed: &Completing) -> Vec<String> {
        vec![typed.repeat(N)]
    }
}

#[resources]
impl<S: Store, const N: usize> Notes<S, N> {
    #[resource("store://{key}{?default}")]
    fn get(&self, key: S::Key, default: Option<S::Value>) -> String {
        format!("{key:?}{default:?}")
    }
}

#[test]
fn each_type_is_a_set() {
    let store = Arc::new(Notes::<_, 3> { _store: InMemory });
    let prompts = <Notes<InMemory, 3> as PromptSet>::definitions(Arc::clone(&store));
    assert_eq!(prompts[0].name(), "store.put");
    let resources = <Notes<InMemory, 3> as ResourceSet>::definitions(store);
    assert_eq!(resources[0].name(), "get");
}
