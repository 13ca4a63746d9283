import { parseLongJson } from "~/http/body/json/parse-json";
import { unreachable } from "~/values/unreachable";
import type { Outgoing } from "../../canonical/exchange";
import { SupplierFailure } from "../../canonical/supplier-failure";
import { readFailure } from "../toolkit/read-failure";
import { type FaultName, faultOf } from "./faults";
import type { SandboxAct } from "./play";

/** The sandbox's input for an answer. */
export type SandboxRequest = {
  callId: string;
  model: string;
  stream: boolean;
  body: string | Buffer;
  /** Number of bytes in the middle of a large upload that are missing in `body`. */
  omitted: number;
  /** Media type of the body, with the boundary of a form. */
  contentType: string;
  usage: "reported" | "none" | "insane";
};

/** A body, or the beginning and end of a large one. */
export type Excerpt = { bytes: string | Buffer; omitted: number };

export type Problem = { code: string; type: string; message: string };

/** A successful answer in one dialect's wire format. `events` are complete server-sent events. */
export type Answer = { contentType: string; body: Buffer } | { events: readonly Buffer[] };

/**
 * One dialect of the sandbox, each in a file of its own. `answer` may reject with a SupplierFailure for a bad request.
 */
export interface SandboxDialect {
  answer(inference: SandboxRequest): Promise<Answer>;
  errorBody(problem: Problem): Buffer;
  errorEvent(problem: Problem): Buffer;
}

const PACE_MS = 12;
const FIRST_BYTE_MS = 15;

/** Parses a JSON request without blocking the event loop of the gateway. */
export async function requestIn({ body }: SandboxRequest): Promise<unknown> {
  const text = body.toString();
  const parsed = await parseLongJson(text);
  return parsed === null ? JSON.parse(text) : parsed.value;
}

/** Returns the reaction to a request: a successful answer, or the fault named by the upstream model. Never rejects. */
export async function actFor(outgoing: Outgoing, body: Excerpt, dialect: SandboxDialect): Promise<SandboxAct> {
  const fault = faultOf(outgoing.route.upstreamModel);
  const refusal = refusalOf(fault, outgoing, dialect);
  if (refusal !== null) return refusal;
  try {
    const good = await goodAct({ outgoing, body, dialect, fault });
    return fault === null ? good : spoiled(good, fault, dialect);
  } catch (error) {
    const failure =
      error instanceof SupplierFailure
        ? error
        : new SupplierFailure("protocol", "the sandbox cannot read the request", { executed: "no", cause: error });
    return { kind: "refuse", afterMs: 0, failure };
  }
}

async function goodAct({
  outgoing,
  body,
  dialect,
  fault,
}: {
  outgoing: Outgoing;
  body: Excerpt;
  dialect: SandboxDialect;
  fault: FaultName | null;
}): Promise<SandboxAct> {
  const answer = await dialect.answer({
    callId: outgoing.callId,
    model: outgoing.route.upstreamModel,
    stream: outgoing.stream,
    body: body.bytes,
    omitted: body.omitted,
    contentType: contentTypeOf(outgoing),
    usage: fault === "no-usage" ? "none" : fault === "insane-usage" ? "insane" : "reported",
  });
  return "events" in answer
    ? { kind: "stream", afterMs: FIRST_BYTE_MS, paceMs: PACE_MS, events: answer.events, end: null }
    : { kind: "whole", afterMs: 0, ...answer };
}

const contentTypeOf = ({ body, headers }: Outgoing): string =>
  typeof body === "string" || Buffer.isBuffer(body)
    ? (headers["content-type"] ?? "application/json")
    : body.contentType;

/** Returns a fault that occurs before a 200 response; null for all others. */
function refusalOf(fault: FaultName | null, { route, stream }: Outgoing, dialect: SandboxDialect): SandboxAct | null {
  const refuse = (status: number, problem: Problem, headers: Record<string, string> = {}): SandboxAct => ({
    kind: "refuse",
    afterMs: 0,
    failure: readFailure({ status, headers, body: dialect.errorBody(problem) }),
  });
  switch (fault) {
    case "401":
      return refuse(401, problem("invalid_api_key", "authentication_error", "The sandbox refuses this credential."));
    case "429":
      return refuse(429, problem("rate_limit_exceeded", "rate_limit_error", "The sandbox is limited on request."), {
        "retry-after": "2",
      });
    case "500":
      return refuse(500, problem("server_error", "server_error", "The sandbox fails on request."));
    case "503":
      return refuse(503, problem("service_unavailable", "server_error", "The sandbox is unavailable on request."), {
        "retry-after": "1",
      });
    case "529":
      return refuse(529, problem("overloaded_error", "overloaded_error", "The sandbox is overloaded on request."));
    case "timeout": {
      const failure = new SupplierFailure("timeout", "the supplier did not answer in time", { executed: "unknown" });
      return { kind: "refuse", afterMs: route.supplier.timeoutMs, failure };
    }
    case "cut-before":
      return stream ? null : { kind: "refuse", afterMs: 0, failure: broken("unknown") };
    default:
      return null;
  }
}

/** Applies a fault to a successful answer. */
function spoiled(good: SandboxAct, fault: FaultName, dialect: SandboxDialect): SandboxAct {
  if (good.kind === "refuse") return good;
  switch (fault) {
    case "no-usage":
    case "insane-usage":
      return good;
    case "slow":
      return good.kind === "stream" ? { ...good, paceMs: 1_000 } : { ...good, afterMs: 3_000 };
    case "cut":
      return good.kind === "stream"
        ? { ...good, events: firstHalf(good.events), end: broken("yes") }
        : { kind: "refuse", afterMs: 20, failure: broken("yes") };
    case "cut-before":
      return good.kind === "stream" ? { ...good, events: [], end: broken("yes") } : good;
    case "error-event":
      return good.kind === "stream"
        ? { ...good, events: [dialect.errorEvent(INSIDE)] }
        : { ...good, body: dialect.errorBody(INSIDE) };
    case "error-mid":
      return good.kind === "stream"
        ? { ...good, events: [...firstHalf(good.events), dialect.errorEvent(INSIDE)] }
        : { ...good, body: dialect.errorBody(INSIDE) };
    case "malformed":
      return good.kind === "stream"
        ? { ...good, events: [...firstHalf(good.events), Buffer.from('data: {"id":"cut in its mid\n\n')] }
        : { ...good, body: good.body.subarray(0, good.body.length >> 1) };
    case "empty":
      return good.kind === "stream" ? { ...good, events: [] } : { ...good, body: Buffer.alloc(0) };
    case "401":
    case "429":
    case "500":
    case "503":
    case "529":
    case "timeout":
      return good;
    default:
      return unreachable(fault);
  }
}

const INSIDE: Problem = {
  code: "overloaded_error",
  type: "overloaded_error",
  message: "The sandbox fails on request.",
};

const problem = (code: string, type: string, message: string): Problem => ({ code, type, message });

const broken = (executed: "yes" | "unknown") =>
  new SupplierFailure("reset", "the supplier's connection broke", { executed });

/** Some content, but not the end. */
const firstHalf = (events: readonly Buffer[]) => events.slice(0, Math.max(1, Math.floor(events.length / 2)));
