import { z } from "zod";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { apiError } from "~/errors/app-error";
import { Id } from "~/http/body/fields";

/** Retired endpoint: every request is rejected and changes nothing. */
const makeDefault = portalEndpoint({
  allow: "viewer",
  params: z.object({ pmId: Id }),
  POST: {
    body: z.looseObject({}),
    run: () => {
      throw apiError("not_implemented", { key: "rejections:cardFormRetired" });
    },
  },
});

export const loader = makeDefault;
export const action = makeDefault;
