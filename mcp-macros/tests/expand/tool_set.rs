#[tools(prefix = "notes_")]
impl<T: Store> Notes<T> {
    /// Saves a note and returns it.
    #[tool(idempotent)]
    async fn save(self: Arc<Self>, #[arg(default = "untitled")] title: &str, value: T::Value) -> Json<Note> {
        self.store.save(title, value).await
    }

    /// Counts.
    #[cfg(feature = "count")]
    #[tool]
    fn count(&self) -> u64 {
        self.store.count()
    }

    fn not_a_tool(&self) {}
}
