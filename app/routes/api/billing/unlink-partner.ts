import { z } from "zod";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { apiError } from "~/errors/app-error";

/** Retired endpoint: every request is rejected and changes nothing. */
const unlinkPartner = portalEndpoint({
  allow: "viewer",

  POST: {
    body: z.looseObject({}),
    run: () => {
      throw apiError("not_implemented", { key: "rejections:partnerRetired" });
    },
  },
});

export const loader = unlinkPartner;
export const action = unlinkPartner;
