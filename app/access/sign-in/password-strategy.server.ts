import { Strategy } from "remix-auth/strategy";
import type { PasswordAttempt } from "~/domain/accounts/index.server";
import { marksOf } from "../known-device.server";
import { mayUsePortal, portalOf } from "../portal-of.server";
import { visitOf } from "./visit.server";

/**
 * Signs in with email address and password. The accounts room counts attempts, locks accounts and decides
 * (`checkPassword`).
 */
export class PasswordStrategy<Proof> extends Strategy<Proof, PasswordAttempt> {
  override name = "password";

  override async authenticate(request: Request): Promise<Proof> {
    const { typed } = visitOf("password");
    const portal = await portalOf(request);
    return this.verify({
      ...typed,
      marks: marksOf(request),
      mayUse: (account) => mayUsePortal(portal, account),
    });
  }
}
