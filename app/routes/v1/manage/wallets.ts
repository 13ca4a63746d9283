import { db } from "~/connection/db.server";
import { listWallets } from "~/domain/accounting/index.server";
import { nameGroups } from "~/domain/usage/index.server";
import { encodeCursor } from "~/http/cursor";
import { actorOf } from "./actor";
import { manageEndpoint } from "./endpoint";
import { ListWallets } from "./usage-requests";

/** The wallets of the key's organisation: its own, and those of its projects. */
const wallets = manageEndpoint(
  {
    GET: async (call) => {
      const { organisationId } = await actorOf(call);
      const { limit, afterId } = call.query(ListWallets);
      const found = await listWallets(db(), organisationId, { afterId, limit: limit + 1 });
      const rows = found.slice(0, limit);
      const projects = rows.flatMap(({ payer }) => (payer.kind === "project" ? [payer.id] : []));
      const names = await nameGroups(db(), "project", projects);
      return {
        data: rows.map(({ id, payer, balance, owedNanoUsd }) => ({
          id,
          payer: payer.kind,
          project_id: payer.kind === "project" ? payer.id : null,
          project: payer.kind === "project" ? (names.get(payer.id) ?? null) : null,
          balance: balance.postedNanoUsd,
          held: balance.heldNanoUsd,
          credit_limit: balance.creditLimitNanoUsd,
          available: balance.availableNanoUsd,
          owed: owedNanoUsd,
          billing_exempt: balance.exempt,
        })),
        next_cursor: found.length > rows.length ? encodeCursor("wallets", rows.at(-1)?.id ?? 0) : null,
      };
    },
  },
  { query: { GET: ListWallets } },
);

export const loader = wallets;
export const action = wallets;
