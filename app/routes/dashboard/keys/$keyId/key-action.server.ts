import { data, type RouterContextProvider } from "react-router";
import { flashCookie, redirectWith, redirectWithToast } from "~/access/flash.server";
import { proveFirst } from "~/access/prove-first.server";
import { wantsJson } from "~/access/wants-json";
import { inTransaction } from "~/bus.server";
import type { Db } from "~/db.server";
import type { Actor } from "~/domain/identity/shared";
import {
  readActorKey,
  resumeActorKey,
  revokeActorKey,
  rotateActorKey,
  suspendActorKey,
  updateActorKey,
} from "~/domain/keys/index.server";
import { unreachable } from "~/unreachable";
import type { KeyActionForm } from "../key-form.schema";
import { changeOf } from "../key-settings.server";
import { tellAdminKey } from "../tell-admin-key.server";

/** Does to a key what a form asks for. Programs get what became of it, browsers the page of the key again. */
export async function handleKeyAction(
  db: Db,
  actor: Actor,
  id: number,
  form: KeyActionForm,
  here: { request: Request; context: Readonly<RouterContextProvider> },
) {
  const { request } = here;
  const json = wantsJson(request);
  const page = `/dashboard/keys/${id}`;
  const done = (toast: string, status: string) =>
    json ? data({ id, status }) : redirectWithToast(page, { kind: "good", text: toast });
  switch (form.intent) {
    case "update": {
      const { metadata } = await readActorKey(db, actor, id);
      const key = await updateActorKey(db, actor, id, changeOf(form, metadata));
      return done("keys:policy.saved", key.status);
    }
    case "rotate": {
      const isAdminKey = (await readActorKey(db, actor, id)).kind === "admin";
      if (isAdminKey) proveFirst(here, { page, sent: {} });
      const { secret, name, publicId, previousValidUntil } = await inTransaction(db, async (tx) => {
        const rotated = await rotateActorKey(tx, actor, id, form);
        if (isAdminKey) await tellAdminKey(tx, here, actor, { id, rotated: true });
        return rotated;
      });
      if (json)
        return data({ id, key_id: publicId, key: secret, previous_valid_until: previousValidUntil.toISOString() });
      return redirectWith(page, [flashCookie("once", { kind: `key:${id}`, secret, label: name })]);
    }
    case "suspend":
      return done("keys:stop.suspended", (await suspendActorKey(db, actor, id)).status);
    case "resume":
      return done("keys:stop.resumed", (await resumeActorKey(db, actor, id)).status);
    case "revoke": {
      const { name } = await readActorKey(db, actor, id);
      // A program has named the key by its number; a person's click is confirmed by typing.
      const confirmed = form.confirm === undefined ? json : form.confirm.trim() === name;
      if (!confirmed) {
        const fields: Record<string, string> = { confirm: `Type the key’s name exactly: ${name}` };
        return data({ form: { ok: false as const, fields, sent: { intent: "revoke" } } }, { status: 422 });
      }
      return done("keys:stop.revoked", (await revokeActorKey(db, actor, id)).status);
    }
    default:
      return unreachable(form);
  }
}
