import { setTimeout as pause } from "node:timers/promises";
import { decide } from "./plan.mjs";
import { refusalFor } from "./refusals.mjs";
import { piecesFor } from "./stream.mjs";

/**
 * @typedef {import("node:http").IncomingMessage} IncomingMessage
 * @typedef {import("node:http").ServerResponse} ServerResponse
 * @typedef {{ plan: import("./plan.mjs").Plan, bill: import("./bill.mjs").Bill, record: import("./record.mjs").Record }} Supplier
 */

/**
 * A dialect: the user that a request names, the work that it asks for, and the form of the answer.
 * @typedef {object} Dialect
 * @property {(body: Record<string, any>) => unknown} userOf
 * @property {(id: string, body: Record<string, any>, length: number, tokens: number) => Work} workFor
 * @property {(work: Work, usage: import("./stream.mjs").Usage | null) => object} whole
 * @property {import("./stream.mjs").Wire} [wire] if the dialect has streams
 * @property {string} [always] the media type of answers that always come as a stream
 * @property {(bytes: Buffer) => Record<string, any>} [read] parses a body that is not JSON
 */
/** @typedef {import("./answer.mjs").Work} Work */

/** Answers one request in its dialect, as planned. @param {Dialect} dialect @param {Supplier} supplier @param {IncomingMessage} request @param {Buffer} bytes @param {ServerResponse} response */
export async function speak(dialect, supplier, request, bytes, response) {
  const id = String(request.headers["x-request-id"] ?? "");
  const body = dialect.read?.(bytes) ?? parsed(bytes);
  const decision = decide(supplier.plan, id, { user: dialect.userOf(body), model: body.model });
  const { fault, argument } = decision;
  const seen = supplier.record.begin(request, bytes, fault);
  const work = dialect.workFor(id, body, bytes.length, decision.tokens ?? 1);
  /** @type {(completionTokens: number, reason: string, usually?: boolean) => void} */
  const bill = (completionTokens, reason, usually = true) => {
    if (!(decision.billed ?? usually)) return;
    const { model, promptTokens } = work;
    supplier.bill.add({ id, model, stream: body.stream === true, promptTokens, completionTokens, reason, fault });
  };
  response.once("close", () => supplier.record.end(seen, response.writableFinished));
  if (decision.delayMs > 0) await pause(decision.delayMs);
  if (response.destroyed) return;

  const refusal = refusalFor(fault, argument);
  if (refusal !== null) {
    bill(0, "refused", false);
    response.writeHead(refusal.status, refusal.headers).end(refusal.body);
    return;
  }
  if (fault === "no-answer" || fault === "reset-before") {
    // The work is billed but never answered.
    bill(work.words.length, "unanswered");
    if (fault === "reset-before") request.socket.resetAndDestroy();
    return;
  }
  const streams = dialect.always !== undefined || (body.stream === true && fault !== "not-streamed");
  if (streams && dialect.wire) await sendStream(dialect, dialect.wire, work, decision, seen, response, bill);
  else await sendWhole(dialect, work, decision, seen, response, bill);
}

/** @param {Dialect} dialect @param {Work} work @param {import("./plan.mjs").Decision} decision @param {import("./record.mjs").SeenRequest} seen @param {ServerResponse} response @param {(tokens: number, reason: string, usually?: boolean) => void} bill */
async function sendWhole(dialect, work, { fault, argument }, seen, response, bill) {
  const text = JSON.stringify(dialect.whole(work, wholeUsage(work, fault)));
  const bytes = Buffer.from(fault === "malformed" ? text.slice(0, text.length / 2) : text);
  if (fault === "silence" || fault === "error-first") {
    // Send only the headers.
    response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length });
    response.flushHeaders();
    if (fault === "error-first") response.destroy();
    return;
  }
  if (fault === "reset" || fault === "cut" || fault === "fin") {
    const part = bytes.subarray(0, argument === "" ? bytes.length >> 1 : Number(argument));
    response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length });
    response.write(part);
    seen.bytesWritten += part.length;
    bill(work.words.length, "broken");
    await pause(20);
    if (fault === "reset") response.socket?.resetAndDestroy();
    else response.destroy();
    return;
  }
  bill(work.words.length, "complete");
  seen.bytesWritten += bytes.length;
  response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length });
  if (fault !== "drip" && fault !== "slices") {
    response.end(bytes);
    return;
  }
  for (let at = 0; at < bytes.length; at += 16) {
    response.write(bytes.subarray(at, at + 16));
    await pause(fault === "drip" ? Number(argument || 20) : 0);
  }
  response.end();
}

/** @param {Work} work @param {string} fault */
function wholeUsage({ promptTokens, words }, fault) {
  if (fault === "no-usage") return null;
  if (fault === "insane-negative") return { promptTokens: -5, completionTokens: words.length };
  // Answers without output are billed by their input.
  if (fault === "insane-large" && words.length === 0) return { promptTokens: 2_000_000_000, completionTokens: 0 };
  return { promptTokens, completionTokens: fault === "insane-large" ? 2_000_000_000 : words.length };
}

/** @param {Dialect} dialect @param {import("./stream.mjs").Wire} wire @param {Work} work @param {import("./plan.mjs").Decision} decision @param {import("./record.mjs").SeenRequest} seen @param {ServerResponse} response @param {(tokens: number, reason: string, usually?: boolean) => void} bill */
async function sendStream(dialect, wire, work, { fault, argument, paceMs }, seen, response, bill) {
  const type = dialect.always ?? "text/event-stream; charset=utf-8";
  response.writeHead(200, { "content-type": type, "cache-control": "no-cache" });
  response.flushHeaders();
  let tokens = 0;
  for (const piece of piecesFor(wire, work, fault, argument)) {
    const wait = piece.waitMs ?? paceMs;
    if (wait > 0) await pause(wait);
    if (response.destroyed) break;
    if (piece.bytes.length > 0) {
      const room = response.write(piece.bytes);
      seen.bytesWritten += piece.bytes.length;
      tokens += piece.tokens;
      if (!room) await writable(response);
      else if (fault === "slices") await pause(0);
    }
    if (piece.after === "silence") {
      await new Promise((resolve) => response.once("close", resolve));
      break;
    }
    if (piece.after === "end") break;
    if (piece.after !== undefined) {
      // Give written bytes time to leave before the connection is destroyed.
      await pause(20);
      if (piece.after === "reset") response.socket?.resetAndDestroy();
      else response.destroy();
      break;
    }
  }
  const complete = !response.destroyed;
  // A supplier that produced no tokens bills nothing.
  bill(tokens, complete ? "complete" : "broken", tokens > 0);
  if (complete) response.end();
}

/** @param {ServerResponse} response @returns {Promise<void>} */
function writable(response) {
  return new Promise((resolve) => {
    const go = () => {
      response.off("drain", go);
      response.off("close", go);
      resolve();
    };
    response.on("drain", go);
    response.on("close", go);
  });
}

/** @param {Buffer} bytes @returns {Record<string, any>} */
function parsed(bytes) {
  try {
    const body = JSON.parse(bytes.toString("utf8"));
    return typeof body === "object" && body !== null ? body : {};
  } catch {
    return {};
  }
}
