// Every route of /openapi.json is called, rightly and wrongly, and every reply is held against the document.
// usage: node walk.mjs ADDRESS   (the server has the datasources shop and other, and a scripted model)
import { Validator } from "@seriousme/openapi-schema-validator";
import Ajv2020 from "ajv/dist/2020.js";
import { calls } from "./calls.mjs";

const address = process.argv[2];
let checks = 0;
let failures = 0;
const seen = {}; // the replies so far, by route

function check(what, ok, detail) {
  checks++;
  if (!ok) {
    failures++;
    console.log(`FAILED ${what}${detail === undefined ? "" : `: ${JSON.stringify(detail).slice(0, 500)}`}`);
  }
}

const document = await (await fetch(`${address}/openapi.json`)).json();
const judged = await new Validator().validate(structuredClone(document));
check("the document keeps to the schema of OpenAPI 3.1", judged.valid, judged.errors);

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema({ $id: "doc", components: document.components });
const schemaOf = (content) => content?.["application/json"]?.schema?.$ref;
const holder = (ref) => ajv.getSchema(`doc${ref}`);

/** The reply, with its JSON where it says that it is. */
async function send(method, path, body) {
  const headers = seen.key_post?.key ? { Authorization: `Bearer ${seen.key_post.key}` } : {};
  const json = body !== undefined && typeof body !== "string" && !(body instanceof FormData);
  const reply = await fetch(address + path, {
    method,
    body: json ? JSON.stringify(body) : body,
    headers: json ? { "Content-Type": "application/json", ...headers } : headers,
    signal: AbortSignal.timeout(60000),
  });
  const text = await reply.text();
  const isJson = (reply.headers.get("content-type") ?? "").startsWith("application/json");
  return { status: reply.status, headers: reply.headers, text, json: isJson ? JSON.parse(text) : undefined };
}

/** A reply against what the document says of this status. */
function hold(name, operation, reply) {
  const of = reply.status < 300 ? operation.responses["2XX"] : operation.responses.default;
  const ref = schemaOf(of?.content);
  check(`${name}: no reply is a failure of ours`, reply.status < 500, reply.text);
  if (!ref) {
    return;
  }
  const valid = holder(ref);
  check(`${name}: ${reply.status} is JSON`, reply.json !== undefined, reply.text);
  check(`${name}: ${reply.status} keeps to ${ref}`, valid(reply.json), [valid.errors, reply.json]);
  if (reply.status >= 300) {
    const error = reply.json?.error ?? {};
    check(`${name}: ${reply.status} has a code and a message`, error.code && error.message, reply.json);
  }
}

const wrong = { string: 7, integer: "seven", number: "seven", boolean: "yes", object: [1], array: { a: 1 } };

/** Bodies that the document does not allow, made from a good one. */
function* badBodies(schema, good) {
  if (schema.additionalProperties === false) {
    yield ["a field that is unknown", { ...good, unheard_of: 1 }];
  }
  yield ["a list", [1, 2]];
  yield ["half of it", JSON.stringify(good ?? {}).slice(0, -1)];
  for (const name of schema.required ?? []) {
    const { [name]: _, ...rest } = good;
    yield [`no ${name}`, rest];
    yield [`${name} is null`, { ...good, [name]: null }];
  }
  for (const [name, property] of Object.entries(schema.properties)) {
    const type = [property.type].flat().find((each) => each && each !== "null");
    if (type) {
      yield [`${name} of another type`, { ...good, [name]: wrong[type] }];
    }
  }
}

const called = new Set();
for (const call of calls) {
  const operation = Object.values(document.paths)
    .flatMap((each) => Object.values(each))
    .find((each) => each.operationId === call.route);
  check(`${call.route} is in the document`, operation !== undefined);
  if (!operation) {
    continue;
  }
  called.add(call.route);
  const [pattern, methods] = Object.entries(document.paths).find(([, each]) => Object.values(each).includes(operation));
  const method = Object.keys(methods).find((each) => methods[each] === operation).toUpperCase();
  const name = `${method} ${pattern}`;
  const parameters = (operation.parameters ?? []).filter((each) => each.in === "path");
  const at = (id) => pattern.replace(/\{[^}]*\}/, encodeURIComponent(id));
  const id = call.id?.(seen);
  const query = call.query ?? "";
  const good = call.body?.(seen);
  const schema = operation.requestBody && document.components.schemas[schemaOf(operation.requestBody.content).split("/").pop()];
  for (const word of new URLSearchParams(query).keys()) {
    check(`${name}: ?${word}= is in the document`, operation.parameters.some((each) => each.in === "query" && each.name === word));
  }
  if (schema) {
    check(`${name}: the good body keeps to the document`, holder(schemaOf(operation.requestBody.content))(good), good);
    for (const [what, body] of badBodies(schema, good)) {
      const reply = await send(method, at(id ?? "x"), body);
      check(`${name} with ${what} is a 400`, reply.status === 400, [reply.status, body, reply.text]);
      hold(`${name} with ${what}`, operation, reply);
    }
  }
  if (parameters.length && !call.anyId) {
    const reply = await send(method, at("nobody-has-this-id") + query, good);
    check(`${name} of an unknown id is a 404`, reply.status === 404, [reply.status, reply.text]);
    hold(`${name} of an unknown id`, operation, reply);
  }
  for (const bad of call.badQueries ?? []) {
    const reply = await send(method, at(id ?? "x") + bad, good);
    check(`${name}${bad} is a 400`, reply.status === 400, [reply.status, reply.text]);
    hold(`${name}${bad}`, operation, reply);
  }
  const reply = await send(method, at(id ?? "x") + query, good);
  check(`${name} is a ${call.status ?? 200}`, reply.status === (call.status ?? 200), [reply.status, reply.text]);
  hold(name, operation, reply);
  seen[call.as ?? call.route] = reply.json ?? reply.text;
  for (let i = 0; call.until && !call.until(seen) && i < 600; i++) {
    await new Promise((done) => setTimeout(done, 50));
    seen[call.as ?? call.route] = (await send(method, at(id ?? "x") + query)).json;
  }
}

/** What the document allows at a path: /datasources/test is also a datasource of that name. */
const allowedAt = (path) =>
  Object.entries(document.paths)
    .filter(([pattern]) => new RegExp(`^${pattern.replace(/\{[^}]*\}/g, "[^/]+")}$`).test(path))
    .flatMap(([, methods]) => Object.keys(methods).map((each) => each.toUpperCase()));

for (const [pattern, methods] of Object.entries(document.paths)) {
  const path = pattern.replace(/\{[^}]*\}/, "x");
  const allowed = [...new Set(allowedAt(path))];
  for (const operation of Object.values(methods)) {
    check(`${operation.operationId} is called by this test`, called.has(operation.operationId));
  }
  const other = ["PUT", "DELETE", "PATCH", "POST"].find((each) => !allowed.includes(each));
  const reply = await send(other, path);
  const said = (reply.headers.get("allow") ?? "").split(/,\s*/).filter((each) => each !== "HEAD" && each !== "OPTIONS");
  check(`${other} ${pattern} is a 405`, reply.status === 405, [reply.status, reply.text]);
  check(`${pattern}: Allow is what the document says`, said.sort().join() === [...allowed].sort().join(), [said, allowed]);
}
console.log(`walk.mjs: ${Object.keys(document.paths).length} paths, ${called.size} routes, ${checks} checks, ${failures} failed`);
process.exitCode = failures ? 1 : 0;
