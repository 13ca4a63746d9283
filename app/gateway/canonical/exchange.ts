import type { Credential, Route, Supplier } from "~/domain/catalogue/shared";
import type { Guarded } from "./guarded";
import type { SupplierFailure } from "./supplier-failure";

/** A client-facing wire format; a supplier's bytes speak one of them too. */
export type DialectName =
  | ("chat" | "completions" | "messages" | "responses" | "native")
  | ("embeddings" | "rerank" | "moderation" | "image" | "imageEdit")
  | ("speech" | "transcription" | "translation");

/** What a supplier's bytes speak: a client's dialect, or a format of suppliers alone. */
export type WireName = DialectName | "cohere" | "converse" | "gemini";

/** A request as far as it decides about the format: its client's dialect and body. */
export type AskedOf = { readonly dialect: DialectName; readonly source: unknown };

/** One attempt at one supplier. `body` is in the supplier's dialect already, with the upstream model's name in it. */
export type Outgoing = {
  /** gw's id of the request, sent to the supplier as `x-request-id`. */
  callId: string;
  route: Route;
  /** The credential to use; null for a supplier that has none. */
  credential: Credential | null;
  dialect: WireName;
  stream: boolean;
  body: OutgoingBody & Guarded;
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

/** A supplier's 2xx answer. `headers` have lower-case names. `release`: to be called once a long body is needed no more. */
export type SupplierReply =
  | { kind: "whole"; status: number; headers: SupplierHeaders; body: Buffer; release?: () => void }
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

/** Where a supplier's batch lies: it belongs to the account of a credential. */
export type BatchPlace = { supplier: Supplier; credential: Credential | null };

/** Lines for one batch of a supplier. `marker`: gw's own name of it, by which it is found again. */
export type NewSupplierBatch = { marker: string; dialect: WireName; lines: readonly string[] };

/** A batch of which nobody knows whether the supplier has it: gw's own name of it, the ids of its lines, and when it was begun. */
export type LostSupplierBatch = { marker: string; ids: ReadonlySet<string>; since: Date };

/** A supplier's batch as it stands. `outcome`: null while it is under way. `files`: what its results are in. */
export type SupplierBatchView = {
  id: string;
  outcome: "completed" | "failed" | "expired" | "cancelled" | null;
  /** What the supplier finds wrong with the batch as a whole. */
  problem: { code: string; message: string } | null;
  files: readonly string[];
  /** Everything that it keeps at the supplier. */
  keeps: readonly string[];
};

/** What a supplier says of one line: an answer with its status, or why there is none. */
export type SupplierBatchResult = {
  id: string;
  answer: { status: number; body: Buffer } | null;
  problem: { code: string; message: string } | null;
};

/** What a supplier does that takes whole files of requests. Everything rejects with SupplierFailure and with nothing else. */
export interface SupplierBatches {
  /** Whether its batches take requests in a format. */
  takes(dialect: WireName): boolean;
  /** A line of a batch: a request under an id that its result will have. */
  line(id: string, dialect: WireName, body: string & Guarded): string;
  /** Asks whether this account has batches at all, before anything is held for one. */
  probe(place: BatchPlace): Promise<void>;
  /** Begins a batch. `executed` of a failure says whether there may be one now. Returns the supplier's name of it. */
  create(place: BatchPlace, batch: NewSupplierBatch): Promise<string>;
  /** The supplier's name of a batch that was perhaps begun, among those not older than it; null: there is none. */
  find(place: BatchPlace, lost: LostSupplierBatch): Promise<string | null>;
  read(place: BatchPlace, id: string): Promise<SupplierBatchView>;
  /** Asks for no more work to be begun. What is over is no failure. */
  cancel(place: BatchPlace, id: string): Promise<void>;
  /** The bytes of a file of results, one JSON object a line. */
  results(place: BatchPlace, file: string): AsyncIterable<Buffer>;
  /** Understands a line of results; null where it is none. */
  readResult(text: string): SupplierBatchResult | null;
  /** Deletes what a batch has left at the supplier. */
  forget(place: BatchPlace, file: string): Promise<void>;
}

/** The contract every folder under suppliers/ fulfils; `conformance.test.ts` runs over all of them. */
export interface SupplierAdapter {
  readonly kind: string;
  /**
   * What the supplier's bytes speak for what the client asks in `dialect`; equal → pass-through. `inference`: the request itself, which
   * may need one of several; absent: any request.
   */
  speaks(dialect: DialectName, route: Route, inference?: AskedOf): WireName | null;
  /** Starts one attempt; never throws. */
  send(outgoing: Outgoing): Exchange;
  /** Asks how many tokens a request has, at a supplier that tells; starts one attempt and never throws. */
  countTokens?(outgoing: Outgoing): Exchange;
  /** Batches, for suppliers whose operator says that they take them. */
  readonly batches?: SupplierBatches;
  /** Asks a supplier which models it has, where it tells. @throws SupplierFailure */
  listModels?(supplier: Supplier, credential: Credential | null): Promise<OfferedModel[]>;
}
