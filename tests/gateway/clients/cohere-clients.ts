import { CohereClient, CohereClientV2, CohereError } from "cohere-ai";
import type { Client, Place } from "./client";

type Rerank = (
  request: { model: string; query: string; documents: string[] },
  options: { abortSignal?: AbortSignal; maxRetries: number },
) => Promise<{ results: { index: number }[] }>;

const NO_CONVERSATION = { none: "rerank has no streams, no tools and no pictures" };

/** Returns one of the two versions of the rerank client. */
const rerankClient = (name: string, rerankOf: (place: Place) => Rerank): Client => ({
  name,
  speaks: "ranks",
  async whole(place, abortSignal) {
    const request = { model: place.model, query: "q", documents: ["one", "two"] };
    const { results } = await rerankOf(place)(request, { abortSignal, maxRetries: 0 });
    return results.map(({ index }) => index).join(" ");
  },
  stream: NO_CONVERSATION,
  tools: NO_CONVERSATION,
  streamedTools: NO_CONVERSATION,
  image: NO_CONVERSATION,
  isTyped: (problem, status) => problem instanceof CohereError && problem.statusCode === status,
});

export const cohereV1 = rerankClient("cohere-ai v1", ({ url, key }) => {
  const client = new CohereClient({ environment: url, token: key });
  return (request, options) => client.rerank(request, options);
});
export const cohereV2 = rerankClient("cohere-ai v2", ({ url, key }) => {
  const client = new CohereClientV2({ environment: url, token: key });
  return (request, options) => client.rerank(request, options);
});
