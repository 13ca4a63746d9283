import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { readMergeData } from "~/domain/organisations/index.server";
import { formatUsd } from "~/values/money";
import { OrganisationParams } from "../../fields";

const mergeData = portalEndpoint({
  params: OrganisationParams,
  allow: "platform_admin",
  GET: async ({ actor, params }) => {
    const { organisation, members, billingUserId, moves, ...money } = await readMergeData(db(), actor, params.orgId);
    return {
      organisation: {
        id: organisation.id,
        name: organisation.name,
        slug: organisation.slug,
        billing_exempt: organisation.billingExempt,
      },
      billing_user_id: billingUserId,
      members: members.map(({ id, email, name, role, status }) => ({ id, email, name, role, status })),
      moves: {
        people: moves.people,
        keys: moves.keys,
        admin_keys: moves.adminKeys,
        departments: moves.departments,
        projects: moves.projects,
      },
      wallet: formatUsd(money.walletNanoUsd),
      held: formatUsd(money.heldNanoUsd),
      credit_limit: formatUsd(money.creditLimitNanoUsd),
    };
  },
});

export const loader = mergeData;
export const action = mergeData;
