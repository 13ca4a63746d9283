import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ChatGateway, eventsOf, startChatGateway } from "../../support/chat-gateway";

let gateway: ChatGateway;
beforeAll(async () => {
  gateway = await startChatGateway();
});
afterAll(() => gateway?.close());

/** Sends a body unchanged and returns the request that the supplier received. */
async function passed(text: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.budgetKey}`, "content-type": "application/json", ...headers },
    body: text,
  });
  const callId = response.headers.get("x-request-id")!;
  const answer = await response.text();
  const [seen] = (await gateway.standIn.seen(callId)).requests;
  return { response, answer, seen: seen! };
}

const PIXEL = `data:image/png;base64,${"iVBORw0KGgoAAAANSUhEUgAA/+8=".repeat(2_000)}`;

describe("what the client sends reaches the supplier", () => {
  test("byte for byte, but for the model's name: unknown fields, odd numbers, spaces and escapes", async () => {
    const text = `{"model":"fast-chat","messages":[{"role":"user", "content":"caf\\u00e9 ☃ \\ud83d\\ude00",\n "x_custom":[1.50, 1e3, -0]}],"max_tokens":5,"unknown_field":{ "deep": [null, true, {"a": 12345678901234567890}]},"temperature":1.0,"logit_bias":{"50256":-100},"seed":42,"logprobs":true,"top_logprobs":2,"stop":["\\n\\n", "END"],"response_format":{"type":"json_schema","json_schema":{"name":"a","strict":true,"schema":{"type":"object","$defs":{}}}},"parallel_tool_calls":false,"metadata":{"trace":"t-1"},"user":"someone","prediction":null}`;
    const { response, seen } = await passed(text);
    expect(response.status).toBe(200);
    expect(seen.body).toBe(text.replace('"fast-chat"', '"upstream-fast-chat"'));
  });

  test("images in messages, whatever their size", async () => {
    const body = {
      model: "fast-chat",
      max_tokens: 5,
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image_url", image_url: { url: PIXEL, detail: "low" } },
          ],
        },
      ],
    };
    const { response, seen } = await passed(JSON.stringify(body));
    expect(response.status).toBe(200);
    expect(seen.body).toBe(JSON.stringify({ ...body, model: "upstream-fast-chat" }));
  });

  test("a tier without a price of its own: a cheaper one at the ordinary price, a dearer one never", async () => {
    // By default the stand-in answers with a random number of words.
    const body = { model: "fast-chat", max_tokens: 5, user: "tokens=3", messages: [{ role: "user", content: "Hi" }] };
    const cost = async (more: object) => {
      const { response, seen } = await passed(JSON.stringify({ ...body, ...more }));
      expect([response.status, JSON.parse(seen.body)]).toEqual([
        200,
        { ...body, model: "upstream-fast-chat", ...more },
      ]);
      return response.headers.get("x-gw-cost-usd");
    };
    // Values of equal length, because the stand-in counts bytes.
    const [ordinary, cheaper] = [await cost({ service_tier: "auto" }), await cost({ service_tier: "flex" })];
    expect(Number(ordinary)).toBeGreaterThan(0);
    expect(cheaper).toBe(ordinary);
    const refused = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.budgetKey}`, "content-type": "application/json" },
      body: JSON.stringify({ ...body, service_tier: "priority" }),
    });
    expect([refused.status, (await refused.json()).error.param]).toEqual([400, "service_tier"]);
    expect((await gateway.standIn.seen(refused.headers.get("x-request-id")!)).requests).toEqual([]);
  });

  test("without gw's own fields", async () => {
    const { seen } = await passed(
      JSON.stringify({
        model: "fast-chat",
        region: "eu",
        messages: [{ role: "user", content: "Hi" }],
        metadata: { session_id: "s-1", sticky_key: "k", mine: "stays" },
      }),
    );
    expect(JSON.parse(seen.body)).toEqual({
      model: "upstream-fast-chat",
      messages: [{ role: "user", content: "Hi" }],
      metadata: { mine: "stays" },
    });
  });

  test("without what would steer a supplier that is itself a gateway, unless it is said to be one", async () => {
    const steering = {
      api_key: "sk-other",
      api_base: "http://evil.example",
      base_url: "http://evil.example",
      extra_headers: { host: "evil.example" },
      extra_body: { model: "dear" },
      headers: { host: "evil.example" },
      organization: "org-other",
    };
    const ask = { messages: [{ role: "user", content: "Hi" }], seed: 1 };
    const plain = await passed(JSON.stringify({ model: "fast-chat", ...ask, ...steering }));
    expect(JSON.parse(plain.seen.body)).toEqual({ model: "upstream-fast-chat", ...ask });
    const marked = await passed(JSON.stringify({ model: "gateway-chat", ...ask, ...steering }));
    expect(JSON.parse(marked.seen.body)).toEqual({ model: "upstream-gateway-chat", ...ask, ...steering });
    expect(marked.seen.headers.authorization).toBe("Bearer sk-secret-of-the-supplier");
  });

  test("and the supplier's own fields reach the client", async () => {
    const { answer } = await passed(
      JSON.stringify({ model: "fast-chat", messages: [{ role: "user", content: "Hi" }], max_tokens: 5 }),
    );
    expect(JSON.parse(answer)).toHaveProperty("x_supplier_note", { kept: true });
  });
});

describe("credentials and headers", () => {
  test("the client's key, cookies and addresses never reach the supplier; gw's credential and the call's id do", async () => {
    const { response, seen } = await passed(
      JSON.stringify({
        model: "fast-chat",
        messages: [{ role: "user", content: "Hi" }],
        api_base: "http://evil",
        api_key: "x",
      }),
      {
        cookie: "session=1",
        "x-forwarded-for": "203.0.113.9",
        "x-session-id": "s-9",
        "openai-organization": "org-mine",
      },
    );
    expect(seen.headers.authorization).toBe("Bearer sk-secret-of-the-supplier");
    expect(seen.headers["x-request-id"]).toBe(response.headers.get("x-request-id"));
    expect(JSON.stringify(seen)).not.toContain(gateway.budgetKey);
    expect(Object.keys(seen.headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/cookie|forwarded|session|organization/)]),
    );
    expect(seen.headers["accept-encoding"]).toBe("identity");
  });

  test("the client's trace context goes on to the supplier", async () => {
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const { seen } = await passed(JSON.stringify({ model: "fast-chat", messages: [{ role: "user", content: "Hi" }] }), {
      traceparent,
      tracestate: "vendor=1",
    });
    expect(seen.headers).toMatchObject({ traceparent, tracestate: "vendor=1" });
  });

  test("the supplier's key is in no answer, no header and no log line", async () => {
    for (const user of ["tokens=3", "fault=401", "fault=500", "fault=html"]) {
      const { response, answer } = await passed(
        JSON.stringify({ model: "fast-chat", messages: [{ role: "user", content: "Hi" }], user }),
      );
      expect(answer + JSON.stringify([...response.headers])).not.toContain("sk-secret");
    }
    expect(gateway.output()).not.toContain("sk-secret");
    expect(gateway.output()).not.toContain(gateway.budgetKey);
  });

  test("the session is taken from the header first, then from the metadata", async () => {
    const body = { model: "fast-chat", messages: [{ role: "user", content: "Hi" }] };
    const sessionOf = async (more: object, headers?: Record<string, string>) => {
      const { response } = await passed(JSON.stringify({ ...body, ...more }), headers);
      const id = response.headers.get("x-request-id")!;
      await gateway.booked(id);
      return (await gateway.sql("SELECT session_id FROM usage_event WHERE request_id = $1", [id]))[0].session_id;
    };
    const metadata = { session_id: "body", sticky_key: "sticky" };
    expect(await sessionOf({ metadata }, { "x-session-id": "header" })).toBe("header");
    expect(await sessionOf({ metadata })).toBe("body");
    expect(await sessionOf({ metadata: { sticky_key: "sticky" } })).toBe("sticky");
    expect(await sessionOf({})).toBeNull();
  });
});

describe("usage in a stream", () => {
  const stream = async (options?: object) => {
    const response = await gateway.chat({
      stream: true,
      user: "tokens=3",
      ...(options ? { stream_options: options } : {}),
    });
    const [seen] = (await gateway.standIn.seen(response.headers.get("x-request-id")!)).requests;
    return {
      events: await eventsOf(response),
      asked: (JSON.parse(seen!.body) as { stream_options: object }).stream_options,
    };
  };

  test("is asked of the supplier in any case, and shown only to the client that asked", async () => {
    const hidden = await stream();
    expect(hidden.asked).toEqual({ include_usage: true });
    expect(JSON.stringify(hidden.events)).not.toContain("usage");
    const refused = await stream({ include_usage: false, include_obfuscation: false });
    expect(refused.asked).toEqual({ include_usage: true, include_obfuscation: false });
    expect(JSON.stringify(refused.events)).not.toContain("usage");
    const shown = await stream({ include_usage: true });
    expect(shown.events.at(-2)).toMatchObject({ choices: [], usage: { completion_tokens: 3 } });
    expect(shown.events.at(-1)).toBe("[DONE]");
  });

  test("events arrive one by one, not at the end", async () => {
    const response = await gateway.chat({ stream: true, user: "tokens=10;pace=40" });
    const times: number[] = [];
    for await (const _chunk of response.body as unknown as AsyncIterable<Uint8Array>) times.push(Date.now());
    expect(times.at(-1)! - times[0]!).toBeGreaterThan(200);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(response.headers.get("cache-control")).toContain("no-transform");
  });
});
