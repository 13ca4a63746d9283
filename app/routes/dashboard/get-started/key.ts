import { z } from "zod";
import { secretCookie } from "~/access/flash.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { createActorKey } from "~/domain/keys/index.server";
import { KeyName } from "~/domain/keys/shared";

/** Creates a first key from the first steps: it needs only a name, all settings can be changed later. */
const firstKey = portalEndpoint({
  allow: "member",
  page: "/dashboard/get-started",
  POST: {
    body: z.object({ name: KeyName }),
    run: async ({ actor, body: { name } }) => {
      const own = { ...actor, adminMode: false };
      const { id, publicId, secret } = await createActorKey(db(), own, { kind: "inference", owner: "self", name });
      return done({
        to: "/dashboard/get-started",
        cookies: [secretCookie({ kind: `key:${id}`, secret, label: name, userId: actor.userId })],
        answer: { id, key_id: publicId, key: secret },
      });
    },
  },
});

export const loader = firstKey;
export const action = firstKey;
