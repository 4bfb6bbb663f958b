import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batch } from './batches.mjs';
import { Model } from '../../libs/web/page/model.js';

// A model that shows run `a`, and the handlers of its events.
async function shown(record) {
    let handlers;
    const source = { run: async () => ({ run: record, steps: [{ name: 'A', action: 'Command' }], agents: [] }),
        trace: async () => batch(0, [{}, {}]), subscribe: (_, own) => {
            handlers = own;
            return () => {};
        } };
    const marks = [];
    const model = new Model(source, (name) => marks.push(name), () => {});
    model.route = { view: 'graph', run: 'a', query: {} };
    await model.openRun('a');
    return { model, marks, handlers };
}

const living = { id: 'a', state: 'running', started: 1 };
const told = { tasks: { running: 1 }, steps: [{ row: 'A', running: 1 }], running: [{ id: 0, phase: 'command', since: 5 }] };

test('what a run told last does not count once it does not live, however it ended', async () => {
    for (const end of [{ state: 'lost' }, { state: 'interrupted', ended: 9 }]) {
        const { model, marks, handlers } = await shown(living);
        handlers.state(told);
        assert.deepEqual([model.run.state, model.run.trace.live.size], [told, 1]);
        marks.length = 0;
        handlers.run({ ...living, ...end });
        assert.deepEqual([model.run.state, model.run.trace.live.size], [null, 0], end.state);
        assert.ok(marks.includes('state'));
        handlers.state(told);
        assert.equal(model.run.state, null, 'the last words of a run come late');
    }
});

test('what a run tells as soon as it goes on counts, though its record comes later', async () => {
    const { model, handlers } = await shown({ ...living, state: 'lost' });
    handlers.state(told);
    assert.equal(model.run.state, null);
    handlers.run(living);
    assert.deepEqual([model.run.state, model.run.trace.live.size], [told, 1]);
});
