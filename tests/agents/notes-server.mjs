// An MCP server with one tool, over standard input and output: one JSON-RPC message per line.
import { createInterface } from "node:readline";

const TOOL = {
  name: "word_of_the_day",
  description: "Says the word of the day.",
  inputSchema: { type: "object", properties: { language: { type: "string" } } },
};

const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "notes", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: [TOOL] }),
  "tools/call": () => ({ content: [{ type: "text", text: "The word of the day is quince." }] }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = ANSWERS[method];
  const told = answer ? { result: answer(params) } : { error: { code: -32_601, message: `no method ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...told })}\n`);
}
