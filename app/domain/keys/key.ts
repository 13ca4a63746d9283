import type { BudgetView } from "~/domain/accounting/shared";
import type { KeySettings } from "./settings";
import type { KeyRow } from "./store";
import type { KEY_KINDS, KeyStatus } from "./words";

/** A key without its secret, for people and programs. `previousValidUntil`: only while it is in the future. */
export type KeyView = Omit<KeyRow, keyof KeySettings | "kind" | "status"> &
  KeySettings & {
    kind: (typeof KEY_KINDS)[number];
    status: KeyStatus;
    /** Null: it never had one. */
    budget: BudgetView | null;
  };
