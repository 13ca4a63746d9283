import { isUnknownModel, recordAnsweredModel } from "~/domain/catalogue/profiles";
import type { Route } from "~/domain/catalogue/shared";
import type { ByteSource, SupplierReply } from "../canonical/exchange";

/** Bytes of an answer to search: the model's name is among its first members. */
const FIRST_BYTES = 4_096;
const MODEL = /"model"\s*:\s*"([^"\\]{1,200})"/;

/**
 * Returns the reply of a chat-style supplier and records the model that it names, if the route's own name does not tell
 * the model: deployments have free names but answer with the model's name. Every other reply is returned unchanged.
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
  if (model !== undefined) recordAnsweredModel(route, model);
}
