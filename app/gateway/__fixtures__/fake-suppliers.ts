import type { Catalogue, Route } from "~/domain/catalogue/shared";
import type { Caller } from "~/domain/keys/shared";
import type { CallContext } from "../call-context";
import type { ByteSink, Exchange, Outgoing } from "../canonical/exchange";
import type { InferenceRequest } from "../canonical/inference-request";
import { hintsOf } from "../canonical/routing-hints";
import { SupplierFailure } from "../canonical/supplier-failure";
import type { Dialect, StreamReader, Translator } from "../dialects/dialect";

/** Settings of the fake suppliers and the requests that they received. */
export const world = {
  catalogue: { models: new Map(), routes: new Map() } as Catalogue,
  dispatched: [] as Outgoing[],
  /** Outcomes of the next dispatches, then `ok`. */
  faults: [] as string[],
  /** Outcome at a supplier, by its name, in any order. */
  faultsAt: new Map<string, string>(),
};

/** Replaces `./suppliers/registry`: an adapter for every kind but one. */
export const registry = {
  adapterOf: ({ kind }: { kind: string }) =>
    kind === "aggregator" ? undefined : { kind, speaks: (dialect: string) => dialect, send },
};

/** Replaces `./dialects/translators`. */
export const translators = { translatorFor: () => translator };

/** Replaces `~/domain/catalogue/index.server`. */
export const catalogueFace = {
  catalogue: () => world.catalogue,
  refusedFields: () => [],
  learnRefusal: () => undefined,
};

/** Sets the catalogue to these routes. */
export function serve(routes: readonly Route[]): void {
  const byModel = new Map<string, Route[]>();
  for (const route of routes) byModel.set(route.model.id, [...(byModel.get(route.model.id) ?? []), route]);
  world.catalogue = { models: new Map(routes.map(({ model }) => [model.id, model])), routes: byModel };
}

/** Statuses, with Retry-After after a plus; failures without an answer; `first-error`, `cut`, `ok`. */
export const FAULTS = [
  "ok",
  "400",
  "401",
  "429",
  "429+9",
  "500",
  "503+1",
  "connect",
  "timeout",
  "reset",
  "first-error",
  "cut",
];

// Records every dispatch.
function send(outgoing: Outgoing): Exchange {
  world.dispatched.push(outgoing);
  const fault = world.faultsAt.get(outgoing.route.supplier.name) ?? world.faults.shift() ?? "ok";
  const failure = failureOf(fault);
  return {
    abort: () => {},
    reply: failure
      ? Promise.reject(failure)
      : Promise.resolve(
          outgoing.stream
            ? { kind: "stream", status: 200, headers: {}, source: sourceOf(fault) }
            : { kind: "whole", status: 200, headers: {}, body: Buffer.from(fault) },
        ),
  };
}

function failureOf(fault: string): SupplierFailure | null {
  const [name, retryAfter] = fault.split("+");
  if (/^\d+$/.test(name!)) {
    const retryAfterSeconds = retryAfter === undefined ? null : Number(retryAfter);
    return new SupplierFailure("status", fault, { executed: "no", status: Number(name), retryAfterSeconds });
  }
  if (name === "connect") return new SupplierFailure("connect", fault, { executed: "no" });
  if (name === "timeout" || name === "reset") return new SupplierFailure(name, fault, { executed: "unknown" });
  return null;
}

const sourceOf = (fault: string) => ({
  start(sink: ByteSink) {
    sink.data(Buffer.from(fault));
    if (fault === "cut") sink.fail(new SupplierFailure("reset", "cut", { executed: "yes" }));
    else sink.end();
  },
  pause() {},
  resume() {},
  abort() {},
});

const translator: Translator = {
  forward: (_ask, route) => route.upstreamModel,
  readAnswer: (_ask, body) => {
    if (String(body) === "first-error") throw new SupplierFailure("protocol", "an error", { executed: "yes" });
    return { body, usage: null, outputText: () => "" };
  },
  openStream: () => new FakeReader(),
};

class FakeReader implements StreamReader {
  started = false;
  state: StreamReader["state"] = "open";
  failure: StreamReader["failure"] = null;
  usage = null;
  terminal = Buffer.alloc(0);

  push(chunk: Buffer) {
    if (String(chunk) === "first-error") {
      this.state = "failed";
      this.failure = { code: "overloaded", type: null, message: "an error", protocol: false };
    } else this.started = String(chunk) === "ok";
    return chunk;
  }

  end() {
    return this.started;
  }

  outputText() {
    return "";
  }
}

export const fakeDialect = {
  name: "chat",
  endpoint: "chat/completions",
  hints: (inference: InferenceRequest) => hintsOf(inference.source as Record<string, unknown>),
} as Dialect;

/** A request whose body is `source`. */
export const anInferenceRequest = (more: Partial<InferenceRequest> = {}): InferenceRequest => ({
  dialect: "chat",
  endpoint: "chat/completions",
  requestedModel: "m",
  stream: false,
  region: null,
  sessionId: null,
  size: { bodyBytes: 100, hasMedia: false, maxOutputTokens: 50, choices: 1 },
  retrySafe: true,
  source: {},
  ...more,
});

export const aCaller = (more: Partial<Caller> = {}): Caller =>
  ({
    keyId: 1,
    publicId: "key_1",
    allowedModels: [],
    allowedRegions: [],
    exempt: true,
    limited: false,
    ...more,
  }) as Caller;

/** The context of a parsed request. */
export const callContext = (
  inference: InferenceRequest,
  more: Pick<CallContext, "call"> & Partial<CallContext>,
): CallContext => ({
  caller: aCaller(),
  inference,
  dialect: fakeDialect,
  sessionId: inference.sessionId,
  claim: null,
  ...more,
});
