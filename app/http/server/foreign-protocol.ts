import { log } from "~/observe/log.server";
import type { Reason } from "./request-target";

type Protocol = { name: string; starts: readonly string[]; userMessage: string };

/** Protocols that proxies and clients use with gw by mistake, with their first bytes. */
const PROTOCOLS: readonly Protocol[] = [
  {
    name: "HTTP/2",
    starts: ["PRI * HTTP/2.0"],
    userMessage: "This port speaks HTTP/1.1, and HTTP/2 came. Have the proxy in front speak HTTP/1.1 to gw.",
  },
  {
    name: "PROXY protocol",
    starts: ["PROXY ", "\r\n\r\n\0\r\nQUIT\n"],
    userMessage:
      "The PROXY protocol came before the request. Switch it off at the proxy, and have that write the client's address into a header.",
  },
  {
    name: "TLS",
    starts: ["\x16\x03"],
    userMessage: "This port speaks plain HTTP, and TLS came. Use http://, or end TLS at a proxy in front of gw.",
  },
];

const TOLD_EVERY_MS = 60_000;
const toldAt = new Map<string, number>();

/**
 * Returns the error for bytes of another protocol than HTTP/1.1; null for an unknown protocol. Logged once a minute.
 */
export function foreignProtocol(bytes: Uint8Array | undefined, now = Date.now()): Reason | null {
  const text = Buffer.from(bytes ?? []).toString("latin1", 0, 20);
  const protocol = PROTOCOLS.find(({ starts }) => starts.some((start) => text.startsWith(start)));
  if (protocol === undefined) return null;
  const { name, userMessage } = protocol;
  if (now - (toldAt.get(name) ?? Number.NEGATIVE_INFINITY) >= TOLD_EVERY_MS) {
    toldAt.set(name, now);
    log.warn({ protocol: name }, `another protocol than HTTP/1.1 was spoken to gw: ${userMessage}`);
  }
  return { code: "invalid_request", status: 400, userMessage };
}
