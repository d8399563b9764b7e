//! A server of as many resources as `MCP_TOOLS` says: families of them, or with `MCP_OFFERS=fixed` resources that have a
//! URI each, listed a hundred at a time. By hand, for their URIs are made up.

use mcp_core::{Invocation, Reply, ResourceDefinition, Server, Step, data};

/// The variables of a family.
#[data]
struct Member {
    id: u64,
}

fn member(call: &Invocation) -> Result<Reply, Reply> {
    let Member { id } = call.arguments()?;
    Ok(call.contents(id.to_string()))
}

fn main() -> Result<(), mcp_stdio::Error> {
    let count = std::env::var("MCP_TOOLS")
        .ok()
        .and_then(|count| count.parse().ok());
    let is_fixed = std::env::var_os("MCP_OFFERS").is_some_and(|offers| offers == "fixed");
    let one = if is_fixed { fixed } else { family };
    let server = Server::new("bench", "1.0.0").page_size(100);
    let server = (0..count.unwrap_or(5)).fold(server, |server, number: u32| {
        let resource = one(number).with_description(format!("Resource number {number}"));
        server.raw_resource(resource)
    });
    mcp_stdio::run(server)
}

fn family(number: u32) -> ResourceDefinition {
    let uri = format!("bench://family/{number:05}/{{id}}");
    ResourceDefinition::new(uri, format!("family_{number:05}"), |call: Invocation| {
        Step::now(&call, member)
    })
    .with_variables::<Member>()
}

fn fixed(number: u32) -> ResourceDefinition {
    let uri = format!("bench://fixed/{number:05}");
    ResourceDefinition::new(uri, format!("fixed_{number:05}"), |call: Invocation| {
        Step::Done(call.contents("fixed"))
    })
}
