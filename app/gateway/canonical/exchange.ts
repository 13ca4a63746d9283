import type { Credential, Route, Supplier } from "~/domain/catalogue/shared";
import type { SupplierFailure } from "./supplier-failure";

/** A client-facing wire format; a supplier's bytes speak one of them too. */
export type DialectName =
  | ("chat" | "completions" | "messages" | "responses" | "native")
  | ("embeddings" | "rerank" | "moderation" | "image" | "imageEdit")
  | ("speech" | "transcription" | "translation");

/** What a supplier's bytes speak: a client's dialect, or a format of suppliers alone. */
export type WireName = DialectName | "converse" | "gemini";

/** One attempt at one supplier. `body` is in the supplier's dialect already, with the upstream model's name in it. */
export type Outgoing = {
  /** gw's id of the request, sent to the supplier as `x-request-id`. */
  callId: string;
  route: Route;
  /** The credential to use; null for a supplier that has none. */
  credential: Credential | null;
  dialect: WireName;
  stream: boolean;
  body: OutgoingBody;
  /** Client headers that passed the allow-list, lower-case names; never credentials. */
  headers: Readonly<Record<string, string>>;
};

/** A body in memory, or one that is read from elsewhere while it is sent. */
export type OutgoingBody = string | Buffer | BodySource;

/**
 * A body that is not kept in memory. Each `open` reads it anew from its start, for every attempt. A chunk is valid until
 * the next but one is taken, so a chunk must have been written before another one is asked for.
 */
export type BodySource = {
  contentType: string;
  contentLength: number;
  open(): AsyncIterable<Buffer>;
};

/** An attempt in flight. `reply` rejects with SupplierFailure and with nothing else; `abort` may be called at any time. */
export type Exchange = {
  reply: Promise<SupplierReply>;
  abort(): void;
};

/** A supplier's 2xx answer. `headers` have lower-case names. */
export type SupplierReply =
  | { kind: "whole"; status: number; headers: SupplierHeaders; body: Buffer }
  | { kind: "stream"; status: number; headers: SupplierHeaders; source: ByteSource };

export type SupplierHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Bytes as the supplier sends them, pushed. Nothing arrives before `start`. After `end` or `fail` (exactly one of them,
 * once) nothing arrives any more. `abort` closes the supplier's connection and ends with `fail`.
 */
export interface ByteSource {
  start(sink: ByteSink): void;
  pause(): void;
  resume(): void;
  abort(): void;
}

export interface ByteSink {
  data(chunk: Buffer): void;
  end(): void;
  fail(failure: SupplierFailure): void;
}

/** A model that a supplier says it has. null: it does not say. Prices in nano-USD per million tokens. */
export type OfferedModel = {
  id: string;
  name: string | null;
  contextTokens: number | null;
  maxOutputTokens: number | null;
  tools: boolean | null;
  images: boolean | null;
  inputPerMtok: bigint | null;
  outputPerMtok: bigint | null;
  cachedInputPerMtok: bigint | null;
};

/** The contract every folder under suppliers/ fulfils; `conformance.test.ts` runs over all of them. */
export interface SupplierAdapter {
  readonly kind: string;
  /** What the supplier's bytes speak for what the client asks in `dialect`; equal → pass-through. */
  speaks(dialect: DialectName, route: Route): WireName | null;
  /** Starts one attempt; never throws. */
  send(outgoing: Outgoing): Exchange;
  /** Asks how many tokens a request has, at a supplier that tells; starts one attempt and never throws. */
  countTokens?(outgoing: Outgoing): Exchange;
  /** Asks a supplier which models it has, where it tells. @throws SupplierFailure */
  listModels?(supplier: Supplier, credential: Credential | null): Promise<OfferedModel[]>;
}
