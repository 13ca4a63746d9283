import { db } from "~/connection/db.server";
import { publicKeyIds, readKey } from "~/domain/keys/index.server";
import { narrowed, readUsage, usageAnswer, usageScopeOf, windowFor } from "~/domain/usage/index.server";
import { actorOf } from "./actor";
import { manageEndpoint } from "./endpoint";
import { ReadUsage } from "./usage-requests";

/** The totals of the usage page, for the key's organisation. */
const usage = manageEndpoint(
  {
    GET: async (call) => {
      const actor = await actorOf(call);
      const { key_id: publicId, time_zone: timeZone, group_by: group, ...asked } = call.query(ReadUsage);
      const key = publicId === undefined ? undefined : (await readKey(db(), call.admin, { publicId })).id;
      const { user_id: user, department_id: department, project_id: project } = asked;
      const scope = narrowed(usageScopeOf(actor), { ...asked, key, user, department, project });
      const question = { scope, window: windowFor(asked, timeZone, new Date()), group, zone: timeZone };
      const answer = usageAnswer(question, await readUsage(db(), question));
      if (group !== "key") return answer;
      const ids = answer.groups.map(({ id }) => Number(id));
      const publicIds = await publicKeyIds(db(), call.admin, ids);
      const published = <Row extends { id: string | number | null }>(row: Row) => ({
        ...row,
        id: publicIds.get(Number(row.id)) ?? null,
      });
      return { ...answer, groups: answer.groups.map(published), series: answer.series.map(published) };
    },
  },
  { query: { GET: ReadUsage } },
);

export const loader = usage;
export const action = usage;
