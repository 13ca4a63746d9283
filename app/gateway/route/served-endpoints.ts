import type { Capability, Model, Route } from "~/domain/catalogue/shared";
import { type AppError, apiError } from "~/errors/app-error";
import type { DialectName } from "../canonical/exchange";
import { translatorFor } from "../dialects/translators";
import { adapterOf } from "../suppliers/registry";

/** Each dialect's name in messages, its operation, and the capability of the models that it serves. */
const ENDPOINTS: Readonly<Record<DialectName, { capability: Capability; name: string; operation: string }>> = {
  chat: { capability: "chat", name: "chat completions", operation: "POST /v1/chat/completions" },
  completions: { capability: "chat", name: "text completions", operation: "POST /v1/completions" },
  messages: { capability: "chat", name: "messages", operation: "POST /v1/messages" },
  responses: { capability: "chat", name: "responses", operation: "POST /v1/responses" },
  native: { capability: "chat", name: "native agents' responses", operation: "POST /v1/vendorb/responses" },
  embeddings: { capability: "embedding", name: "embeddings", operation: "POST /v1/embeddings" },
  rerank: { capability: "rerank", name: "rerank", operation: "POST /v1/rerank" },
  moderation: { capability: "moderation", name: "moderations", operation: "POST /v1/moderations" },
  image: { capability: "image", name: "image generation", operation: "POST /v1/images/generations" },
  imageEdit: { capability: "image", name: "image edits", operation: "POST /v1/images/edits" },
  speech: { capability: "speech", name: "speech", operation: "POST /v1/audio/speech" },
  transcription: {
    capability: "transcription",
    name: "transcriptions",
    operation: "POST /v1/audio/transcriptions",
  },
  translation: {
    capability: "transcription",
    name: "audio translations",
    operation: "POST /v1/audio/translations",
  },
};

/** Whether the route's supplier can serve a client's dialect, directly or by translation. */
export function canReach(route: Route, dialect: DialectName): boolean {
  const spoken = adapterOf(route.supplier)?.speaks(dialect, route) ?? null;
  return spoken !== null && translatorFor(dialect, spoken) !== undefined;
}

/**
 * Whether a model has the endpoint's capability and one of its routes can serve it, even if that route is closed now.
 */
export const servesEndpoint = ({ capability }: Model, routes: readonly Route[], dialect: DialectName): boolean =>
  capability === ENDPOINTS[dialect].capability && routes.some((route) => canReach(route, dialect));

/** Returns the error for an endpoint that a model does not serve: permanent, with the endpoints that it does serve. */
export function wrongEndpoint(model: Model, routes: readonly Route[], dialect: DialectName): AppError {
  const served = (Object.keys(ENDPOINTS) as DialectName[]).filter((name) => servesEndpoint(model, routes, name));
  const operations = served.map((name) => ENDPOINTS[name].operation);
  const instead = operations.length === 0 ? "It serves no endpoint here." : `It serves ${inOneLine(operations)}.`;
  return apiError("capability_unsupported", {
    userMessage: `“${model.id}” does not serve ${ENDPOINTS[dialect].name}. ${instead}`,
    param: "model",
  });
}

const inOneLine = (names: readonly string[]): string =>
  names.length === 1 ? names[0]! : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
