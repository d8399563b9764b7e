#!/usr/bin/env python3
"""Takes the conformance server through one conversation with a Python client and prints what came back.

    py_client.py --library mcp|fastmcp --mode auto|legacy|2026-07-28 [--offer VERSION] [--mute] -- COMMAND [ARGUMENT ...]

stdout is one JSON array of steps: `{"step": NAME, ...}` with what the server answered, or `"error"`. Nothing is
judged here; the test that starts this program knows what every step must be. `--offer` makes the handshake ask for
an older revision, which the library has no setting for. `--mute` is a client that can't be asked anything; its
conversation is about that only.
"""

import argparse
import json
import sys
import warnings

import anyio
import mcp.client.session
import mcp_types
from mcp import Client, MCPError, StdioServerParameters

import py_asking
import py_offers
from py_asking import wire

# Deprecated is what the newest revision calls logging; it is tested all the same.
warnings.simplefilter("ignore")

MODERN = "2026-07-28"
LOG_LEVEL = "io.modelcontextprotocol/logLevel"

# What the library's typed events stand for.
EVENTS = {
    "ToolsListChanged": "notifications/tools/list_changed",
    "PromptsListChanged": "notifications/prompts/list_changed",
    "ResourcesListChanged": "notifications/resources/list_changed",
}

# The notifications that tell of changes.
CHANGES = (
    mcp_types.ToolListChangedNotification,
    mcp_types.PromptListChangedNotification,
    mcp_types.ResourceListChangedNotification,
)
UPDATED = "notifications/resources/updated"

# Long enough for a busy machine. Nothing waits this long unless the test fails anyway.
PATIENCE = 20


def number(value):
    """Progress is a float to the library; whole numbers are printed as they were sent."""
    return int(value) if value is not None and float(value).is_integer() else value


def outcome(result):
    """What a call came to."""
    answer = wire(result)
    kept = {"content": answer["content"]}
    if "structuredContent" in answer:
        kept["structuredContent"] = answer["structuredContent"]
    if answer.get("isError"):
        kept["isError"] = True
    return kept


class Inbox:
    """Notifications in the order of their arrival."""

    def __init__(self):
        self.items = []
        self._more = anyio.Event()

    def put(self, item):
        self.items.append(item)
        self._more.set()
        self._more = anyio.Event()

    async def take(self, count):
        """Waits for as many as are due, empties the box; what has not come in time is missing from it."""
        with anyio.move_on_after(PATIENCE):
            while len(self.items) < count:
                await self._more.wait()
        taken, self.items = self.items, []
        return taken


class Conversation:
    def __init__(self, options, command):
        self.options = options
        self.by_http = command[0].startswith("http://")
        self.steps = []
        self.logs = Inbox()
        self.changes = Inbox()
        self.answers = py_asking.Answers()
        self.client = self._mcp(command) if options.library == "mcp" else self._fastmcp(command)

    def _mcp(self, command):
        return Client(
            command[0]
            if command[0].startswith("http://")
            else StdioServerParameters(command=command[0], args=command[1:]),
            mode=self.options.mode,
            logging_callback=self._on_log,
            message_handler=self._on_message,
            read_timeout_seconds=PATIENCE,
            client_info=mcp_types.Implementation(name="interop", version="1"),
            **({} if self.options.mute else self.answers.for_mcp()),
        )

    def _fastmcp(self, command):
        import fastmcp
        from fastmcp.client.transports import StdioTransport

        return fastmcp.Client(
            command[0]
            if command[0].startswith("http://")
            else StdioTransport(command[0], command[1:], keep_alive=False),
            mode=self.options.mode,
            log_handler=self._on_log,
            message_handler=self._on_message,
            timeout=PATIENCE,
            **({} if self.options.mute else self.answers.for_fastmcp()),
        )

    async def _on_log(self, params):
        self.logs.put([params.level, params.data])

    async def _on_message(self, message):
        if isinstance(message, CHANGES):
            self.changes.put(message.method)
        elif isinstance(message, mcp_types.ResourceUpdatedNotification):
            self.changes.put([message.method, str(message.params.uri)])

    outcome = staticmethod(outcome)

    @property
    def modern(self):
        return self.client.session.protocol_version == MODERN

    def _method(self, name):
        """The libraries have the same methods; FastMCP calls those that show the whole result differently."""
        return getattr(self.client, name if self.options.library == "mcp" else f"{name}_mcp")

    async def call(self, name, arguments, on_progress=None, meta=None):
        if self.options.library == "mcp":
            return await self.client.call_tool(name, arguments, progress_callback=on_progress, meta=meta)
        return await self.client.call_tool_mcp(name, arguments, progress_handler=on_progress, meta=meta)

    async def list(self, what):
        """All entries of a list, such as `resource_templates`."""
        return [wire(entry) for entry in getattr(await self._method(f"list_{what}")(), what)]

    async def tools(self):
        return await self.list("tools")

    async def read(self, uri):
        return wire(await self._method("read_resource")(uri))["contents"]

    async def prompt(self, name, arguments):
        return wire(await self._method("get_prompt")(name, arguments))["messages"]

    async def complete(self, reference, argument, others):
        return wire(await self._method("complete")(reference, argument, others))["completion"]

    async def changed(self, trigger, **watched):
        """Calls a tool that changes something, and waits for the notification of it."""
        if not self.modern:
            await self.call(trigger, {})
            return await self.changes.take(1)
        if self.options.library == "fastmcp":
            # FastMCP does not listen; whoever asks again sees the change.
            await self.call(trigger, {})
            return []
        async with self.client.listen(**watched) as subscription:
            await self.call(trigger, {})
            with anyio.fail_after(PATIENCE):
                event = await anext(subscription)
        # The handler of messages gets it too, but not always first.
        await self.changes.take(1)
        name = type(event).__name__
        return [[UPDATED, event.uri] if name == "ResourceUpdated" else EVENTS[name]]

    async def step(self, name, action):
        record = {"step": name}
        try:
            record.update(await action())
        except MCPError as error:
            record["error"] = {"code": error.code, "message": error.message, "data": error.data}
        self.steps.append(record)

    async def step_call(self, step, name, arguments):
        async def action():
            return outcome(await self.call(name, arguments))

        await self.step(step, action)

    async def run(self):
        async with self.client:
            session = self.client.session
            if self.options.mute:
                self.steps.append({"step": "connect", "protocol": session.protocol_version})
                await py_asking.walk_mute(self)
            else:
                await self._greet(session, self.modern)
                await self._walk_tools(session, self.modern)
                await py_offers.walk_resources(self)
                await py_offers.walk_prompts(self)
                await py_asking.walk(self)
                await self.step("change", self._change)
                await py_offers.walk_changes(self)
        self.steps.append({"step": "close"})

    async def _walk_tools(self, session, modern):
        await self.step("list", self._list)
        await self.step_call("text", "test_simple_text", None if self.options.library == "mcp" else {})
        await self.step_call("image", "test_image_content", {})
        if session.protocol_version != "2024-11-05":
            await self.step_call("audio", "test_audio_content", {})
        await self.step_call("resource", "test_embedded_resource", {})
        await self.step_call("mixed", "test_multiple_content_types", {})
        await self.step_call("tool error", "test_error_handling", {})
        await self.step_call("structured", "add", {"a": 2, "b": 3})
        await self.step_call("unicode", "echo", {"message": UNICODE})
        await self.step_call("header", "test_custom_header", {"value": "a"})
        await self.step("progress", self._progress)
        await self.step("logging", lambda: self._logging(session, modern))
        await self.step("no logging", lambda: self._no_logging(session, modern))
        await self.step_call("wrong arguments", "add", {"a": "two"})
        await self.step_call("unknown tool", "no_such_tool", {})
        await self.step("cancel", self._cancel)
        if self.by_http:
            await self._cancelled()
        await self.step_call("after cancel", "test_cancelled_calls", {})

    async def _greet(self, session, modern):
        self.steps.append({"step": "connect", "protocol": session.protocol_version})
        if modern:
            await self.step("discover", lambda: self._discover(session))
            return
        answer = wire(session.initialize_result)
        self.steps.append({"step": "initialize", "server": answer["serverInfo"], "capabilities": answer["capabilities"]})

        async def ping():
            await session.send_ping()
            return {}

        await self.step("ping", ping)

    async def _discover(self, session):
        answer = await session.send_discover(MODERN)
        answer = answer if isinstance(answer, dict) else wire(answer)
        return {
            "versions": answer["supportedVersions"],
            "server": answer["_meta"]["io.modelcontextprotocol/serverInfo"],
            "capabilities": answer["capabilities"],
        }

    async def _list(self):
        tools = {tool["name"]: tool for tool in await self.tools()}
        return {
            "names": list(tools),
            "add": {key: tools["add"].get(key) for key in ("description", "inputSchema", "outputSchema")},
            "foreign": tools["json_schema_2020_12_tool"]["inputSchema"],
        }

    async def _progress(self):
        inbox = Inbox()

        async def on_progress(progress, total=None, message=None):
            inbox.put([number(progress), number(total), message])

        result = await self.call("test_tool_with_progress", {}, on_progress)
        return {"progress": await inbox.take(3), **outcome(result)}

    async def _logging(self, session, modern):
        if not modern:
            await session.set_logging_level("debug")
        result = await self.call("test_tool_with_logging", {}, meta={LOG_LEVEL: "debug"} if modern else None)
        return {"logs": await self.logs.take(3), **outcome(result)}

    async def _no_logging(self, session, modern):
        if not modern:
            await session.set_logging_level("error")
        result = await self.call("test_logging_tool", {})
        # What the server sent before this answer has arrived when the next one has.
        await self.tools()
        return {"logs": await self.logs.take(0), **outcome(result)}

    async def _cancel(self):
        started = anyio.Event()
        answers = []

        async def on_progress(_progress, _total=None, _message=None):
            started.set()

        async def call():
            with scope:
                answers.append(outcome(await self.call("slow", {"seconds": 600}, on_progress)))

        scope = anyio.CancelScope()
        with anyio.fail_after(PATIENCE):
            async with anyio.create_task_group() as group:
                group.start_soon(call)
                await started.wait()
                scope.cancel()
        return {"answers": answers}

    async def _cancelled(self):
        """By HTTP a cancellation and the next call go separate ways: either may arrive first."""
        with anyio.move_on_after(PATIENCE):
            while outcome(await self.call("test_cancelled_calls", {}))["content"][0]["text"] == "0":
                pass

    async def _change(self):
        changes = await self.changed("test_trigger_tool_change", tools_list_changed=True)
        names = [tool["name"] for tool in await self.tools()]
        return {"changes": changes, "last tool": names[-1], "tools": len(names)}


UNICODE = 'h\u00e9llo \u2713 \U0001d11e "quoted" \\ / \b\t\r\n \u2028 \u0000 end'


def main():
    split = sys.argv.index("--")
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", choices=["mcp", "fastmcp"], required=True)
    parser.add_argument("--mode", required=True)
    parser.add_argument("--offer")
    parser.add_argument("--mute", action="store_true")
    options = parser.parse_args(sys.argv[1:split])
    if options.offer:
        mcp.client.session.LATEST_HANDSHAKE_VERSION = options.offer
    conversation = Conversation(options, sys.argv[split + 1 :])
    try:
        anyio.run(conversation.run)
    finally:
        print(json.dumps(conversation.steps))


if __name__ == "__main__":
    main()
