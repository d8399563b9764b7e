use mcp_core::Client;
use mcp_core::protocol::CreateMessageResult;

fn main() {
    let _ = Client::builder("agent", "1.0.0")
        .on_elicitation(|_| async { "yes" })
        .on_sampling(|_| async { Err::<CreateMessageResult, _>("nobody is there".to_owned()) });
}
