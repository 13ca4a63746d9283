import type { RouterContextProvider } from "react-router";
import type { Db } from "~/db.server";
import { type Account, deviceOf, startSession } from "~/domain/identity/index.server";
import { clientAddressContext } from "~/http/client-address";
import { knownDeviceCookie, marksOf } from "./known-device.server";
import { sessionCookie, sessionTokenOf } from "./session-cookie";

/** What signing somebody in leaves behind: cookies for the answer, and whether they had signed in in this browser before. */
export type Begun = { cookies: string[]; knownBrowser: boolean };

/**
 * Signs somebody in in the browser of a request, in place of whoever was. The caller has made sure that it is them, and
 * puts the cookies into its answer. `provedAt`: when they have proven who they are; null: just now.
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
