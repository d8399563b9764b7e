"""What the server asks of a client, and the tools that make it ask."""

import mcp_types

MODEL = "test-model"
ROOT = {"uri": "file:///srv/interop", "name": "interop"}


def wire(value):
    """A model as the JSON that it stands for."""
    return value.model_dump(by_alias=True, mode="json", exclude_none=True)


class Answers:
    """A person, a model and a folder behind the client, who note what they were asked."""

    def __init__(self):
        self.asked = []
        self.action = "accept"
        self.values = {}

    def take(self):
        """What was asked since, in an order that does not depend on who answered first."""
        taken, self.asked = self.asked, []
        return sorted(taken, key=lambda question: question["method"])

    async def elicit(self, _context, params):
        asked = wire(params)
        if asked.get("mode") == "url":
            has_id = bool(asked.get("elicitationId"))
            self.asked.append(
                {"method": "elicitation/create", "message": asked["message"], "url": asked["url"], "has id": has_id}
            )
            return mcp_types.ElicitResult(action=self.action)
        schema = asked["requestedSchema"]
        self.asked.append({"method": "elicitation/create", "message": asked["message"], "schema": schema})
        if self.action != "accept":
            return mcp_types.ElicitResult(action=self.action)
        content = {name: self.values[name] for name in schema["properties"] if name in self.values}
        return mcp_types.ElicitResult(action="accept", content=content)

    async def sample(self, _context, params):
        asked = wire(params)
        self.asked.append(
            {"method": "sampling/createMessage", "messages": asked["messages"], "maxTokens": asked["maxTokens"]}
        )
        if self.action != "accept":
            # By convention this code says that a person refused.
            return mcp_types.ErrorData(code=-1, message="User rejected sampling request")
        text = mcp_types.TextContent(type="text", text="Paris")
        return mcp_types.CreateMessageResult(role="assistant", content=text, model=MODEL, stop_reason="endTurn")

    async def roots(self, _context=None):
        self.asked.append({"method": "roots/list"})
        return mcp_types.ListRootsResult(roots=[mcp_types.Root(**ROOT)])

    def for_mcp(self):
        """As the official client takes them."""
        return {
            "elicitation_callback": self.elicit,
            "sampling_callback": self.sample,
            "list_roots_callback": self.roots,
        }

    def for_fastmcp(self):
        """As FastMCP's client takes them, which has other arguments."""

        async def elicit(_message, _type, params, context):
            return await self.elicit(context, params)

        async def sample(_messages, params, context):
            return await self.sample(context, params)

        async def roots(context):
            return (await self.roots(context)).roots

        return {"elicitation_handler": elicit, "sampling_handler": sample, "roots": roots}


ROUND = "test_input_required_result_"
USER = {"username": "ann", "email": "ann@example.com"}
CHANGED = {"name": "Ann", "age": 41, "score": 0.5, "status": "pending", "verified": False}
CHOSEN = {
    "untitledSingle": "option2",
    "titledSingle": "value3",
    "legacyEnum": "opt1",
    "untitledMulti": ["option1", "option3"],
    "titledMulti": ["value2"],
}
PERSON = {"name": "Ann", "color": "blue", "ok": True, "context": "tea"}


async def walk(talk):
    """One tool after the other that asks."""
    answers = talk.answers

    async def step(name, tool, arguments, values, action="accept"):
        answers.action, answers.values = action, values

        async def action():
            result = await talk.call(tool, arguments)
            return {"asked": answers.take(), **talk.outcome(result)}

        await talk.step(name, action)
        # What was asked before an error is not asked again.
        answers.take()

    fill_in = {"message": "Who are you?"}
    await step("elicit", "test_elicitation", fill_in, USER)
    await step("elicit, declined", "test_elicitation", fill_in, {}, "decline")
    await step("elicit, cancelled", "test_elicitation", fill_in, {}, "cancel")
    await step("elicit, misfit", "test_elicitation", fill_in, {"username": "ann"})
    await step("elicit defaults", "test_elicitation_sep1034_defaults", {}, {})
    await step("elicit others", "test_elicitation_sep1034_defaults", {}, CHANGED)
    await step("elicit enums", "test_elicitation_sep1330_enums", {}, CHOSEN)
    await step("elicit a visit", "test_elicitation_url", {}, {})
    await step("elicit a visit, declined", "test_elicitation_url", {}, {}, "decline")
    await step("sample", "test_sampling", {"prompt": "Capital of France?"}, {})
    if not talk.modern:
        # A round has no way to carry an error.
        await step("sample, refused", "test_sampling", {"prompt": "Capital of France?"}, {}, "decline")
    await step("roots", ROUND + "list_roots", {}, {})
    await step("ask at once", ROUND + "multiple_inputs", {}, PERSON)
    await step("ask in turn", ROUND + "multi_round", {}, PERSON)
    await step("ask and remember", ROUND + "request_state", {}, PERSON)
    await step("ask what is declared", ROUND + "capabilities", {}, PERSON)
    answers.action, answers.values = "accept", PERSON

    async def prompt():
        said = await talk.prompt(ROUND + "prompt", None)
        return {"asked": answers.take(), "messages": said}

    await talk.step("ask by a prompt", prompt)
    answers.take()

    async def resource():
        contents = await talk.read("test://input-required")
        return {"asked": answers.take(), "contents": contents}

    await talk.step("ask by a resource", resource)
    answers.take()
    if talk.modern:
        await _walk_rounds(talk)


async def _walk_rounds(talk):
    """Rounds that no library would make by itself, by hand."""
    state = None

    async def call(responses, state):
        answer = await talk.client.session.call_tool(
            ROUND + "tampered_state",
            {},
            input_responses=responses,
            request_state=state,
            allow_input_required=True,
        )
        return wire(answer)

    async def show(name, answer):
        async def action():
            shown = await answer
            kept = {"asked": list(shown.get("inputRequests", {}))}
            return kept | ({"content": shown["content"]} if "content" in shown else {})

        await talk.step(name, action)

    async def first():
        nonlocal state
        answer = await call(None, None)
        state = answer["requestState"]
        return answer

    confirmed = mcp_types.ElicitResult(action="accept", content={"ok": True})
    await show("round", first())
    await show("round with a wrong key", call({"no_such_question": confirmed}, state))
    await show("round with a wrong state", call({"confirm": confirmed}, state + "-TAMPERED"))
    await show("round with the answer", call({"confirm": confirmed}, state))


async def walk_mute(talk):
    """The same from a client that has declared nothing: it can't be asked."""
    await talk.step_call("elicit", "test_elicitation", {"message": "Who are you?"})
    await talk.step_call("sample", "test_missing_capability", {})
    await talk.step_call("roots", ROUND + "list_roots", {})
    await talk.step_call("ask what is declared", ROUND + "capabilities", {})

    async def prompt():
        return {"messages": await talk.prompt(ROUND + "prompt", None)}

    async def resource():
        return {"contents": await talk.read("test://input-required")}

    await talk.step("ask by a prompt", prompt)
    await talk.step("ask by a resource", resource)
