"""What a server offers beside tools: resources, prompts, and how their arguments go on."""

import mcp_types

WATCHED = "test://watched-resource"


async def walk_resources(talk):
    """Lists resources, reads them, watches one."""

    async def read(step, uri):
        async def action():
            return {"contents": await talk.read(uri)}

        await talk.step(step, action)

    async def resources():
        return {"resources": await talk.list("resources")}

    async def templates():
        return {"resourceTemplates": await talk.list("resource_templates")}

    await talk.step("resources", resources)
    await talk.step("templates", templates)
    await read("read text", "test://static-text")
    await read("read bytes", "test://static-binary")
    await read("read a member", "test://template/a%20b/data")
    await read("read nothing", "test://no-such-resource")
    await talk.step("watch", lambda: _watch(talk))


async def _watch(talk):
    trigger = "test_trigger_resource_update"
    if not talk.modern:
        await talk.client.session.subscribe_resource(WATCHED)
    updated = await talk.changed(trigger, resource_subscriptions=[WATCHED])
    contents = await talk.read(WATCHED)
    if not talk.modern:
        await talk.client.session.unsubscribe_resource(WATCHED)
    await talk.call(trigger, {})
    # What the server sent before this answer has arrived when the next one has.
    await talk.tools()
    return {"updated": updated, "contents": contents, "unwatched": await talk.changes.take(0)}


async def walk_prompts(talk):
    """Lists prompts, gets them, completes their arguments."""

    async def get(step, name, arguments):
        async def action():
            return {"messages": await talk.prompt(name, arguments)}

        await talk.step(step, action)

    async def prompts():
        return {"prompts": await talk.list("prompts")}

    await talk.step("prompts", prompts)
    await get("prompt", "test_simple_prompt", None)
    both = {"arg1": "one", "arg2": 'two "quoted"'}
    await get("prompt with arguments", "test_prompt_with_arguments", both)
    embedded = {"resourceUri": "test://static-text"}
    await get("prompt with resource", "test_prompt_with_embedded_resource", embedded)
    await get("prompt with image", "test_prompt_with_image", None)
    await get("prompt without arguments", "test_prompt_with_arguments", {"arg1": "one"})
    await get("unknown prompt", "no_such_prompt", None)
    await _complete(talk)


async def _complete(talk):
    prompt = mcp_types.PromptReference(type="ref/prompt", name="test_prompt_with_arguments")
    family = mcp_types.ResourceTemplateReference(type="ref/resource", uri="test://template/{id}/data")

    async def complete(step, reference, name, typed, others=None):
        async def action():
            return {"completion": await talk.complete(reference, {"name": name, "value": typed}, others)}

        await talk.step(step, action)

    await complete("complete", prompt, "arg1", "te")
    if talk.client.session.protocol_version >= "2025-06-18":
        await complete("complete by another", prompt, "arg2", "sugar", {"arg1": "tea"})
    await complete("complete a template", family, "id", "12")
    await complete("complete nothing", prompt, "no_such_argument", "")


async def walk_changes(talk):
    """Lists of both that change."""

    async def resource_change():
        changes = await talk.changed("test_trigger_resource_change", resources_list_changed=True)
        return {"changes": changes, "uris": [shown["uri"] for shown in await talk.list("resources")]}

    async def prompt_change():
        changes = await talk.changed("test_trigger_prompt_change", prompts_list_changed=True)
        return {"changes": changes, "names": [shown["name"] for shown in await talk.list("prompts")]}

    await talk.step("resource change", resource_change)
    await talk.step("prompt change", prompt_change)
