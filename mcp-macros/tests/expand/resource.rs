/// One note.
#[resource("notes://{id}{?page}", mime_type = "text/markdown", audience = [user], priority = 0.8)]
fn note(#[complete(ids)] id: u32, page: Option<u32>, db: &Db) -> Option<String> {
    db.note(id, page)
}
