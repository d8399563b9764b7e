// What the server asks of a client, and the tools that make it ask.

const ROUND = 'test_input_required_result_';
const ROOT = { uri: 'file:///srv/interop', name: 'interop' };
const USER = { username: 'ann', email: 'ann@example.com' };
const CHANGED = { name: 'Ann', age: 41, score: 0.5, status: 'pending', verified: false };
const CHOSEN = {
  untitledSingle: 'option2',
  titledSingle: 'value3',
  legacyEnum: 'opt1',
  untitledMulti: ['option1', 'option3'],
  titledMulti: ['value2'],
};
const PERSON = { name: 'Ann', color: 'blue', ok: true, context: 'tea' };

/** What a client declares that can be asked everything. */
export const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

/** A person, a model and a folder behind the client, who note what they were asked. */
export class Answers {
  #asked = [];
  action = 'accept';
  values = {};

  /** What was asked since, in an order that does not depend on who answered first. */
  take() {
    return this.#asked.splice(0).sort((a, b) => (a.method < b.method ? -1 : a.method > b.method ? 1 : 0));
  }

  elicit = async ({ params: { message, requestedSchema: schema, mode, url, elicitationId } }) => {
    if (mode === 'url') {
      this.#asked.push({ method: 'elicitation/create', message, url, 'has id': Boolean(elicitationId) });
      return { action: this.action };
    }
    this.#asked.push({ method: 'elicitation/create', message, schema });
    if (this.action !== 'accept') return { action: this.action };
    const names = Object.keys(schema.properties).filter((name) => name in this.values);
    return { action: 'accept', content: Object.fromEntries(names.map((name) => [name, this.values[name]])) };
  };

  sample = async ({ params: { messages, maxTokens } }) => {
    this.#asked.push({ method: 'sampling/createMessage', messages, maxTokens });
    // By convention this code says that a person refused.
    if (this.action !== 'accept') throw Object.assign(new Error('User rejected sampling request'), { code: -1 });
    const content = { type: 'text', text: 'Paris' };
    return { role: 'assistant', content, model: 'test-model', stopReason: 'endTurn' };
  };

  roots = async () => {
    this.#asked.push({ method: 'roots/list' });
    return { roots: [ROOT] };
  };
}

/** One tool after the other that asks. */
export async function walkAsking(talk) {
  const { client, modern, answers, call, outcome, step } = talk;
  async function ask(name, tool, args, values, action = 'accept') {
    Object.assign(answers, { action, values });
    await step(name, async () => {
      const result = await call(tool, args);
      return { asked: answers.take(), ...outcome(result) };
    });
    // What was asked before an error is not asked again.
    answers.take();
  }

  const fillIn = { message: 'Who are you?' };
  await ask('elicit', 'test_elicitation', fillIn, USER);
  await ask('elicit, declined', 'test_elicitation', fillIn, {}, 'decline');
  await ask('elicit, cancelled', 'test_elicitation', fillIn, {}, 'cancel');
  await ask('elicit, misfit', 'test_elicitation', fillIn, { username: 'ann' });
  await ask('elicit defaults', 'test_elicitation_sep1034_defaults', {}, {});
  await ask('elicit others', 'test_elicitation_sep1034_defaults', {}, CHANGED);
  await ask('elicit enums', 'test_elicitation_sep1330_enums', {}, CHOSEN);
  await ask('elicit a visit', 'test_elicitation_url', {}, {});
  await ask('elicit a visit, declined', 'test_elicitation_url', {}, {}, 'decline');
  await ask('sample', 'test_sampling', { prompt: 'Capital of France?' }, {});
  // A round has no way to carry an error.
  if (!modern) await ask('sample, refused', 'test_sampling', { prompt: 'Capital of France?' }, {}, 'decline');
  await ask('roots', `${ROUND}list_roots`, {}, {});
  await ask('ask at once', `${ROUND}multiple_inputs`, {}, PERSON);
  await ask('ask in turn', `${ROUND}multi_round`, {}, PERSON);
  await ask('ask and remember', `${ROUND}request_state`, {}, PERSON);
  await ask('ask what is declared', `${ROUND}capabilities`, {}, PERSON);
  Object.assign(answers, { action: 'accept', values: PERSON });
  await step('ask by a prompt', async () => {
    const { messages } = await client.getPrompt({ name: `${ROUND}prompt` });
    return { asked: answers.take(), messages };
  });
  answers.take();
  await step('ask by a resource', async () => {
    const { contents } = await client.readResource({ uri: 'test://input-required' });
    return { asked: answers.take(), contents };
  });
  answers.take();
  if (modern) await walkRounds(talk);
}

/** Rounds that no library would make by itself, by hand. */
async function walkRounds({ client, step }) {
  const call = (more) =>
    client.callTool({ name: `${ROUND}tampered_state`, arguments: {}, ...more }, { allowInputRequired: true });
  const show = (name, more) =>
    step(name, async () => {
      const { inputRequests = {}, requestState, content } = await call(more());
      state ??= requestState;
      return { asked: Object.keys(inputRequests), ...(content && { content }) };
    });
  let state;
  const confirmed = { action: 'accept', content: { ok: true } };
  const answered = (key, requestState) => ({ inputResponses: { [key]: confirmed }, requestState });
  await show('round', () => ({}));
  await show('round with a wrong key', () => answered('no_such_question', state));
  await show('round with a wrong state', () => answered('confirm', `${state}-TAMPERED`));
  await show('round with the answer', () => answered('confirm', state));
}

/** The same from a client that has declared nothing: it can't be asked. */
export async function walkMute({ client, step, stepCall }) {
  await stepCall('elicit', 'test_elicitation', { message: 'Who are you?' });
  await stepCall('sample', 'test_missing_capability', {});
  await stepCall('roots', `${ROUND}list_roots`, {});
  await stepCall('ask what is declared', `${ROUND}capabilities`, {});
  await step('ask by a prompt', async () => {
    const { messages } = await client.getPrompt({ name: `${ROUND}prompt` });
    return { messages };
  });
  await step('ask by a resource', async () => {
    const { contents } = await client.readResource({ uri: 'test://input-required' });
    return { contents };
  });
}
