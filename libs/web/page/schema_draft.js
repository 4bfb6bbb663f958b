// What a person has typed into the fields of schema_field.js, until it is JSON text. Numbers stay as they were typed, and
// strings that a text field could not keep are shown as JSON. Pure, but for the drafts themselves, which forms change.
//
// A draft: { field, kind } and, by kind (that of its field, or 'json' if the text that it began with did not fit that):
//   'object'   members: [{ name, required, schema, draft or null }], others: JSON text of an object, or null if there are none
//   'array'    items: [draft]       'choice'   chosen: index, or -1       'boolean'   value: true, false or null
//   'string', 'number', 'json'      text

import { isJson, members, skipSpace, stringAt } from './json_text.js';
import { fieldOf } from './schema_field.js';
import { parts } from './text.js';

const DEEPEST = 6;  // objects in objects that are made without being asked for

// A draft of a field that has the value of the JSON text; without a text, or if it does not fit, with what the schema suggests.
export function draftOf(schema, root, text, depth = 0) {
    const field = fieldOf(schema, root);
    if (text === undefined) return emptyDraft(field, root, suggested(schema), depth);
    if (isUnchosen(field, text)) return emptyDraft(field, root, undefined, depth);
    return canShow(field, text) ? filled(field, root, text.trim()) : { field, kind: 'json', text: editable(text) };
}

// As JSON, what is not chosen or typed yet is null.
function isUnchosen(field, text) {
    return ['choice', 'boolean', 'number'].includes(field.kind) && text.trim() === 'null' && !fits(field, null, text);
}

// Whether the field itself can show the text, whatever is in it.
function canShow(field, text) {
    const first = text[skipSpace(text, 0)];
    if (field.kind === 'array') return first === '[';
    if (field.kind === 'object') return first === '{' && (field.open || strangers(field, text).length === 0);
    return fits(field, null, text);
}

function strangers(field, text) {
    return membersOf(text, skipSpace(text, 0)).filter(([name]) => !field.members.some((member) => member.name === name));
}

// Whether the fields can show all of the text: its kinds and names are those of the schema.
export function fits(field, root, text) {
    const at = skipSpace(text, 0);
    const first = text[at];
    switch (field.kind) {
    case 'object': return canShow(field, text) && membersFit(field, root, text, at);
    case 'array': return first === '[' && elements(text, at).every((element) => fits(fieldOf(field.items, root), root, element));
    case 'choice': return field.options.some((option) => sameJson(option, text));
    case 'string': return first === '"';
    case 'number': return /^-?\d/.test(text.slice(at)) && (!field.integer || Number.isInteger(Number(text)));
    case 'boolean': return ['true', 'false'].includes(text.trim());
    default: return true;
    }
}

function membersFit(field, root, text, at) {
    const found = membersOf(text, at);
    return field.members.every((member) => {
        const own = found.find(([name]) => name === member.name);
        return own === undefined ? !member.required : fits(fieldOf(member.schema, root), root, own[1]);
    });
}

function membersOf(text, at) {
    const { keys, starts, ends } = members(text, at);
    return keys.map((key, i) => [stringAt(text, key), text.slice(starts[i], ends[i])]);
}

function elements(text, at) {
    const { starts, ends } = members(text, at);
    return starts.map((start, i) => text.slice(start, ends[i]));
}

function sameJson(a, b) {
    return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b));
}

function filled(field, root, text) {
    switch (field.kind) {
    case 'object': return filledObject(field, root, text);
    case 'array': return { field, kind: 'array', items: elements(text, 0).map((element) => draftOf(field.items, root, element)) };
    case 'choice': return { field, kind: 'choice', chosen: field.options.findIndex((option) => sameJson(option, text)) };
    case 'string': {
        const value = JSON.parse(text);
        return isPlain(value) ? { field, kind: 'string', text: value } : { field, kind: 'json', text: editable(text) };
    }
    case 'boolean': return { field, kind: 'boolean', value: text === 'true' };
    default: return { field, kind: field.kind, text: editable(text) };
    }
}

function filledObject(field, root, text) {
    const found = membersOf(text, 0);
    const known = field.members.map((member) => {
        const own = found.find(([name]) => name === member.name);
        return { ...member, draft: own === undefined ? null : draftOf(member.schema, root, own[1]) };
    });
    const texts = strangers(field, text).map(([name, value]) => `${JSON.stringify(name)}: ${value}`);
    return { field, kind: 'object', members: known, others: texts.length ? editable(`{${texts.join(', ')}}`) : null };
}

// Text fields lose what they cannot show: then a person would not see it, or change it without a wish to.
function isPlain(text) {
    return parts(text).every((part) => typeof part === 'string');
}

// The same JSON, for editing: with a line for each member, and with escapes for characters that would not be seen.
export function editable(text) {
    return visible(indented(text));
}

const SHORT = 60;     // characters of an object or array that stays on one line
const MARGIN = 40;    // spaces, from which on all stays on one line

function indented(text, margin = '') {
    const at = skipSpace(text, 0);
    if (text.length <= SHORT || margin.length > MARGIN || !'{['.includes(text[at])) return text.trim();
    const { keys, starts, ends } = members(text, at);
    const inside = `${margin}  `;
    const key = (i) => (keys === null ? '' : text.slice(keys[i], starts[i]).replace(/\s*:\s*$/, ': '));
    const lines = starts.map((start, i) => inside + key(i) + indented(text.slice(start, ends[i]), inside));
    return `${text[at]}\n${lines.join(',\n')}\n${margin}${text[at] === '{' ? '}' : ']'}`;
}

// The same JSON, in which characters of strings are escaped that would not be seen.
export function visible(text) {
    let at = 0;
    return parts(text).map((part) => {
        const own = typeof part === 'string' ? part : String.fromCodePoint(text.codePointAt(at));
        at += own.length;
        return typeof part === 'string' || own < ' ' ? own
            : [...Array(own.length).keys()].map((i) => escaped(own.charCodeAt(i))).join('');
    }).join('');
}

function escaped(unit) {
    return '\\u' + unit.toString(16).padStart(4, '0');
}

function suggested(schema) {
    return schema?.default === undefined ? undefined : JSON.stringify(schema.default);
}

// A schema that demands itself has no end, so at some depth a person has to go on.
function emptyDraft(field, root, suggestion, depth) {
    if (suggestion !== undefined && fits(field, root, suggestion)) return filled(field, root, suggestion);
    switch (field.kind) {
    case 'object': return { field, kind: 'object', others: null,
        members: field.members.map((member) => ({ ...member,
            draft: member.required && depth < DEEPEST ? draftOf(member.schema, root, undefined, depth + 1) : null })) };
    case 'array': return { field, kind: 'array', items: Array.from({ length: depth < DEEPEST ? Math.min(field.least, 20) : 0 },
        () => draftOf(field.items, root, undefined, depth + 1)) };
    case 'choice': return { field, kind: 'choice', chosen: field.options.length === 1 ? 0 : -1 };
    case 'boolean': return { field, kind: 'boolean', value: null };
    default: return { field, kind: field.kind, text: '' };
    }
}

// The JSON text of a draft, or what is wrong with it: { text } or { problems: [{ path, message }] }, where `path` has the
// names and indices that lead to the place, and `message` is for a person. Wrong is what
// makes no JSON, or is out of the bounds that the schema gives it.
export function written(draft, path = []) {
    const problem = (message) => ({ problems: [{ path, message }] });
    switch (draft.kind) {
    case 'object': return writtenObject(draft, path);
    case 'array': return together(draft.items.map((item, i) => ['', written(item, [...path, i])]), '[', ']');
    case 'choice': return draft.chosen < 0 ? problem('Choose a value.') : { text: draft.field.options[draft.chosen] };
    case 'string': return writtenString(draft, problem);
    case 'boolean': return draft.value === null ? problem('Choose yes or no.') : { text: String(draft.value) };
    case 'number': return writtenNumber(draft.text.trim(), draft.field, problem);
    default: return draft.text.trim() === '' ? problem('This is empty. Type JSON, such as "text" in quotes, 12 or {}.')
        : isJson(draft.text) ? { text: draft.text.trim() } : problem(`This is not JSON: ${whyNotJson(draft.text)}`);
    }
}

function writtenString({ text, field }, problem) {
    const wrong = field.wrong(text);
    return wrong ? problem(wrong) : { text: JSON.stringify(text) };
}

function writtenNumber(text, { integer, wrong }, problem) {
    if (text === '') return problem('Type a number.');
    if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text)) return problem('This is not a number, such as 12, -0.5 or 1e6.');
    if (integer && !Number.isInteger(Number(text))) return problem('This is not a whole number.');
    return wrong(Number(text)) ? problem(wrong(Number(text))) : { text };
}

function writtenObject(draft, path) {
    const chosen = draft.members.filter((member) => member.draft !== null);
    const missing = draft.members.filter((member) => member.draft === null && member.required)
        .map((member) => ({ path: [...path, member.name], message: 'This is required.' }));
    const own = chosen.map((member) => [`${JSON.stringify(member.name)}: `, written(member.draft, [...path, member.name])]);
    if (missing.length) own.push(['', { problems: missing }]);
    if (draft.others === null) return together(own, '{', '}');
    return together([...own, ...writtenOthers(draft, path)], '{', '}');
}

function writtenOthers(draft, path) {
    const problem = (message) => [['', { problems: [{ path, message }] }]];
    if (!isJson(draft.others) || draft.others.trim()[0] !== '{') return problem('The other members are not a JSON object.');
    const found = membersOf(draft.others.trim(), 0);
    const twice = found.find(([name]) => draft.members.some((member) => member.name === name));
    if (twice) return problem(`${JSON.stringify(twice[0])} has a field of its own.`);
    return found.map(([name, text]) => [`${JSON.stringify(name)}: `, { text }]);
}

function together(pieces, open, close) {
    const problems = pieces.flatMap(([, { problems: own = [] }]) => own);
    return problems.length ? { problems } : { text: open + pieces.map(([name, { text }]) => name + text).join(', ') + close };
}

export function whyNotJson(text) {
    try {
        JSON.parse(text);
        return '';
    } catch (error) {
        return error.message.replace(/^JSON\.parse: /, '').replace(/ in JSON/, '');
    }
}
