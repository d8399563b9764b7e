//! A prompt and a resource inside of a function, where no path leads to them.

#[test]
fn local_functions_can_be_prompts_and_resources() {
    use mcp_core::{Prompt, Resource, prompt, resource};

    struct Local;

    fn names(_: &str) -> [&'static str; 1] {
        ["a"]
    }

    #[prompt]
    fn write(local: &Local, #[complete(names)] text: &str) -> String {
        let _ = local;
        text.to_owned()
    }

    #[resource("a:{text}")]
    fn read(local: &Local, #[complete(names)] text: &str) -> String {
        let _ = local;
        text.to_owned()
    }

    assert_eq!(write(&Local, "a"), "a");
    assert_eq!(read(&Local, "a"), "a");
    assert_eq!(write::definition().name(), "write");
    assert_eq!(read::definition().name(), "read");
}
