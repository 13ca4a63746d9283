import type { RouterContextProvider } from "react-router";
import { requireRecentProof } from "~/access/actor.server";
import { secretCookie } from "~/access/flash.server";
import type { Onward } from "~/access/portal/page-action.server";
import { wantsJson } from "~/access/wants-json";
import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import {
  readActorKey,
  resumeActorKey,
  revokeActorKey,
  rotateActorKey,
  suspendActorKey,
  updateActorKey,
} from "~/domain/keys/index.server";
import { issue } from "~/errors/message";
import { ValidationError } from "~/http/validation-problem";
import { unreachable } from "~/values/unreachable";
import type { KeyActionForm } from "../key-form.schema";
import { changeOf } from "../key-settings.server";
import { emailAdminKey } from "../tell-admin-key.server";

type Here = { request: Request; context: Readonly<RouterContextProvider> };

/** Runs the action of a form on a key. Programs get the result; browsers are redirected to the page of the key. */
export async function handleKeyAction(
  db: Db,
  { actor, id, form }: { actor: Actor; id: number; form: KeyActionForm },
  here: Here,
): Promise<Onward> {
  const to = `/dashboard/keys/${id}`;
  const done = (toast: string, { status }: { status: string }): Onward => ({ to, toast, answer: { id, status } });
  switch (form.intent) {
    case "update": {
      const { metadata } = await readActorKey(db, actor, id);
      return done("keys:policy.saved", await updateActorKey(db, actor, id, changeOf(form, metadata)));
    }
    case "rotate": {
      const isAdminKey = (await readActorKey(db, actor, id)).kind === "admin";
      if (isAdminKey) requireRecentProof(here.context);
      const { secret, name, publicId, previousValidUntil } = await inTransaction(db, async (tx) => {
        const rotated = await rotateActorKey(tx, actor, id, form);
        if (isAdminKey) await emailAdminKey(tx, here, actor, { id, rotated: true });
        return rotated;
      });
      return {
        to,
        cookies: [secretCookie({ kind: `key:${id}`, secret, label: name, userId: actor.userId })],
        answer: { id, key_id: publicId, key: secret, previous_valid_until: previousValidUntil.toISOString() },
      };
    }
    case "suspend":
      return done("keys:stop.suspended", await suspendActorKey(db, actor, id));
    case "resume":
      return done("keys:stop.resumed", await resumeActorKey(db, actor, id));
    case "revoke": {
      const { name } = await readActorKey(db, actor, id);
      // A program names the key by its id; a person confirms by typing its name.
      const confirmed = form.confirm === undefined ? wantsJson(here.request) : form.confirm.trim() === name;
      if (!confirmed) {
        const message = issue("keys:stop.typeName", { name });
        throw new ValidationError([{ loc: ["body", "confirm"], message, type: "value_error" }]);
      }
      return done("keys:stop.revoked", await revokeActorKey(db, actor, id));
    }
    default:
      return unreachable(form);
  }
}
