/// A note.
#[data]
#[derive(Debug)]
#[serde(rename_all = "camelCase")]
struct Note {
    note_text: String,
}
