import { setTimeout as pause } from "node:timers/promises";

/**
 * Sends mixed requests from several concurrent clients, through every crash. Returns a function that stops them; it
 * resolves with the ids of the completely answered calls.
 * @param {{ url: string, key: string, clients: number, random: () => number }} load
 */
export function startLoad({ url, key, clients, random }) {
  let stopped = false;
  /** @type {Set<string>} */
  const completed = new Set();
  /** @type {Record<string, number>} */
  const statuses = {};
  const client = async () => {
    while (!stopped) {
      const stream = random() < 0.5;
      const body = {
        model: random() < 0.8 ? "crash-chat" : "crash-backed-chat",
        stream,
        max_tokens: 40,
        messages: [{ role: "user", content: "word ".repeat(1 + Math.floor(random() * 20)) }],
      };
      try {
        const response = await fetch(`${url}/v1/chat/completions`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        const text = await response.text();
        // For a 503 also count the reason.
        const code = response.status === 503 ? /"code":\s*"(\w+)"/.exec(text)?.[1] : undefined;
        const status = [response.status, code].filter(Boolean).join(" ");
        statuses[status] = (statuses[status] ?? 0) + 1;
        const whole = stream ? text.includes("data: [DONE]") : response.status === 200;
        if (response.status === 200 && whole) completed.add(String(response.headers.get("x-request-id")));
      } catch {
        // Expected while the server is down.
        statuses.broken = (statuses.broken ?? 0) + 1;
        await pause(20);
      }
    }
  };
  const all = Array.from({ length: clients }, client);
  return {
    stop: async () => {
      stopped = true;
      await Promise.all(all);
      return { completed, statuses };
    },
  };
}
