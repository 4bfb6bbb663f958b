// The bar at the top: where one can go, how the connection is, dark or light, help.

import { h, setAttribute, setClass, setText } from './dom.js';
import { icon } from './icons.js';
import { showHelp } from './help.js';
import { setName } from './shown_text.js';
import * as format from './format.js';

export function topBar(app) {
    const waiting = h('span', { class: 'badge human', hidden: true });
    const links = {
        runs: h('a', { href: '#/runs' }, 'Runs'),
        questions: h('a', { href: '#/questions' }, 'Human', waiting),
        pools: h('a', { href: '#/pools' }, 'Pools'),
    };
    const place = h('bdi', { class: 'host muted' });
    const connection = h('span', { class: 'connection', role: 'status' });
    const element = h('header', { class: 'top-bar' },
        h('a', { class: 'brand', href: '#/runs', 'aria-label': 'Barnum, all runs' }, icon('tent'), h('span', {}, 'Barnum')),
        h('nav', { 'aria-label': 'Views' }, app.can.runs && links.runs, app.can.pools && links.pools, app.can.runs && links.questions),
        connection, place,
        h('button', { type: 'button', class: 'quiet', 'aria-label': 'Dark or light', title: 'Dark or light (d)',
            on: { click: () => app.theme.toggle() } }, icon('theme')),
        h('button', { type: 'button', class: 'quiet', 'aria-label': 'Keys', title: 'Keys (?)',
            on: { click: () => showHelp(app.keyboard.list()) } }, icon('help')));
    return { element, update: (what) => update(app, what, { links, waiting, place, connection }) };
}

function update(app, what, { links, waiting, place, connection }) {
    if (what.has('route')) {
        const current = app.route.run ? 'runs' : app.route.view;
        for (const [view, link] of Object.entries(links)) setAttribute(link, 'aria-current', view === current ? 'page' : null);
        setName(place, app.session?.host ? `${app.session.user}@${app.session.host}` : '');
    }
    if (app.can.runs && what.has('runs')) app.questions.refresh(app.model.runList(), performance.now(), false, Infinity);
    if (what.has('runs') || what.has('questions')) showWaiting(app, waiting);
    if (what.has('connection') || what.has('clock')) {
        const { lost } = app.model;
        setClass(connection, lost === null ? 'connection' : 'connection lost');
        setText(connection, lost === null ? '' : `connection lost since ${format.time(lost)}`);
    }
}

function showWaiting(app, badge) {
    const sum = app.questions.count(app.model.runList());
    badge.hidden = sum === 0;
    setText(badge, sum ? format.short(sum) : '');
    setAttribute(badge, 'title', format.plural(sum, 'task') + ' wait for a person');
}
