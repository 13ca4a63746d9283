import type { Credential, Route, Supplier } from "~/domain/catalogue/shared";
import type { DialectName } from "./dialects";
import type { Guarded } from "./guarded";
import type { SupplierFailure } from "./supplier-failure";

export type { DialectName, TranslatedName } from "./dialects";

/** Wire format of a supplier's bytes: a client's dialect, or a format that only suppliers have. */
export type WireName = DialectName | "cohere" | "converse" | "gemini";

/** The part of a request that decides the wire format: its client's dialect and body. */
export type AskedOf = { readonly dialect: DialectName; readonly source: unknown };

/** One attempt at one supplier. `body` is already in the supplier's dialect and names the upstream model. */
export type Outgoing = {
  /** gw's id of the request, sent to the supplier as `x-request-id`. */
  callId: string;
  route: Route;
  /** Credential to use; null if the supplier needs none. */
  credential: Credential | null;
  dialect: WireName;
  stream: boolean;
  body: OutgoingBody & Guarded;
  /** Client headers that passed the allow-list, lower-case names; never credentials. */
  headers: Readonly<Record<string, string>>;
};

/** Body in memory, or one that is read from elsewhere while it is sent. */
export type OutgoingBody = string | Buffer | BodySource;

/**
 * A body that is not kept in memory. Each attempt calls `open`, which reads from the start. A chunk stays valid until
 * the chunk after the next is read, so write a chunk before reading another.
 */
export type BodySource = {
  contentType: string;
  contentLength: number;
  open(): AsyncIterable<Buffer>;
};

/** An attempt in flight. `reply` rejects only with SupplierFailure. `abort` may be called at any time. */
export type Exchange = {
  reply: Promise<SupplierReply>;
  abort(): void;
};

/**
 * A supplier's 2xx answer. `headers` have lower-case names. `release`: call it when a long body is no longer needed.
 */
export type SupplierReply =
  | { kind: "whole"; status: number; headers: SupplierHeaders; body: Buffer; release?: () => void }
  | { kind: "stream"; status: number; headers: SupplierHeaders; source: ByteSource };

export type SupplierHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Bytes pushed as the supplier sends them. Nothing arrives before `start`, or after `end` or `fail`; exactly one of
 * these is called, once. `abort` closes the supplier's connection and ends with `fail`.
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

/**
 * A model in a supplier's list. Null means that the supplier does not report the value. Prices in nano-USD per million
 * tokens.
 */
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

/** Location of a supplier's batch: the account of a credential. */
export type BatchPlace = { supplier: Supplier; credential: Credential | null };

/** Lines for one batch of a supplier. `marker`: gw's own id of the batch, by which it can be found again. */
export type NewSupplierBatch = { marker: string; dialect: WireName; lines: readonly string[] };

/**
 * A batch that may or may not exist at the supplier: gw's marker, the ids of its lines, and the time of the attempt to
 * create it.
 */
export type LostSupplierBatch = { marker: string; ids: ReadonlySet<string>; since: Date };

/** State of a supplier's batch. `outcome`: null while it is running. `files`: the files with its results. */
export type SupplierBatchView = {
  id: string;
  outcome: "completed" | "failed" | "expired" | "cancelled" | null;
  /** The supplier's error for the batch as a whole. */
  problem: { code: string; message: string } | null;
  files: readonly string[];
  /** All files of the batch that are stored at the supplier. */
  keeps: readonly string[];
};

/** Result of one line: an answer with its status, or the error. */
export type SupplierBatchResult = {
  id: string;
  answer: { status: number; body: Buffer } | null;
  problem: { code: string; message: string } | null;
};

/** Batch API of a supplier. Every method rejects only with SupplierFailure. */
export interface SupplierBatches {
  /** Whether its batches accept requests in a format. */
  takes(dialect: WireName): boolean;
  /** Builds a line of a batch: a request with an id that its result will have. */
  line(id: string, dialect: WireName, body: string & Guarded): string;
  /** Tests whether this account can use batches, before a hold is placed for one. */
  probe(place: BatchPlace): Promise<void>;
  /** Creates a batch and returns the supplier's id of it. `executed` of a failure says whether the batch may exist. */
  create(place: BatchPlace, batch: NewSupplierBatch): Promise<string>;
  /**
   * Finds a batch that may have been created, among those not older than it. Returns the supplier's id; null if there
   * is none.
   */
  find(place: BatchPlace, lost: LostSupplierBatch): Promise<string | null>;
  read(place: BatchPlace, id: string): Promise<SupplierBatchView>;
  /** Asks the supplier to start no more work. A batch that has ended is not an error. */
  cancel(place: BatchPlace, id: string): Promise<void>;
  /** Reads the bytes of a result file, one JSON object per line. */
  results(place: BatchPlace, file: string): AsyncIterable<Buffer>;
  /** Parses a line of a result file; null if it is not a result. */
  readResult(text: string): SupplierBatchResult | null;
  /** Deletes a file that a batch has left at the supplier. */
  forget(place: BatchPlace, file: string): Promise<void>;
}

/** Contract of every folder in suppliers/; `conformance.test.ts` tests all of them. */
export interface SupplierAdapter {
  readonly kind: string;
  /**
   * Returns the supplier's wire format for a request in `dialect`; equal means pass-through. `inference`: the request,
   * which may need a certain one of several formats; absent for any request.
   */
  speaks(dialect: DialectName, route: Route, inference?: AskedOf): WireName | null;
  /** Starts one attempt; never throws. */
  send(outgoing: Outgoing): Exchange;
  /** Counts a request's tokens, if the supplier supports it. Starts one attempt; never throws. */
  countTokens?(outgoing: Outgoing): Exchange;
  /** Batches, for suppliers whose operator has enabled them. */
  readonly batches?: SupplierBatches;
  /** Lists the supplier's models, if it supports that. @throws SupplierFailure */
  listModels?(supplier: Supplier, credential: Credential | null): Promise<OfferedModel[]>;
}
