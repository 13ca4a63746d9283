import { catalogue } from "~/domain/catalogue/index.server";
import type { Caller } from "~/domain/keys/shared";
import { priceMaximum, priceUsage } from "~/domain/pricing/index.server";
import { health, monotonicNow, type PricedRoute } from "~/domain/routing/index.server";
import {
  AUTO_MODEL,
  type AutoRecord,
  type AutorouterAlgorithm,
  type DryRunEndpoint,
  type RoutingRecord,
} from "~/domain/routing/shared";
import { AppError } from "~/errors/app-error";
import { boundsOf } from "./admit/bounds";
import type { InferenceRequest } from "./canonical/inference-request";
import { NO_USAGE, type Usage } from "./canonical/usage";
import { chatDialect } from "./dialects/chat";
import { completionsDialect } from "./dialects/completions";
import type { Dialect } from "./dialects/dialect";
import { messagesDialect } from "./dialects/messages";
import { responsesDialect } from "./dialects/responses";
import { route } from "./route";
import { lockOf } from "./route/lock";
import { describeRouting, excludedOf } from "./route/trace";

/** A request as routing sees it, and what its key may use; empty lists allow everything. */
export type DryRunAsk = {
  model: string;
  endpoint: DryRunEndpoint;
  allowedModels: readonly string[];
  allowedRegions: readonly string[];
  /** The key's settings for `auto`; absent if it has none. */
  autorouter?: Caller["autorouter"];
  /** The region that the request itself demands. */
  region: string | null;
  /** The algorithm of `auto` for this request; null for the configured one. */
  algorithm: AutorouterAlgorithm | null;
  inputTokens: number;
  /** The request's own maximum; null if it has none. */
  maxOutputTokens: number | null;
  tools: boolean;
  images: boolean;
};

/** A supplier that would be tried, in order of attempts. Amounts are nano-USD. */
export type DryRunRoute = {
  supplier: string;
  region: string;
  model: string;
  upstreamModel: string;
  priority: number;
  weight: number;
  /** Health score, above 0 and up to 1, from this process's own traffic. */
  health: number;
  /** Milliseconds until the route is tried again; 0 if it is ready now. */
  readyInMs: number;
  /** Maximum cost of the request at this supplier, and its cost with an answer of the expected length. */
  mostNanoUsd: bigint;
  expectedNanoUsd: bigint;
};

export type DryRun = {
  routes: readonly DryRunRoute[];
  excluded: NonNullable<RoutingRecord["excluded"]>;
  /** The amount that would be held: the maximum cost at the most expensive supplier. */
  holdNanoUsd: bigint;
  auto: AutoRecord | null;
  /** Why the request would be refused; null if it would be sent. */
  refusal: { code: string; message: string } | null;
};

/** UTF-8 bytes per token of ordinary text. */
const BYTES_A_TOKEN = 4;
/** Expected output tokens, unless the request sets a lower maximum. */
const EXPECTED_OUTPUT_TOKENS = 500;

/**
 * Returns the routes that a request would take now, computed by the stage that routes real requests. Nothing is sent,
 * held or stored. Suppliers of one priority are ordered at random by weight and health, so a repeated call may return
 * another order.
 */
export function dryRun(request: DryRunAsk): DryRun {
  const dialect = DIALECTS[request.endpoint];
  const caller = callerOf(request);
  let inference: InferenceRequest;
  try {
    inference = sized(dialect.read(JSON.stringify(bodyOf(request))), request);
    const headers = request.algorithm === null ? undefined : { "x-gw-autorouter": request.algorithm };
    const call = { request: new Request("http://gw/", { headers }) };
    const plan = route({ call, caller, inference, dialect, sessionId: null });
    const bounds = boundsOf(inference, plan);
    const usage = expectedUsage(request);
    const now = monotonicNow();
    const routes = plan.routes.map((each): DryRunRoute => {
      const { supplier, model, upstreamModel, priority, weight, price } = each;
      const readyAt = health.readyAt(each, now);
      return {
        supplier: supplier.name,
        region: supplier.region,
        model: model.id,
        upstreamModel,
        priority,
        weight,
        health: health.score(each, now, null),
        readyInMs: readyAt === 0 ? 0 : Math.ceil(readyAt - now),
        mostNanoUsd: priceMaximum(price, bounds),
        expectedNanoUsd: priceUsage(price, usage),
      };
    });
    const { auto = null } = describeRouting(plan.trace, [], ({ price }: PricedRoute) => priceUsage(price, usage));
    const excluded = excludedOf(plan.trace.considered, plan.trace.lock);
    const holdNanoUsd = routes.reduce(
      (maximum, { mostNanoUsd }) => (mostNanoUsd > maximum ? mostNanoUsd : maximum),
      0n,
    );
    return { routes, excluded, holdNanoUsd, auto, refusal: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const refusal = { code: error.code, message: error.humanMessage };
    return { routes: [], excluded: closedRoutes(request, caller, dialect), holdNanoUsd: 0n, auto: null, refusal };
  }
}

const DIALECTS: Readonly<Record<DryRunEndpoint, Dialect>> = {
  chat: chatDialect,
  completions: completionsDialect,
  messages: messagesDialect,
  responses: responsesDialect,
};

/** Returns the reason why each supplier of a refused request's model is excluded. */
function closedRoutes(request: DryRunAsk, caller: Caller, dialect: Dialect): DryRun["excluded"] {
  if (request.model === AUTO_MODEL) return [];
  const lock = lockOf(caller, { region: request.region, size: {} } as InferenceRequest, dialect);
  return excludedOf(catalogue().routes.get(request.model) ?? [], lock);
}

/** A caller that has only the given access settings: exempt from charges and without limits. */
const callerOf = ({ allowedModels, allowedRegions, autorouter }: DryRunAsk): Caller => ({
  keyId: 0,
  publicId: "",
  kind: "inference",
  organisationId: 0,
  userId: null,
  departmentId: null,
  projectId: null,
  allowedModels,
  allowedRegions,
  rateLimitRpm: null,
  walletId: 0,
  exempt: true,
  limited: false,
  ...(autorouter === undefined ? {} : { autorouter }),
});

/** Replaces the size of the short sample body by the requested number of input tokens. */
const sized = (inference: InferenceRequest, { inputTokens }: DryRunAsk): InferenceRequest => ({
  ...inference,
  size: { ...inference.size, bodyBytes: inputTokens * BYTES_A_TOKEN },
});

const expectedUsage = ({ inputTokens, maxOutputTokens }: DryRunAsk): Usage => ({
  ...NO_USAGE,
  inputTokens,
  outputTokens: Math.min(maxOutputTokens ?? EXPECTED_OUTPUT_TOKENS, EXPECTED_OUTPUT_TOKENS),
});

const PICTURE = "https://example.com/picture.png";
const SCHEMA = { type: "object", properties: {} };

/** Builds a body in the endpoint's own format with the requested features. */
function bodyOf({ endpoint, model, region, maxOutputTokens, tools, images }: DryRunAsk): Record<string, unknown> {
  const limit = (field: string) => (maxOutputTokens === null ? {} : { [field]: maxOutputTokens });
  const common = { model, ...(region === null ? {} : { region }) };
  const says = (type: string, picture: object) => [
    { role: "user", content: images ? [{ type, text: "Hello" }, picture] : "Hello" },
  ];
  switch (endpoint) {
    case "chat":
      return {
        ...common,
        ...limit("max_tokens"),
        messages: says("text", { type: "image_url", image_url: { url: PICTURE } }),
        ...(tools ? { tools: [{ type: "function", function: { name: "tool", parameters: SCHEMA } }] } : {}),
      };
    case "messages":
      return {
        ...common,
        max_tokens: maxOutputTokens ?? EXPECTED_OUTPUT_TOKENS,
        messages: says("text", { type: "image", source: { type: "url", url: PICTURE } }),
        ...(tools ? { tools: [{ name: "tool", input_schema: SCHEMA }] } : {}),
      };
    case "responses":
      return {
        ...common,
        ...limit("max_output_tokens"),
        input: says("input_text", { type: "input_image", image_url: PICTURE }),
        ...(tools ? { tools: [{ type: "function", name: "tool", parameters: SCHEMA }] } : {}),
      };
    default:
      return { ...common, ...limit("max_tokens"), prompt: "Hello" };
  }
}
