import { expect, test } from "vitest";
import type { WireName } from "../../../canonical/exchange";
import { readChat } from "../../chat/read";
import { readCompletions } from "../../completions/read";
import { readMessages } from "../../messages/read";
import { readResponses } from "../../responses/read";
import { translatorFor } from "../../translators";
import { aRoute } from "../__fixtures__/streams";

const WIRES: WireName[] = ["chat", "messages", "gemini", "converse", "cohere", "responses"];
const user = (content: unknown) => ({ role: "user", content });
const ASKS = [
  ["chat", readChat, (content: unknown) => ({ messages: [user(content)] }), "messages[0].content"],
  [
    "messages",
    readMessages,
    (content: unknown) => ({ max_tokens: 9, messages: [user(content)] }),
    "messages[0].content",
  ],
  ["responses", readResponses, (content: unknown) => ({ input: [user(content)] }), "input[0].content"],
] as const;

test.each(ASKS)("a %s client that says nothing is told so, and by which field", (dialect, read, ask, param) => {
  const given = (wire: WireName, content: unknown) =>
    translatorFor(dialect, wire)!.forward(
      read(JSON.stringify({ model: "m", ...ask(content) })),
      aRoute(wire as "chat"),
    );
  for (const wire of WIRES.filter((each) => each !== dialect)) {
    for (const content of ["", []])
      expect(() => given(wire, content), wire).toThrow(
        expect.objectContaining({ code: "invalid_request", param, status: 400 }),
      );
    expect(given(wire, "hi")).toContain("hi");
  }
  for (const wire of ["messages", "gemini", "converse"] as const) {
    if (wire !== dialect) expect(() => given(wire, " \n")).toThrow(expect.objectContaining({ param }));
  }
});

test("a completions client that says nothing is told so", () => {
  const inference = readCompletions(JSON.stringify({ model: "m", prompt: " " }));
  for (const wire of ["messages", "gemini", "converse"] as const)
    expect(() => translatorFor("completions", wire)!.forward(inference, aRoute(wire as "chat"))).toThrow(
      expect.objectContaining({ code: "invalid_request", status: 400 }),
    );
});
