import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { changeOnboarding } from "~/domain/accounts/index.server";
import { readGetStarted } from "./facts.server";
import { STEPS } from "./steps";

const Mark = z.object({
  step: z.enum(STEPS),
  /** `false` removes the mark. */
  done: z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]).default(true),
});

const mark = portalEndpoint({
  allow: "signed-in",
  page: "/dashboard/get-started",
  POST: {
    body: Mark,
    run: async ({ actor, body: { step, done: isDone } }) => {
      await changeOnboarding(db(), actor, ({ hidden, done: marked }) => ({
        hidden,
        done: isDone ? [...new Set([...marked, step])] : marked.filter((name) => name !== step),
      }));
      const { steps, next } = await readGetStarted(db(), actor);
      return done({ to: "/dashboard/get-started", answer: { steps, next } });
    },
  },
});

export const loader = mark;
export const action = mark;
