import { describe, expect, test } from "vitest";
import { readChat } from "../../chat/read";
import { readMessages } from "../../messages/read";
import { aRoute } from "../__fixtures__/streams";
import { chatToMessages, messagesToChat } from "../index";

const hi = { model: "m", messages: [{ role: "user", content: "hi" }] };

describe("chat to messages", () => {
  const route = aRoute("messages");
  const inference = (body: object) => readChat(JSON.stringify({ ...hi, ...body }));

  test.each<[body: object, names: string[]]>([
    [{ seed: 1 }, ["seed"]],
    [{ frequency_penalty: 0.5, presence_penalty: -0.5 }, ["frequency_penalty", "presence_penalty"]],
    [
      { verbosity: "low", min_p: 0.1, top_a: 0.2, repetition_penalty: 1.1 },
      ["repetition_penalty", "min_p", "top_a", "verbosity"],
    ],
    [{ stop: "\n" }, ["stop"]],
    [{ temperature: 1.5 }, ["temperature"]],
    [
      {
        messages: [
          { role: "user", content: [{ type: "image_url", image_url: { url: "https://e.com/a.png", detail: "low" } }] },
        ],
      },
      ["image_url.detail"],
    ],
    [{ temperature: 0.5, frequency_penalty: 0, repetition_penalty: 1, verbosity: "medium", stop: ["END"] }, []],
  ])("%j only tunes: it is left out and named", (body, names) => {
    const request = inference(body);
    expect(chatToMessages.leftOut!(request, route)).toEqual(names);
    const written = chatToMessages.forward(request, route) as string;
    for (const name of names) expect(JSON.parse(written)).not.toHaveProperty(name);
    expect(JSON.parse(written)).not.toHaveProperty(names.includes("stop") ? "stop_sequences" : "nothing");
  });
});

describe("messages to chat", () => {
  const route = aRoute("chat");
  const inference = (body: object) => readMessages(JSON.stringify({ ...hi, max_tokens: 100, ...body }));
  const sent = (body: object, upstream = route) =>
    JSON.parse(messagesToChat.forward(inference(body), upstream) as string);

  test.each<[body: object, names: string[]]>([
    [{ top_k: 5 }, ["top_k"]],
    [{ top_k: 5, thinking: { type: "enabled", budget_tokens: 2_000 } }, ["top_k", "thinking"]],
    [{ thinking: { type: "disabled" } }, []],
  ])("%j only tunes: it is left out and named", (body, names) => {
    expect(messagesToChat.leftOut!(inference(body), route)).toEqual(names);
    expect(sent(body)).toEqual(sent({}));
  });

  test.each([
    [{ type: "enabled", budget_tokens: 2_000 }, undefined, "low"],
    [{ type: "enabled", budget_tokens: 8_000 }, undefined, "medium"],
    [{ type: "enabled", budget_tokens: 30_000 }, undefined, "high"],
    [{ type: "adaptive" }, undefined, "medium"],
    [{ type: "adaptive" }, { effort: "max" }, "high"],
    [{ type: "adaptive" }, { effort: "low" }, "low"],
    [{ type: "disabled" }, { effort: "low" }, "none"],
  ])("thinking %j with %j is the effort %s, for a model that thinks", (thinking, output_config, effort) => {
    const thinker = { ...route, upstreamModel: "gpt-5.1" };
    const body = { thinking, ...(output_config === undefined ? {} : { output_config }) };
    expect(sent(body, thinker).reasoning_effort).toBe(effort);
    expect(messagesToChat.leftOut!(inference(body), thinker)).toEqual([]);
  });
});
