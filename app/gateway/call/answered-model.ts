import { isUnknownModel, noteAnsweredModel } from "~/domain/catalogue/profiles";
import type { Route } from "~/domain/catalogue/shared";
import type { ByteSource, SupplierReply } from "../canonical/exchange";

/** So far an answer is looked at: the model's name stands among its first members. */
const FIRST_BYTES = 4_096;
const MODEL = /"model"\s*:\s*"([^"\\]{1,200})"/;

/**
 * The answer of a chat-style supplier, whose model is noted where the route's own name for it says nothing: deployments have free names
 * and answer with the model's. Every other answer is the same object.
 */
export function notingModel(reply: SupplierReply, route: Route): SupplierReply {
  if (route.supplier.kind !== "chat" || !isUnknownModel(route)) return reply;
  if (reply.kind === "stream") return { ...reply, source: noting(reply.source, route) };
  note(reply.body, route);
  return reply;
}

function noting(source: ByteSource, route: Route): ByteSource {
  let isFirst = true;
  return {
    start: (sink) =>
      source.start({
        data(chunk) {
          if (isFirst) note(chunk, route);
          isFirst = false;
          sink.data(chunk);
        },
        end: () => sink.end(),
        fail: (failure) => sink.fail(failure),
      }),
    pause: () => source.pause(),
    resume: () => source.resume(),
    abort: () => source.abort(),
  };
}

function note(bytes: Buffer, route: Route): void {
  const model = MODEL.exec(bytes.toString("utf8", 0, FIRST_BYTES))?.[1];
  if (model !== undefined) noteAnsweredModel(route, model);
}
