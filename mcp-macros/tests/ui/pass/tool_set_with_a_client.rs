//! Sets of tools with typed clients.

use std::sync::Arc;

use mcp_core::client::TypedCallFuture;
use mcp_core::runtime::Runtime;
use mcp_core::transport::Transport;
use mcp_core::{Client, ClientError, Context, Json, data, tools};

mod notes {
    use super::{Arc, Context, Json, data, tools};

    /// A note.
    #[data]
    #[derive(Debug, PartialEq)]
    pub(super) struct Note {
        pub(super) text: String,
    }

    /// Notes.
    pub(super) struct Notes;

    /// Only the server sees it.
    pub(super) struct Db;

    #[tools(prefix = "notes_", client = pub(super) NotesClient)]
    impl Notes {
        /// Saves a note.
        #[tool(name = "put")]
        async fn save(
            &self,
            cx: &Context,
            title: String,
            body: &str,
            tags: Option<Vec<String>>,
            #[arg(default = 3, rename = "type")] kind: u8,
            db: &Db,
        ) -> Result<Json<Note>, std::fmt::Error> {
            std::future::ready((cx, db)).await;
            Ok(Json(Note {
                text: format!("{title}{body}{tags:?}{kind}"),
            }))
        }

        #[tool]
        fn keep(self: Arc<Self>, #[args] note: Note) -> Note {
            note
        }

        #[tool]
        fn list(&self) -> &str {
            "a"
        }

        #[cfg(any())]
        #[tool]
        fn absent(&self, missing: Missing) -> Missing {}
    }
}

trait Store: Send + Sync + 'static {
    type Value: Send;
}

struct Shelf<S: Store, const N: usize>(std::marker::PhantomData<S>);

#[tools(client = ShelfClient)]
impl<S: Store, const N: usize> Shelf<S, N>
where
    S::Value: mcp_core::IntoReply,
{
    #[tool]
    fn turn(&self, value: S::Value) -> S::Value {
        value
    }
}

struct Words;

impl Store for Words {
    type Value = String;
}

#[expect(dead_code, reason = "it has only to compile")]
async fn by_hand(client: Client) -> Result<(), ClientError> {
    let notes = notes::NotesClient::new(client);
    let saved: TypedCallFuture<'_, notes::Note> = notes.save("a", "b", None, None);
    let saved = saved.with(|call| call.without_progress()).await?;
    let kept: notes::Note = notes.clone().keep(saved).await?;
    let listed: String = notes.list().await?;
    let shelf = ShelfClient::<Words>::new(notes.client().clone());
    let turned: String = shelf.turn(listed + &kept.text).await?;
    drop(turned);
    Ok(())
}

#[expect(dead_code, reason = "it has only to compile")]
async fn by_transport(transport: impl Transport, runtime: impl Runtime) -> Result<(), ClientError> {
    let notes = notes::NotesClient::connect(transport, runtime).await?;
    assert_eq!(
        format!("{notes:?}"),
        format!("NotesClient({:?})", notes.client())
    );
    Ok(())
}
