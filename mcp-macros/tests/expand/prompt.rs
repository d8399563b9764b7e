/// Reviews code.
#[prompt(title = "Review", deadline = "30s")]
pub async fn review(cx: &Context, #[complete(languages)] language: &str, #[complete("short", "long")] length: Option<String>) -> Result<Vec<PromptMessage>, Refused> {
    messages(cx, language, length).await
}
