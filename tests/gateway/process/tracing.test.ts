import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type CollectedSpan, type Collector, startCollector } from "../../support/collector";
import { type RoutingGateway, startRoutingGateway } from "../../support/routing-gateway";

const [SERVER, CLIENT, ERROR] = [2, 3, 2];

let collector: Collector;
let gateway: RoutingGateway;
beforeAll(async () => {
  collector = await startCollector();
  gateway = await startRoutingGateway({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "x-collector-token=token-of-the-collector",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
      OTEL_BSP_SCHEDULE_DELAY: "50",
    },
  });
}, 120_000);
afterAll(async () => {
  await gateway?.close();
  await collector?.close();
});

/** Waits for the request span of a call and returns all its spans; attempts are sent before it or with it. */
async function spansOf(callId: string): Promise<{ request: CollectedSpan; attempts: CollectedSpan[] }> {
  const isRequest = ({ attributes }: CollectedSpan) => attributes["gw.request.id"] === callId;
  await vi.waitFor(() => expect(collector.spans.some(isRequest)).toBe(true), { timeout: 10_000 });
  const request = collector.spans.find(isRequest)!;
  return { request, attempts: collector.spans.filter(({ parentSpanId }) => parentSpanId === request.spanId) };
}

const idOf = (response: Response) => response.headers.get("x-request-id")!;

describe("a call is a trace", () => {
  test.each([false, true])("of the request and its attempt, with tokens and charge; streamed: %s", async (stream) => {
    const response = await gateway.chat({
      model: "alone",
      stream,
      messages: [{ role: "user", content: "CANARY-words" }],
    });
    await response.text();
    const { request, attempts } = await spansOf(idOf(response));
    await gateway.usageOf(idOf(response));
    const [used] = await gateway.sql(
      "SELECT input_tokens AS input, output_tokens AS output, charged::bigint AS charged FROM usage_event WHERE request_id = $1",
      [idOf(response)],
    );
    expect(request).toMatchObject({ name: "POST /v1/chat/completions", kind: SERVER, status: 0 });
    expect(request.parentSpanId).toBeUndefined();
    expect(request.attributes).toMatchObject({
      ...{ "http.route": "/v1/chat/completions", "http.response.status_code": 200, "gen_ai.request.model": "alone" },
      ...{ "gen_ai.operation.name": "chat", "gen_ai.request.stream": stream },
      "gw.charged_usd": Number(used.charged) / 1e9,
    });
    expect(request.resource).toMatchObject({ "service.name": "gw", "deployment.environment.name": "test" });
    expect(attempts).toHaveLength(1);
    const [attempt] = attempts as [CollectedSpan];
    expect(attempt).toMatchObject({ name: "chat upstream-alone", kind: CLIENT, traceId: request.traceId, status: 0 });
    expect(attempt.attributes).toMatchObject({
      ...{ "gw.supplier": "steady", "gw.region": "eu-west", "server.address": "127.0.0.1" },
      ...{ "gen_ai.usage.input_tokens": used.input, "gen_ai.usage.output_tokens": used.output },
      "http.response.status_code": 200,
    });
    // The attempt starts after the request starts, and ends before it ends.
    expect(BigInt(attempt.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(request.startTimeUnixNano));
    expect(BigInt(attempt.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(request.endTimeUnixNano));
    const sent = collector.bodies.join("\n");
    for (const secret of ["CANARY-words", "sk-steady", gateway.key]) expect(sent).not.toContain(secret);
    expect(collector.headers[0]!["x-collector-token"]).toBe("token-of-the-collector");
  });

  test("of the client's own, and the supplier's spans belong to the attempt", async () => {
    const [traceId, parent] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
    const headers = { traceparent: `00-${traceId}-${parent}-01`, tracestate: "vendor=1" };
    await gateway.quiet();
    const response = await gateway.chat({ model: "alone" }, { headers });
    await response.text();
    const { request, attempts } = await spansOf(idOf(response));
    expect(request).toMatchObject({ traceId, parentSpanId: parent });
    const [seen] = (await gateway.first.seen(idOf(response))).requests;
    expect(seen!.headers).toMatchObject({
      traceparent: `00-${traceId}-${attempts[0]!.spanId}-01`,
      tracestate: "vendor=1",
    });
  });

  test("that the client does not want recorded is not, and the supplier is told so", async () => {
    const traceId = "5bf92f3577b34da6a3ce929d0e0e4736";
    await gateway.quiet();
    const response = await gateway.chat(
      { model: "alone" },
      { headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-00` } },
    );
    await response.text();
    const [seen] = (await gateway.first.seen(idOf(response))).requests;
    expect(seen!.headers.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    await spansOf(idOf(await gateway.chat({ model: "alone" })));
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });

  test("with a span for each supplier that was tried", async () => {
    await gateway.quiet();
    await gateway.first.plan({ queue: ["500"] });
    const response = await gateway.chat({ model: "ranked-steady" });
    await response.text();
    const { request, attempts } = await spansOf(idOf(response));
    const told = attempts.map(({ attributes, status }) => [
      attributes["gw.supplier"],
      attributes["http.response.status_code"],
      status,
    ]);
    expect(told).toEqual([
      ["steady", 500, ERROR],
      ["second", 200, 0],
    ]);
    expect(attempts[0]!.attributes["error.type"]).toBe("500");
    expect(request.attributes["error.type"]).toBeUndefined();
  });

  test("also where it is refused, with the code, and no more of what the client wrote than fits", async () => {
    const model = `nothing-${"x".repeat(1_000)}`;
    const response = await gateway.chat({ model });
    expect(response.status).toBeGreaterThanOrEqual(400);
    const { code } = (await response.json()).error;
    const { request, attempts } = await spansOf(idOf(response));
    expect(attempts).toEqual([]);
    expect(request.attributes).toMatchObject({ "error.type": code, "http.response.status_code": response.status });
    expect(String(request.attributes["gen_ai.request.model"] ?? "").length).toBeLessThanOrEqual(256);
  });
});

test("a collector that is away costs spans and nothing else, and the log says so", async () => {
  const lonely = await startRoutingGateway({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
      OTEL_BSP_SCHEDULE_DELAY: "50",
      OTEL_EXPORTER_OTLP_TIMEOUT: "500",
    },
  });
  try {
    for (let turn = 0; turn < 5; turn += 1) expect((await lonely.chat({ model: "alone" })).status).toBe(200);
    await vi.waitFor(() => expect(lonely.output()).toContain('"msg":"tracing"'), { timeout: 10_000 });
    expect(await lonely.kill("SIGTERM")).toBe(0);
  } finally {
    await lonely.close();
  }
}, 60_000);
