// What waits for a person, over all runs, and the form for one of these questions.

import { fill, h, setAttribute, setText } from '../dom.js';
import { name, setName } from '../shown_text.js';
import { firstLine } from '../text.js';
import { icon } from '../icons.js';
import { proseView } from '../prose_view.js';
import { valueView } from '../value_view.js';
import { QuestionForm, newDraft } from '../question_form.js';
import * as format from '../format.js';

const drafts = new Map();  // key of a question -> what was typed, as long as the page is open

const keyOf = ({ run, task }) => `${run} ${task}`;

export function mount(root, app) {
    return new QuestionsView(root, app);
}

class QuestionsView {
    #items = new Map();   // key -> { element, update }
    #open = null;         // the question whose form is shown
    #gone = false;

    constructor(root, app) {
        this.app = app;
        this.entries = h('ul', { class: 'question-list', 'aria-label': 'Questions' });
        this.empty = h('p', { class: 'muted question-empty', hidden: true });
        this.side = h('div', { class: 'question-side' }, h('h1', {}, 'Waiting for a person'), this.empty, this.entries);
        this.detail = h('div', { class: 'question-detail', tabindex: -1 });
        root.append(h('div', { class: 'questions' }, this.side, this.detail));
        this.keys = { 'j': ['next question', () => this.#move(1)], 'k': ['previous question', () => this.#move(-1)] };
    }

    update(what) {
        if (['mount', 'runs', 'clock'].some((one) => what.has(one)))
            this.app.questions.refresh(this.app.model.runList(), performance.now(), what.has('mount'));
        if (what.has('route') || what.has('questions')) this.#show();
        if (what.has('clock')) for (const one of this.#items.values()) one.update(this.app.now());
    }

    #move(by) {
        const links = [...this.entries.querySelectorAll('a')];
        const at = links.indexOf(document.activeElement);
        links[Math.max(0, Math.min(links.length - 1, at < 0 ? 0 : at + by))]?.focus();
    }

    #show() {
        const { asked } = this.app.route;
        const { questions, error } = this.app.questions;
        this.#showEntries(questions ?? [], asked);
        this.empty.hidden = questions?.length > 0 && !error;
        if (!this.empty.hidden) setText(this.empty, error || (questions === null ? '' : 'Nothing waits for a person.'));
        setAttribute(this.side.parentElement, 'data-asked', asked ? '' : null);
        this.#showDetail(asked);
    }

    #showEntries(questions, asked) {
        const now = this.app.now();
        const old = this.#items;
        this.#items = new Map();
        for (const question of [...questions].sort((a, b) => a.since - b.since)) {
            const item = old.get(keyOf(question)) ?? entry(this.app, question);
            this.#items.set(keyOf(question), item);
            item.update(now);
            setAttribute(item.link, 'aria-current', asked && keyOf(asked) === keyOf(question) ? 'true' : null);
        }
        const wanted = [...this.#items.values()].map(({ element }) => element);
        if (wanted.length !== this.entries.children.length || wanted.some((element, i) => this.entries.children[i] !== element)) {
            const focused = document.activeElement;
            fill(this.entries, wanted);
            if (this.entries.contains(focused)) focused.focus();
        }
    }

    // A form stays, whatever happens to its question: what was typed must not vanish.
    #showDetail(asked) {
        const question = this.app.questions.find(asked);
        const known = this.app.questions.questions !== null;
        if (this.#open !== null && asked && keyOf(this.#open) === keyOf(asked)) return this.#showGone(known && !question);
        this.#open = question ?? null;
        this.#gone = false;
        if (question) {
            fill(this.detail, this.#question(question));
            this.detail.scrollTop = 0;
        } else {
            const gone = asked && known ? 'This task does not wait for a person any more.' : '';
            fill(this.detail, h('div', { class: 'message' }, gone || this.#hint(asked)));
        }
    }

    #hint(asked) {
        return !asked && this.app.questions.questions?.length ? 'Choose a question.' : '';
    }

    #showGone(gone) {
        if (gone === this.#gone) return;
        this.#gone = gone;
        setAttribute(this.gone, 'data-shown', gone ? '' : null);
    }

    #question(question) {
        const { app } = this;
        // Its place is kept: a button that moves away while it is pressed does nothing.
        this.gone = h('p', { class: 'question-gone', role: 'status' },
            'This task does not wait for a person any more. What you have typed is still here.');
        const back = h('a', { class: 'question-back', href: app.href({ view: 'questions' }) }, '← all questions');
        const run = h('a', { href: app.href({ view: 'graph', run: question.run }) },
            name(question.run_name || question.run.slice(0, 8), 80));
        const task = h('a', { href: app.href({ view: 'task', run: question.run, row: question.row }) }, `task ${question.task}`);
        const expires = question.expires ? ` · expires ${format.time(question.expires)}` : '';
        const value = valueView(app, question.value, 'Value of the task').element;
        return [back, h('h1', {}, name(question.step, 200)),
            h('p', { class: 'muted' }, task, ' of run ', run, ` · waits since ${format.time(question.since)}${expires}`),
            proseView(question.instructions ?? ''), h('h2', {}, 'Value'), value, this.#formOf(question), this.gone];
    }

    #formOf(question) {
        if (!this.app.can.act || question.answerable === false)
            return h('p', { class: 'muted' }, 'It can be answered with barnum answer.');
        const key = keyOf(question);
        if (!drafts.has(key)) drafts.set(key, newDraft(question));
        return new QuestionForm(question, drafts.get(key), (body) => this.#send(question, body)).element;
    }

    async #send(question, body) {
        try {
            const { message } = await this.app.source.act(question.run, 'answer', { task: question.task, ...body });
            drafts.delete(keyOf(question));
            this.app.notice(this.app.named(message, question.run));
        } catch (error) {
            this.app.questions.ask();
            return { text: error.message };
        }
        this.#open = null;
        this.app.go({ view: 'questions' });
        await this.app.questions.ask();
        return null;
    }

    unmount() {}
}

function entry(app, question) {
    const since = h('span', { class: 'muted nowrap' });
    const line = h('bdi', { class: 'name muted' });
    setName(line, firstLine(question.instructions ?? '').replace(/^#+ +/, ''), 120);
    const link = h('a', { href: app.href({ view: 'questions', asked: { run: question.run, task: question.task } }) },
        h('span', { class: 'question-line' }, icon('human'), h('strong', {}, name(question.step, 80)), since),
        h('span', { class: 'question-line' }, line),
        h('span', { class: 'question-line muted' }, name(question.run_name || question.run.slice(0, 8), 60),
            h('span', { class: 'nowrap' }, `task ${question.task}`)));
    const update = (now) => {
        const left = question.expires ? `, ${format.duration(question.expires - now)} left` : '';
        setText(since, format.duration(Math.floor((now - question.since) / 1000) * 1000) + left);
    };
    return { element: h('li', {}, link), link, update };
}
