"""A server on FastMCP, for our client."""

from dataclasses import dataclass

import anyio
import mcp_types as types
from fastmcp import Context, FastMCP

server = FastMCP("fastmcp", version="1.0.0")
given_up = anyio.Event()


@dataclass
class Person:
    name: str
    age: int = 30


@server.tool
def add(a: int, b: int) -> int:
    """Adds."""
    return a + b


@server.tool
def fail() -> str:
    """Fails."""
    raise ValueError("on purpose")


@server.tool
async def count(to: int, context: Context) -> str:
    """Counts, and says how far it is."""
    for step in range(to):
        await context.report_progress(step + 1, to)
    return f"counted to {to}"


@server.tool
async def greet(context: Context) -> str:
    """Asks who is there."""
    answer = await context.elicit("Who are you?", Person)
    return f"{answer.action}: {answer.data.name} ({answer.data.age})"


def says(text: str) -> types.SamplingMessage:
    return types.SamplingMessage(role="user", content=types.TextContent(type="text", text=text))


@server.tool
async def think(context: Context) -> str:
    """Asks the client's model."""
    answer = await context.session.create_message(messages=[says("Think.")], max_tokens=10)
    return f"{answer.model}: {answer.content.text}"


@server.tool
async def introduce(context: Context):
    """Asks who is there, and the client's model, in one round."""
    if (answers := context.input_responses) is None:
        schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
        form = types.ElicitRequestFormParams(message="Who are you?", requested_schema=schema)
        thought = types.CreateMessageRequestParams(messages=[says("Think.")], max_tokens=10)
        asked = {
            "person": types.ElicitRequest(params=form),
            "model": types.CreateMessageRequest(params=thought),
        }
        return types.InputRequiredResult(input_requests=asked, request_state="asked")
    person, model = answers["person"], answers["model"]
    return f"{context.request_state}: {person.content['name']}, {model.content.text}"


@server.tool
async def wait(context: Context) -> str:
    """Never ends by itself."""
    await context.report_progress(1)
    try:
        await anyio.sleep_forever()
    finally:
        given_up.set()


@server.tool
async def was_given_up() -> str:
    """Ends once a call of `wait` was given up."""
    await given_up.wait()
    return "given up"


@server.tool
async def learn(context: Context) -> str:
    """Adds a tool."""

    @server.tool
    def learned() -> str:
        return "learned"

    await context.send_notification(types.ToolListChangedNotification())
    return "learned"


@server.resource("note://{name}")
def note(name: str) -> str:
    """A note."""
    return f"the note {name}"


@server.prompt
def hello(name: str) -> str:
    """Says hello."""
    return f"Say hello to {name}."


server.run("stdio", show_banner=False)
