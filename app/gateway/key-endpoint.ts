import { newCallId } from "~/call-id";
import type { Caller, KeyOwner } from "~/domain/keys/shared";
import { toAppError } from "~/errors/app-error";
import { gatewayErrorResponse, methodNotAllowedResponse } from "~/errors/envelope";
import { declared, type HttpMethod } from "~/http/declaration";
import { log } from "~/log.server";
import { allowOrigin } from "./allow-origin";
import { authenticate } from "./authenticate";

/** A request about what is kept for the owner of a key. `id`: the path's; empty where it has none, or one that nothing can have. */
export type KeyRequest = { request: Request; caller: Caller; id: string; query: URLSearchParams };
export type KeyAnswers = Partial<Record<HttpMethod, (asked: KeyRequest) => Promise<unknown>>>;

/** Whether a client names a version of the messages API. */
export const isMessagesClient = ({ headers }: { headers: Pick<Headers, "has"> }): boolean =>
  headers.has("anthropic-version") || headers.has("vendord-version");

/** Whose stored responses, files and batches a key may use. */
export const ownerOf = ({ organisationId, userId }: Caller): KeyOwner => ({ organisationId, userId });

/**
 * An address of the gateway that calls no model: what is kept for the owner of a key. Answers are JSON, or responses as they are;
 * refusals are in the envelope. Every answer has an id of its own.
 */
export function keyEndpoint(answers: KeyAnswers) {
  const methods = Object.keys(answers) as HttpMethod[];
  const handle = async ({
    request,
    params,
  }: {
    request: Request;
    params: Readonly<Record<string, string | undefined>>;
  }): Promise<Response> => {
    const response = await answered(request, Object.values(params)[0], answers);
    response.headers.set("x-request-id", newCallId());
    return response;
  };
  return declared(handle, { methods });
}

/** What a client can have been told as an id. */
const ID = /^[\w.-]{1,200}$/;

async function answered(request: Request, named: string | undefined, answers: KeyAnswers): Promise<Response> {
  try {
    const answer = answers[(request.method === "HEAD" ? "GET" : request.method) as HttpMethod];
    if (answer === undefined) return methodNotAllowedResponse(Object.keys(answers));
    const caller = await authenticate(request);
    allowOrigin(request, caller);
    const id = named !== undefined && ID.test(named) ? named : "";
    const told = await answer({ request, caller, id, query: new URL(request.url).searchParams });
    return told instanceof Response ? told : Response.json(told, { headers: { "cache-control": "no-store" } });
  } catch (problem) {
    if (toAppError(problem) !== problem)
      log.error({ err: problem }, "unexpected problem in a request about what is kept");
    return gatewayErrorResponse(problem, isMessagesClient(request) ? "messages" : "chat");
  }
}
