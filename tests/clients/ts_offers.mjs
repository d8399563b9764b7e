// What a server offers beside tools: resources, prompts, and how their arguments go on.

const WATCHED = 'test://watched-resource';

/** Lists resources, reads them, watches one. */
export async function walkResources(talk) {
  const { client, step } = talk;
  const read = (name, uri) =>
    step(name, async () => {
      const { contents } = await client.readResource({ uri });
      return { contents };
    });
  await step('resources', async () => {
    const { resources } = await client.listResources();
    return { resources };
  });
  await step('templates', async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    return { resourceTemplates };
  });
  await read('read text', 'test://static-text');
  await read('read bytes', 'test://static-binary');
  await read('read a member', 'test://template/a%20b/data');
  await read('read nothing', 'test://no-such-resource');
  await step('watch', () => watch(talk));
}

async function watch({ client, modern, call, changed, changes }) {
  const trigger = 'test_trigger_resource_update';
  if (!modern) await client.subscribeResource({ uri: WATCHED });
  const updated = await changed(trigger, { resourceSubscriptions: [WATCHED] });
  const { contents } = await client.readResource({ uri: WATCHED });
  if (!modern) await client.unsubscribeResource({ uri: WATCHED });
  await call(trigger, {});
  // What the server sent before this answer has arrived when the next one has.
  await client.listTools();
  return { updated, contents, unwatched: await changes.take(0) };
}

/** Lists prompts, gets them, completes their arguments. */
export async function walkPrompts({ client, protocol, step }) {
  const get = (name, prompt, args) =>
    step(name, async () => {
      const { messages } = await client.getPrompt({ name: prompt, ...(args && { arguments: args }) });
      return { messages };
    });
  await step('prompts', async () => {
    const { prompts } = await client.listPrompts();
    return { prompts };
  });
  await get('prompt', 'test_simple_prompt');
  await get('prompt with arguments', 'test_prompt_with_arguments', { arg1: 'one', arg2: 'two "quoted"' });
  await get('prompt with resource', 'test_prompt_with_embedded_resource', { resourceUri: 'test://static-text' });
  await get('prompt with image', 'test_prompt_with_image');
  await get('prompt without arguments', 'test_prompt_with_arguments', { arg1: 'one' });
  await get('unknown prompt', 'no_such_prompt');

  const prompt = { type: 'ref/prompt', name: 'test_prompt_with_arguments' };
  const family = { type: 'ref/resource', uri: 'test://template/{id}/data' };
  const complete = (name, ref, argument, others) =>
    step(name, async () => {
      const context = others && { context: { arguments: others } };
      const { completion } = await client.complete({ ref, argument, ...context });
      return { completion };
    });
  await complete('complete', prompt, { name: 'arg1', value: 'te' });
  if (protocol >= '2025-06-18') {
    await complete('complete by another', prompt, { name: 'arg2', value: 'sugar' }, { arg1: 'tea' });
  }
  await complete('complete a template', family, { name: 'id', value: '12' });
  await complete('complete nothing', prompt, { name: 'no_such_argument', value: '' });
}

/** Lists of both that change. */
export async function walkChanges({ client, changed, step }) {
  await step('resource change', async () => {
    const changes = await changed('test_trigger_resource_change', { resourcesListChanged: true });
    const { resources } = await client.listResources();
    return { changes, uris: resources.map(({ uri }) => uri) };
  });
  await step('prompt change', async () => {
    const changes = await changed('test_trigger_prompt_change', { promptsListChanged: true });
    const { prompts } = await client.listPrompts();
    return { changes, names: prompts.map(({ name }) => name) };
  });
}
