import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { lockPerson } from "../account-store";
import { recordAboutSelf } from "../record-about";
import type { Actor } from "../shared";
import { changeOwnRow, findOwnChoices } from "./own-account-store";

/** Explanations that a person can hide. */
export type HelpPanel = "autorouter" | "projects" | "qualitative";

/**
 * Sets how `auto` chooses for the actor's keys without a setting of their own, and the model that savings are compared
 * with; null: as the organisation. Takes effect everywhere within a second. Safe to repeat.
 */
export function setOwnAutorouter(
  db: Db,
  actor: Actor,
  setting: { autorouter: string | null; autorouterDefault: string | null },
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockPerson(tx, actor.userId);
    const { autorouter, autorouterDefault } = await findOwnChoices(tx, actor.userId);
    if (autorouter === setting.autorouter && autorouterDefault === setting.autorouterDefault) return;
    await changeOwnRow(tx, actor.userId, setting);
    await recordAboutSelf(tx, actor, {
      action: "user.autorouter",
      before: { autorouter, autorouterDefault },
      after: setting,
    });
    await publish(tx, "keys");
  });
}

/** Returns whether an explanation is shown to the actor. All are shown until they are hidden. */
export async function isHelpShown(db: Db, actor: Actor, panel: HelpPanel): Promise<boolean> {
  return !(await findOwnChoices(db, actor.userId)).hiddenHelp.includes(panel);
}

/** Shows or hides an explanation. Safe to repeat. Concurrent changes are both applied. */
export function showHelp(db: Db, actor: Actor, panel: HelpPanel, shown: boolean): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockPerson(tx, actor.userId);
    const others = (await findOwnChoices(tx, actor.userId)).hiddenHelp.filter((name) => name !== panel);
    await changeOwnRow(tx, actor.userId, { hiddenHelp: shown ? others : [...others, panel] });
  });
}
