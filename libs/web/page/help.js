// The help: which keys there are.

import { h } from './dom.js';
import { dialog } from './dialog.js';

export function showHelp(keys) {
    dialog('Keys', h('table', { class: 'keys' }, h('tbody', {}, keys.map(([key, text]) =>
        h('tr', {}, h('th', { scope: 'row' }, key.split(' ').map((one) => h('kbd', {}, one))), h('td', {}, text))))), []);
}
