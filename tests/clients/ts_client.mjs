// Takes the conformance server through one conversation with a TypeScript client and prints what came back.
//
//     node ts_client.mjs --library v1|v2 --mode auto|legacy|2026-07-28 [--offer VERSION] [--mute] -- COMMAND [ARGUMENT ...] | URL
//
// The packages are looked up in the folder that CLIENT_PACKAGES names. stdout is one JSON array of steps:
// `{"step": NAME, ...}` with what the server answered, or `"error"`. Nothing is judged here; the test that starts this
// program knows what every step must be. `--offer` makes the handshake ask for an older revision. `--mute` is a client
// that can't be asked anything; its conversation is about that only.

import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import path from 'node:path';

import { Answers, CAPABILITIES, walkAsking, walkMute } from './ts_asking.mjs';
import { walkChanges, walkPrompts, walkResources } from './ts_offers.mjs';

const MODERN = '2026-07-28';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
const UNICODE = 'h\u00e9llo \u2713 \u{1d11e} "quoted" \\ / \b\t\r\n \u2028 \u0000 end';

// Long enough for a busy machine. Nothing waits this long unless the test fails anyway.
const PATIENCE = 20_000;

const require = createRequire(path.join(process.env.CLIENT_PACKAGES, 'from-here.js'));
const split = process.argv.indexOf('--');
const [command, ...args] = process.argv.slice(split + 1);
const isUrl = command.startsWith('http://');
const { values: options } = parseArgs({
  args: process.argv.slice(2, split),
  options: { library: { type: 'string' }, mode: { type: 'string' }, offer: { type: 'string' }, mute: { type: 'boolean' } },
});

/** Notifications in the order of their arrival. */
class Inbox {
  items = [];
  #more = () => {};

  put(item) {
    this.items.push(item);
    this.#more();
  }

  /** Waits for as many as are due, empties the box; what has not come in time is missing from it. */
  async take(count) {
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, PATIENCE, true)));
    while (this.items.length < count) {
      const more = new Promise((resolve) => (this.#more = resolve));
      if (await Promise.race([more, late])) break;
    }
    clearTimeout(timer);
    return this.items.splice(0);
  }
}

/**
 * A transport that hands over one message a turn of the event loop.
 *
 * Both generations forget a call as soon as they see its answer, before they get to the progress that stood right in
 * front of it in the same chunk; how many arrive would depend on how the pipe was read.
 */
class OneByOne {
  #inner;
  #last = Promise.resolve();

  constructor(inner, beforeSend = (message) => message) {
    this.#inner = inner;
    inner.onmessage = (message, extra) => {
      this.#last = this.#last.then(() => new Promise(setImmediate)).then(() => this.onmessage?.(message, extra));
    };
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
    this.send = (message) => inner.send(beforeSend(message));
  }

  start() {
    return this.#inner.start();
  }

  close() {
    return this.#inner.close();
  }

  setProtocolVersion(version) {
    this.protocol = version;
  }
}

/** By HTTP each message comes alone, and the libraries look at what kind of transport they have. */
function byHttp(transport, beforeSend = (message) => message) {
  const send = transport.send.bind(transport);
  const setProtocolVersion = transport.setProtocolVersion?.bind(transport);
  transport.send = (message, settings) => send(beforeSend(message), settings);
  transport.setProtocolVersion = (version) => {
    transport.protocol = version;
    setProtocolVersion?.(version);
  };
  return transport;
}

const steps = [];
const logs = new Inbox();
const changes = new Inbox();
const answers = new Answers();
const capabilities = options.mute ? {} : CAPABILITIES;

const UPDATED = 'notifications/resources/updated';
const onChange = ({ method }) => changes.put(method);
const onUpdate = ({ method, params }) => changes.put([method, params.uri]);

/** The first generation: handshake only; its one revision to ask for is a constant, so the offer is changed on its way out. */
function firstGeneration() {
  const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');
  const types = require('@modelcontextprotocol/sdk/types.js');
  const client = new Client({ name: 'interop', version: '1' }, { capabilities });
  const ask = (message) =>
    options.offer && message.method === 'initialize'
      ? { ...message, params: { ...message.params, protocolVersion: options.offer } }
      : message;
  const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const transport = isUrl
    ? byHttp(new StreamableHTTPClientTransport(new URL(command)), ask)
    : new OneByOne(new StdioClientTransport({ command, args, stderr: 'inherit' }), ask);
  client.setNotificationHandler(types.LoggingMessageNotificationSchema, ({ params }) => logs.put([params.level, params.data]));
  client.setNotificationHandler(types.ToolListChangedNotificationSchema, onChange);
  client.setNotificationHandler(types.PromptListChangedNotificationSchema, onChange);
  client.setNotificationHandler(types.ResourceListChangedNotificationSchema, onChange);
  client.setNotificationHandler(types.ResourceUpdatedNotificationSchema, onUpdate);
  if (!options.mute) {
    client.setRequestHandler(types.ElicitRequestSchema, answers.elicit);
    client.setRequestHandler(types.CreateMessageRequestSchema, answers.sample);
    client.setRequestHandler(types.ListRootsRequestSchema, answers.roots);
  }
  return {
    client,
    transport,
    protocol: () => transport.protocol,
    call: (params, settings) => client.callTool(params, undefined, settings),
  };
}

function secondGeneration() {
  const { Client } = require('@modelcontextprotocol/client');
  const { StdioClientTransport } = require('@modelcontextprotocol/client/stdio');
  const mode = ['auto', 'legacy'].includes(options.mode) ? options.mode : { pin: options.mode };
  const client = new Client(
    { name: 'interop', version: '1' },
    {
      capabilities,
      versionNegotiation: { mode },
      ...(options.offer && { supportedProtocolVersions: [options.offer] }),
    },
  );
  const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/client');
  const transport = isUrl
    ? byHttp(new StreamableHTTPClientTransport(new URL(command)))
    : new OneByOne(new StdioClientTransport({ command, args, stderr: 'inherit' }));
  client.setNotificationHandler('notifications/message', ({ params }) => logs.put([params.level, params.data]));
  for (const list of ['tools', 'prompts', 'resources']) {
    client.setNotificationHandler(`notifications/${list}/list_changed`, onChange);
  }
  client.setNotificationHandler(UPDATED, onUpdate);
  if (!options.mute) {
    client.setRequestHandler('elicitation/create', answers.elicit);
    client.setRequestHandler('sampling/createMessage', answers.sample);
    client.setRequestHandler('roots/list', answers.roots);
  }
  return {
    client,
    transport,
    protocol: () => client.getNegotiatedProtocolVersion(),
    call: (params, settings) => client.callTool(params, settings),
  };
}

const peer = options.library === 'v1' ? firstGeneration() : secondGeneration();
const { client } = peer;

const call = (name, args, settings = {}) =>
  peer.call({ name, ...(args && { arguments: args }), ...settings.params }, { timeout: PATIENCE, ...settings.options });

/** What a call came to. */
function outcome({ content, structuredContent, isError }) {
  return {
    content,
    ...(structuredContent !== undefined && { structuredContent }),
    ...(isError && { isError }),
  };
}

async function step(name, action) {
  const record = { step: name };
  try {
    Object.assign(record, await action());
  } catch (error) {
    if (typeof error.code !== 'number') throw error;
    // One generation puts the code in front of the server's words.
    const message = error.message.replace(/^MCP error -?\d+: /, '');
    record.error = { code: error.code, message, data: error.data ?? null };
  }
  steps.push(record);
}

const stepCall = (name, tool, args) => step(name, async () => outcome(await call(tool, args)));

async function list() {
  const tools = Object.fromEntries((await client.listTools()).tools.map((tool) => [tool.name, tool]));
  const { description, inputSchema, outputSchema = null } = tools.add;
  return {
    names: Object.keys(tools),
    add: { description, inputSchema, outputSchema },
    foreign: tools.json_schema_2020_12_tool.inputSchema,
  };
}

async function progress() {
  const inbox = new Inbox();
  const onprogress = ({ progress, total = null, message = null }) => inbox.put([progress, total, message]);
  const result = await call('test_tool_with_progress', {}, { options: { onprogress } });
  return { progress: await inbox.take(3), ...outcome(result) };
}

async function logging(modern) {
  if (!modern) await client.setLoggingLevel('debug');
  const params = modern ? { _meta: { [LOG_LEVEL]: 'debug' } } : {};
  const result = await call('test_tool_with_logging', {}, { params });
  return { logs: await logs.take(3), ...outcome(result) };
}

async function noLogging(modern) {
  if (!modern) await client.setLoggingLevel('error');
  const result = await call('test_logging_tool', {});
  // What the server sent before this answer has arrived when the next one has.
  await client.listTools();
  return { logs: await logs.take(0), ...outcome(result) };
}

async function cancel() {
  const controller = new AbortController();
  const answers = [];
  const onprogress = () => controller.abort('enough');
  try {
    answers.push(outcome(await call('slow', { seconds: 600 }, { options: { signal: controller.signal, onprogress } })));
  } catch (error) {
    if (!controller.signal.aborted) throw error;
  }
  return { answers };
}

/** By HTTP a cancellation and the next call go separate ways: either may arrive first. */
async function cancelled() {
  const until = Date.now() + PATIENCE;
  while (Date.now() < until) {
    const { content } = await call('test_cancelled_calls', {});
    if (content[0].text !== '0') return;
  }
}

/** Calls a tool that changes something, and waits for the notification of it. */
async function changed(modern, trigger, watched) {
  const subscription = modern ? await client.listen(watched) : undefined;
  await call(trigger, {});
  const seen = await changes.take(1);
  await subscription?.close();
  return seen;
}

async function change(changed) {
  const changes = await changed('test_trigger_tool_change', { toolsListChanged: true });
  const { tools } = await client.listTools();
  return { changes, 'last tool': tools.at(-1).name, tools: tools.length };
}

async function greet(modern) {
  if (modern) {
    await step('discover', async () => {
      const answer = await client.discover();
      return {
        versions: answer.supportedVersions,
        server: client.getServerVersion(),
        capabilities: answer.capabilities,
      };
    });
    return;
  }
  steps.push({ step: 'initialize', server: client.getServerVersion(), capabilities: client.getServerCapabilities() });
  await step('ping', async () => void (await client.ping()));
}

async function walkTools(protocol, modern) {
  await step('list', list);
  await stepCall('text', 'test_simple_text');
  await stepCall('image', 'test_image_content', {});
  if (protocol !== '2024-11-05') await stepCall('audio', 'test_audio_content', {});
  await stepCall('resource', 'test_embedded_resource', {});
  await stepCall('mixed', 'test_multiple_content_types', {});
  await stepCall('tool error', 'test_error_handling', {});
  await stepCall('structured', 'add', { a: 2, b: 3 });
  await stepCall('unicode', 'echo', { message: UNICODE });
  await stepCall('header', 'test_custom_header', { value: 'a' });
  await step('progress', progress);
  await step('logging', () => logging(modern));
  await step('no logging', () => noLogging(modern));
  await stepCall('wrong arguments', 'add', { a: 'two' });
  await stepCall('unknown tool', 'no_such_tool', {});
  await step('cancel', cancel);
  if (isUrl) await cancelled();
  await stepCall('after cancel', 'test_cancelled_calls', {});
}

async function conversation() {
  await client.connect(peer.transport, { timeout: PATIENCE });
  const protocol = peer.protocol();
  const modern = protocol === MODERN;
  const talk = {
    client,
    protocol,
    modern,
    answers,
    changes,
    call,
    changed: (trigger, watched) => changed(modern, trigger, watched),
    outcome,
    step,
    stepCall,
  };
  steps.push({ step: 'connect', protocol });
  if (options.mute) await walkMute(talk);
  else {
    await greet(modern);
    await walkTools(protocol, modern);
    await walkResources(talk);
    await walkPrompts(talk);
    await walkAsking(talk);
    await step('change', () => change(talk.changed));
    await walkChanges(talk);
  }
  await client.close();
  steps.push({ step: 'close' });
}

try {
  await conversation();
} finally {
  console.log(JSON.stringify(steps));
}
