// Real conversations of the official clients with dragoman, over pipes and HTTP.
// usage: node clients.mjs PROGRAM DATABASE ADDRESS ADDRESS_WITH_HOST_MODEL
// The second server and its pipe have llm.provider mcp: the client's model is asked.
import assert from "node:assert/strict";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldPipe } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CreateMessageRequestSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewPipe } from "@modelcontextprotocol/client/stdio";

const [program, database, address, hostAddress] = process.argv.slice(2);
const info = { name: "test", version: "1" };
const pipe = { command: program, args: ["mcp", "--db", database], env: process.env };
const url = new URL("/mcp", address);
let checks = 0;
let failures = 0;

/** How each kind of client is made; `answer` is what its user says to a form, or undefined: it has none. */
const kinds = {
  "sdk 1": (answer) => {
    const client = new OldClient(info, { capabilities: answer ? { elicitation: {} } : {} });
    if (answer) client.setRequestHandler(ElicitRequestSchema, answer);
    return [client, { pipe: () => new OldPipe(pipe), http: () => new OldHttp(url) }];
  },
  "client 2, revisions of 2025": (answer) => fresh(answer, "legacy"),
  "client 2, revision 2026-07-28": (answer) => fresh(answer, "auto"),
};

function fresh(answer, mode) {
  const client = new NewClient(info, { capabilities: answer ? { elicitation: {} } : {}, versionNegotiation: { mode } });
  if (answer) client.setRequestHandler("elicitation/create", answer);
  return [client, { pipe: () => new NewPipe(pipe), http: () => new NewHttp(url) }];
}

async function check(what, test) {
  checks++;
  try {
    await test();
  } catch (error) {
    failures++;
    console.log(`FAILED ${what}: ${error.message}`);
  }
}

/** Structured content, and the same as text. */
const data = (result) => {
  assert.ok(!result.isError, JSON.stringify(result.content));
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return result.structuredContent;
};

async function converse(client, newest) {
  if (newest) assert.equal(client.getNegotiatedProtocolVersion?.() ?? newest, newest);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name).sort(), ["ask", "execute_sql", "explain", "search_objects"]);
  const call = (name, args, ...more) => client.callTool({ name, arguments: args }, ...more);
  const answer = data(await call("ask", { question: "how many customers are there?" }));
  assert.deepEqual(answer.rows, [[2400]]);
  assert.equal(data(await call("explain", { query_id: answer.query_id })).sql, answer.sql);
  assert.ok(data(await call("search_objects", { words: "orders" })).objects.length);
  assert.ok((await call("execute_sql", { sql: "DROP TABLE customers" })).isError);
  const many = await Promise.all(
    Array.from({ length: 8 }, (_, i) => call("execute_sql", { sql: `SELECT ${i} AS n` })),
  );
  assert.deepEqual(many.map((one) => data(one).rows[0][0]), [0, 1, 2, 3, 4, 5, 6, 7]);
  const schema = await client.readResource({ uri: "dragoman://schema/shop" });
  assert.match(schema.contents[0].text, /customers/);
  const prompt = await client.getPrompt({ name: "answer", arguments: { question: "Why?" } });
  assert.match(prompt.messages[0].content.text, /Why\?/);
  assert.ok((await client.listResources()).resources.length);
  await assert.rejects(client.readResource({ uri: "dragoman://schema/none" }));
}

for (const [name, make] of Object.entries(kinds)) {
  const newest = name.includes("2026") ? "2026-07-28" : undefined;
  for (const way of ["pipe", "http"]) {
    await check(`${name} over ${way}`, async () => {
      const [client, transports] = make();
      await client.connect(transports[way]());
      await converse(client, newest);
      const unclear = data(await client.callTool({ name: "ask", arguments: { question: "revenue" } }));
      assert.equal(unclear.status, "choose");
      assert.ok(unclear.context.tables.length);
      await client.close();
    });
    for (const action of ["accept", "decline"]) {
      await check(`${name} over ${way}, whose user says ${action}`, async () => {
        let asked = 0;
        const [client, transports] = make((request) => {
          asked++;
          assert.ok(request.params.message && request.params.requestedSchema.properties.answer);
          return action === "accept" ? { action, content: { answer: "2" } } : { action };
        });
        await client.connect(transports[way]());
        const answer = data(await client.callTool({ name: "ask", arguments: { question: "revenue" } }));
        assert.equal(asked, 1);
        assert.equal(answer.status === "choose", action === "decline");
        assert.equal(answer.rows?.length === 1, action === "accept");
        await client.close();
      });
    }
    await check(`progress and cancel of ${name} over ${way}`, async () => {
      const [client, transports] = make();
      await client.connect(transports[way]());
      const stop = new AbortController();
      const sql = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT COUNT(*) FROM t";
      let steps = 0;
      const onprogress = () => {
        steps++;
        stop.abort();
      };
      const request = { name: "execute_sql", arguments: { sql } };
      const options = { signal: stop.signal, onprogress };
      await assert.rejects(name === "sdk 1" ? client.callTool(request, undefined, options) : client.callTool(request, options));
      assert.ok(steps > 0);
      assert.deepEqual(data(await client.callTool({ name: "execute_sql", arguments: { sql: "SELECT 7" } })).rows, [[7]]);
      await client.close();
    });
  }
}
/** What the model of a client says: a script. */
const hostSql = "SELECT COUNT(*) + 1 AS customers FROM customers";
const reply = JSON.stringify({
  intent: "TEXT_TO_SQL",
  tables: [{ name: "customers", columns: ["id"], confidence: 0.99 }],
  joins_needed: false,
  summary: "Count the customers.",
  sql: hostSql,
});
const hostModel = ["--set", "llm.provider=mcp", "--set", "agent.brain=llm"];
const samplers = {
  "sdk 1": (sample) => {
    const client = new OldClient(info, { capabilities: sample ? { sampling: {} } : {} });
    if (sample) client.setRequestHandler(CreateMessageRequestSchema, sample);
    return [client, { pipe: (it) => new OldPipe(it), http: () => new OldHttp(new URL("/mcp", hostAddress)) }];
  },
  "client 2, revisions of 2025": (sample) => {
    const capabilities = sample ? { sampling: {} } : {};
    const client = new NewClient(info, { capabilities, versionNegotiation: { mode: "legacy" } });
    if (sample) client.setRequestHandler("sampling/createMessage", sample);
    return [client, { pipe: (it) => new NewPipe(it), http: () => new NewHttp(new URL("/mcp", hostAddress)) }];
  },
};
/** Each time other words: an answer that is known would be given again without a model. */
let questions = 0;
const ask = () => ({ name: "ask", arguments: { question: `how many customers are there? (${++questions})` } });
for (const [name, make] of Object.entries(samplers)) {
  for (const way of ["pipe", "http"]) {
    const hostPipe = { ...pipe, args: [...pipe.args, ...hostModel] };
    await check(`the model of ${name} over ${way}`, async () => {
      let asked = 0;
      const [client, transports] = make((request) => {
        asked++;
        assert.match(request.params.messages[0].content.text, /how many customers are there/);
        assert.ok(request.params.maxTokens > 0 && request.params.systemPrompt);
        return { role: "assistant", model: "scripted", content: { type: "text", text: reply }, stopReason: "endTurn" };
      });
      await client.connect(transports[way](hostPipe));
      const answer = data(await client.callTool(ask()));
      assert.deepEqual(answer.rows, [[2401]]); // which the parser would not have said
      assert.ok(asked > 0);
      await client.close();
    });
    await check(`${name} over ${way} that says no for its model`, async () => {
      const [client, transports] = make(() => {
        throw new Error("the user says no");
      });
      await client.connect(transports[way](hostPipe));
      const answer = await client.callTool(ask());
      assert.notDeepEqual(answer.structuredContent?.rows, [[2401]]);
      await client.close();
    });
    await check(`${name} over ${way} without a model`, async () => {
      const [client, transports] = make();
      await client.connect(transports[way](hostPipe));
      const answer = await client.callTool(ask());
      assert.notDeepEqual(answer.structuredContent?.rows, [[2401]]);
      await client.close();
    });
  }
}
console.log(`clients.mjs: ${checks} checks, ${failures} failed`);
process.exit(failures ? 1 : 0);
