// A chain of LangChain.js behind a bare HTTP server, as a careful user would write one: the schema
// is read once, a question is one prompt and one call of the model, its SQL is run by Node's own SQLite.
//
// usage: node chain.mjs PORT DATABASE MODEL_URL
//   POST /chat {"message": TEXT}  the answer: {"sql": TEXT, "rows": [[…]]}
//   POST /sql {"sql": TEXT}       the same without a model
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { ChatOpenAI } from '@langchain/openai';

const [port, path, url] = process.argv.slice(2);
const database = new DatabaseSync(path, { readOnly: true });
const schema = database
    .prepare("SELECT sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map((table) => `${table.sql};`)
    .join('\n');

const prompt = ChatPromptTemplate.fromMessages([
    ['system', 'You write one SQLite query that answers the question. Reply with JSON: {{"sql": "…"}}.\n{schema}'],
    ['human', '{question}'],
]);
const model = new ChatOpenAI({ model: 'stub', apiKey: 'none', temperature: 0, maxRetries: 0,
    maxConcurrency: Infinity, timeout: 600_000, configuration: { baseURL: url } });
const chain = (await prompt.partial({ schema })).pipe(model).pipe(new StringOutputParser());

const statements = new Map();
function rows(sql) {
    let statement = statements.get(sql);
    if (!statement) {
        statement = database.prepare(sql);
        statements.set(sql, statement);
    }
    return statement.all().map((row) => Object.values(row));
}

async function answer(request) {
    const parts = [];
    for await (const part of request) {
        parts.push(part);
    }
    const body = JSON.parse(Buffer.concat(parts).toString());
    const sql = request.url === '/sql' ? body.sql : JSON.parse(await chain.invoke({ question: body.message })).sql;
    return { sql, rows: rows(sql) };
}

createServer((request, response) => {
    answer(request).then(
        (found) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found)),
        (error) => response.writeHead(500).end(String(error)),
    );
}).listen(Number(port), '127.0.0.1', 4096, () => console.log(`Listening on http://127.0.0.1:${port}`));
