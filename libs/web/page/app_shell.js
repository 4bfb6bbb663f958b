// The frame around the views: bars, address, keyboard, messages. The interface of views is described in main.js.

import { fill, h } from './dom.js';
import { Model } from './model.js';
import { Scheduler } from './scheduler.js';
import { Keyboard } from './keyboard.js';
import { Theme } from './theme.js';
import { href, parse, tokenOf } from './routes.js';
import { name } from './shown_text.js';
import { topBar } from './top_bar.js';
import { runHeader } from './run_header.js';
import { notices } from './notices.js';
import { QuestionList } from './question_list.js';
import { isLive } from './run_summary.js';
import { VIEWS } from './views.js';

const TITLES = { runs: 'Runs · Barnum', questions: 'Human · Barnum', pools: 'Pools · Barnum' };  // a run has its own

export class App {
    #root = h('main', { id: 'view' });
    #view = null;     // what mount() has returned
    #section = null;
    #arrival = '';    // the message that is shown when the next view is opened
    #address = '';    // whose route is shown; location.hash is ahead of it until the event of a change
    #error = h('div', { class: 'message', role: 'alert', hidden: true });

    constructor(source) {
        this.source = source;
        this.can = source.can;
        this.route = parse('');
        this.session = null;
        this.scheduler = new Scheduler((what) => this.#deliver(what));
        this.model = new Model(source, (name) => this.scheduler.mark(name), () => this.#show({ view: 'login', query: {} }));
        this.questions = new QuestionList(source, () => this.scheduler.mark('questions'));
        this.theme = new Theme(() => this.scheduler.markNow('theme'));
        this.keyboard = new Keyboard(this);
        this.bars = [topBar(this), runHeader(this)];
        this.notices = notices();
    }

    async start() {
        fill(document.body, this.bars.map((bar) => bar.element), this.#root, this.notices.element);
        window.addEventListener('hashchange', () => this.#follow());
        setInterval(() => this.scheduler.mark('clock'), 1000);
        await this.#follow();
    }

    async #follow() {
        const token = tokenOf(location.hash);
        if (token !== null) {
            history.replaceState(null, '', '#/runs');
            await this.logIn(token);
        } else if (this.session === null) {
            await this.enter();
        } else {
            this.#showAddress();
        }
    }

    // Exchanges the token for a cookie; the message if that is refused.
    async logIn(token) {
        try {
            await this.source.login(token);
        } catch (error) {
            this.#show({ view: 'login', query: {} });
            return error.message;
        }
        await this.enter();
        return null;
    }

    async enter() {
        try {
            this.session = await this.source.session();
        } catch (error) {
            this.#show({ view: 'login', query: {}, problem: error.status === 401 ? null : error.message });
            return;
        }
        this.#showAddress();
    }

    #showAddress() {
        this.#address = location.hash;
        this.#show(parse(this.#address));
    }

    #show(route) {
        if (route.view === 'login') {
            this.session = null;
            this.model.close();
        } else {
            this.#bring(route);
        }
        const same = this.#view !== null && place(route) === place(this.route);
        this.route = route;
        if (same) this.scheduler.markNow('route');
        else this.#mount();
    }

    #bring(route) {
        if (!this.can.runs && route.run !== this.source.id) Object.assign(route, { view: 'graph', run: this.source.id });
        this.model.show(route);
    }

    #mount() {
        this.#view?.unmount();
        this.notices.clear();
        if (this.#arrival) this.notice(this.#arrival);
        this.#arrival = '';
        this.#section = h('section', { class: `view view-${this.route.view}` });
        fill(this.#root, this.#section, this.#error);
        this.#view = VIEWS[this.route.view].mount(this.#section, this);
        this.keyboard.setView(this.#view.keys ?? {});
        document.title = TITLES[this.route.view] ?? 'Barnum';
        this.#deliver(new Set(['mount', 'route', 'runs', 'run', 'trace', 'state', 'pools', 'connection', 'clock', 'theme']));
    }

    #deliver(what) {
        if (this.#view === null) return;  // the server has not answered yet
        for (const bar of this.bars) bar.update(what);
        this.notices.drop();
        this.#showError();
        this.#view.update(what);
    }

    // In the place of any view of a run that cannot be read, or was removed.
    #showError() {
        const { run } = this.model;
        const text = this.route.run && run?.id === this.route.run ? run.error : null;
        this.#section.hidden = text !== null;
        this.#section.classList.toggle('unknown', Boolean(this.route.run) && !run?.ready);
        this.#error.hidden = text === null;
        if (text !== null) fill(this.#error, h('h2', {}, 'This run cannot be shown'), name(text, 600));
    }

    href(route) {
        return href({ query: {}, ...route });
    }

    // Opens a view, which shows a message if there is one.
    go(route, message = '') {
        this.#arrival = message;
        location.hash = this.href(route);
    }

    // Changes the query of the address, without a step in the history. A view that is about to be left changes nothing: that would
    // undo the click by which it is left.
    setQuery(changes) {
        if (location.hash !== this.#address) return;
        this.route = { ...this.route, query: { ...this.route.query, ...changes } };
        history.replaceState(null, '', href(this.route));
        this.#address = location.hash;
        this.scheduler.markNow('route');
    }

    async act(verb, body, run = this.route.run) {
        try {
            const answer = await this.source.act(run, verb, body);
            const over = verb === 'cancel' ? () => !isLive(this.#recordOf(run)) : null;
            if (answer.message) this.notices.show(this.named(answer.message, run), false, over);
            return answer;
        } catch (error) {
            this.notice(error.message, true);
            return null;
        }
    }

    #recordOf(id) {
        return this.model.run?.id === id ? this.model.run.record : this.model.runs.get(id);
    }

    // A message of the server, with the name of the run in the place of its id, if it has one.
    named(text, id) {
        const own = this.#recordOf(id)?.name;
        return own ? text.replaceAll(id, own) : text;
    }

    notice(text, isError = false) {
        this.notices.show(text, isError);
    }

    now() {
        return this.source.written ?? Date.now();
    }
}

// What a view stays mounted for.
function place(route) {
    return route.view === 'task' ? `task ${route.run}` : `${route.view} ${route.run ?? ''}`;
}
