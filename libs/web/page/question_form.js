// The form for one question: what is asked, and the response that a person composes. Nothing that was typed is lost by a mistake,
// a refusal or a look at another view.

import { append, fill, h, setAttribute } from './dom.js';
import { FormFields } from './form_fields.js';
import { newTask, responseDraft, toForm, toJson, writtenResponse } from './response_draft.js';
import { name } from './shown_text.js';
import { plural } from './format.js';

// question: as of GET /api/questions. draft: of newDraft(). send(body): answers; the result is { text, refused } or null if that
// was taken.
export class QuestionForm {
    #fields = [];  // of each task: FormFields

    constructor(question, draft, send) {
        Object.assign(this, { question, draft, send });
        this.body = h('div', { class: 'answer-body' });
        this.problems = h('div', { class: 'answer-problems', role: 'alert' });
        this.modes = [this.#mode('Form', false), this.#mode('JSON', true)];
        this.submit = h('button', { type: 'submit', class: 'primary' });
        this.reason = h('textarea', { rows: 2, 'aria-label': 'Reason', placeholder: 'Reason',
            on: { input: () => (draft.reason = this.reason.value) } });
        this.reason.value = draft.reason;
        this.rejection = h('div', { class: 'answer-reject', hidden: true },
            h('p', {}, 'The task fails with this reason, and is dropped.'), this.reason,
            h('button', { type: 'button', class: 'danger', on: { click: () => this.#reject() } }, 'Reject the task'));
        this.opener = h('button', { type: 'button', class: 'danger', 'aria-expanded': 'false',
            on: { click: () => this.#openRejection() } }, 'Reject…');
        this.element = h('form', { class: 'answer', novalidate: true,
            on: { submit: (event) => { event.preventDefault(); this.#answer(); } } },
            h('div', { class: 'answer-head' }, h('h2', {}, 'What follows?'),
                h('div', { class: 'choices', role: 'group', 'aria-label': 'Edit as' }, this.modes)),
            this.body, this.problems, h('div', { class: 'answer-buttons' }, this.submit, this.opener), this.rejection);
        this.#build();
    }

    #mode(text, json) {
        return h('button', { type: 'button', 'aria-pressed': 'false', on: { click: () => this.#edit(json) } }, text);
    }

    #edit(json) {
        const { response } = this.draft;
        if (json === (response.json !== null)) return;
        if (json) toJson(response);
        const problem = json ? '' : toForm(response);
        this.#build();
        this.#showProblems(problem ? [{ path: [], message: `The form cannot show this. ${problem}` }] : []);
    }

    #build() {
        const { response } = this.draft;
        const json = response.json !== null;
        this.modes.forEach((button, i) => setAttribute(button, 'aria-pressed', String(json === (i === 1))));
        this.#fields = [];
        fill(this.body, json ? this.#jsonEditor(response)
            : [response.tasks.map((task, i) => this.#task(task, i)), this.#adders(response)]);
        this.#changed();
    }

    #jsonEditor(response) {
        const field = h('textarea', { class: 'json', rows: 16, spellcheck: 'false', 'aria-label': 'Response as JSON',
            on: { input: () => { response.json = field.value; this.#changed(); } } });
        field.value = response.json;
        const kinds = response.next.flatMap((step, i) => [i > 0 && ', ', name(step.name, 100)]);
        const steps = kinds.length ? ['of the steps ', kinds] : 'of the steps that may follow, of which there are none';
        const about = ['An array of tasks, each {"kind": …, "value": …}, ', steps, '. [] means that nothing follows.'];
        return [h('p', { class: 'muted' }, about), field];
    }

    #task(task, index) {
        const { response } = this.draft;
        const { name: step, value_schema: schema } = response.next[task.step];
        const fields = this.#fields[index] = new FormFields(schema ?? true, () => this.#changed());
        const remove = h('button', { type: 'button', class: 'quiet', on: { click: () => this.#remove(index) } }, 'Remove');
        return h('section', { class: 'answer-task', 'aria-label': `Task ${index + 1}` },
            h('div', { class: 'answer-task-head' }, h('h3', {}, h('span', { class: 'muted' }, `${index + 1}. `), name(step, 200)),
                remove),
            fields.field(task.draft, [index], null));
    }

    #adders(response) {
        if (response.next.length === 0) return h('p', { class: 'muted' }, 'No step may follow.');
        const none = response.tasks.length === 0 ? h('p', {}, 'Nothing follows, unless you add a task:') : null;
        const several = response.tasks.length ? 'Add another: ' : '';
        return [none, h('div', { class: 'answer-add' }, several && h('span', { class: 'muted' }, several),
            response.next.map((step, i) =>
            h('button', { type: 'button', on: { click: () => this.#add(i) } }, '+ ', name(step.name, 60))))];
    }

    #add(step) {
        const { response } = this.draft;
        response.tasks.push(newTask(response, step));
        this.#build();
        this.#fields[response.tasks.length - 1].focus([response.tasks.length - 1]);
    }

    #remove(index) {
        this.draft.response.tasks.splice(index, 1);
        this.#build();
        this.body.querySelector('.answer-add button')?.focus();
    }

    #changed() {
        const { response } = this.draft;
        const count = response.json === null ? response.tasks.length : -1;
        fill(this.submit, count < 0 ? 'Answer' : count === 0 ? 'Answer: nothing follows' : `Answer with ${plural(count, 'task')}`);
    }

    #answer() {
        const { text, problems } = writtenResponse(this.draft.response);
        this.#showProblems(problems ?? []);
        if (problems) this.#focusFirst(problems);
        else this.#send({ response: text });
    }

    #reject() {
        const reason = this.draft.reason.trim();
        if (reason === '') {
            this.#showProblems([{ path: [], message: 'Give a reason, which the log will contain.' }]);
            return this.reason.focus();
        }
        this.#send({ reject: reason });
    }

    async #send(body) {
        const buttons = [...this.element.querySelectorAll('button')];
        for (const button of buttons) button.disabled = true;
        const refusal = await this.send(body);
        for (const button of buttons) button.disabled = false;
        if (refusal !== null) this.#showRefusal(refusal);
    }

    // What the server says, as it says it.
    #showRefusal({ text }) {
        fill(this.problems, h('strong', {}, 'Not answered'), h('pre', { class: 'refusal' }, name(text, 20000)));
        this.submit.scrollIntoView({ block: 'nearest' });
    }

    #openRejection() {
        this.rejection.hidden = !this.rejection.hidden;
        setAttribute(this.opener, 'aria-expanded', String(!this.rejection.hidden));
        if (!this.rejection.hidden) this.reason.focus();
    }

    #showProblems(problems) {
        const elsewhere = this.#fields.reduce((left, fields, i) => [...left.filter(({ path }) => path[0] !== i),
            ...fields.showProblems(left.filter(({ path }) => path[0] === i))], problems);
        const atFields = problems.length - elsewhere.length;
        fill(this.problems);
        const above = `${plural(atFields, 'field')} above ${atFields === 1 ? 'needs' : 'need'} a correction.`;
        if (atFields > 0) append(this.problems, [h('div', {}, above)]);
        append(this.problems, elsewhere.map(({ message }) => h('div', {}, name(message, 2000))));
    }

    #focusFirst([{ path }]) {
        if (path.length > 0) this.#fields[path[0]]?.focus(path);
    }
}

export function newDraft(question) {
    return { response: responseDraft(question.next, question.value), reason: '' };
}
