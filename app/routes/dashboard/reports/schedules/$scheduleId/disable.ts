import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { disableSchedule } from "~/domain/reports/index.server";
import { Id } from "~/http/body/fields";

const PAGE = "/dashboard/reports";

const endpoint = portalEndpoint({
  allow: "viewer",
  params: z.object({ scheduleId: Id }),
  page: PAGE,
  POST: async ({ actor, params }) => {
    await disableSchedule(db(), actor, params.scheduleId);
    return done({ to: `${PAGE}#schedules`, toast: "reports:schedule.disabled" });
  },
});
export const loader = endpoint;
export const action = endpoint;
