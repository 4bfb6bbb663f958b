import assert from 'node:assert/strict';
import test from 'node:test';

import { QuestionList, signatureOf } from '../../libs/web/page/question_list.js';

const run = (id, waiting, state = 'running') => ({ id, state, tasks: { waiting_for_human: waiting } });

test('runs that wait for the same number of people look the same', () => {
    assert.equal(signatureOf([run('a', 1), run('b', 0), { id: 'c' }]), signatureOf([run('a', 1)]));
    assert.notEqual(signatureOf([run('a', 1)]), signatureOf([run('a', 2)]));
    assert.notEqual(signatureOf([run('a', 1)]), signatureOf([run('a', 1, 'lost')]));
});

test('it asks when another number of tasks waits, and after a while in any case', async () => {
    let asked = 0;
    const list = new QuestionList({ questions: async () => [{ run: 'a', task: ++asked }] }, () => {});
    const refresh = async (...told) => {
        list.refresh(...told);
        await null;
        await null;
        return asked;
    };
    assert.equal(await refresh([run('a', 1)], 0, true), 1);
    assert.equal(await refresh([run('a', 1)], 5000), 1);
    assert.equal(await refresh([run('a', 2)], 6000), 2);
    assert.equal(await refresh([run('a', 2)], 15000), 2);
    assert.equal(await refresh([run('a', 2)], 16000), 3);
    assert.equal(list.find({ run: 'a', task: 3 }).task, 3);
    assert.equal(list.find({ run: 'a', task: 2 }), undefined);
    assert.equal(list.find(undefined), undefined);
});

test('what could not be asked is told, and what is known stays', async () => {
    let fails = false;
    let told = 0;
    const list = new QuestionList({ questions: async () => {
        if (fails) throw new Error('The server does not answer.');
        return [];
    } }, () => ++told);
    await list.ask();
    fails = true;
    await list.ask();
    assert.deepEqual([list.questions, list.error, told], [[], 'The server does not answer.', 2]);
});

test('the badge asks only if something else waits, and counts an answer that a dead run has not taken yet', async () => {
    let waiting = [{ run: 'a', task: 1 }, { run: 'a', task: 2 }];
    let asked = 0;
    const list = new QuestionList({ questions: async () => (++asked, waiting) }, () => {});
    list.refresh([], 0, false, Infinity);
    assert.equal(asked, 0);
    const runs = [run('a', 2, 'waiting'), run('b', 9, 'finished')];
    assert.equal(list.count(runs), 2, 'as the records tell, until it is known');
    list.refresh(runs, 1, false, Infinity);
    list.refresh(runs, 99999, false, Infinity);
    await null;
    assert.equal(asked, 1);
    waiting = waiting.slice(1);
    await list.ask();
    assert.equal(list.count(runs), 1);
    waiting = Array.from({ length: 500 }, (_, task) => ({ run: 'a', task }));
    await list.ask();
    assert.equal(list.count([run('a', 7000)]), 7000, 'the list of the server has an end');
});

test('what changes while an answer is under way is asked for after it', async () => {
    const answers = [];
    const list = new QuestionList({ questions: () => new Promise((resolve) => answers.push(resolve)) }, () => {});
    const first = list.ask();
    await list.ask();
    answers[0]([1]);
    for (let i = 0; i < 5; ++i) await null;
    answers[1]([2]);
    await first;
    assert.deepEqual([list.questions, answers.length], [[2], 2]);
});
