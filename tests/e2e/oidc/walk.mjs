// Single sign-on played through: node walk.mjs ADDRESS_OF_DRAGOMAN URL_OF_ISSUER ADDRESS_OF_ONE_BEHIND_A_PROXY
import crypto from 'node:crypto';
import { SignJWT, importJWK } from 'jose';
import { inBrowser } from './browser.mjs';
import { Browser, ask, bearer, check, encode, finish, form, json, listening, now, sign, signOutAt, signText, until } from './client.mjs';
import { AUDIENCE, SECRET, newKey, startIssuer } from './issuer.mjs';

const [address, issuer, proxied] = process.argv.slice(2);
async function rowsOf(headers) {
    const reply = await ask(`${address}/api/v1/sql`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ sql: 'SELECT DISTINCT region FROM orders ORDER BY region', wait: true }) });
    const answer = json(reply);
    return { status: reply.status, answer, regions: (answer.rows ?? []).map(row => row[0]).join(' ') };
}

// ------------------------------------------------------------------ the issuer

const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout';
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

const claims = more => ({ iss: issuer, aud: AUDIENCE, sub: 'ann', scope: 'dragoman:ask', iat: now(), exp: now() + 300, ...more });

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
        'with another token in it': await signText(rsa, JSON.stringify(good), { cty: 'JWT' }),
        'with a key id that is null': await sign(rsa, claims(), { kid: null }).catch(() => `${encode({ alg: 'RS256', kid: null })}.${body}.${signature}`),
        'with a key id that is a list': `${encode({ alg: 'RS256', kid: ['rsa-1'] })}.${body}.${signature}`,
        'with two algorithms': `${encode('{"alg":"none","kid":"rsa-1","alg":"RS256"}')}.${body}.${signature}`,
        'with a list of algorithms': `${encode({ alg: ['RS256'], kid: 'rsa-1' })}.${body}.${signature}`,
        'with the other key of the issuer': `${encode({ alg: 'RS256', kid: 'rsa-1' })}.${(await sign(ec, claims())).split('.').slice(1).join('.')}`,
        'with claims said twice in other letters': await signText(rsa, JSON.stringify(claims()).replace(/}$/, ',"s\\u0075b":"boss"}')),
        'with a NUL in its account': await signText(rsa, JSON.stringify(claims()).replace('"ann"', '"ann\\u0000boss"')),
        'with something after its claims': await signText(rsa, `${JSON.stringify(claims())}{}`),
        'with a header nested deeply': `${encode(`{"alg":"RS256","kid":"rsa-1","x":${'['.repeat(1400)}${']'.repeat(1400)}}`)}.${body}.${signature}`,
        'whose end is a text': await sign(rsa, claims({ exp: undefined })).then(() => signText(rsa, JSON.stringify(claims({ exp: '9999999999' })))),
        'whose end is far beyond time': await signText(rsa, JSON.stringify(claims()).replace(/"exp":\d+/, '"exp":1e300')),
        'whose end is negative': await signText(rsa, JSON.stringify(claims({ exp: -1 }))),
        'whose beginning is a text': await signText(rsa, JSON.stringify(claims({ nbf: 'now' }))),
        'whose audience is in a list in a list': await sign(rsa, claims({ aud: [[AUDIENCE]] })),
        'whose audience is an object': await signText(rsa, JSON.stringify(claims({ aud: { aud: AUDIENCE } }))),
        'whose audience only begins like ours': await sign(rsa, claims({ aud: `${AUDIENCE}.evil.example` })),
        'for the page, not for programs': await sign(rsa, claims({ aud: 'page' })),
        'that is a notice of sign-out': await sign(rsa, claims({ events: { [LOGOUT]: {} } })),
        'without an account': await sign(rsa, claims({ sub: undefined })),
        'whose account is a list': await sign(rsa, claims({ sub: ['ann'] })),
        'bound to a key of its sender (DPoP)': await sign(rsa, claims({ cnf: { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' } })),
        'bound to a certificate of its sender': await sign(rsa, claims({ cnf: { 'x5t#S256': 'bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2' } })),
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
    for (const [name, more] of Object.entries({
        'good token': { iat: undefined },
        'token for us and others': { aud: ['https://other.example', AUDIENCE] },
        'token that ended a moment ago': { exp: now() - 30 }, // the clocks may differ
        'token that begins in a moment': { nbf: now() + 30, iat: now() + 30 },
    })) {
        const reply = await ask(`${address}/api/v1/me`, bearer(await sign(ec, claims(more))));
        check(`a ${name} is accepted`, reply.status === 200, reply.text);
    }
}

// ------------------------------------------------------------------ several people in one account

// Each with its own claims, at the same time; nothing that one got can be found by the other.
async function oneAccount() {
    const of = region => sign(keys[0], claims({ sub: 'team', region, roles: ['sales'] })).then(token => bearer(token).headers);
    const [eu, us] = [await of('EU'), await of('US')];
    const seen = await Promise.all(Array.from({ length: 40 }, (_, i) => rowsOf(i % 2 ? eu : us)));
    check('each sees the rows of its own claims', seen.every((one, i) => one.regions === (i % 2 ? 'EU' : 'US')), seen.map(one => one.regions).join());
    for (const headers of [eu, us]) {
        check('both are in the same account', json(await ask(`${address}/api/v1/me`, { headers })).account === 'team');
    }
    const id = seen[1].answer.query_id;
    for (const path of [`ask/${id}`, `ask/${id}/stream`, `ask/${id}/rows`, `ask/${id}/export?format=csv`]) {
        const own = await ask(`${address}/api/v1/${path}`, { headers: eu });
        const other = await ask(`${address}/api/v1/${path}`, { headers: us });
        check(`the other does not get ${path}`, own.status === 200 && other.status === 404 && !other.text.includes('EU'), `${own.status} ${other.status}`);
    }
    const past = json(await ask(`${address}/api/v1/history`, { headers: us })).questions.map(one => one.query_id);
    check('nor finds it in the history', past.length === 20 && !past.includes(id), past.length);
    const headers = { ...eu, 'content-type': 'application/json' };
    const session = json(await ask(`${address}/api/v1/chat/sessions`, { method: 'POST', headers, body: '{"title":"about EU"}' })).session_id;
    check('a conversation is of one', (await ask(`${address}/api/v1/chat/sessions/${session}`, { headers: eu })).status === 200 &&
        (await ask(`${address}/api/v1/chat/sessions/${session}`, { headers: us })).status === 404);
    check('also in the list', !(await ask(`${address}/api/v1/chat/sessions`, { headers: us })).text.includes('about EU'));
    const saved = await ask(`${address}/api/v1/saved`, { method: 'POST', headers, body: '{"name":"all","sql":"SELECT DISTINCT region FROM orders"}' });
    check('a saved query is of the account', saved.status === 201 && (await ask(`${address}/api/v1/saved`, { headers: us })).text.includes('"all"'), saved.text);
    const run = await ask(`${address}/api/v1/saved/all/run`, { method: 'POST', headers: { ...us, 'content-type': 'application/json' }, body: '{}' });
    let answer;
    await until(async () => (answer = json(await ask(`${address}/api/v1/ask/${json(run).query_id}`, { headers: us }))).status === 'finished');
    check('and runs with the claims of who runs it', JSON.stringify(answer.rows) === '[["US"]]', `${run.text} ${JSON.stringify(answer)}`);
}

// On the other doors as well; and what one looked up is in no cache for the other.
async function otherDoors() {
    const of = region => sign(keys[0], claims({ sub: 'team', region, roles: ['sales'] })).then(token => ({ ...bearer(token).headers, 'content-type': 'application/json' }));
    const [eu, us] = [await of('EU'), await of('US')];
    const post = (path, headers, body) => ask(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const chat = (headers, content) => post('/v1/chat/completions', headers, { model: 'shop', messages: [{ role: 'user', content }] });
    check('a chat page sees its rows', (await chat(us, 'orders of Zzyzxville')).text.includes('| 2 |'));
    for (const text of ['list the buyers of all orders', 'orders of Zzyzxvile', 'orders of Zzyzx', 'how many orders per buyer?']) {
        const reply = await chat(eu, text);
        check(`"${text}" does not lead to a hidden name`, reply.status === 200 && !reply.text.includes('Zzyzxville'), reply.text);
    }
    const suggested = await ask(`${address}/api/v1/datasources/shop/suggestions`, { headers: eu });
    check('nor do suggestions', suggested.status === 200 && !suggested.text.includes('Zzyzxville'), suggested.text);

    const mcp = (headers, id, method, params, session) => post('/mcp', { ...headers, accept: 'application/json, text/event-stream',
        ...(session ? { 'mcp-session-id': session } : {}) }, { jsonrpc: '2.0', id, method, params });
    const begin = await mcp(eu, 1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } });
    const session = begin.headers['mcp-session-id'];
    const params = { name: 'execute_sql', arguments: { sql: 'SELECT DISTINCT buyer FROM orders' } };
    const own = await mcp(eu, 2, 'tools/call', params, session);
    check('an assistant sees its rows', own.text.includes('Annabel') && !own.text.includes('Zzyzxville'), `${begin.status} ${own.text}`);
    const other = await mcp(us, 3, 'tools/call', params, session);
    check('its conversation is not for the other', other.status === 404 && !other.text.includes('Annabel'), `${other.status} ${other.text}`);
}

// What stays open: until the token ends, and no longer. A renewed token goes on with the conversation.
async function streamsEnd() {
    const of = more => sign(keys[0], claims({ sub: 'listener', ...more })).then(token => bearer(token).headers);
    const brief = await of({ exp: now() - 55 }); // clocks may differ by a minute
    const [short, long] = [await listening(address, brief), await listening(address, await of())];
    check('a stream ends with its token', await short.over(), short.streams.map(stream => stream.over));
    check('others stay', long.open());
    const ping = headers => ask(`${address}/mcp`, { method: 'POST', headers: { ...headers, ...short.session, 'content-type': 'application/json' },
        body: '{"jsonrpc":"2.0","id":3,"method":"ping"}' });
    check('the conversation goes on with a new token', (await ping(await of())).status === 200);
    check('with more rights it does, too', (await ping(await of({ scope: 'dragoman:admin' }))).status === 200);
    check('but not with too few', (await ping(await of({ scope: 'dragoman:read' }))).status === 403);
    check('nor for another account', (await ping(await of({ sub: 'other' }))).status === 404);
    long.close();
}

// A query that is learned has cells in it: others of the account, whose claims hide them, must not get it.
async function lessons() {
    const of = region => sign(keys[0], claims({ sub: 'learners', region, roles: ['sales'] })).then(token => ({ ...bearer(token).headers, 'content-type': 'application/json' }));
    const [eu, us] = [await of('EU'), await of('US')];
    const post = async (path, body) => json(await ask(`${address}/api/v1/chat${path}`, { method: 'POST', headers: us, body: JSON.stringify(body) }));
    const { session_id } = await post('/sessions', { datasource: 'shop' });
    const first = await post('', { message: 'orders of Zzyzxville', session_id });
    const corrected = await post('', { message: 'use table orders', session_id });
    check('a person corrects an answer', first.row_count === 1 && corrected.row_count === 1, JSON.stringify(corrected));
    for (const headers of [eu, us]) {
        const learned = await ask(`${address}/api/v1/lessons`, { headers });
        check('no lesson of the account has a hidden name', learned.status === 200 && !learned.text.includes('Zzyzxville'), learned.text);
    }
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

    const ann = new Browser(address);
    const back = await ann.signIn('ann');
    const eve = new Browser(address);
    await eve.go(`${address}/auth/sign-in`);
    let reply = await eve.go(back);
    check('a code for another browser is refused', reply.headers.location === '/?sign-in=failed' && !eve.cookies[new URL(address).host].dgm_session);
    reply = await ask(back);
    check('a code without a browser is refused', reply.headers.location === '/?sign-in=failed');
    reply = await ask(back.replace(/state=[^&]*/, 'state='), { headers: { cookie: `dgm_sign_in=${'0'.repeat(64)}` } });
    check('a code without a state is refused', reply.headers.location === '/?sign-in=failed');
    const kept = ann.cookies[new URL(address).host].dgm_sign_in.value;
    const mallory = new Browser(address);
    const others = new URL(await mallory.signIn('mallory')).searchParams.get('code');
    // each state counts once, so every wrong reply gets a sign-in of its own
    const wrongly = async change => {
        const browser = new Browser(address);
        const from = await browser.signIn('ann');
        const secret = browser.cookies[new URL(address).host].dgm_sign_in.value;
        return ask(change(from), { headers: { cookie: `dgm_sign_in=${secret}` } });
    };
    reply = await wrongly(from => from.replace(/code=[^&]*/, `code=${others}`));
    check("somebody else's code does not fit the secret", reply.headers.location === '/?sign-in=failed', reply.headers.location);
    for (const more of ['&next=https://evil.example', '&return_to=//evil.example', '&redirect_uri=https://evil.example']) {
        reply = await ask(`${address}/auth/sign-in?x=1${more}`);
        check('signing in leads nowhere else', new URL(reply.headers.location).searchParams.get('redirect_uri') === callback);
        reply = await ask(`${address}/auth/callback?error=access_denied${more}`);
        check('nor does coming back', reply.headers.location === '/?sign-in=failed', reply.headers.location);
    }
    reply = await ask(`${address}/auth/sign-in`, { headers: { host: 'evil.example' } });
    check('another host does not become the way back', reply.status === 403 && !reply.headers.location, reply.status);
    reply = await ask(`${address}/auth/callback?state=a&state=b&code=c&code=d`);
    check('a parameter that is given twice is refused', reply.status === 400, reply.status);
    reply = await wrongly(from => from.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fevil.example'));
    check('a code of another issuer is refused', reply.headers.location === '/?sign-in=failed', reply.headers.location);
    check('the issuer names itself', /[?&]iss=/.test(back), back);
    reply = await wrongly(from => from.replace(/[?&]iss=[^&]*/, ''));
    check('a code without the name of an issuer that always sends it is refused', reply.headers.location === '/?sign-in=failed', reply.headers.location);
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
        const person = new Browser(address);
        await person.go(await person.signIn(name));
        const seen = await rowsOf({ cookie: `dgm_session=${person.cookies[new URL(address).host].dgm_session?.value}`, origin: address });
        check(`${name} sees what the policy leaves`, test(seen), JSON.stringify(seen));
    }

    reply = await ann.go(`${address}/auth/sign-out`, { method: 'POST' });
    check('another website signs nobody out', reply.status === 401);
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { origin: address, 'sec-fetch-site': 'same-site' }]) {
        reply = await ann.go(`${address}/auth/sign-out`, { method: 'POST', headers });
        check('nor under another name', [401, 403].includes(reply.status), `${reply.status} ${JSON.stringify(headers)}`);
    }
    const streams = await listening(address, { cookie, origin: address });
    check('a person listens', streams.open());
    reply = await ann.go(`${address}/auth/sign-out`, { method: 'POST', headers: { origin: address } });
    const end = json(reply).issuer_url;
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
    check('and what was open is closed', await streams.over());
    check('the issuer is told where to lead back', end === `${issuer}/session/end?client_id=page&post_logout_redirect_uri=${encodeURIComponent(`${address}/`)}`, end);
    check('it leads back', await signOutAt(ann, end) === `${address}/`);
    const again = await ann.go((await ann.go(`${address}/auth/sign-in`)).headers.location);
    const form = await ann.go(new URL(again.headers.location, issuer).href);
    check('and wants to know again who it is', form.text.includes('name="login"'), form.text.slice(0, 200));
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
        const browser = new Browser(address);
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

// The issuer ends sessions: with a notice of its own, and with notices that are wrong.
async function notices() {
    const alive = async browser => (await browser.go(`${address}/api/v1/me`)).status === 200;
    const enter = async name => {
        const browser = new Browser(address);
        await browser.go(await browser.signIn(name));
        return browser;
    };
    const told = token => ask(`${address}/auth/back-channel-logout`, form({ logout_token: token }));
    const notice = more => ({ iss: issuer, aud: 'page', sub: 'fay', iat: now(), exp: now() + 100, jti: crypto.randomUUID(), events: { [LOGOUT]: {} }, ...more });
    const typed = { typ: 'logout+jwt' };
    const [fay, gus] = [await enter('fay'), await enter('gus')];
    check('both are in', await alive(fay) && await alive(gus));
    for (const [name, token] of Object.entries({
        'for another client': await sign(keys[0], notice({ aud: AUDIENCE }), typed),
        'with a nonce': await sign(keys[0], notice({ nonce: 'x' }), typed),
        'without an event': await sign(keys[0], notice({ events: undefined }), typed),
        'with an event that is no object': await sign(keys[0], notice({ events: { [LOGOUT]: true } }), typed),
        'with a list of events': await sign(keys[0], notice({ events: [LOGOUT] }), typed),
        'without an id': await sign(keys[0], notice({ jti: undefined }), typed),
        'with an id that is no text': await sign(keys[0], notice({ jti: 7 }), typed),
        'about nobody': await sign(keys[0], notice({ sub: undefined }), typed),
        'about an empty name': await sign(keys[0], notice({ sub: '' }), typed),
        'about a list of people': await sign(keys[0], notice({ sub: ['fay'] }), typed),
        'about a session that is no text': await sign(keys[0], notice({ sid: 7 }), typed),
        'without an end': await sign(keys[0], notice({ exp: undefined }), typed),
        'with another event': await sign(keys[0], notice({ events: { x: {} } }), typed),
        'of a stranger': await sign(await newKey('RS256', 'rsa-1'), notice(), typed),
        'of another issuer': await sign(keys[0], notice({ iss: 'https://evil.example' }), typed),
        'that has expired': await sign(keys[0], notice({ exp: now() - 100 }), typed),
        'without a time': await sign(keys[0], notice({ iat: undefined }), typed),
        'that is an access token': await sign(keys[0], notice({ events: undefined }), { typ: 'at+jwt' }),
        'without a signature': `${encode({ alg: 'none' })}.${encode(notice())}.`,
        'that is nothing': '',
        'that is long': 'A'.repeat(20000),
    })) {
        const reply = await told(token);
        check(`a notice ${name} is refused`, reply.status === 400, `${reply.status} ${reply.text}`);
    }
    for (const more of [{ sub: 'nobody' }, { sub: undefined, sid: 'another' }, { sub: 'fay', sid: 'another' }, { sub: 'fay', iat: now() - 4000 }]) {
        const reply = await told(await sign(keys[0], notice(more), typed));
        check('a notice about nobody here changes nothing', reply.status === 200, reply.text);
    }
    check('all of them have ended nothing', await alive(fay) && await alive(gus));
    const streams = await listening(address, { cookie: `dgm_session=${fay.cookie('dgm_session').value}`, origin: address });
    const once = await sign(keys[0], notice(), typed);
    let reply = await told(once);
    check('a notice is taken', reply.status === 200 && reply.headers['cache-control'] === 'no-store', reply.text);
    check('it ends the sessions of its person', await until(async () => !await alive(fay)));
    check('and what its person had open', await streams.over());
    check('and of nobody else', await alive(gus));
    reply = await told(once);
    check('a notice counts once', reply.status === 400, `${reply.status} ${reply.text}`);
    await signOutAt(gus, `${issuer}/session/end`); // gus signs out somewhere else
    check('the notice of the issuer ends the session', await until(async () => !await alive(gus)));
    reply = await ask(`${address}/auth/back-channel-logout`, { method: 'GET' });
    check('a notice is a POST', reply.status === 405, reply.status);
}

// ------------------------------------------------------------------ links

// A link ends when its session is ended by somebody else, not when it runs out or the person leaves.
async function links() {
    const call = (browser, method, path, body) => browser.go(`${address}${path}`, { method, body: body && JSON.stringify(body),
        headers: { origin: address, 'content-type': 'application/json' } });
    const enter = async name => {
        const browser = new Browser(address);
        await browser.go(await browser.signIn(name));
        return browser;
    };
    const share = async browser => {
        const asked_ = json(await call(browser, 'POST', '/api/v1/sql', { sql: 'SELECT DISTINCT region FROM orders', wait: true }));
        const made = await call(browser, 'POST', '/api/v1/shares', { query_id: asked_.query_id });
        check('a person makes a link', made.status === 201 && json(made).works === true, made.text + JSON.stringify(asked_).slice(0, 900));
        return json(made);
    };
    const works = async link => (await ask(address + link.path)).status === 200;
    const notice = more => sign(keys[0], { iss: issuer, aud: 'page', iat: now(), exp: now() + 100, jti: crypto.randomUUID(), events: { [LOGOUT]: {} },
        ...more }, { typ: 'logout+jwt' });
    const told = async more => (await ask(`${address}/auth/back-channel-logout`, form({ logout_token: await notice(more) }))).status === 200;
    const list = async browser => json(await call(browser, 'GET', '/api/v1/shares')).shares;

    const token = await sign(keys[0], claims({ sub: 'ivy' }));
    const typed = { 'content-type': 'application/json', ...bearer(token).headers };
    const query = json(await ask(`${address}/api/v1/sql`, { method: 'POST', headers: typed, body: '{"sql":"SELECT 1","wait":true}' })).query_id;
    let reply = await ask(`${address}/api/v1/shares`, { method: 'POST', headers: typed, body: JSON.stringify({ query_id: query }) });
    check('a token makes no link', reply.status === 403 && reply.text.includes('Sign in on the page'), reply.text);

    const [ivy, kim] = [await enter('ivy'), await enter('kim')];
    const [left, ofKim] = [await share(ivy), await share(kim)];
    reply = await call(ivy, 'POST', '/auth/sign-out');
    check('the person leaves', reply.status === 200, reply.text);
    check('the link stays', await works(left));
    const again = await enter('ivy');
    const second = await share(again);
    check('and is listed for the same claims', (await list(again)).length === 2);
    const other = await sign(keys[0], claims({ sub: 'ivy', region: 'US', roles: ['sales'] }));
    reply = await ask(`${address}/api/v1/shares`, bearer(other));
    check('but not for others', json(reply).shares?.length === 0, reply.text);
    reply = await ask(`${address}/api/v1/shares/${second.id}`, { method: 'DELETE', ...bearer(other) });
    check('nor revoked with others', reply.status === 404 && await works(second), reply.status);

    check('notices about others', await told({ sub: 'ivy', sid: 'another' }) && await told({ sub: 'nobody' }) && await told({ sub: 'ivy', iat: now() - 4000 }));
    check('end no link', await works(left) && await works(second) && await works(ofKim));
    check('a notice about the person', await told({ sub: 'ivy' }));
    check('ends the links of all sessions, also of those that were over', !await works(left) && !await works(second));
    check('and those of nobody else', await works(ofKim));

    const boss = bearer(await sign(keys[0], claims({ sub: 'boss', scope: 'dragoman:admin' })));
    const session = kim.cookie('dgm_session').value.split('_')[1];
    reply = await ask(`${address}/api/v1/keys/${session}`, { method: 'DELETE', ...boss });
    check('an administrator revokes the session', reply.status === 200, reply.text);
    check('which ends its links', !await works(ofKim));
}

await programs();
await behindProxy();
await badTokens();
await oneAccount();
await otherDoors();
await streamsEnd();
await lessons();
await people();
await notices();
await links();
await manySessions();
const browsed = await inBrowser(address, check);
await rotation();
await stop();
finish(browsed ? ', with a browser' : '');
