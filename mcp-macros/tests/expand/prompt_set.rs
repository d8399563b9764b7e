#[prompts(prefix = "notes_")]
impl Notes {
    #[prompt]
    async fn sum_up(&self, #[complete(Self::titles)] title: &str) -> String {
        self.text(title)
    }

    fn titles(&self, typed: &Completing) -> Vec<String> {
        self.titles.clone()
    }
}
