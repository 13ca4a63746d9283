import { Strategy } from "remix-auth/strategy";
import type { PasswordAttempt } from "~/domain/identity/index.server";
import { marksOf } from "../known-device.server";
import { mayUsePortal, portalOf } from "../portal-of.server";
import { visitOf } from "./visit.server";

/** Signs in by address and password. What is counted, locked and answered is the identity room's (`checkPassword`). */
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
