import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type AppError, apiError } from "~/errors/app-error";
import { errorEnvelope, errorHeaders, portalErrorBody } from "~/errors/envelope";
import { foreignProtocol } from "./foreign-protocol";
import { faultOfTarget, type Reason } from "./request-target";

const NOT_HTTP: Reason = {
  code: "invalid_request",
  status: 400,
  userMessage: "This is not a request that HTTP allows.",
};
/** Errors of Node's HTTP parser, by its own codes. */
const REASONS: Readonly<Record<string, Reason>> = {
  HPE_HEADER_OVERFLOW: {
    code: "request_too_large",
    status: 431,
    userMessage: "The headers of the request are too large.",
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    code: "request_too_large",
    status: 413,
    userMessage: "The chunk extensions of the request are too large.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: "request_timeout",
    status: 408,
    userMessage: "The request did not arrive in time.",
  },
};

/**
 * Answers in the error envelope the requests that Node's server would reject with an empty body: no HTTP, headers that
 * are too large or too many (Node silently drops those above its limit) or too late, and an unknown Expect.
 */
export function answerUnreadable(server: Server): void {
  type Problem = NodeJS.ErrnoException & { rawPacket?: Uint8Array };
  server.on("clientError", (problem: Problem, socket: Socket & { _httpMessage?: ServerResponse }) => {
    // The response has started; a second one would be read as its body.
    if (socket.writable && problem.code !== "ECONNRESET" && !socket._httpMessage?.headersSent) {
      socket.write(rawAnswer(REASONS[problem.code ?? ""] ?? foreignProtocol(problem.rawPacket) ?? NOT_HTTP));
    }
    socket.destroySoon();
  });
  server.on("checkExpectation", (_incoming, outgoing) =>
    refuse(
      outgoing,
      problemOf({ ...NOT_HTTP, status: 417, userMessage: "Only the expectation 100-continue can be met." }),
    ),
  );
}

/**
 * Passes only complete requests to the listener: no header was dropped, the one host is unambiguous, and so is the
 * target. `maxHeaders` must be less than the server's `maxHeadersCount`.
 */
export function completeRequests(listener: RequestListener, maxHeaders: number): RequestListener {
  return (incoming, outgoing) => {
    const reason = faultOf(incoming, maxHeaders);
    if (reason === null) listener(incoming, outgoing);
    else refuse(outgoing, problemOf(reason), isPortals(incoming.url));
  };
}

function faultOf({ rawHeaders, headers, httpVersion, url }: IncomingMessage, maxHeaders: number): Reason | null {
  if (rawHeaders.length > 2 * maxHeaders)
    return { code: "request_too_large", status: 431, userMessage: `More than ${maxHeaders} headers are not accepted.` };
  return faultOfHost(rawHeaders, headers.host, httpVersion) ?? faultOfTarget(url ?? "/");
}

/** A host name or an address, and a port; any other text would become part of the request's URL. */
const HOST = /^(?:[\w.-]*|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

function faultOfHost(rawHeaders: readonly string[], host: string | undefined, httpVersion: string): Reason | null {
  if (host === undefined)
    return httpVersion === "1.1" ? { ...NOT_HTTP, userMessage: "The Host header is missing." } : null;
  if (!HOST.test(host)) return { ...NOT_HTTP, userMessage: "The Host header cannot be read." };
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1 ? { ...NOT_HTTP, userMessage: "There is more than one Host header." } : null;
}

/**
 * Answers a request that is not processed further, and closes its connection. The body is the gateway's envelope; for a
 * portal URL it also has the fields of the portal's errors.
 */
export function refuse(outgoing: ServerResponse, error: AppError, isForPortal = false): void {
  outgoing.writeHead(error.status, { ...errorHeaders(error), connection: "close" });
  outgoing.end(JSON.stringify({ ...(isForPortal ? portalErrorBody(error) : {}), ...errorEnvelope(error) }));
}

const isPortals = (target = "/"): boolean => /^\/(?:dashboard|api|auth)(?:\/|$)/.test(target);

const problemOf = ({ code, status, userMessage }: Reason) => apiError(code, { status, userMessage });

function rawAnswer(reason: Reason): string {
  const error = problemOf(reason);
  const body = JSON.stringify(errorEnvelope(error));
  const headers = { ...errorHeaders(error), connection: "close", "content-length": Buffer.byteLength(body) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join("")}\r\n${body}`;
}
