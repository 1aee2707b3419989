// LangChain's client: a conversation, a stream, the other format, an error.
import { ChatOpenAI } from "@langchain/openai";
import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { asksBack, check, failure, finish, question } from "./checks.mjs";

const model = new ChatOpenAI({
  model: "shop",
  maxRetries: 0,
  configuration: { baseURL: process.env.OPENAI_BASE_URL },
});
const messages = [new SystemMessage("Be brief."), new HumanMessage("best customers")];
const asked = await model.invoke(messages);
check("it asks back", asked.content.startsWith(asksBack), asked.content);
messages.push(new AIMessage(asked.content), new HumanMessage("Most money"));
const answer = await model.invoke(messages);
check("the answer continues", answer.content.startsWith("Id: 1.\n"), answer.content);
check("there is a usage", answer.usage_metadata.total_tokens > 0, answer.usage_metadata);

let text = "";
for await (const chunk of await model.stream(question)) {
  text += chunk.content;
}
check("the stream is the answer", text.startsWith("2,400 customers.\n"), text);

const responses = new ChatOpenAI({
  model: "shop",
  maxRetries: 0,
  useResponsesApi: true,
  configuration: { baseURL: process.env.OPENAI_BASE_URL },
});
const reply = await responses.invoke(question);
check("a response is read", reply.text.startsWith("2,400 customers.\n"), reply.content);

const failed = await failure(() => model.invoke("go wrong"));
check("a question that fails is an error", failed?.status === 422, failed);
finish("langchain");
