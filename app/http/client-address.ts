import type { IncomingMessage } from "node:http";
import { createContext } from "react-router";

/** The network address behind a portal request; empty when unknown. */
export const clientAddressContext = createContext("");

/**
 * The client's address: what the socket says, or, behind `proxies` proxies, what the outermost of them wrote. Whatever a
 * client puts into the header itself stands further left and is never looked at.
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, "socket" | "headers">,
  proxies: number,
): string {
  const forwarded = proxies === 0 ? undefined : headers["x-forwarded-for"];
  const hops = [forwarded ?? []].flat().flatMap((line) => line.split(","));
  const chain = [...hops.map((hop) => hop.trim()).filter((hop) => hop !== ""), socket.remoteAddress ?? ""];
  const address = chain[Math.max(0, chain.length - 1 - proxies)] ?? "";
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, "").slice(0, 64);
}
