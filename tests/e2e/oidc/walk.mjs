// Single sign-on played through: node walk.mjs ADDRESS_OF_DRAGOMAN URL_OF_ISSUER ADDRESS_OF_ONE_BEHIND_A_PROXY
import http from 'node:http';
import crypto from 'node:crypto';
import { CompactSign, SignJWT, importJWK } from 'jose';
import { inBrowser } from './browser.mjs';
import { AUDIENCE, SECRET, newKey, startIssuer } from './issuer.mjs';

const [address, issuer, proxied] = process.argv.slice(2);
let tried = 0;
let failed = 0;
function check(what, ok, told = '') {
    tried++;
    if (!ok) {
        failed++;
        console.log(`FAILED: ${what} ${told}`);
    }
}

// ------------------------------------------------------------------ requests

function ask(url, { method = 'GET', headers = {}, body } = {}) {
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

const bearer = token => ({ headers: { authorization: `Bearer ${token}` } });
const json = reply => JSON.parse(reply.text || '{}');

function form(values) {
    return { method: 'POST', body: new URLSearchParams(values).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' } };
}

async function rowsOf(headers) {
    const reply = await ask(`${address}/api/v1/sql`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ sql: 'SELECT DISTINCT region FROM orders ORDER BY region', wait: true }) });
    const answer = json(reply);
    return { status: reply.status, answer, regions: (answer.rows ?? []).map(row => row[0]).join(' ') };
}

// ------------------------------------------------------------------ the issuer

const asked = [];
const callback = `${address}/auth/callback`;
const keys = [await newKey('RS256', 'rsa-1'), await newKey('ES256', 'ec-1')];
let stop = await startIssuer(issuer, callback, keys, asked);

async function programToken(scope) {
    const request = form({ grant_type: 'client_credentials', scope });
    request.headers.authorization = `Basic ${Buffer.from(`robot:${encodeURIComponent(SECRET)}`).toString('base64')}`;
    const reply = await ask(`${issuer}/token`, request);
    return json(reply).access_token ?? check('the issuer should give a token', false, reply.text);
}

// ------------------------------------------------------------------ tokens of programs

async function programs() {
    let reply = await ask(`${address}/api/v1/me`);
    check('no credential is refused', reply.status === 401, reply.status);
    const metadata = `${address}/.well-known/oauth-protected-resource`;
    check('and told where tokens come from', reply.headers['www-authenticate'] ===
        `Bearer resource_metadata="${metadata}", scope="dragoman:read"`, reply.headers['www-authenticate']);
    for (const path of ['', '/mcp']) {
        const resource = json(await ask(metadata + path));
        check('the metadata names this server', resource.resource === address + path, resource.resource);
        check('and the issuer', resource.authorization_servers?.join() === issuer);
        check('and scopes', resource.scopes_supported?.join() === 'dragoman:read,dragoman:ask');
        check('and how', resource.bearer_methods_supported?.join() === 'header');
    }
    const token = await programToken('dragoman:ask');
    reply = await ask(`${address}/api/v1/me`, bearer(token));
    const me = json(reply);
    check('a token is accepted', reply.status === 200 && me.account === 'robot', reply.text);
    check('with its scopes', me.scopes?.join() === 'read,ask' && me.signed_in === false, reply.text);
    const seen = await rowsOf(bearer(token).headers);
    check('a claim chooses the rows', seen.regions === 'US', JSON.stringify(seen));
    const reader = await programToken('dragoman:read');
    reply = await ask(`${address}/api/v1/sql`, { method: 'POST', body: '{"sql":"SELECT 1"}',
        headers: { 'content-type': 'application/json', ...bearer(reader).headers } });
    check('too little scope is 403', reply.status === 403, reply.status);
    check('and says what is needed', reply.headers['www-authenticate'] === 'Bearer error="insufficient_scope", ' +
        `resource_metadata="${metadata}", scope="dragoman:ask"`, reply.headers['www-authenticate']);
    reply = await ask(`${address}/api/v1/keys`, bearer(token));
    check('administration needs admin', reply.status === 403 && reply.headers['www-authenticate'].includes('scope="dragoman:admin"'));
    reply = await ask(`${address}/api/v1/me?access_token=${token}`);
    check('a token in the address is refused', reply.status === 400, reply.status);
    return token;
}

// ------------------------------------------------------------------ bad tokens

const now = () => Math.floor(Date.now() / 1000);
const claims = more => ({ iss: issuer, aud: AUDIENCE, sub: 'ann', scope: 'dragoman:ask', iat: now(), exp: now() + 300, ...more });
const sign = async (key, payload, header = {}) => new SignJWT(payload)
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(await importJWK(key, key.alg));
const signText = async (key, text, header = {}) => new CompactSign(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(await importJWK(key, key.alg));
const encode = value => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

// HMAC with what everybody knows of the key.
function hmac(secret) {
    const text = `${encode({ alg: 'HS256', kid: 'rsa-1', typ: 'JWT' })}.${encode(claims())}`;
    return `${text}.${crypto.createHmac('sha256', secret).update(text).digest('base64url')}`;
}

async function badTokens() {
    const [rsa, ec] = keys;
    const stranger = await newKey('RS256', 'rsa-1');
    const strangerEc = await newKey('ES256', 'ec-1');
    const publicKey = crypto.createPublicKey({ key: { kty: rsa.kty, n: rsa.n, e: rsa.e }, format: 'jwk' });
    const good = await sign(rsa, claims());
    const [head, body, signature] = good.split('.');
    const list = {
        'expired': await sign(rsa, claims({ exp: now() - 100 })),
        'not valid yet': await sign(rsa, claims({ nbf: now() + 200 })),
        'issued in the future': await sign(rsa, claims({ iat: now() + 200 })),
        'without an end': await sign(rsa, claims({ exp: undefined })),
        'of another audience': await sign(rsa, claims({ aud: 'https://other.example' })),
        'of no audience': await sign(rsa, claims({ aud: [] })),
        'of another issuer': await sign(rsa, claims({ iss: 'https://evil.example' })),
        'of nearly this issuer': await sign(rsa, claims({ iss: `${issuer}/` })),
        'signed by a stranger': await sign(stranger, claims()),
        'signed by a stranger on the curve': await sign(strangerEc, claims()),
        'with a key in its header': await sign(stranger, claims(), { jwk: { kty: 'RSA', n: stranger.n, e: stranger.e } }),
        'with an address of a key': await sign(stranger, claims(), { jku: `${issuer}/stolen/jku`, x5u: `${issuer}/stolen/x5u` }),
        'with a path as the key': await sign(stranger, claims(), { kid: '../../../../dev/null' }),
        'with a query as the key': await sign(stranger, claims(), { kid: "x' UNION SELECT 'secret" }),
        'with an address as the key': await sign(stranger, claims(), { kid: `${issuer}/stolen/kid` }),
        'with an endless key id': await sign(rsa, claims(), { kid: 'x'.repeat(3000) }),
        'without a signature': `${encode({ alg: 'none' })}.${body}.`,
        'of algorithm None': `${encode({ alg: 'None', kid: 'rsa-1' })}.${body}.${signature}`,
        'with the signature cut off': `${head}.${body}.`,
        'HS256 with the public key (PEM)': hmac(publicKey.export({ type: 'spki', format: 'pem' })),
        'HS256 with the public key (DER)': hmac(publicKey.export({ type: 'spki', format: 'der' })),
        'HS256 with the modulus': hmac(Buffer.from(rsa.n, 'base64url')),
        'PS256 with the right key': await new SignJWT(claims()).setProtectedHeader({ alg: 'PS256', kid: 'rsa-1' })
            .sign(await importJWK({ ...rsa, alg: 'PS256' }, 'PS256')),
        'RS256 said of a key on the curve': `${encode({ alg: 'RS256', kid: 'ec-1' })}.${body}.${signature}`,
        'ES256 of zeros': `${encode({ alg: 'ES256', kid: 'ec-1' })}.${body}.${Buffer.alloc(64).toString('base64url')}`,
        'with claims said twice': await signText(rsa, JSON.stringify(claims()).replace(/}$/, ',"sub":"boss"}')),
        'with claims that are no object': await signText(rsa, '["ann"]'),
        'with claims that are no JSON': await signText(rsa, '{"iss":'),
        'with critical fields': await sign(rsa, claims(), {}).then(() => `${encode({ alg: 'RS256', kid: 'rsa-1', crit: ['exp'], exp: 1 })}.${body}.${signature}`),
        'of another type': await sign(rsa, claims(), { typ: 'logout+jwt' }),
        'with other claims': `${head}.${encode(claims({ sub: 'boss' }))}.${signature}`,
        'padded': `${good}==`,
        'with a broken header': `${head}!.${body}.${signature}`,
        'with other base64': good.replace(/[-_]/, '+'),
        'of two parts': `${head}.${body}`,
        'of five parts': `${good}.a.b`,
        'that is no token': 'hello',
        'that is huge': `${head}.${'A'.repeat(6000)}.${signature}`,
        'without an account': await sign(rsa, claims({ sub: undefined })),
        'whose account is a list': await sign(rsa, claims({ sub: ['ann'] })),
    };
    list['with other base64'] = list['with other base64'] === good ? `${good}+` : list['with other base64'];
    let words;
    for (const [name, token] of Object.entries(list)) {
        const reply = await ask(`${address}/api/v1/me`, bearer(token));
        check(`a token ${name} is refused`, reply.status === 401, `${reply.status} ${reply.text}`);
        words ??= reply.text;
        check(`a token ${name} is refused in the same words`, reply.text === words, reply.text);
        check(`a token ${name} is an invalid_token`, (reply.headers['www-authenticate'] ?? '').startsWith('Bearer error="invalid_token"'));
    }
    check('the words say nothing', json({ text: words }).error.message === 'The token is not valid.' && !json({ text: words }).error.detail, words);
    check('no address in a token was asked', !asked.some(path => path.includes('stolen')));
    const endless = await ask(`${address}/api/v1/me`, bearer('A'.repeat(100000))).catch(error => ({ status: error.code }));
    check('a token larger than a request is refused', [431, 413, 400, 401, 'ECONNRESET', 'EPIPE'].includes(endless.status), endless.status);
    const reply = await ask(`${address}/api/v1/me`, bearer(await sign(ec, claims({ iat: undefined }))));
    check('a good token is still accepted', reply.status === 200, reply.text);
}

// ------------------------------------------------------------------ keys change

async function rotation() {
    await stop();
    const added = await newKey('Ed25519', 'ed-2').catch(() => newKey('EdDSA', 'ed-2'));
    added.alg = 'EdDSA';
    stop = await startIssuer(issuer, callback, [keys[1], await newKey('RS256', 'rsa-2'), added], asked);
    const before = asked.filter(path => path === '/jwks').length;
    const token = await sign(added, claims());
    let reply;
    for (let i = 0; i < 100; i++) {
        reply = await ask(`${address}/api/v1/me`, bearer(token));
        if (reply.status === 200) {
            break;
        }
        await new Promise(resolve => { setTimeout(resolve, 50); }); // until the issuer may be asked again
    }
    check('a token of a new key is accepted', reply.status === 200, reply.text);
    reply = await ask(`${address}/api/v1/me`, bearer(await sign(keys[0], claims())));
    check('a token of a removed key is refused', reply.status === 401, reply.status);
    for (let i = 0; i < 50; i++) {
        await ask(`${address}/api/v1/me`, bearer(await sign({ ...keys[0], kid: `made-up-${i}` }, claims())));
    }
    const fetched = asked.filter(path => path === '/jwks').length - before;
    check('made-up keys do not flood the issuer', fetched <= 12, `${fetched} times`);
    keys[0] = undefined;
}

// ------------------------------------------------------------------ people

// A browser: its cookies by host, as attributes that the server set.
class Browser {
    cookies = {};

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
        let url = `${address}/auth/sign-in`;
        let request = {};
        for (let i = 0; i < 20; i++) {
            const reply = await this.go(url, request);
            request = {};
            if (reply.headers.location) {
                url = new URL(reply.headers.location, url).href;
                if (url.startsWith(callback)) {
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

async function people() {
    check('the page can sign people in', json(await ask(`${address}/auth`)).sign_in === true);
    const first = await ask(`${address}/auth/sign-in`);
    const query = new URL(first.headers.location).searchParams;
    check('signing in begins at the issuer', first.status === 303 && first.headers.location.startsWith(`${issuer}/auth?`));
    check('with a code, PKCE, state and nonce', query.get('response_type') === 'code' && query.get('code_challenge_method') === 'S256' &&
        query.get('code_challenge').length === 43 && query.get('state').length === 43 && query.get('nonce').length === 43);
    check('the secret is for this server alone', /^dgm_sign_in=[0-9a-f]{64}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/
        .test(first.headers['set-cookie'][0]), first.headers['set-cookie']);
    check('no two sign-ins are alike', new URL((await ask(`${address}/auth/sign-in`)).headers.location).searchParams.get('state') !== query.get('state'));

    const ann = new Browser();
    const back = await ann.signIn('ann');
    const eve = new Browser();
    await eve.go(`${address}/auth/sign-in`);
    let reply = await eve.go(back);
    check('a code for another browser is refused', reply.headers.location === '/?sign-in=failed' && !eve.cookies[new URL(address).host].dgm_session);
    reply = await ask(back);
    check('a code without a browser is refused', reply.headers.location === '/?sign-in=failed');
    reply = await ask(back.replace(/state=[^&]*/, 'state='), { headers: { cookie: `dgm_sign_in=${'0'.repeat(64)}` } });
    check('a code without a state is refused', reply.headers.location === '/?sign-in=failed');
    const kept = ann.cookies[new URL(address).host].dgm_sign_in.value;
    reply = await ask(back.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fevil.example'), { headers: { cookie: `dgm_sign_in=${kept}` } });
    check('a code of another issuer is refused', reply.headers.location === '/?sign-in=failed', reply.headers.location);
    reply = await ann.go(back);
    check('the person is in', reply.status === 303 && reply.headers.location === '/', `${reply.status} ${reply.headers.location}`);
    const session = ann.cookies[new URL(address).host].dgm_session;
    check('the session is for this server alone', /; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/.test(session?.line), session?.line);
    check('the secret is gone', !ann.cookies[new URL(address).host].dgm_sign_in);
    reply = await ask(back, { headers: { cookie: `dgm_sign_in=${kept}` } });
    check('a code counts once', reply.headers.location === '/?sign-in=failed');

    reply = await ann.go(`${address}/api/v1/me`);
    check('the session has the account', json(reply).account === 'ann' && json(reply).signed_in === true, reply.text);
    const cookie = `dgm_session=${session.value}`;
    check('its claim chooses the rows', (await rowsOf({ cookie, origin: address })).regions === 'EU');
    check('without an origin nothing is changed', (await rowsOf({ cookie })).status === 401);
    check('another website changes nothing', (await rowsOf({ cookie, origin: 'https://evil.example' })).status === 403);
    reply = await ask(`${address}/api/v1/me`, { headers: { cookie, 'sec-fetch-site': 'cross-site' } });
    check('another website reads nothing', reply.status === 401, reply.status);

    for (const [name, test] of Object.entries({
        bob: seen => seen.regions === '' && seen.answer.row_count === 0,
        cy: seen => seen.regions === '' && JSON.stringify(seen.answer).includes('lacks a claim'),
        dan: seen => seen.answer.error,
    })) {
        const person = new Browser();
        await person.go(await person.signIn(name));
        const seen = await rowsOf({ cookie: `dgm_session=${person.cookies[new URL(address).host].dgm_session?.value}`, origin: address });
        check(`${name} sees what the policy leaves`, test(seen), JSON.stringify(seen));
    }

    reply = await ann.go(`${address}/auth/sign-out`, { method: 'POST' });
    check('another website signs nobody out', reply.status === 401);
    reply = await ann.go(`${address}/auth/sign-out`, { method: 'POST', headers: { origin: address } });
    check('the person signs out', reply.status === 200 && !ann.cookies[new URL(address).host].dgm_session, reply.text);
    let gone;
    for (let i = 0; i < 60; i++) { // a key is read again twice a second
        gone = await ask(`${address}/api/v1/me`, { headers: { cookie } });
        if (gone.status === 401) {
            break;
        }
        await new Promise(resolve => { setTimeout(resolve, 50); });
    }
    check('and the session is over', gone.status === 401, gone.status);
}

// Clients reach it as https://ask.example.com.
async function behindProxy() {
    const first = await ask(`${proxied}/auth/sign-in`);
    check('the way back is the public one', new URL(first.headers.location).searchParams.get('redirect_uri') === 'https://ask.example.com/auth/callback');
    check('its cookie is only for https and this host', /^__Host-dgm_sign_in=[0-9a-f]{64}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/
        .test(first.headers['set-cookie'][0]), first.headers['set-cookie']);
    const reply = await ask(`${proxied}/api/v1/me`);
    check('and so is the metadata', reply.headers['www-authenticate']
        .includes('"https://ask.example.com/.well-known/oauth-protected-resource"'), reply.headers['www-authenticate']);
}

// A further session of an account ends its oldest.
async function manySessions() {
    const sessions = [];
    for (let i = 0; i < 21; i++) {
        const browser = new Browser();
        await browser.go(await browser.signIn('eve'));
        sessions.push(browser);
    }
    const last = await sessions[20].go(`${address}/api/v1/me`);
    check('the newest session holds', last.status === 200, last.text);
    let alive;
    for (let i = 0; i < 60; i++) { // a key is read again twice a second
        const replies = await Promise.all(sessions.map(browser => browser.go(`${address}/api/v1/me`)));
        alive = replies.filter(reply => reply.status === 200).length;
        if (alive === 20) {
            break;
        }
        await new Promise(resolve => { setTimeout(resolve, 50); });
    }
    check('20 of 21 sessions are left', alive === 20, alive);
}

await programs();
await behindProxy();
await badTokens();
await people();
await manySessions();
const browsed = await inBrowser(address, check);
await rotation();
await stop();
console.log(`${tried} checks, ${failed} failed${browsed ? ', with a browser' : ''}`);
process.exit(failed ? 1 : 0);
