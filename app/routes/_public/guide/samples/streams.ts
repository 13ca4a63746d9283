import type { Sample } from "../../parts/CodeChoice";
import type { ModelsToTry } from "../models-to-try";

export const streaming = (baseUrl: string, { chat, messages }: ModelsToTry): Sample[] => [
  {
    name: "curl",
    text: `curl -N ${baseUrl}/v1/chat/completions \\
  -H "Authorization: Bearer $GW_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${chat}", "stream": true, "messages": [{"role": "user", "content": "Tell me a story."}]}'`,
  },
  {
    name: "Chat SDK",
    text: `const stream = await client.chat.completions.create({
  model: "${chat}",
  messages: [{ role: "user", content: "Tell me a story." }],
  stream: true,
  stream_options: { include_usage: true },
});
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta?.content ?? "");
}`,
  },
  {
    name: "Messages SDK",
    text: `const stream = client.messages.stream({
  model: "${messages}",
  max_tokens: 1024,
  messages: [{ role: "user", content: "Tell me a story." }],
});
stream.on("text", (text) => process.stdout.write(text));
const message = await stream.finalMessage();`,
  },
];

export const tools = (baseUrl: string, { chat, messages }: ModelsToTry): Sample[] => [
  {
    name: "curl",
    text: `curl ${baseUrl}/v1/chat/completions \\
  -H "Authorization: Bearer $GW_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${chat}",
    "messages": [{"role": "user", "content": "What is the weather in Paris?"}],
    "tools": [{"type": "function", "function": {
      "name": "get_weather",
      "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    }}]
  }'`,
  },
  {
    name: "Chat SDK",
    text: `const tools = [{
  type: "function",
  function: {
    name: "get_weather",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
}];
const messages = [{ role: "user", content: "What is the weather in Paris?" }];

const first = await client.chat.completions.create({ model: "${chat}", messages, tools });
const { message } = first.choices[0];
messages.push(message);
for (const call of message.tool_calls ?? []) {
  const { city } = JSON.parse(call.function.arguments);
  messages.push({ role: "tool", tool_call_id: call.id, content: \`Sunny in \${city}\` });
}
const last = await client.chat.completions.create({ model: "${chat}", messages, tools });`,
  },
  {
    name: "Messages SDK",
    text: `const message = await client.messages.create({
  model: "${messages}",
  max_tokens: 256,
  messages: [{ role: "user", content: "What is the weather in Paris?" }],
  tools: [{
    name: "get_weather",
    input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  }],
});
const call = message.content.find((block) => block.type === "tool_use");`,
  },
];

export const jsonAnswer = (baseUrl: string, { chat }: ModelsToTry): Sample[] => [
  {
    name: "curl",
    text: `curl ${baseUrl}/v1/chat/completions \\
  -H "Authorization: Bearer $GW_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${chat}",
    "messages": [{"role": "user", "content": "Ada is 36 and lives in London."}],
    "response_format": {"type": "json_schema", "json_schema": {"name": "person", "schema": {
      "type": "object",
      "properties": {"name": {"type": "string"}, "age": {"type": "integer"}, "city": {"type": "string"}},
      "required": ["name", "age", "city"]
    }}}
  }'`,
  },
  {
    name: "Chat SDK",
    text: `import { zodResponseFormat } from "openai/helpers/zod";
import { z } from "zod";

const Person = z.object({ name: z.string(), age: z.number().int(), city: z.string() });
const answer = await client.chat.completions.parse({
  model: "${chat}",
  messages: [{ role: "user", content: "Ada is 36 and lives in London." }],
  response_format: zodResponseFormat(Person, "person"),
});
console.log(answer.choices[0].message.parsed);`,
  },
];
