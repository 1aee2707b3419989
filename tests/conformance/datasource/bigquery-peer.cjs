// A peer that speaks as much of BigQuery's REST interface as the driver uses, for the suite. There is no
// real server to be had: forms of answers and errors are written after the documentation. What is real:
// signatures of service accounts are checked with the public key, tokens expire with the peer, SQL is run
// (by SQLite, a process for each job, so that a cancelled one is seen to end), results come in pages.
//   node bigquery-peer.cjs FOLDER PORT PROCESS      (TLS at PORT + 1)
// It ends with the process that is named. Datasets are SQLite files in FOLDER.
'use strict';
const crypto = require('crypto');
const fs = require('fs');
const http = require('http');
const https = require('https');
const path = require('path');
const { spawn, execFileSync } = require('child_process');
const canned = require('./bigquery-values.cjs');

const [folder, port, owner] = process.argv.slice(2);
const PROJECT = 'test-project';
const PAGE = 3000; // rows
const ACCOUNT = 'reader@test-project.example';
const file = name => path.join(folder, name);

setInterval(() => {
    try {
        process.kill(Number(owner), 0);
    } catch {
        process.exit(0);
    }
}, 500);

// ------------------------------------------------------------------ keys and tokens

function accountMake(name, key) {
    fs.writeFileSync(file(name), JSON.stringify({
        type: 'service_account', project_id: PROJECT, private_key_id: 'k1', client_email: ACCOUNT,
        private_key: key, token_uri: `http://127.0.0.1:${port}/token` }));
}

if (!fs.existsSync(file('public.pem'))) {
    const options = { modulusLength: 2048, publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' } };
    const good = crypto.generateKeyPairSync('rsa', options);
    accountMake('good.json', good.privateKey);
    accountMake('wrong.json', crypto.generateKeyPairSync('rsa', options).privateKey);
    fs.writeFileSync(file('public.pem'), good.publicKey);
    execFileSync('openssl', ['req', '-new', '-x509', '-days', '2', '-nodes', '-subj', '/CN=127.0.0.1', '-addext',
        'subjectAltName=IP:127.0.0.1', '-keyout', file('server.key'), '-out', file('root.crt')], { stdio: 'ignore' });
}
const publicKey = fs.readFileSync(file('public.pem'));
const tokens = new Set(['p@ss-token']);
let tokensMade = 0;

function tokenGive(form) {
    const [head, claims, signature] = (form.get('assertion') || '').split('.');
    const good = signature && crypto.verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), publicKey,
        Buffer.from(signature, 'base64url'));
    const said = good ? JSON.parse(Buffer.from(claims, 'base64url')) : {};
    const header = good ? JSON.parse(Buffer.from(head, 'base64url')) : {};
    const now = Date.now() / 1000;
    if (!good || header.alg !== 'RS256' || header.kid !== 'k1' || said.iss !== ACCOUNT || !(said.exp > now) || said.exp > now + 3700 ||
        said.aud !== `http://127.0.0.1:${port}/token` || !/auth\/bigquery$/.test(said.scope) ||
        form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') {
        return [400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }];
    }
    const token = `t${crypto.randomBytes(12).toString('hex')}`;
    tokens.add(token);
    tokensMade++;
    return [200, { access_token: token, expires_in: 3600, token_type: 'Bearer' }];
}

// ------------------------------------------------------------------ SQL by SQLite

function problem(status, reason, message) {
    return Object.assign(new Error(message), { status, reason });
}

const datasetFile = name => file(`${name}.db`);
const datasets = () => fs.readdirSync(folder).filter(name => name.endsWith('.db')).map(name => name.slice(0, -3));

// Runs lines in the shell of SQLite; children can be killed.
function sqlite(dataset, lines, job) {
    return new Promise((good, bad) => {
        const child = spawn('sqlite3', ['-batch', '-bail', datasetFile(dataset)], { stdio: ['pipe', 'pipe', 'pipe'] });
        const out = [], wrong = [];
        if (job) {
            job.child = child;
        }
        child.stdout.on('data', piece => out.push(piece));
        child.stderr.on('data', piece => wrong.push(piece));
        child.stdin.on('error', () => {});
        child.on('close', code => code === 0 ? good(Buffer.concat(out).toString()) : bad(new Error(Buffer.concat(wrong).toString())));
        const others = datasets().filter(name => name !== dataset && lines.includes(`${name}.`));
        child.stdin.end(others.map(name => `ATTACH '${datasetFile(name)}' AS ${name};\n`).join('') + lines);
    });
}

// What was found out about a file holds until it changes.
const known = new Map();
function sqliteOnce(dataset, lines) {
    const about = fs.statSync(datasetFile(dataset));
    const key = `${dataset} ${about.mtimeMs} ${about.size} ${datasets().length} ${lines}`;
    if (!known.has(key)) {
        const told = sqlite(dataset, lines);
        known.set(key, told);
        told.catch(() => known.delete(key));
    }
    return known.get(key);
}

// Comments, strings and quoted names taken out: what is left tells the kind of a statement.
const bare = sql => sql.replace(/\/\*.*?\*\/|--[^\n]*|#[^\n]*|'(\\.|''|[^'])*'|"[^"]*"|`[^`]*`/gs, ' x ');

function kindOf(sql) {
    const text = bare(sql).replace(/;\s*$/, '').trim();
    if (text.includes(';')) {
        return 'SCRIPT';
    }
    const word = (/[a-z]+/i.exec(text) || [''])[0].toUpperCase();
    return word === 'WITH' || word === 'SELECT' ? 'SELECT' : word || 'EMPTY';
}

// "no such column: price" in BigQuery's words, with the place.
function refuse(text, sql, dataset) {
    const find = name => {
        const start = Math.max(0, sql.search(new RegExp(`\\b${name.replace(/[^a-z0-9_]/gi, '.')}\\b`)));
        const before = [...sql.slice(0, start)].join('').split('\n');
        return ` at [${before.length}:${[...before[before.length - 1]].length + 1}]`;
    };
    const match = (form, make) => {
        const found = form.exec(text);
        return found && make(found[1]);
    };
    return match(/no such column: (?:\w+\.)?(\w+)/, name => problem(400, 'invalidQuery', `Unrecognized name: ${name}${find(name)}`)) ||
        match(/no such table: (?:\w+\.)?(\w+)/, name => problem(404, 'notFound', `Not found: Table ${PROJECT}:${dataset}.${name} was not found in location US`)) ||
        match(/no such function: (\w+)/, name => problem(400, 'invalidQuery', `Function not found: ${name}${find(name)}`)) ||
        match(/near "([^"]+)": syntax error/, name => problem(400, 'invalidQuery', `Syntax error: Unexpected identifier "${name}"${find(name)}`)) ||
        problem(400, 'invalidQuery', `Syntax error: Unexpected end of script at [1:${sql.length + 1}]`);
}

const typeNames = [[/^INT/, 'INTEGER'], [/^DEC|^NUM/, 'NUMERIC'], [/^DATE$/, 'DATE'], [/^BOOL/, 'BOOLEAN'], [/^REAL|^FLOAT|^DOUB/, 'FLOAT'], [/CHAR|TEXT|STRING/, 'STRING']];
const typeOf = declared => (typeNames.find(([form]) => form.test(declared.toUpperCase())) || [, ''])[1];

// The fields of a query's result; types that are not declared come from the rows.
async function compile(sql, dataset) {
    const text = sql.replace(/;\s*$/, '');
    try {
        const told = await sqliteOnce(dataset, `.mode json\nCREATE TEMP VIEW result_ AS ${text}\n;\nPRAGMA table_info(result_);\n`);
        return JSON.parse(told || '[]').map(column => ({ name: column.name, type: typeOf(column.type), mode: 'NULLABLE' }));
    } catch (error) {
        throw refuse(error.message, sql, dataset);
    }
}

const cellOf = value => ({ v: value === null || value === undefined ? null : String(value) });

// ------------------------------------------------------------------ jobs

const jobs = new Map();
const asked = []; // dataset and SQL of all jobs, dry runs too

function isActive(job) {
    return job.state !== 'DONE' || (job.asked && Date.now() - job.asked < 700 && job.reached < job.rows.length);
}

async function jobRun(job) {
    try {
        const text = job.sql.replace(/;\s*$/, '');
        const told = await sqlite(job.dataset, `.mode json\n${text}\n;\n`, job);
        const rows = JSON.parse(told || '[]');
        for (const field of job.fields) {
            const sample = rows.map(row => row[field.name]).find(value => value !== null && value !== undefined);
            field.type = field.type || (typeof sample === 'number' ? Number.isInteger(sample) ? 'INTEGER' : 'FLOAT' : 'STRING');
        }
        job.rows = rows.map(row => ({ f: job.fields.map(field => cellOf(row[field.name])) }));
    } catch (error) {
        job.error = job.cancelled ? problem(400, 'stopped', 'Job execution was cancelled: User requested cancellation')
            : job.late ? problem(400, 'timeout', 'Job timed out') : refuse(error.message, job.sql, job.dataset);
    }
    job.state = 'DONE';
    clearTimeout(job.timer);
    job.waiting.splice(0).forEach(wake => wake());
}

async function jobInsert(body) {
    const query = body.configuration.query;
    const dataset = query.defaultDataset.datasetId;
    const kind = kindOf(query.query);
    asked.push({ dataset, sql: query.query });
    if (kind === 'EMPTY') {
        throw problem(400, 'invalidQuery', 'Syntax error: Unexpected end of statement at [1:1]');
    }
    const fixed = canned[(/^SELECT (.*) AS v$/s.exec(query.query) || [])[1]];
    const fields = fixed ? [{ name: 'v', ...fixed.field }] : kind === 'SELECT' ? await compile(query.query, dataset) : [];
    const bytes = fields.length * 1000;
    const named = [...new Set((bare(query.query).match(/(?:from|join)\s+([\w.]+)/gi) || []).map(text => text.split(/\s+/)[1]))];
    const statistics = { totalBytesProcessed: String(bytes), query: { statementType: kind, totalBytesProcessed: String(bytes),
        referencedTables: named.map(name => ({ projectId: PROJECT, datasetId: name.includes('.') ? name.split('.')[0] : dataset, tableId: name.split('.').pop() })) } };
    if (body.configuration.dryRun) {
        return { status: { state: 'DONE' }, statistics };
    }
    if (kind !== 'SELECT') { // the driver must never let this happen
        fs.appendFileSync(file('written'), `${query.query}\n`);
    }
    if (query.maximumBytesBilled && Number(query.maximumBytesBilled) < bytes) {
        throw problem(400, 'bytesBilledLimitExceeded', `Query exceeded limit for bytes billed: ${query.maximumBytesBilled}.`);
    }
    const id = body.jobReference.jobId;
    if (jobs.has(id)) {
        throw problem(409, 'duplicate', `Already Exists: Job ${id}`);
    }
    const job = { sql: query.query, dataset, fields, rows: [], state: 'RUNNING', waiting: [], reached: 0, location: body.jobReference.location };
    jobs.set(id, job);
    if (fixed) {
        Object.assign(job, { state: 'DONE', rows: [{ f: [{ v: fixed.v }] }] });
    } else {
        job.timer = setTimeout(() => {
            job.late = true;
            job.child.kill('SIGKILL');
        }, Number(body.configuration.jobTimeoutMs));
        jobRun(job);
    }
    return { status: { state: job.state }, statistics, jobReference: { projectId: PROJECT, jobId: id, location: 'US' } };
}

async function results(id, query, gone) {
    const job = jobs.get(id);
    if (!job) {
        throw problem(404, 'notFound', `Not found: Job ${PROJECT}:${id}`);
    }
    if (query.get('location') !== 'US') {
        throw problem(404, 'notFound', `Not found: Job ${PROJECT}:${query.get('location')}.${id}`);
    }
    if (job.state !== 'DONE') {
        await new Promise(wake => {
            job.waiting.push(wake);
            gone.push(wake);
            setTimeout(wake, Number(query.get('timeoutMs') || 10000));
        });
    }
    if (job.error) {
        throw job.error;
    }
    const reference = { projectId: PROJECT, jobId: id, location: 'US' };
    if (job.state !== 'DONE') {
        return { jobComplete: false, jobReference: reference };
    }
    const start = Number((query.get('pageToken') || 'p0').slice(1));
    const end = Math.min(job.rows.length, start + Math.min(PAGE, Number(query.get('maxResults') || PAGE)));
    Object.assign(job, { asked: Date.now(), reached: end });
    await new Promise(wake => setTimeout(wake, start ? 3 : 0)); // pages of a large result take their time
    return { jobComplete: true, jobReference: reference, schema: { fields: job.fields }, totalRows: String(job.rows.length),
        rows: job.rows.slice(start, end), ...(end < job.rows.length ? { pageToken: `p${end}` } : {}) };
}

function cancel(id) {
    const job = jobs.get(id);
    if (!job) {
        throw problem(404, 'notFound', `Not found: Job ${PROJECT}:${id}`);
    }
    job.cancelled = true;
    job.asked = 0;
    if (job.child) {
        job.child.kill('SIGKILL');
    }
    return { job: { jobReference: { jobId: id } } };
}

// ------------------------------------------------------------------ datasets and tables

function exists(dataset) {
    if (!fs.existsSync(datasetFile(dataset))) {
        throw problem(404, 'notFound', `Not found: Dataset ${PROJECT}:${dataset}`);
    }
}

const json = async (dataset, sql) => JSON.parse(await sqliteOnce(dataset, `.mode json\n${sql};\n`) || '[]');
const words = dataset => fs.existsSync(file(`${dataset}.comments`)) ? JSON.parse(fs.readFileSync(file(`${dataset}.comments`))) : {};

async function tableList(dataset, query) {
    exists(dataset);
    const all = await json(dataset, "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name DESC");
    const start = Number(query.get('pageToken') || 0);
    const end = Math.min(all.length, start + Math.min(3, Number(query.get('maxResults') || 3))); // small pages
    return { tables: all.slice(start, end).map(table => ({ type: table.type.toUpperCase(), tableReference: { projectId: PROJECT, datasetId: dataset, tableId: table.name } })),
        ...(end < all.length ? { nextPageToken: String(end) } : {}) };
}

const nested = { // fields that SQLite does not have, for a table of this name
    nested_orders: [
        { name: 'id', type: 'INTEGER', mode: 'REQUIRED' },
        { name: 'address', type: 'RECORD', mode: 'NULLABLE', fields: [
            { name: 'city', type: 'STRING', mode: 'REQUIRED', description: 'where it goes' },
            { name: 'geo', type: 'RECORD', mode: 'NULLABLE', fields: [{ name: 'lat', type: 'FLOAT' }, { name: 'lon', type: 'FLOAT' }] }] },
        { name: 'items', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'sku', type: 'STRING' }, { name: 'price', type: 'NUMERIC', precision: '10', scale: '2' }] },
        { name: 'tags', type: 'STRING', mode: 'REPEATED' },
        { name: 'at', type: 'TIMESTAMP' }],
};
const nestedRows = [
    { f: [{ v: '1' }, { v: { f: [{ v: 'Bonn' }, { v: { f: [{ v: '50.7' }, { v: '7.1' }] } }] } }, { v: [] }, { v: [{ v: 'a' }] }, { v: '1706695200123456' }] },
    { f: [{ v: '2' }, { v: null }, { v: [{ v: { f: [{ v: 'x' }, { v: '1.50' }] } }] }, { v: [] }, { v: null }] }];

async function tableGet(dataset, name) {
    exists(dataset);
    const [found] = await json(dataset, `SELECT name, type, sql FROM sqlite_master WHERE name = '${name}'`);
    if (!found) {
        throw problem(404, 'notFound', `Not found: Table ${PROJECT}:${dataset}.${name}`);
    }
    const columns = await json(dataset, `PRAGMA table_info("${name}")`);
    const keys = await json(dataset, `PRAGMA foreign_key_list("${name}")`);
    const said = words(dataset);
    const primary = columns.filter(column => column.pk).sort((a, b) => a.pk - b.pk).map(column => column.name);
    const table = { type: found.type.toUpperCase(), description: said[name],
        schema: { fields: nested[name] || columns.map(column => ({ name: column.name, type: typeOf(column.type) || 'STRING',
            mode: column.notnull || column.pk ? 'REQUIRED' : 'NULLABLE', description: said[`${name}.${column.name}`],
            defaultValueExpression: column.dflt_value || undefined })) } };
    if (found.type === 'view') {
        return { ...table, view: { query: found.sql } };
    }
    const groups = new Map();
    for (const key of keys) {
        const target = columns.length && !key.to ? (await json(dataset, `PRAGMA table_info("${key.table}")`)).find(column => column.pk).name : key.to;
        const group = groups.get(key.id) || { name: `fk${key.id}`, referencedTable: { projectId: PROJECT, datasetId: dataset, tableId: key.table }, columnReferences: [] };
        group.columnReferences.push({ referencingColumn: key.from, referencedColumn: target });
        groups.set(key.id, group);
    }
    const [{ n }] = nested[name] ? [{ n: nestedRows.length }] : await json(dataset, `SELECT count(*) AS n FROM "${name}"`);
    return { ...table, numRows: String(n), tableConstraints: { ...(primary.length ? { primaryKey: { columns: primary } } : {}),
        ...(groups.size ? { foreignKeys: [...groups.values()] } : {}) } };
}

async function tableData(dataset, name, query) {
    const table = await tableGet(dataset, name);
    if (table.view) {
        throw problem(400, 'invalid', 'Cannot list a table of type VIEW.');
    }
    const rows = nested[name] ? nestedRows : (await json(dataset, `SELECT * FROM "${name}" LIMIT ${Number(query.get('maxResults'))}`))
        .map(row => ({ f: table.schema.fields.map(field => cellOf(row[field.name])) }));
    return { totalRows: table.numRows, rows };
}

// ------------------------------------------------------------------ what the suite does to it

async function script(dataset, sql) {
    fs.closeSync(fs.openSync(datasetFile(dataset), 'a'));
    const said = words(dataset);
    const lines = [];
    for (const statement of sql.split(';').map(text => text.trim()).filter(Boolean)) {
        const made = /^CREATE SCHEMA (\w+)$/i.exec(statement);
        const comment = /^COMMENT ON (?:TABLE|COLUMN) ([\w.]+) IS '(.*)'$/i.exec(statement);
        if (made) {
            fs.closeSync(fs.openSync(datasetFile(made[1]), 'a'));
        } else if (comment) {
            said[comment[1]] = comment[2];
        } else {
            lines.push(`${statement};\n`);
        }
    }
    fs.writeFileSync(file(`${dataset}.comments`), JSON.stringify(said));
    await sqlite(dataset, `BEGIN;\n${lines.filter(line => !/^ANALYZE/.test(line)).join('')}COMMIT;\n`);
    return {};
}

async function administer(what, query, body) {
    const dataset = query.get('dataset');
    if (what === 'script') {
        return script(dataset, body);
    }
    if (what === 'drop') {
        for (const name of [dataset, 'sales']) {
            fs.rmSync(datasetFile(name), { force: true });
            fs.rmSync(file(`${name}.comments`), { force: true });
        }
    }
    if (what === 'asked') { // how many jobs of this dataset held the text
        return { jobs: asked.filter(job => job.dataset === dataset && job.sql.includes(body)).length };
    }
    if (what === 'expire') {
        tokens.clear();
    }
    return { running: [...jobs.values()].filter(isActive).length, tokens: tokensMade, written: fs.existsSync(file('written')) ? 1 : 0 };
}

// ------------------------------------------------------------------ doors

async function answer(request, body, gone) {
    const url = new URL(request.url, 'http://x');
    const parts = url.pathname.split('/').slice(1).map(decodeURIComponent);
    if (parts[0] === 'admin') {
        return [200, await administer(parts[1], url.searchParams, body)];
    }
    if (parts[0] === 'token') {
        return tokenGive(new URLSearchParams(body));
    }
    if (!tokens.has((request.headers.authorization || '').replace('Bearer ', ''))) {
        return [401, { error: { code: 401, message: 'Request had invalid authentication credentials.', errors: [{ reason: 'authError' }] } }];
    }
    const [, , , project, kind, one, sub, two, data] = parts;
    if (parts.slice(0, 3).join('/') !== 'bigquery/v2/projects' || project !== PROJECT) {
        throw problem(404, 'notFound', 'Not found: Project');
    }
    const found = kind === 'datasets' && !sub ? (exists(one), { location: 'US' })
        : kind === 'datasets' && !two ? await tableList(one, url.searchParams)
        : kind === 'datasets' && !data ? await tableGet(one, two)
        : kind === 'datasets' ? await tableData(one, two, url.searchParams)
        : kind === 'jobs' && !one ? await jobInsert(JSON.parse(body))
        : kind === 'jobs' ? cancel(one)
        : await results(one, url.searchParams, gone);
    return [200, found];
}

function serve(request, response) {
    const pieces = [];
    const gone = []; // what waits for a job of somebody who left
    response.on('close', () => gone.forEach(wake => wake()));
    request.on('data', piece => pieces.push(piece));
    request.on('end', async () => {
        let status, found;
        try {
            [status, found] = await answer(request, Buffer.concat(pieces).toString(), gone);
        } catch (error) {
            status = error.status || 500;
            found = { error: { code: status, message: error.message, errors: [{ reason: error.reason || 'internalError', message: error.message }] } };
        }
        response.writeHead(status, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify(found));
    });
}

http.createServer(serve).listen(Number(port), '127.0.0.1');
https.createServer({ key: fs.readFileSync(file('server.key')), cert: fs.readFileSync(file('root.crt')) }, serve)
    .listen(Number(port) + 1, '127.0.0.1');
