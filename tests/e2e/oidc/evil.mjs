// An issuer that means harm: node evil.mjs ADDRESS_OF_DRAGOMAN URL_OF_ISSUER ACCESS_KEY
import crypto from 'node:crypto';
import http from 'node:http';
import { gzipSync } from 'node:zlib';
import { SignJWT } from 'jose';
import { Browser, ask, bearer, check, encode, finish, now, sign, until } from './client.mjs';
import { AUDIENCE, newKey } from './issuer.mjs';

const [address, issuer, key] = process.argv.slice(2);
const SECRET = 's3cr3t-of-the-client';
const good = await newKey('ES256', 'good');
const rsa = await newKey('RS256', 'rsa');
const publicOf = ({ d, p, q, dp, dq, qi, ...rest }) => rest;

// ------------------------------------------------------------------ the issuer

let asked = 0;
let led = 0; // requests to addresses to which it only led
let replies = {}; // by path: what it does instead of what is right
let idToken; // what it gives for a code

const described = more => ({ issuer, jwks_uri: `${issuer}/jwks`, authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`, ...more });
const sends = (value, status = 200, headers = {}) => reply => {
    reply.writeHead(status, { 'content-type': 'application/json', ...headers });
    reply.end(typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value));
};
const right = {
    '/.well-known/openid-configuration': sends(described()),
    '/jwks': sends({ keys: [publicOf(good), publicOf(rsa)] }),
    '/token': reply => sends({ id_token: idToken, access_token: 'x', token_type: 'Bearer' })(reply),
    '/led/here': reply => { led++; sends(described())(reply); },
};
const server = http.createServer((request, reply) => {
    const path = request.url.split('?')[0];
    asked++;
    (replies[path] ?? right[path] ?? sends('nothing', 404))(reply);
}).listen(new URL(issuer).port, '127.0.0.1');

const endless = start => reply => {
    reply.writeHead(200, { 'content-type': 'application/json' });
    reply.write(start);
    const timer = setInterval(() => reply.write('x'.repeat(4096)), 1);
    reply.on('close', () => clearInterval(timer));
};
const slow = reply => {
    reply.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => reply.write(' '), 200);
    reply.on('close', () => clearInterval(timer));
};
const bomb = gzipSync(`{"issuer":"${'x'.repeat(50 << 20)}"}`);

// ------------------------------------------------------------------ what must hold meanwhile

const claims = more => ({ iss: issuer, aud: AUDIENCE, sub: 'ann', scope: 'dragoman:ask', iat: now(), exp: now() + 300, ...more });
const token = await sign(good, claims());
const me = credential => ask(`${address}/api/v1/me`, bearer(credential));

async function others(name) {
    check(`${name}: access keys work`, (await me(key)).status === 200);
    check(`${name}: the server lives`, (await ask(`${address}/healthz`)).status === 200);
}

// Asks until the issuer was asked and the answer is this one.
async function expect(name, paths, credential, status) {
    replies = paths;
    const before = asked;
    let last;
    const seen = await until(async () => {
        await me(token); // a token that cannot be right is refused without asking
        last = await me(credential);
        return asked > before && last.status === status;
    });
    check(`${name}: ${status}`, seen, `${last.status} ${last.text}`);
    await others(name);
}

// ------------------------------------------------------------------ its description

async function descriptions() {
    const discovery = '/.well-known/openid-configuration';
    const led_ = `${issuer}/led/here`;
    for (const [name, reply] of Object.entries({
        'another name': sends(described({ issuer: 'https://evil.example' })),
        'nearly its name': sends(described({ issuer: `${issuer}/` })),
        'no name': sends(described({ issuer: undefined })),
        'a list of names': sends(described({ issuer: [issuer] })),
        'keys of nowhere': sends(described({ jwks_uri: undefined })),
        'keys in a file': sends(described({ jwks_uri: 'file:///etc/passwd' })),
        'keys in the cloud': sends(described({ jwks_uri: 'http://169.254.169.254/latest/meta-data/' })),
        'keys in the network': sends(described({ jwks_uri: 'http://10.0.0.1/jwks' })),
        'keys behind a name': sends(described({ jwks_uri: `http://${new URL(issuer).host}@evil.example/jwks` })),
        'keys behind a backslash': sends(described({ jwks_uri: `http://localhost\\@evil.example/jwks` })),
        'keys over gopher': sends(described({ jwks_uri: 'gopher://localhost:25/x' })),
        'a redirect': sends('', 302, { location: led_ }),
        'an error': sends('no', 500),
        'a page': sends('<html></html>'),
        'a list': sends([described()]),
        'names twice': sends(JSON.stringify(described()).replace('{', '{"issuer":"https://evil.example",')),
        'too much': sends(described({ more: 'x'.repeat(300 * 1024) })),
        'a bomb': sends(bomb, 200, { 'content-encoding': 'gzip' }),
        'no end': endless(`{"issuer":"${issuer}","x":"`),
        'deep nesting': sends(`{"x":${'['.repeat(100000)}`),
    })) {
        await expect(`a description with ${name}`, { [discovery]: reply }, token, 503);
    }
    check('no redirect was followed', led === 0, led);
    for (const [name, reply] of Object.entries({
        'a redirect': sends('', 307, { location: led_ }), 'an error': sends('no', 404), 'no keys': sends({}), 'a text': sends('"keys"'),
        'no end': endless('{"keys":["'), 'a bomb': sends(bomb, 200, { 'content-encoding': 'gzip' }),
    })) {
        await expect(`a key set with ${name}`, { '/jwks': reply }, token, 503);
    }
    check('no redirect was followed for keys', led === 0, led);
}

// Slow to the last byte, and asked by many: others do not wait for it.
async function patience() {
    replies = { '/.well-known/openid-configuration': slow };
    const many = Array.from({ length: 100 }, () => me(token).catch(error => ({ status: error.code })));
    await until(async () => (await me(key)).status === 200);
    for (let i = 0; i < 20; i++) {
        await others('a slow issuer');
    }
    const statuses = (await Promise.all(many)).map(reply => reply.status);
    check('whoever waits for it is told to come back', statuses.every(status => status === 503), statuses.join());
}

// ------------------------------------------------------------------ its keys

// [name, key as the set shows it, token]: the key signs the token, and the token is refused.
async function badKeys() {
    const { publicKey: small, privateKey: smallPrivate } = crypto.generateKeyPairSync('rsa', { modulusLength: 1024 });
    const { privateKey: p384, publicKey: p384Public } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-384' });
    const shared = crypto.randomBytes(32);
    const by = (privateKey, alg, kid) => new SignJWT(claims()).setProtectedHeader({ alg, kid }).sign(privateKey);
    const byHand = (privateKey, alg, kid, digest) => {
        const text = `${encode({ alg, kid })}.${encode(claims())}`;
        return `${text}.${crypto.sign(digest, Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
    };
    const { privateKey: other } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const off = { ...publicOf(good), kid: 'off', x: publicOf(good).y };
    return [
        ['a shared secret', { kty: 'oct', k: shared.toString('base64url'), kid: 'oct', alg: 'HS256' }, await by(shared, 'HS256', 'oct')],
        ['a shared secret for another algorithm', { kty: 'oct', k: shared.toString('base64url'), kid: 'oct2' },
            await by(shared, 'HS256', 'oct2').then(text => text.replace(/^[^.]*/, encode({ alg: 'RS256', kid: 'oct2' })))],
        ['a small RSA key', { ...small.export({ format: 'jwk' }), kid: 'small', alg: 'RS256' }, byHand(smallPrivate, 'RS256', 'small', 'sha256')],
        ['a key to encrypt', { ...publicOf(rsa), kid: 'enc', use: 'enc' }, await sign({ ...rsa, kid: 'enc' }, claims())],
        ['a key for another algorithm', { ...publicOf(rsa), kid: 'rs512', alg: 'RS512' }, await sign({ ...rsa, kid: 'rs512' }, claims())],
        ['a curve that is not used', { ...p384Public.export({ format: 'jwk' }), kid: 'p384', alg: 'ES384' }, byHand(p384, 'ES384', 'p384', 'sha384')],
        ['a point beside the curve', off, byHand(other, 'ES256', 'off', 'sha256')],
        ['a certificate alone', { kty: 'RSA', kid: 'x5c', x5c: ['MIIB'], x5u: `${issuer}/led/here` }, await sign({ ...rsa, kid: 'x5c' }, claims())],
        ['an exponent of one', { ...publicOf(rsa), kid: 'one', e: 'AQ' }, await sign({ ...rsa, kid: 'one' }, claims())],
    ];
}

async function keySets() {
    await expect('a right issuer', {}, token, 200);
    for (const [name, shown, bad] of await badKeys()) {
        await expect(`a set with ${name}`, { '/jwks': sends({ keys: [shown, publicOf(good)] }) }, bad, 401);
        check(`a set with ${name} keeps its other key`, (await me(token)).status === 200);
    }
    const twice = { ...publicOf(await newKey('ES256', 'good')) };
    await expect('a set with two keys of one name', { '/jwks': sends({ keys: [publicOf(good), twice] }) }, token, 401);
    const many = Array.from({ length: 1500 }, (_, i) => ({ ...publicOf(good), kid: `key-${i}` }));
    await expect('a set with very many keys', { '/jwks': sends({ keys: [...many, publicOf(good)] }) }, await sign({ ...good, kid: 'nobody' }, claims()), 401);
    check('no address in a key was asked', led === 0, led);
    await expect('a right issuer again', {}, token, 200);
    replies = { '/.well-known/openid-configuration': sends('no', 500) };
    const before = asked;
    check('while it is away, its last keys count', await until(async () => (await me(token)).status === 200 && asked > before));
    replies = {};
}

// ------------------------------------------------------------------ what it gives for a code

async function codes() {
    const id = (nonce, more) => ({ iss: issuer, aud: 'page', sub: 'ann', nonce, iat: now(), exp: now() + 300, ...more });
    const shared = (nonce, alg) => new SignJWT(id(nonce)).setProtectedHeader({ alg }).sign(new TextEncoder().encode(SECRET.padEnd(64)));
    // Signs in with what make(nonce) gives; the browser's session.
    const enter = async (make, state = text => text) => {
        const browser = new Browser(address);
        const first = new URL((await browser.go(`${address}/auth/sign-in`)).headers.location).searchParams;
        idToken = await make(first.get('nonce'));
        const reply = await browser.go(`${address}/auth/callback?code=c&state=${state(first.get('state'))}`);
        return { at: reply.headers.location, session: browser.cookie('dgm_session')?.value };
    };
    const seen = [];
    for (const [name, make] of Object.entries({
        'without a signature': nonce => `${encode({ alg: 'none' })}.${encode(id(nonce))}.`,
        "signed with the client's secret": nonce => shared(nonce, 'HS256'),
        "signed with the client's secret, longer": nonce => shared(nonce, 'HS512'),
        'of another sign-in': nonce => { seen.push(nonce); return sign(good, id('x'.repeat(43))); },
        'of an earlier sign-in': () => sign(good, id(seen[0])),
        'without a nonce': () => sign(good, id(undefined)),
        'with a list of nonces': nonce => sign(good, id([nonce])),
        'for another client': nonce => sign(good, id(nonce, { aud: 'other' })),
        'for the programs': nonce => sign(good, id(nonce, { aud: AUDIENCE })),
        'for two clients': nonce => sign(good, id(nonce, { aud: ['page', 'other'] })),
        'for two clients, used by the other': nonce => sign(good, id(nonce, { aud: ['page', 'other'], azp: 'other' })),
        'used by another client': nonce => sign(good, id(nonce, { azp: 'other' })),
        'of another issuer': nonce => sign(good, id(nonce, { iss: 'https://evil.example' })),
        'that has expired': nonce => sign(good, id(nonce, { exp: now() - 100 })),
        'of tomorrow': nonce => sign(good, id(nonce, { iat: now() + 86400 })),
        'of a stranger': async nonce => sign(await newKey('ES256', 'good'), id(nonce)),
        'with a key of its own': async nonce => { const own = await newKey('ES256', 'good'); return sign(own, id(nonce), { jwk: publicOf(own) }); },
        'bound to a key of somebody (DPoP)': nonce => sign(good, id(nonce, { cnf: { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' } })),
        'of nobody': nonce => sign(good, id(nonce, { sub: undefined })),
        'that is a notice of sign-out': nonce => sign(good, id(nonce, { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } })),
        'that is nothing': () => '',
        'that is a number': () => 7,
    })) {
        const { at, session } = await enter(make);
        check(`an ID token ${name} lets nobody in`, at === '/?sign-in=failed' && !session, at);
    }
    for (const [name, reply] of Object.entries({
        'a redirect': sends('', 302, { location: `${issuer}/led/here` }), 'an error': sends({ error: 'invalid_grant' }, 400), 'no end': endless('{"id_token":"'),
        'a page': sends('<html>'), 'too much': sends({ id_token: 'x'.repeat(1 << 20) }),
    })) {
        replies = { '/token': reply };
        const { at, session } = await enter(nonce => sign(good, id(nonce)));
        check(`a token endpoint with ${name} lets nobody in`, at === '/?sign-in=failed' && !session, at);
    }
    replies = {};
    check('no redirect was followed with the secret', led === 0, led);
    const wrong = await enter(nonce => sign(good, id(nonce)), state => state.replace(/^./, letter => (letter === 'A' ? 'B' : 'A')));
    check('another state lets nobody in', wrong.at === '/?sign-in=failed' && !wrong.session, wrong.at);
    const browser = new Browser(address);
    const begun = new URL((await browser.go(`${address}/auth/sign-in`)).headers.location).searchParams;
    const cookie = `dgm_sign_in=${browser.cookie('dgm_sign_in').value}`;
    idToken = await sign(good, id(begun.get('nonce')));
    const back = () => ask(`${address}/auth/callback?code=c&state=${begun.get('state')}`, { headers: { cookie } });
    check('a sign-in comes back', (await back()).headers.location === '/');
    const again = await back();
    check('but not a second time', again.headers.location === '/?sign-in=failed' && !`${again.headers['set-cookie']}`.includes('dgm_session=dgm_'), again.headers.location);
    for (const more of [{}, { aud: ['page'] }, { aud: ['page', 'other'], azp: 'page' }]) {
        const { at, session } = await enter(nonce => sign(good, id(nonce, more)));
        check('a right one does', at === '/' && session, at);
    }
}

await descriptions();
await patience();
await keySets();
await codes();
server.close();
server.closeAllConnections();
finish();
