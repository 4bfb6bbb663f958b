// The fields of a form for a draft of schema_draft.js. What is typed goes into the draft at once; problems are shown at the
// fields that they are of.

import { fill, h, setAttribute } from './dom.js';
import { name } from './shown_text.js';
import { plain } from './text.js';
import { draftOf } from './schema_draft.js';

let number = 0;  // of ids

// form: { root (schema), changed(): something was typed }
export class FormFields {
    #places = new Map();  // path as JSON -> { input, problem (element) }

    constructor(root, changed) {
        this.root = root;
        this.changed = changed;
    }

    // The field of a draft. label: { title, required }, or null if it needs none. path: see written() of schema_draft.js.
    field(draft, path, label) {
        if (draft.kind === 'object' || draft.kind === 'array') return this.#group(draft, path, label);
        const id = `field-${++number}`;
        const problem = h('span', { class: 'field-problem', id: `${id}-problem` });
        const about = aboutOf(draft, `${id}-about`);
        const input = this.#input(draft, id, label);
        setAttribute(input, 'aria-describedby', [about && `${id}-about`, `${id}-problem`].filter(Boolean).join(' '));
        this.#places.set(JSON.stringify(path), { input, problem });
        const title = label && h('label', { for: id }, titleOf(label));
        return h('div', { class: `form-field kind-${draft.kind}` }, title, about, input, problem);
    }

    #input(draft, id, label) {
        const aria = { id, 'aria-label': label ? null : 'Value', 'aria-required': label?.required ? 'true' : null };
        const type = (tag, more, ...children) => h(tag,
            { ...aria, ...more, on: { input: (event) => this.#typed(draft, event.target) } }, ...children);
        if (draft.kind === 'choice') return choice(draft, type);
        if (draft.kind === 'boolean') return yesOrNo(draft, type);
        const value = { autocomplete: 'off', spellcheck: draft.kind === 'string' ? 'true' : 'false' };
        const short = draft.kind === 'string' && !draft.field.long && !draft.text.includes('\n');
        const made = draft.kind === 'number' ? type('input', { ...value, type: 'text', inputmode: 'decimal', class: 'number-field' })
            : short ? type('input', { ...value, type: 'text' })
            : type('textarea', { ...value, rows: rowsOf(draft), class: draft.kind === 'json' ? 'json' : 'prose-field' });
        return withValue(made, draft.text);
    }

    #typed(draft, input) {
        if (draft.kind === 'choice') draft.chosen = Number(input.value);
        else if (draft.kind === 'boolean') draft.value = input.value === '' ? null : input.value === 'true';
        else draft.text = input.value;
        this.changed();
    }

    #group(draft, path, label) {
        const problem = h('span', { class: 'field-problem' });
        const body = h('div', { class: 'form-group-body' });
        const again = () => {
            show();
            this.changed();
        };
        const show = () => fill(body, draft.kind === 'object' ? this.#members(draft, path) : this.#items(draft, path, again));
        show();
        const title = label && h('legend', {}, titleOf(label));
        const element = h('fieldset', { class: `form-group kind-${draft.kind}`, tabindex: -1 }, title, aboutOf(draft), problem, body);
        this.#places.set(JSON.stringify(path), { input: element, problem });
        return element;
    }

    #members(draft, path) {
        const fields = draft.members.map((member) => this.#member(member, [...path, member.name]));
        if (!draft.field.open) return fields;
        return [...fields, this.#others(draft)];
    }

    // What is not required has a box to tick. What was typed is still there when it is ticked again.
    #member(member, path) {
        const label = { title: member.name, required: member.required };
        if (member.required && member.draft !== null) return this.field(member.draft, path, label);
        const room = h('div');
        let kept = member.draft;
        const show = (wanted) => {
            if (wanted) kept ??= draftOf(member.schema, this.root);
            member.draft = wanted ? kept : null;
            fill(room, wanted ? this.field(member.draft, path, null) : null);
            setName(room, label);
            if (!wanted) this.#places.set(JSON.stringify(path), { input: box, problem });
        };
        const problem = h('span', { class: 'field-problem' });
        const box = h('input', { type: 'checkbox', on: { change: () => { show(box.checked); this.changed(); } } });
        box.checked = member.draft !== null;
        show(box.checked);
        return h('div', { class: 'form-optional' }, h('label', { class: 'form-tick' }, box, titleOf(label)), problem, room);
    }

    // Mistakes there are shown at the object.
    #others(draft) {
        let kept = draft.others ?? '{}';
        const input = withValue(h('textarea', { class: 'json', 'aria-label': 'Other members, as JSON', spellcheck: 'false',
            rows: rowsOf({ kind: 'json', text: kept }),
            on: { input: () => { draft.others = kept = input.value; this.changed(); } } }), kept);
        const box = h('input', { type: 'checkbox', on: { change: () => { show(); this.changed(); } } });
        const show = () => {
            draft.others = box.checked ? kept : null;
            input.hidden = !box.checked;
        };
        box.checked = draft.others !== null;
        show();
        const label = h('label', { class: 'form-tick' }, box, 'other members, as JSON');
        return h('div', { class: 'form-optional form-others' }, label, input);
    }

    #items(draft, path, again) {
        const items = draft.items.map((item, i) => h('div', { class: 'form-item' },
            this.field(item, [...path, i], { title: `${i + 1}`, required: false }),
            h('button', { type: 'button', class: 'quiet', 'aria-label': `Remove element ${i + 1}`,
                on: { click: () => { draft.items.splice(i, 1); again(); } } }, '×')));
        const add = h('button', { type: 'button', class: 'form-add',
            on: { click: () => { draft.items.push(draftOf(draft.field.items, this.root)); again(); } } }, 'Add an element');
        return [items, add];
    }

    // problems: as of written(); those that are of no field are returned.
    showProblems(problems) {
        for (const { input, problem } of this.#places.values()) {
            problem.textContent = '';
            setAttribute(input, 'aria-invalid', null);
        }
        return problems.filter(({ path, message }) => {
            const place = this.#places.get(JSON.stringify(path));
            if (!place) return true;
            place.problem.textContent = message;
            setAttribute(place.input, 'aria-invalid', 'true');
            return false;
        });
    }

    focus(path) {
        const input = this.#places.get(JSON.stringify(path))?.input;
        input?.focus();
        input?.scrollIntoView({ block: 'nearest' });
    }
}

// An optional field's label is at its box; the field itself has the same name.
function setName(room, label) {
    const inputs = room.querySelectorAll(':scope > .form-field > :is(input, select, textarea), :scope > fieldset');
    for (const input of inputs) input.setAttribute('aria-label', plain(label.title, 100));
}

function titleOf({ title, required }) {
    return [name(title, 200), required && h('span', { class: 'required', title: 'required' },
        h('span', { 'aria-hidden': 'true' }, ' *'), h('span', { class: 'visually-hidden' }, ' required'))];
}

function aboutOf({ kind, field }, id = null) {
    const note = kind === 'json' && field.kind !== 'json'
        ? [`as JSON, since this is not ${KINDS[field.kind] ?? 'what the schema wants'}, or has characters that are not visible`] : [];
    const hints = [...note, ...(kind === 'json' && note.length === 0 ? ['JSON'] : []), ...field.hints];
    if (!field.title && !field.description && hints.length === 0) return null;
    const texts = [field.title, field.description].filter(Boolean);
    return h('div', { class: 'form-about', id }, texts.map((text) => h('div', {}, name(text, 2000))),
        hints.length > 0 && h('div', { class: 'form-hints' }, name(hints.join(' · '), 400)));
}

const KINDS = { object: 'such an object', array: 'an array', string: 'a string', number: 'a number', boolean: 'true or false',
    choice: 'one of the choices' };

function choice(draft, type) {
    const { options } = draft.field;
    const text = (option) => plain(option.startsWith('"') ? JSON.parse(option) : option, 200);
    const select = type('select', {}, draft.chosen < 0 || options.length > 1 ? h('option', { value: -1 }, 'choose…') : null,
        options.map((option, i) => h('option', { value: i }, text(option) || '(empty)')));
    return withValue(select, String(draft.chosen));
}

function yesOrNo(draft, type) {
    const select = type('select', {}, h('option', { value: '' }, 'choose…'), h('option', { value: 'true' }, 'yes'),
        h('option', { value: 'false' }, 'no'));
    return withValue(select, draft.value === null ? '' : String(draft.value));
}

function withValue(input, value) {
    input.value = value;
    return input;
}

function rowsOf({ kind, text }) {
    const lines = text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / 90), 0);
    return Math.max(kind === 'json' ? 2 : 1, Math.min(14, lines));
}
