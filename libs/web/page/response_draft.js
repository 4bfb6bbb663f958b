// The response that a person composes: the tasks that follow, each with a draft of its value, or the whole as JSON text. Pure,
// but for the draft itself, which the form changes.
//
// { next: [{ name, value_schema }] (the steps that may follow), value (JSON text of the question's task),
//   tasks: [{ step: index in next, draft }], json: text, or null while the form is used }

import { isJson, members, skipSpace, stringAt } from './json_text.js';
import { draftOf, editable, fits, visible, whyNotJson, written } from './schema_draft.js';
import { fieldOf } from './schema_field.js';

export function responseDraft(next, value) {
    const response = { next, value, tasks: [], json: null };
    if (next.length === 1) response.tasks.push(newTask(response, 0));
    return response;
}

// A task of that step. It begins with the value of the question if that suits the step, as what is approved unchanged does.
export function newTask({ next, value }, step) {
    const schema = next[step].value_schema ?? true;
    const suits = fits(fieldOf(schema, schema), schema, value);
    return { step, draft: draftOf(schema, schema, suits ? value : undefined) };
}

// { text } or { problems: [{ path, message }] }, whose first part is the index of the task.
export function writtenResponse(response) {
    const { json } = response;
    if (json !== null) return isArray(json) ? { text: json.trim() } : { problems: [{ path: [], message: whyNoArray(json) }] };
    const tasks = response.tasks.map(({ step, draft }, i) => ({ name: response.next[step].name, ...written(draft, [i]) }));
    const problems = tasks.flatMap((task) => task.problems ?? []);
    if (problems.length) return { problems };
    return { text: `[${tasks.map(({ name, text }) => `{"kind": ${JSON.stringify(name)}, "value": ${text}}`).join(', ')}]` };
}

function isArray(text) {
    return isJson(text) && text[skipSpace(text, 0)] === '[';
}

function whyNoArray(text) {
    const problem = whyNotJson(text);
    return problem ? `This is not JSON: ${problem}`
        : 'A response is an array of tasks: [{"kind": …, "value": …}], or [] if nothing follows.';
}

// From the form to JSON text. What is not JSON yet is taken as it is, and can be mended there.
export function toJson(response) {
    const pieces = response.tasks.map(({ step, draft }) => {
        const { text } = written(draft);
        return `{"kind": ${JSON.stringify(response.next[step].name)}, "value": ${text ?? roughly(draft)}}`;
    });
    const json = `[${pieces.join(', ')}]`;
    response.json = isJson(json) ? editable(json) : visible(json);
}

function roughly(draft) {
    const member = ({ name, draft: own }) => `${JSON.stringify(name)}: ${roughly(own)}`;
    switch (draft.kind) {
    case 'object': {
        const members = draft.members.filter((one) => one.draft !== null).map(member);
        return `{${[...members, ...roughOthers(draft.others)].join(', ')}}`;
    }
    case 'array': return `[${draft.items.map(roughly).join(', ')}]`;
    case 'string': return JSON.stringify(draft.text);
    default: return written(draft).text ?? (draft.text || 'null');
    }
}

function roughOthers(text) {
    return text === null ? [] : [text.trim().replace(/^\{|\}$/g, '')].filter((inside) => inside.trim() !== '');
}

// From JSON text to the form; a sentence if the form cannot show it, and then nothing changes.
export function toForm(response) {
    const { json, next } = response;
    if (!isArray(json)) return whyNoArray(json);
    const { starts, ends } = members(json, skipSpace(json, 0));
    const tasks = [];
    for (let i = 0; i < starts.length; ++i) {
        const task = taskOf(json.slice(starts[i], ends[i]), next);
        if (typeof task === 'string') return `Task ${i + 1}: ${task}`;
        tasks.push(task);
    }
    Object.assign(response, { tasks, json: null });
    return '';
}

function taskOf(text, next) {
    if (text[0] !== '{') return 'it is not an object {"kind": …, "value": …}.';
    const { keys, starts, ends } = members(text, 0);
    const found = new Map(keys.map((key, i) => [stringAt(text, key), text.slice(starts[i], ends[i])]));
    if (!found.has('kind') || !found.has('value')) return 'it needs a "kind" and a "value".';
    const other = [...found.keys()].find((key) => key !== 'kind' && key !== 'value');
    if (other !== undefined) return `it has a member ${JSON.stringify(other)}, which tasks do not have.`;
    const step = next.findIndex(({ name }) => JSON.stringify(name) === JSON.stringify(JSON.parse(found.get('kind'))));
    if (step < 0) return `no step ${found.get('kind')} may follow.`;
    const schema = next[step].value_schema ?? true;
    return { step, draft: draftOf(schema, schema, found.get('value')) };
}
