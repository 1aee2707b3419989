// What the parts of this test share: checks, requests, tokens, and a browser without a screen.
import http from 'node:http';
import { CompactSign, SignJWT, importJWK } from 'jose';

export let tried = 0;
export let failed = 0;
export function check(what, ok, told = '') {
    tried++;
    if (!ok) {
        failed++;
        console.log(`FAILED: ${what} ${told}`);
    }
}

export function ask(url, { method = 'GET', headers = {}, body } = {}) {
    return new Promise((resolve, reject) => {
        const request = http.request(url, { method, headers, agent: false, timeout: 20000 }, reply => {
            let text = '';
            reply.on('data', piece => { text += piece; });
            reply.on('end', () => resolve({ status: reply.statusCode, headers: reply.headers, text }));
        });
        request.on('timeout', () => request.destroy(new Error('timeout')));
        request.on('error', reject);
        request.end(body);
    });
}

// A reply that lasts: what came so far, and whether it has ended.
export function opened(url, { method = 'GET', headers = {}, body } = {}) {
    const seen = { text: '', over: false };
    const request = http.request(url, { method, headers, agent: false }, reply => {
        seen.status = reply.statusCode;
        reply.on('data', piece => { seen.text += piece; });
        reply.on('end', () => { seen.over = true; });
        reply.on('error', () => { seen.over = true; });
    });
    request.on('error', () => { seen.over = true; });
    request.end(body);
    seen.close = () => request.destroy();
    return seen;
}

// Both kinds of streams of changes that an assistant has.
export async function listening(address, headers) {
    const typed = { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const greeting = { jsonrpc: '2.0', id: 1, method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } } };
    const begun = await ask(`${address}/mcp`, { method: 'POST', headers: typed, body: JSON.stringify(greeting) });
    const session = { 'mcp-session-id': begun.headers['mcp-session-id'] };
    const listen = { jsonrpc: '2.0', id: 2, method: 'subscriptions/listen', params: { notifications: { resourcesListChanged: true },
        _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} } } };
    const streams = [opened(`${address}/mcp`, { headers: { ...headers, ...session } }),
        opened(`${address}/mcp`, { method: 'POST', headers: { ...typed, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
            body: JSON.stringify(listen) })];
    check('both streams open', await until(() => streams.every(stream => stream.text)), `${begun.status} ${streams.map(stream => stream.status)}`);
    return { session, streams, open: () => streams.every(stream => !stream.over), over: () => until(() => streams.every(stream => stream.over)),
        close: () => streams.forEach(stream => stream.close()) };
}

export const bearer = token => ({ headers: { authorization: `Bearer ${token}` } });
export const json = reply => JSON.parse(reply.text || '{}');

export function form(values) {
    return { method: 'POST', body: new URLSearchParams(values).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' } };
}

export const now = () => Math.floor(Date.now() / 1000);
export const sign = async (key, payload, header = {}) => new SignJWT(payload)
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(await importJWK(key, key.alg));
export const signText = async (key, text, header = {}) => new CompactSign(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(await importJWK(key, key.alg));
export const encode = value => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');


// A browser: its cookies by host, as attributes that the server set.
export class Browser {
    cookies = {};

    // address: of dragoman, where signing in begins and ends
    constructor(address) {
        this.address = address;
    }

    cookie(name, url = this.address) {
        return this.cookies[new URL(url).host]?.[name];
    }

    keep(url, reply) {
        const jar = this.cookies[new URL(url).host] ??= {};
        for (const line of reply.headers['set-cookie'] ?? []) {
            const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
            if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) {
                delete jar[name];
            } else {
                jar[name] = { value, line };
            }
        }
    }

    async go(url, request = {}) {
        const jar = this.cookies[new URL(url).host] ?? {};
        const cookie = Object.entries(jar).map(([name, { value }]) => `${name}=${value}`).join('; ');
        const reply = await ask(url, { ...request, headers: { ...(cookie ? { cookie } : {}), ...request.headers } });
        this.keep(url, reply);
        return reply;
    }

    // Signs in at the issuer; ends with the address of the callback, not yet visited.
    async signIn(name) {
        let url = `${this.address}/auth/sign-in`;
        let request = {};
        for (let i = 0; i < 20; i++) {
            const reply = await this.go(url, request);
            request = {};
            if (reply.headers.location) {
                url = new URL(reply.headers.location, url).href;
                if (url.startsWith(`${this.address}/auth/callback`)) {
                    return url;
                }
                continue;
            }
            const action = /<form[^>]* action="([^"]+)"/.exec(reply.text)?.[1];
            const prompt = /name="prompt" value="([^"]+)"/.exec(reply.text)?.[1];
            if (!action) {
                check('the issuer should show a form', false, `${reply.status} ${reply.text.slice(0, 300)}`);
                return undefined;
            }
            url = new URL(action, url).href;
            request = form(prompt === 'login' ? { prompt, login: name, password: 'x' } : { prompt });
        }
        return undefined;
    }
}

// Agrees to sign out at the issuer. Returns the address to which the issuer leads.
export async function signOutAt(browser, url) {
    const page = await browser.go(url);
    const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1];
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1];
    if (!action || !xsrf) {
        check('the issuer should ask whether to sign out', false, `${page.status} ${page.text.slice(0, 300)}`);
        return undefined;
    }
    return (await browser.go(new URL(action, url).href, form({ xsrf, logout: 'yes' }))).headers.location;
}

// Tries again until it holds, or for a few seconds.
export async function until(test) {
    for (let i = 0; i < 200; i++) {
        if (await test()) {
            return true;
        }
        await new Promise(resolve => { setTimeout(resolve, 50); });
    }
    return false;
}

export function finish(more = '') {
    console.log(`${tried} checks, ${failed} failed${more}`);
    process.exit(failed ? 1 : 0);
}
