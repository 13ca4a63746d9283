import type { Caller, KeyOwner } from "~/domain/keys/shared";
import { toAppError } from "~/errors/app-error";
import { gatewayErrorResponse, methodNotAllowedResponse } from "~/errors/envelope";
import { declared, type HttpMethod } from "~/http/declaration";
import { log } from "~/observe/log.server";
import { newCallId } from "~/values/call-id";
import { allowOrigin } from "./allow-origin";
import { authenticate } from "./authenticate";

/**
 * A request about stored objects of a key's owner. `id` is the path's; empty if the path has none or an invalid one.
 */
export type KeyRequest = { request: Request; caller: Caller; id: string; query: URLSearchParams };
export type KeyAnswers = Partial<Record<HttpMethod, (request: KeyRequest) => Promise<unknown>>>;

/** Whether the client names a version of the messages API. */
export const isMessagesClient = ({ headers }: { headers: Pick<Headers, "has"> }): boolean =>
  headers.has("anthropic-version") || headers.has("vendord-version");

/** Returns the owner whose stored responses, files and batches the key may use. */
export const ownerOf = ({ organisationId, userId }: Caller): KeyOwner => ({ organisationId, userId });

/**
 * Creates the handler of a gateway endpoint that calls no model but serves stored objects of a key's owner. Answers are
 * JSON values or complete responses; errors use the API's envelope. Every answer has its own `x-request-id`.
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

/** Format of the ids that gw issues. */
const ID = /^[\w.-]{1,200}$/;

async function answered(request: Request, named: string | undefined, answers: KeyAnswers): Promise<Response> {
  try {
    const answer = answers[(request.method === "HEAD" ? "GET" : request.method) as HttpMethod];
    if (answer === undefined) return methodNotAllowedResponse(Object.keys(answers));
    const caller = await authenticate(request);
    allowOrigin(request, caller);
    const id = named !== undefined && ID.test(named) ? named : "";
    const result = await answer({ request, caller, id, query: new URL(request.url).searchParams });
    return result instanceof Response ? result : Response.json(result, { headers: { "cache-control": "no-store" } });
  } catch (error) {
    if (toAppError(error) !== error) log.error({ err: error }, "unexpected problem in a request about what is kept");
    return gatewayErrorResponse(error, isMessagesClient(request) ? "messages" : "chat");
  }
}
