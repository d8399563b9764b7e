// A server on the second TypeScript SDK, for our client. PACKAGES is the folder whose node_modules has it.
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(path.join(process.env.PACKAGES, 'index.js'));
const sdk = require('@modelcontextprotocol/server');
const { serveStdio } = require('@modelcontextprotocol/server/stdio');
// The one that the SDK itself uses.
const z = createRequire(require.resolve('@modelcontextprotocol/server'))('zod');

const says = (text) => ({ content: [{ type: 'text', text }] });
const person = z.object({ name: z.string(), age: z.number().default(30) });

let giveUp;
const givenUp = new Promise((resolve) => (giveUp = resolve));

function make() {
  const server = new sdk.McpServer(
    { name: 'typescript', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.registerTool(
    'add',
    { inputSchema: z.object({ a: z.number(), b: z.number() }), outputSchema: z.object({ sum: z.number() }) },
    async ({ a, b }) => ({ ...says(String(a + b)), structuredContent: { sum: a + b } }),
  );
  server.registerTool('fail', {}, async () => {
    throw new Error('on purpose');
  });
  server.registerTool('count', { inputSchema: z.object({ to: z.number() }) }, async ({ to }, context) => {
    const progressToken = context.mcpReq._meta?.progressToken;
    for (let progress = 1; progress <= to; progress++) {
      await context.mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: to },
      });
    }
    return says(`counted to ${to}`);
  });
  server.registerTool('greet', {}, async (context) => {
    const answer = sdk.acceptedContent(context.mcpReq.inputResponses, 'person', person);
    if (answer === undefined) {
      const request = sdk.inputRequired.elicit({ message: 'Who are you?', requestedSchema: person });
      return sdk.inputRequired({ inputRequests: { person: request } });
    }
    return says(`Hello, ${answer.name} (${answer.age})`);
  });
  server.registerTool('think', {}, async (context) => {
    const answer = sdk.inputResponse(context.mcpReq.inputResponses, 'thought');
    if (answer.kind !== 'sampling') {
      const messages = [{ role: 'user', content: { type: 'text', text: 'Think.' } }];
      const request = sdk.inputRequired.createMessage({ messages, maxTokens: 10 });
      return sdk.inputRequired({ inputRequests: { thought: request } });
    }
    return says(`${answer.result.model}: ${answer.result.content.text}`);
  });
  server.registerTool('wait', {}, async (context) => {
    const { signal, notify, _meta } = context.mcpReq;
    signal.addEventListener('abort', giveUp);
    await notify({
      method: 'notifications/progress',
      params: { progressToken: _meta?.progressToken, progress: 1 },
    });
    await givenUp;
    return says('too late');
  });
  server.registerTool('was_given_up', {}, async () => {
    await givenUp;
    return says('given up');
  });
  server.registerTool('learn', {}, async () => {
    server.registerTool('learned', {}, async () => says('learned'));
    return says('learned');
  });
  server.registerResource('note', 'note://one', { mimeType: 'text/plain' }, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'the note' }],
  }));
  server.registerPrompt('hello', {}, async () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }],
  }));
  return server;
}

await serveStdio(make);
