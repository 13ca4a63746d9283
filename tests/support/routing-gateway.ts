import { type AddressInfo, createServer } from "node:net";
import { pause } from "./chat-gateway";
import { type Gateway, type GatewayOptions, startGateway } from "./gateway";
import { type StandIn, startStandIn } from "./stand-in-supplier";

type Attempt = { supplier: string; startedMs: number; endedMs: number };

/** A gateway with two suppliers of the same models, each in its own process. */
export type RoutingGateway = Gateway & {
  first: StandIn;
  second: StandIn;
  /** Returns the number of connections to the supplier `outside`, which is in the US and never answers. */
  connectionsOutside(): number;
  chat(body?: object, init?: { key?: string; headers?: Record<string, string> }): Promise<Response>;
  /** Sends a call and returns the supplier that answers it. */
  supplierOf(body?: object, headers?: Record<string, string>): Promise<string | null>;
  /** Waits for the usage row of a call and returns it. */
  usageOf(callId: string): Promise<{ model: string; attempts: Attempt[] }>;
  /** Resets both suppliers: they answer without faults and have no recorded requests. */
  quiet(): Promise<void>;
};

type Route = { supplier: string; priority?: number; weight?: number; dollars?: number };

const model = (id: string, routes: readonly Route[], more: object = {}) => ({
  id,
  capability: "chat",
  context_tokens: 128_000,
  max_output_tokens: 4_000,
  auto: false,
  ...more,
  routes: routes.map(({ supplier, priority = 1, weight = 1, dollars = 1 }) => ({
    supplier,
    upstream_model: `upstream-${id}`,
    priority,
    weight,
    price: { input_per_mtok: dollars, output_per_mtok: 3 * dollars },
  })),
});

function catalogue(first: string, second: string, outside: string): object {
  const supplier = (name: string, base_url: string, more: object = {}) => ({
    name,
    kind: "chat",
    base_url,
    region: "eu-west",
    credentials: [{ name: "main", api_key: `sk-${name}` }],
    ...more,
  });
  const ranked = (one: string, other: string): Route[] => [
    { supplier: one, priority: 1 },
    { supplier: other, priority: 2 },
  ];
  return {
    suppliers: [
      supplier("first", first),
      supplier("second", second),
      supplier("steady", first, { cooldown: false }),
      supplier("far", second, { region: "us" }),
      supplier("outside", outside, { region: "us" }),
    ],
    models: [
      model("ranked", ranked("first", "second")),
      model("ranked-steady", ranked("steady", "second")),
      model("locked", ranked("first", "outside")),
      ...["chat", "embedding", "rerank", "transcription", "speech"].map((capability) =>
        model(`outside-${capability}`, [{ supplier: "outside" }], { capability }),
      ),
      model("limited", ranked("first", "second")),
      model("alone", [{ supplier: "steady" }]),
      model("pair", [{ supplier: "first" }, { supplier: "second" }]),
      model("weighted", [
        { supplier: "first", weight: 3 },
        { supplier: "second", weight: 1 },
      ]),
      model("cheap", [{ supplier: "first", dollars: 1 }], { auto: true, tools: false }),
      model("able", [{ supplier: "second", dollars: 5 }], { auto: true, tools: true, quality: 60 }),
      model("best", [{ supplier: "far", dollars: 50 }], { auto: true, tools: true, quality: 95 }),
    ],
  };
}

/** @param standIns the suppliers of another gateway, which this one shares */
export async function startRoutingGateway(
  options: GatewayOptions = {},
  standIns?: { first: StandIn; second: StandIn },
): Promise<RoutingGateway> {
  const first = standIns?.first ?? (await startStandIn());
  const second = standIns?.second ?? (await startStandIn());
  const outside = await startTrap();
  const gateway = await startGateway({ config: catalogue(first.url, second.url, outside.url), ...options });
  const chat: RoutingGateway["chat"] = (body = {}, { key = gateway.key, headers = {} } = {}) =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      body: JSON.stringify({ model: "pair", messages: [{ role: "user", content: "Hello" }], max_tokens: 20, ...body }),
    });
  return {
    ...gateway,
    first,
    second,
    connectionsOutside: outside.connections,
    chat,
    supplierOf: async (body, headers) => {
      const response = await chat(body, { headers });
      await response.text();
      return response.headers.get("x-gw-supplier");
    },
    usageOf: async (callId) => {
      for (let tries = 0; tries < 100; tries += 1) {
        const [row] = await gateway.sql("SELECT model, attempts FROM usage_event WHERE request_id = $1", [callId]);
        if (row !== undefined) return row;
        await pause(50);
      }
      throw new Error(`the call ${callId} has no usage row`);
    },
    quiet: async () => {
      for (const standIn of [first, second]) {
        await standIn.plan({});
        await standIn.forget();
      }
    },
    close: async () => {
      await gateway.close();
      outside.close();
      if (standIns === undefined) await Promise.all([first.close(), second.close()]);
    },
  };
}

/** Listens on a port that counts connections and closes them at once. */
async function startTrap() {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, connections: () => connections, close: () => server.close() };
}
