import type { ClientName } from "./clients/clients";

/** A cell of the matrix that cannot be answered: it is refused, in words that tell why. */
export type Impossible = {
  twins: readonly string[];
  scenarios: readonly string[];
  clients?: readonly ClientName[];
  reason: string;
  /** What the client is told. */
  says: RegExp;
  /** gw refuses before a supplier is asked; absent: the supplier does, and its words reach the client. */
  byGateway?: true;
};

const PICTURES = ["a picture", "a picture in a result"];

export const IMPOSSIBLE: readonly Impossible[] = [
  {
    twins: ["deepseek"],
    scenarios: PICTURES,
    reason: "the model takes texts only",
    says: /image_url|expected a string|expected `text`/,
  },
  {
    twins: ["groq", "cerebras", "llama-cpp", "cohere", "bedrock-gpt-oss"],
    scenarios: PICTURES,
    reason: "the model takes texts only",
    says: /image|must be a string/i,
  },
];

export const impossible = (twin: string, client: ClientName, scenario: string): Impossible | undefined =>
  IMPOSSIBLE.find(
    ({ twins, scenarios, clients }) =>
      twins.includes(twin) && scenarios.includes(scenario) && (clients === undefined || clients.includes(client)),
  );
