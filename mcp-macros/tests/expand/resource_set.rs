#[resources]
impl Notes {
    #[resource("notes://all")]
    fn all(self: Arc<Self>) -> String {
        self.text.clone()
    }

    #[resource("notes://{id}")]
    async fn one(&self, #[complete(self.ids)] id: u32) -> Option<String> {
        self.one(id).await
    }
}
