import { z } from "zod";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { apiError } from "~/errors/app-error";

/** Retired endpoint: every request is rejected and changes nothing. */
const linkPartner = portalEndpoint({
  allow: "viewer",

  POST: {
    body: z.looseObject({}),
    run: () => {
      throw apiError("not_implemented", { key: "rejections:partnerRetired" });
    },
  },
});

export const loader = linkPartner;
export const action = linkPartner;
