import { type UsageRow, usageRows } from "./chat-gateway";
import { type Gateway, startGateway } from "./gateway";
import { type MediaSupplier, startMediaSupplier } from "./media-supplier";

/** A gateway in front of a stand-in for embeddings, ranks, moderation, images and audio. */
export type MediaGateway = Gateway & {
  supplier: MediaSupplier;
  /** A key with a budget: each call places a hold before its dispatch. */
  budgetKey: string;
  post(
    path: string,
    body: object | FormData,
    init?: { key?: string; headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<Response>;
  /** Waits for the only usage row of a call and returns it with the hold. */
  booked(response: Response): Promise<UsageRow & { held: bigint | null }>;
};

type Price = Record<string, number>;

/** Returns the catalogue. Model names contain the dialect; upstream names select the behaviour of the stand-in. */
function catalogueFor(url: string): object {
  const supplier = (name: string, region: string) => ({
    name,
    kind: "chat",
    base_url: url,
    region,
    timeout_ms: 10_000,
    idle_timeout_ms: 10_000,
    cooldown: false,
    credentials: [{ name: "main", api_key: "sk-secret-of-the-supplier" }],
  });
  const model = (id: string, capability: string, price: Price, ...upstream: string[]) => ({
    id,
    capability,
    routes: upstream.map((name, index) => ({
      supplier: index === 0 ? "primary" : "second",
      upstream_model: name,
      priority: index + 1,
      price,
    })),
  });
  const several = (capability: string, prefix: string, price: Price, faults: string[]) => [
    model(prefix, capability, price, `up-${prefix}`),
    model(`${prefix}-failover`, capability, price, `up-${prefix}-503`, `up-${prefix}`),
    ...faults.map((fault) => model(`${prefix}-${fault}`, capability, price, `up-${prefix}-${fault}`)),
  ];
  return {
    suppliers: [supplier("primary", "eu"), supplier("second", "us")],
    models: [
      ...several("embedding", "embed", { input_per_mtok: 0.02 }, [
        "base64",
        "floats",
        "silent",
        "insane",
        "html",
        "400",
      ]),
      ...several("rerank", "rank", { per_request: 0.002, input_per_mtok: 0.05 }, ["silent", "empty"]),
      ...several("moderation", "moderate", { input_per_mtok: 0 }, ["silent", "few", "500"]),
      ...several("image", "paint", { input_per_mtok: 5, output_per_mtok: 40 }, ["silent", "insane", "html", "400"]),
      model("paint-each", "image", { per_request: 0.04 }, "up-paint-silent"),
      ...several("speech", "tts", { per_mchar: 15, per_request: 0.000001 }, ["html", "empty", "cut", "slow", "429"]),
      model("tts-tokens", "speech", { input_per_mtok: 0.6, per_mchar: 1 }, "up-tts"),
      ...several("transcription", "hear", { per_second: 0.0001 }, ["silent", "empty", "html", "500"]),
      model("whisper", "transcription", { per_second: 0.0001 }, "up-whisper-silent"),
    ],
  };
}

export async function startMediaGateway(): Promise<MediaGateway> {
  const supplier = await startMediaSupplier();
  const gateway = await startGateway({ config: catalogueFor(supplier.url) });
  const { key: budgetKey } = await gateway.createKey({ budget_limit: 1_000, budget_period: "monthly" });
  return {
    ...gateway,
    supplier,
    budgetKey,
    post: (path, body, { key = budgetKey, headers = {}, signal } = {}) =>
      fetch(`${gateway.url}${path}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          ...(body instanceof FormData ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        body: body instanceof FormData ? body : JSON.stringify(body),
        signal,
      }),
    booked: async (response) => {
      const callId = response.headers.get("x-request-id")!;
      for (let tries = 0; ; tries += 1) {
        const [row] = await usageRows(gateway, callId);
        if (row === undefined && tries < 100) {
          await new Promise((resolve) => setTimeout(resolve, 50));
          continue;
        }
        const [hold] = await gateway.sql("SELECT amount FROM hold WHERE id = $1", [callId]);
        return { ...row!, held: hold ? BigInt(hold.amount) : null };
      }
    },
    close: async () => {
      await gateway.close();
      await supplier.close();
    },
  };
}

export const errorOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string; type: string; human_message: string; param?: string } }).error;
