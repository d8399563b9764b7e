"""A server on FastMCP, for our client."""

from dataclasses import dataclass

from fastmcp import Context, FastMCP

server = FastMCP("fastmcp", version="1.0.0")


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


@server.resource("note://{name}")
def note(name: str) -> str:
    """A note."""
    return f"the note {name}"


@server.prompt
def hello(name: str) -> str:
    """Says hello."""
    return f"Say hello to {name}."


server.run("stdio", show_banner=False)
