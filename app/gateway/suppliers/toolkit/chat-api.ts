import { profileOf } from "~/domain/catalogue/profiles";
import type { Route, SupplierKind } from "~/domain/catalogue/shared";
import type {
  AskedOf,
  DialectName,
  Exchange,
  Outgoing,
  OutgoingBody,
  SupplierAdapter,
  WireName,
} from "../../canonical/exchange";
import { SupplierFailure } from "../../canonical/supplier-failure";
import { bearer, isAccount, signedIn } from "./access-token";
import { openAiBatches } from "./batch-api";
import { patienceOf } from "./connection/patience";
import { poolOf } from "./connection/pools";
import { keyHeader, pathForModel, secretsOf, withQuery } from "./extras";
import { listModels, plainModel } from "./list-models";
import { post } from "./post";
import type { readFailure } from "./read-failure";
import { requestHeaders } from "./request-headers";

/** What differs between suppliers with a chat completions API. Every member has a default. */
export type ChatApi = {
  kind: SupplierKind;
  /** Supported dialects besides chat; default: all that this kind of API may have. */
  takes?: readonly DialectName[];
  /** Headers of every request; lower-case names. */
  headers?: Readonly<Record<string, string>>;
  /** Changes a JSON body before it is sent. */
  rewrite?(body: string, dialect: WireName): string;
  /** Reads its error responses. */
  readFailure?: typeof readFailure;
  /** Reads an entry of its list of models, if that has more than a name. */
  readModel?: typeof plainModel;
};

/** Path of each dialect under the base URL. */
const PATHS: Partial<Record<WireName, string>> = {
  chat: "/chat/completions",
  responses: "/responses",
  embeddings: "/embeddings",
  rerank: "/rerank",
  moderation: "/moderations",
  image: "/images/generations",
  imageEdit: "/images/edits",
  speech: "/audio/speech",
  transcription: "/audio/transcriptions",
  translation: "/audio/translations",
};

/** Creates the adapter of a supplier with a chat completions API: bearer credential, paths under its base URL. */
export function chatApi(api: ChatApi): SupplierAdapter {
  const paths = api.takes === undefined ? PATHS : only(api.takes);
  return {
    kind: api.kind,
    speaks(dialect, route, inference) {
      const { supplier } = route;
      if (inference !== undefined && needsResponses(route, inference)) return "responses";
      // These dialects are translated to chat, unless the supplier supports them itself.
      if (dialect === "messages" || dialect === "completions") return "chat";
      if (dialect === "responses" && supplier.speaksResponses !== true) return "chat";
      return paths[dialect] === undefined ? null : dialect;
    },
    send: (outgoing) => send(api, outgoing),
    ...(api.kind === "chat" || api.kind === "gateway" ? { batches: openAiBatches(api.headers) } : {}),
    async listModels(supplier, credential) {
      const isFixed = credential !== null && !isAccount(credential.apiKey);
      const signIn = isFixed
        ? Object.fromEntries([keyHeader(credential.apiKey, supplier)])
        : await bearer(supplier, credential);
      return listModels(supplier, signIn, api.readModel ?? plainModel);
    },
  };
}

/** Members of a chat request that the responses format does not have. */
const CHAT_ALONE = ["n", "logprobs", "functions", "function_call", "audio", "modalities", "logit_bias", "store"];

/** Whether a request offers tools to a reasoning model that supports both together only in the responses format. */
function needsResponses(route: Route, { dialect, source }: AskedOf): boolean {
  if ((dialect !== "chat" && dialect !== "messages") || route.supplier.speaksResponses !== true) return false;
  const profile = profileOf(route);
  if (profile.toolsWhileThinking !== "responses") return false;
  const { body } = source as {
    body: { tools?: unknown; reasoning_effort?: unknown; thinking?: { type?: unknown } | null };
  };
  if (!Array.isArray(body.tools) || body.tools.length === 0) return false;
  if (dialect === "chat" && !isPlainChat(body as Readonly<Record<string, unknown>>)) return false;
  const says = body.reasoning_effort ?? body.thinking?.type ?? null;
  return says === null ? profile.thinking.byDefault : says !== "none" && says !== "disabled";
}

const isPlainChat = (body: Readonly<Record<string, unknown>>): boolean =>
  CHAT_ALONE.every((name) => body[name] == null) &&
  (body.tools as { type?: unknown }[]).every((tool) => tool?.type === "function");

const only = (takes: readonly DialectName[]): typeof PATHS =>
  Object.fromEntries(
    Object.entries(PATHS).filter(
      ([name]) => name === "chat" || name === "responses" || takes.includes(name as DialectName),
    ),
  );

function send(api: ChatApi, outgoing: Outgoing): Exchange {
  const { route, callId, stream, dialect } = outgoing;
  const { supplier } = route;
  const { pool, basePath } = poolOf(supplier);
  const path = `${pathForModel(basePath, route.upstreamModel)}${PATHS[dialect] ?? ""}`;
  let body: OutgoingBody = outgoing.body;
  try {
    if (api.rewrite !== undefined && typeof body === "string") body = api.rewrite(body, dialect);
  } catch (cause) {
    return refused(new SupplierFailure("protocol", "the request cannot be written", { executed: "no", cause }));
  }
  return signedIn(outgoing, (secret, isToken) =>
    post({
      pool,
      path: withQuery(path, supplier),
      headers: requestHeaders(
        {
          callId,
          accept: acceptOf(dialect, stream),
          secret:
            secret === null ? null : isToken ? ["authorization", `Bearer ${secret}`] : keyHeader(secret, supplier),
        },
        outgoing.headers,
        api.headers,
        supplier.extras?.headers,
      ),
      secrets: secretsOf(supplier, secret),
      body,
      stream,
      ...patienceOf(route),
      readFailure: api.readFailure,
    }),
  );
}

const refused = (failure: SupplierFailure): Exchange => ({ reply: Promise.reject(failure), abort: () => undefined });

function acceptOf(dialect: WireName, stream: boolean): string {
  if (dialect === "speech") return "audio/mpeg, audio/wav, application/octet-stream";
  if (dialect === "transcription" || dialect === "translation") return "application/json, text/plain";
  return stream ? "text/event-stream" : "application/json";
}
