// Drives Chromium for a test that is written in Python: node driver.mjs TOOLS SECONDS PROGRAM (the directory that scripts/npm-tools
// prints, how long an action may take, and the browser).
//
// Reads lines of JSON and answers each with one:
//   {"open": {options of a context}, "origin": "http://…/" or "file:///…"}   a window of its own, with its own cookies: {"value": page}
//   {"tab": page}                           another tab of the same window: {"value": page}
//   {"page": n, "calls": [[method, argument…], …]}   Playwright's methods, one on the result of the other: {"value": the last's}
//   {"problems": page}                      what has gone wrong in its window since the last time: {"value": [sentences]}
// or with {"error": message}. {"function": text} as an argument is JavaScript, {"regexp": text} an expression.
// The message of a call that has failed ends with the text that the page shows.
//
// A problem is an error in the console, an exception that nobody caught, a violation of the Content-Security-Policy, or a request to
// anywhere but the origin.

import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(process.argv[2] + '/');
const { chromium } = require('playwright-core');
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync',
    '--disable-quic', '--no-first-run'];

const browser = await chromium.launch({ executablePath: process.argv[4], args: QUIET });
const pages = [];

function watch(context, origin) {
    const problems = [];
    const own = (url) => url.startsWith(origin) || /^(data|blob|about):/.test(url);
    context.on('console', (message) => message.type() === 'error' && problems.push(`console: ${message.text()} ${message.location().url}`));
    context.on('weberror', (error) => problems.push(`exception: ${error.error().stack}`));
    context.on('request', (request) => own(request.url()) || problems.push(`request: ${request.url()}`));
    return problems;
}

async function open(options, origin) {
    const context = await browser.newContext({ acceptDownloads: false, ...options });
    context.problems = watch(context, origin);
    context.setDefaultTimeout(1000 * process.argv[3]);
    // Console messages tell of most violations, but not of one in a place that only reports it.
    await context.addInitScript(() => addEventListener('securitypolicyviolation', (event) =>
        console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`)));
    return tab(context);
}

async function tab(context) {
    return pages.push(await context.newPage()) - 1;
}

function argument(value) {
    if (value?.function) return (0, eval)(`(${value.function})`);
    if (value?.regexp) return new RegExp(value.regexp, 's');
    if (Array.isArray(value)) return value.map(argument);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, argument(one)]));
}

async function call(target, calls) {
    for (const [method, ...values] of calls) {
        const member = target[method];
        target = await (typeof member === 'function' ? member.apply(target, values.map(argument)) : member);
    }
    return target;
}

function answer(request) {
    if (request.open) return open(request.open, request.origin);
    if ('tab' in request) return tab(pages[request.tab].context());
    if ('problems' in request) return pages[request.problems].context().problems.splice(0);
    return call(pages[request.page], request.calls);
}

async function shown(page) {
    return page && !page.isClosed() ? `\nthe page shows: ${await page.evaluate(() => document.body.innerText)}` : '';
}

function text(value) {
    try {
        return JSON.stringify({ value: value ?? null });
    } catch {
        return '{"value":null}';  // an object of Playwright's
    }
}

console.log('{"value":"ready"}');
for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    try {
        console.log(text(await answer(request)));
    } catch (error) {
        const more = await shown(pages[request.page]).catch(() => '');
        console.log(JSON.stringify({ error: error.message + more }));
    }
}
await browser.close();
