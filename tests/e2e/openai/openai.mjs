// The client `openai`: models, completions and responses, streams, errors, a request that is given up.
import OpenAI from "openai";
import { asksBack, atWork, check, failure, finish, question, until } from "./checks.mjs";

const client = new OpenAI();
const user = (content) => ({ role: "user", content });

const models = [];
for await (const model of client.models.list()) {
  models.push(model.id);
}
check("the models are listed", models.join() === "dragoman,shop", models);
check("one model is found", (await client.models.retrieve("shop")).id === "shop");

const messages = [{ role: "system", content: "Be brief." }, user("best customers")];
let completion = await client.chat.completions.create({ model: "dragoman", messages, temperature: 0 });
check("it asks back", completion.choices[0].message.content.startsWith(asksBack), completion);
messages.push(completion.choices[0].message, user("1"));
completion = await client.chat.completions.create({ model: "dragoman", messages });
check("the answer continues", completion.choices[0].message.content.startsWith("Id: 1.\n"), completion);
check("the end has a reason", completion.choices[0].finish_reason === "stop", completion);
check("there is a usage", completion.usage.total_tokens > 0, completion.usage);

let text = "";
let usage;
const stream = await client.chat.completions.create({
  model: "shop",
  messages: [user([{ type: "text", text: question }])],
  stream: true,
  stream_options: { include_usage: true },
});
for await (const chunk of stream) {
  text += chunk.choices[0]?.delta.content ?? "";
  usage = chunk.usage ?? usage;
}
check("the stream is the answer", text.startsWith("2,400 customers.\n") && text.includes("```sql\nSELECT COUNT(*)"), text);
check("the stream has a usage", usage?.total_tokens >= 0, usage);
const helper = client.chat.completions.stream({ model: "shop", messages: [user(question)] });
check("the helper for streams has the whole text", (await helper.finalContent()).startsWith("2,400 customers.\n"));

const first = await client.responses.create({ model: "shop", input: "best customers" });
check("a response asks back", first.output_text.startsWith(asksBack), first);
const second = await client.responses.create({ model: "shop", input: "1", previous_response_id: first.id });
check("the next response continues", second.output_text.startsWith("Id: 1.\n"), second);
check("a response has a usage", second.usage.total_tokens > 0, second.usage);
const events = client.responses.stream({ model: "shop", input: question });
let deltas = "";
events.on("response.output_text.delta", (event) => (deltas += event.delta));
const final = await events.finalResponse();
check("the events are the response", final.output_text === deltas && deltas.startsWith("2,400 customers.\n"), final);

const wrongModel = await failure(() => client.chat.completions.create({ model: "x", messages: [user(question)] }));
check("an unknown model is not found", wrongModel instanceof OpenAI.NotFoundError && wrongModel.code === "model_not_found", wrongModel);
const stranger = new OpenAI({ apiKey: "dgm_none_none" });
const noKey = await failure(() => stranger.models.list());
check("a wrong key is refused", noKey instanceof OpenAI.AuthenticationError && noKey.code === "invalid_api_key", noKey);
const failed = await failure(() => client.chat.completions.create({ model: "shop", messages: [user("go wrong")] }));
check("a question that fails is an error", failed instanceof OpenAI.UnprocessableEntityError && failed.code === "invalid_sql", failed);
const cut = await failure(async () => {
  const chunks = await client.chat.completions.create({ model: "shop", messages: [user("go wrong")], stream: true });
  for await (const chunk of chunks) {
    check("no text comes before the error", !chunk.choices[0].delta.content, chunk);
  }
});
check("so it is in a stream", cut instanceof OpenAI.APIError && cut.code === "invalid_sql", cut);
const types = [];
for await (const event of await client.responses.create({ model: "shop", input: "go wrong", stream: true })) {
  types.push(event.type);
  if (event.type === "response.failed") {
    check("a response that fails says why", event.response.error.code === "invalid_sql", event);
  }
}
check("its events end with the failure", types.at(-1) === "response.failed", types);

for (const stream of [false, true]) {
  const abort = new AbortController();
  const leaving = failure(async () => {
    const reply = await client.chat.completions.create({ model: "shop", messages: [user("Wait for it")], stream }, { signal: abort.signal });
    for await (const chunk of reply) {
      check("nothing is said yet", !chunk.choices[0].delta.content, chunk);
    }
  });
  check("the question runs", await until(async () => (await atWork()) === 1));
  abort.abort();
  await leaving;
  check("a request that is given up stops its question", await until(async () => (await atWork()) === 0), stream);
}
finish("openai");
