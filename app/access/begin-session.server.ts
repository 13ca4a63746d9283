import type { RouterContextProvider } from "react-router";
import type { Db } from "~/connection/db.server";
import { type Account, deviceOf, startSession } from "~/domain/accounts/index.server";
import { clientAddressContext } from "~/http/server/client-address";
import { knownDeviceCookie, marksOf } from "./known-device.server";
import { sessionCookie, sessionTokenOf } from "./session-cookie";

/** Result of signing in: cookies for the response, and whether the person had signed in with this browser before. */
export type Begun = { cookies: string[]; knownBrowser: boolean };

/**
 * Signs a person in with the browser of a request, and replaces its previous session. The caller has verified the
 * person's identity, and adds the cookies to its response. `provedAt`: time of the proof; null: now.
 */
export async function beginSession(
  db: Db,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  account: Account,
  provedAt: Date | null,
): Promise<Begun> {
  const { token } = await startSession(db, {
    userId: account.id,
    role: account.role,
    userAgent: request.headers.get("user-agent") ?? "",
    address: context.get(clientAddressContext),
    replaces: sessionTokenOf(request),
    provedAt,
  });
  const knownBrowser = deviceOf(account, marksOf(request)) !== null;
  return { cookies: [sessionCookie(token), knownDeviceCookie(request, account)], knownBrowser };
}
