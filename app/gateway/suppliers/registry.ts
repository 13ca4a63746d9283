import type { Supplier, SupplierKind } from "~/domain/catalogue/shared";
import type { SupplierAdapter } from "../canonical/exchange";
import { aggregator } from "./aggregator";
import { bedrock } from "./bedrock";
import { chatStyle } from "./chat-style";
import { cohere } from "./cohere";
import { gateway } from "./gateway";
import { gemini } from "./gemini";
import { messagesStyle } from "./messages-style";
import { nativeAgent } from "./native-agent";
import { sandbox } from "./sandbox";
import { vertex } from "./vertex";

const adapters: Readonly<Record<SupplierKind, SupplierAdapter>> = {
  chat: chatStyle,
  messages: messagesStyle,
  native_agent: nativeAgent,
  aggregator,
  bedrock,
  cohere,
  gemini,
  vertex,
  gateway,
  sandbox,
};

/** Returns the adapter for a supplier's kind; undefined for a kind that this version does not know. */
export const adapterOf = (supplier: Supplier): SupplierAdapter | undefined => adapters[supplier.kind];
