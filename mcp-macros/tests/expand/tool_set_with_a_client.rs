#[tools(client = pub NotesClient)]
impl<T: Store> Notes<T> {
    /// Saves a note and returns it.
    #[tool]
    async fn save(&self, cx: &Context, title: String, body: &str, #[arg(default = 1)] copies: u8) -> Result<Json<Note>, DbError> {
        self.store.save(cx, title, body, copies).await
    }
}
