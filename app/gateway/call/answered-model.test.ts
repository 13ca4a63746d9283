import { expect, test } from "vitest";
import { profileOf } from "~/domain/catalogue/profiles";
import type { ByteSink, ByteSource } from "../canonical/exchange";
import { aRoute } from "../dialects/translate/__fixtures__/streams";
import { notingModel } from "./answered-model";

const whole = (text: string) => ({ kind: "whole", status: 200, headers: {}, body: Buffer.from(text) }) as const;

test("a deployment of a free name is what its first answer says", () => {
  const route = aRoute("chat", "deployment-a");
  expect(profileOf(route).name).toBe("general");
  notingModel(whole('{"id":"x","model":"gpt-5.6-2026-07-01","choices":[]}'), route);
  expect(profileOf(route).name).toBe("openai/gpt-5.6");
  expect(profileOf(aRoute("chat", "deployment-a")).name).toBe("openai/gpt-5.6");
});

test("a stream says it by its first piece, and passes as it is", () => {
  const route = aRoute("chat", "deployment-b");
  let to: ByteSink | undefined;
  const source: ByteSource = {
    start: (sink) => {
      to = sink;
    },
    pause: () => undefined,
    resume: () => undefined,
    abort: () => undefined,
  };
  const reply = notingModel({ kind: "stream", status: 200, headers: {}, source }, route);
  const seen: string[] = [];
  if (reply.kind === "stream")
    reply.source.start({
      data: (chunk) => seen.push(String(chunk)),
      end: () => seen.push("end"),
      fail: () => undefined,
    });
  to?.data(Buffer.from('data: {"model":"gpt-5.1","choices":[]}\n\n'));
  to?.data(Buffer.from("data: [DONE]\n\n"));
  to?.end();
  expect(seen).toEqual(['data: {"model":"gpt-5.1","choices":[]}\n\n', "data: [DONE]\n\n", "end"]);
  expect(profileOf(route).name).toBe("openai/gpt-5.1");
});

test("a route whose name or profile says it is not asked, and an unknown name is noted once", () => {
  const named = aRoute("chat", "gpt-4.1");
  const reply = whole('{"model":"claude-opus-5"}');
  expect(notingModel(reply, named)).toBe(reply);
  expect(profileOf(named).name).toBe("openai/gpt");
  const odd = aRoute("chat", "deployment-c");
  notingModel(whole('{"model":"something"}'), odd);
  notingModel(whole('{"model":"gpt-5.6"}'), odd);
  expect(profileOf(odd).name).toBe("general");
});
