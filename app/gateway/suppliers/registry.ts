import type { Supplier, SupplierKind } from "~/domain/catalogue/shared";
import type { SupplierAdapter } from "./adapter";
import { chatStyle } from "./chat-style";
import { messagesStyle } from "./messages-style";
import { sandbox } from "./sandbox";

const adapters: Partial<Record<SupplierKind, SupplierAdapter>> = {
  chat: chatStyle,
  messages: messagesStyle,
  sandbox,
};

/** The adapter for a supplier's kind; undefined while gw has none for it. */
export const adapterOf = (supplier: Supplier): SupplierAdapter | undefined => adapters[supplier.kind];
