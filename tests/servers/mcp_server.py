"""A server on the Python SDK itself, for our client: one that tells of changes."""

from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("python", version="1.0.0")
notes = ["the note"]


@server.resource("note://one")
def note() -> str:
    """The note."""
    return notes[-1]


@server.tool()
async def write(text: str, context: Context) -> str:
    """Writes the note anew."""
    notes.append(text)
    await context.notify_resource_updated("note://one")
    return "written"


@server.tool()
async def learn(context: Context) -> str:
    """Adds a tool."""

    @server.tool()
    def learned() -> str:
        return "learned"

    await context.notify_tools_changed()
    return "learned"


server.run("stdio")
