import { RouterContextProvider } from "react-router";
import { inTransaction } from "~/connection/bus.server";
import { type Db, db } from "~/connection/db.server";
import type { Actor, Role } from "~/domain/accounts/shared";
import { readPerson, setBillingConfig, setRole, setStatus } from "~/domain/people/index.server";
import { emailRoleChanged } from "~/routes/role-emails.server";
import { actorOf } from "../actor";
import { manageEndpoint } from "../endpoint";
import { userAnswer } from "../person-answers";
import { ChangeUser, idOf, USER_AMOUNTS } from "../person-requests";

const user = manageEndpoint(
  {
    GET: async (call) => {
      const actor = await actorOf(call);
      return userAnswer((await readPerson(db(), actor, idOf(call.params, "userId"))).person);
    },
    PATCH: async (call) => {
      const actor = await actorOf(call);
      const userId = idOf(call.params, "userId");
      const change = await call.body(ChangeUser, { amounts: USER_AMOUNTS });
      const { role, status, revoke_admin_keys: revokeAdminKeys, budget_limit: limitNanoUsd } = change;
      await inTransaction(db(), async (tx) => {
        // The budget comes first: it locks the organisation's credit, which must be locked before a person.
        if (limitNanoUsd !== undefined) {
          const budget = { limitNanoUsd, period: change.budget_period ?? "monthly" };
          await setBillingConfig(tx, actor, userId, { budget });
        }
        if (role !== undefined)
          await changeRole(tx, { actor, request: call.request }, { userId, role, revokeAdminKeys });
        if (status !== undefined) await setStatus(tx, actor, userId, status, { revokeAdminKeys });
      });
      return userAnswer((await readPerson(db(), actor, userId)).person);
    },
  },
  { body: { PATCH: ChangeUser } },
);

/** Changes a person's role and notifies them by email. */
async function changeRole(
  tx: Db,
  { actor, request }: { actor: Actor; request: Request },
  { userId, role, revokeAdminKeys }: { userId: number; role: Role; revokeAdminKeys: boolean },
): Promise<void> {
  const { before } = await setRole(tx, actor, userId, role, { revokeAdminKeys });
  if (before === null) return;
  const here = { request, context: new RouterContextProvider() };
  await emailRoleChanged(tx, here, actor, { userId, before, after: role });
}

export const loader = user;
export const action = user;
