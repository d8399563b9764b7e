mod notes {
    use mcp_core::{Json, data, tools};

    #[data]
    struct Note {}

    pub struct Notes;

    #[tools(client = pub NotesClient)]
    impl Notes {
        #[tool]
        fn read(&self) -> Json<Note> {
            Json(Note {})
        }
    }
}

async fn read(client: &notes::NotesClient) {
    let _ = client.read().await;
}

fn main() {}
