import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { cameFrom } from "~/access/safe-next";
import { db } from "~/connection/db.server";
import { undoSealed } from "./undo.server";

const MAX_CHARACTERS = 4_000;

/** Undoes the act of the message that has the button. */
const endpoint = portalEndpoint({
  allow: "member",
  page: "/dashboard",
  POST: {
    body: z.object({ undo: z.string().max(MAX_CHARACTERS) }),
    run: async ({ actor, body, request }) => {
      const count = await undoSealed(db(), actor, body.undo);
      return done({
        to: cameFrom(request, "/dashboard"),
        toast: { kind: "good", text: "ui:list.undone", values: { count } },
        answer: { undone: count },
      });
    },
  },
});
export const loader = endpoint;
export const action = endpoint;
