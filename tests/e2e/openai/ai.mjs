// The AI SDK's client for compatible services: a conversation, a stream, an error.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, streamText } from "ai";
import { asksBack, check, failure, finish, question } from "./checks.mjs";

const shop = createOpenAICompatible({
  name: "dragoman",
  baseURL: process.env.OPENAI_BASE_URL,
  apiKey: process.env.OPENAI_API_KEY,
  includeUsage: true,
})("shop");

const messages = [{ role: "user", content: "best customers" }];
const asked = await generateText({ model: shop, system: "Be brief.", messages, maxRetries: 0 });
check("it asks back", asked.text.startsWith(asksBack), asked.text);
messages.push(...asked.response.messages, { role: "user", content: "1" });
const answer = await generateText({ model: shop, messages, temperature: 0.5, maxRetries: 0 });
check("the answer continues", answer.text.startsWith("Id: 1.\n"), answer.text);
check("it has ended", answer.finishReason === "stop", answer.finishReason);
check("there is a usage", answer.usage.totalTokens > 0, answer.usage);

let text = "";
const stream = streamText({ model: shop, prompt: question, maxRetries: 0 });
for await (const part of stream.textStream) {
  text += part;
}
check("the stream is the answer", text.startsWith("2,400 customers.\n") && text.includes("</details>"), text);
check("the stream has a usage", (await stream.usage).totalTokens >= 0, await stream.usage);

const failed = await failure(() => generateText({ model: shop, prompt: "go wrong", maxRetries: 0 }));
check("a question that fails is an error", failed?.statusCode === 422, failed);
let told;
const broken = streamText({ model: shop, prompt: "go wrong", maxRetries: 0, onError: ({ error }) => (told = error) });
await broken.consumeStream();
check("so it is in a stream", told !== undefined, told);
finish("ai");
