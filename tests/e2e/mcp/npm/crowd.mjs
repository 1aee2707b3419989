// More conversations than the server keeps: those that were idle longest are forgotten, and begin again when they are used.
// Their number is in what the server uses of memory (clients.sh).
// usage: node crowd.mjs ADDRESS
const url = `${process.argv[2]}/mcp`;
const kept = 10000;
const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
const greeting = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "crowd", version: "1" } },
});
const ping = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" });

async function post(body, id) {
  const reply = await fetch(url, { method: "POST", headers: id ? { ...headers, "Mcp-Session-Id": id } : headers, body });
  await reply.text();
  return reply;
}

let left = kept + 50;
const bad = [];
const ids = [];
await Promise.all(
  Array.from({ length: 16 }, async () => {
    while (left-- > 0) {
      const reply = await post(greeting);
      if (reply.status === 200) ids.push(reply.headers.get("mcp-session-id"));
      else bad.push(reply.status);
    }
  }),
);
const old = await Promise.all(ids.slice(0, 20).map((id) => post(ping, id)));
const status = old.find((reply) => reply.status !== 200)?.status ?? 200;
const last = (await post(ping, ids.at(-1))).status;
console.log(`crowd.mjs: ${ids.length} greeted, refused: ${bad.length}, one of the oldest: ${status}, the last: ${last}`);
process.exit(bad.length === 0 && status === 200 && last === 200 ? 0 : 1);
