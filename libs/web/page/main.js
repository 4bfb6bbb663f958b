// The page: starts, follows the address, and gives each view what it needs.
//
// A view is a module of views/ with
//     export function mount(root, app) -> { update(what), unmount(), keys? }
// root     an empty <section class="view">, which fills the window below the bars; a view that is longer scrolls in it
// update   is called once after mount and then when something has changed, in an animation frame and at most ten times a
//          second because of data. what.has(…): 'runs', 'run' (record, info), 'trace', 'state', 'pools', 'questions', 'route' (only its query,
//          row or asked has changed), 'connection', 'theme' (colours), 'clock' (a second has passed)
// keys     { 'j': ['next row', function], … }: single keys, and what the help says of them
//
// app:
//   app.source           source_live.js or source_report.js;  app.can = { act, live, pools, runs, why }
//   app.route            see routes.js;  app.go(route, message for there), app.href(route), app.setQuery({ name: value or '' }) (replaces in the address)
//   app.model            see model.js:  .runs, .runList(), .run ({ id, info, record, steps, trace, state, ready, error }), .pools, .lost
//   app.questions        see question_list.js
//   app.act(verb, body, run = the route's)   sends an action and shows what the server says; its answer, or null if it failed
//   app.notice(text, isError)                shows a message for a while
//   app.now()            the time of the server, in ms since 1970: for what is running
// Elements are made by dom.js, text of others is shown by shown_text.js, numbers by format.js; colours and sizes are the variables
// of style.css.

import { App } from './app_shell.js';
import * as live from './source_live.js';
import { openReport } from './source_report.js';

const embedded = document.getElementById('barnum-report');
const source = embedded ? openReport(embedded.textContent) : live;
new App(source).start();
