// Single sign-on with several processes on one store: node replicas.mjs URL_OF_ISSUER PUBLIC_URL ADDRESS...
import http from 'node:http';
import { Browser, ask, bearer, check, finish, form, json, now, sign, signOutAt, until } from './client.mjs';
import { AUDIENCE, newKey, startIssuer } from './issuer.mjs';

const [issuer, address, ...replicas] = process.argv.slice(2);
const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout';

// ------------------------------------------------------------------ the proxy that browsers see

let to = 0; // the replica that gets the next request
let turns = false; // or each in turn
const proxy = http.createServer((request, reply) => {
    to = turns ? (to + 1) % replicas.length : to;
    const there = new URL(request.url, replicas[to]);
    request.pipe(http.request(there, { method: request.method, headers: request.headers, agent: false }, answer => {
        reply.writeHead(answer.statusCode, answer.rawHeaders);
        answer.pipe(reply);
    }).on('error', () => reply.destroy()));
}).listen(new URL(address).port, '127.0.0.1');

const asked = [];
const keys = [await newKey('RS256', 'rsa-1'), await newKey('ES256', 'ec-1')];
let stop = await startIssuer(issuer, `${address}/auth/callback`, keys, asked);

const everywhere = async test => (await Promise.all(replicas.map(test))).every(Boolean);
const cookieOf = browser => ({ cookie: `dgm_session=${browser.cookie('dgm_session')?.value}` });
const statusAt = async (replica, headers) => (await ask(`${replica}/api/v1/me`, { headers: { ...headers, host: new URL(address).host } })).status;
async function regionsAt(replica, headers) {
    const reply = await ask(`${replica}/api/v1/sql`, { method: 'POST', body: JSON.stringify({ sql: 'SELECT DISTINCT region FROM orders', wait: true }),
        headers: { 'content-type': 'application/json', host: new URL(address).host, origin: address, ...headers } });
    return { id: json(reply).query_id, regions: (json(reply).rows ?? []).map(row => row[0]).join(' ') };
}

// ------------------------------------------------------------------ people

async function enter(name) {
    const browser = new Browser(address);
    const back = await browser.signIn(name);
    to = (to + 1) % replicas.length; // another one finishes what the first has begun
    const reply = await browser.go(back);
    check(`${name} is in`, reply.headers.location === '/', reply.headers.location);
    return browser;
}

async function people() {
    const [ann, robot] = [await enter('ann'), await enter('robot')];
    check('a session counts everywhere', await everywhere(async replica => await statusAt(replica, cookieOf(ann)) === 200));
    for (const replica of replicas) {
        const [own, other] = [await regionsAt(replica, cookieOf(ann)), await regionsAt(replica, cookieOf(robot))];
        check('with its claims', own.regions === 'EU' && other.regions === 'US', `${own.regions} ${other.regions}`);
        const seen = await Promise.all(replicas.map(there => ask(`${there}/api/v1/ask/${own.id}`, { headers: { ...cookieOf(ann), host: new URL(address).host } })));
        const hidden = await Promise.all(replicas.map(there => ask(`${there}/api/v1/ask/${own.id}`, { headers: { ...cookieOf(robot), host: new URL(address).host } })));
        check('an answer of one is on all', seen.every(reply => reply.status === 200), seen.map(reply => reply.status).join());
        check('and of nobody else', hidden.every(reply => reply.status === 404), hidden.map(reply => reply.status).join());
    }
    turns = true;
    const bob = new Browser(address);
    await bob.go(await bob.signIn('bob'));
    check('each step may be at another one', await everywhere(async replica => await statusAt(replica, cookieOf(bob)) === 200));
    const end = json(await ann.go(`${address}/auth/sign-out`, { method: 'POST', headers: { origin: address } })).issuer_url;
    turns = false;
    // the cookie is gone from the browser, but the session must be over, too
    const kept = cookieOf(robot);
    await signOutAt(robot, `${issuer}/session/end`);
    check('a notice to one ends the session on all', await until(() => everywhere(async replica => await statusAt(replica, kept) === 401)));
    check('and no other', await everywhere(async replica => await statusAt(replica, cookieOf(bob)) === 200));
    check('whoever has signed out can do so at the issuer', end?.startsWith(`${issuer}/session/end?`), end);
    const notice = { iss: issuer, aud: 'page', sub: 'bob', iat: now(), exp: now() + 100, jti: 'bob-1', events: { [LOGOUT]: {} } };
    const reply = await ask(`${address}/auth/back-channel-logout`, form({ logout_token: await sign(keys[1], notice, { typ: 'logout+jwt' }) }));
    check('a notice is taken', reply.status === 200, reply.text);
    check('also about all sessions of a person', await until(() => everywhere(async replica => await statusAt(replica, cookieOf(bob)) === 401)));
}

// ------------------------------------------------------------------ keys change

async function rotation() {
    const claims = { iss: issuer, aud: AUDIENCE, sub: 'ann', scope: 'dragoman:ask', iat: now(), exp: now() + 300, roles: ['sales'], region: 'US' };
    const old = bearer(await sign(keys[0], claims)).headers;
    check('a token counts on all', await everywhere(async replica => await statusAt(replica, old) === 200));
    check('with its claims', await everywhere(async replica => (await regionsAt(replica, old)).regions === 'US'));
    await stop();
    const added = await newKey('RS256', 'rsa-2');
    stop = await startIssuer(issuer, `${address}/auth/callback`, [keys[1], added], asked);
    const before = asked.filter(path => path === '/jwks').length;
    const next = bearer(await sign(added, claims)).headers;
    for (const replica of replicas) {
        check('each one finds the new key', await until(async () => await statusAt(replica, next) === 200));
    }
    check('and forgets the old one', await everywhere(async replica => await statusAt(replica, old) === 401));
    const reads = asked.filter(path => path === '/jwks').length - before;
    check('with few requests', reads >= replicas.length && reads <= 4 * replicas.length, reads);
}

await people();
await rotation();
await stop();
proxy.close();
proxy.closeAllConnections();
finish();
