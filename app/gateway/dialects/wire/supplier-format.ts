import type { ModelProfile } from "~/domain/catalogue/profiles";
import type { Route } from "~/domain/catalogue/shared";
import type { Answer } from "../../canonical/answer";
import type { Conversation } from "../../canonical/conversation";
import type { WholeAnswer } from "../dialect";
import type { ToolNames } from "./identifiers";
import type { StreamDecoder } from "./parts";

/** Input for a request in a supplier's format, besides the conversation. */
export type FormatRequest = { model: string; profile: ModelProfile; stream: boolean; names: ToolNames };

/** A wire format of suppliers, to and from which every client format is translated. */
export interface SupplierFormat {
  /** Headers of every request. Absent: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Returns the body of a request.
   * @throws AppError unsupported_parameter for fields that the format cannot express.
   */
  write(conversation: Conversation, request: FormatRequest & { route: Route }): string;
  /** Returns the tuning fields that a request to this model omits; `thinking` means the thinking effort. */
  leftOut(conversation: Conversation, profile: ModelProfile, route: Route): readonly string[];
  /** Reads a whole answer. @throws SupplierFailure if the body is not an answer. */
  readWhole(body: Buffer, profile?: ModelProfile, stopSequences?: readonly string[]): Answer;
  /** Reads what a whole answer reports besides its parts. Absent: usage and text of the parts. */
  readReport?(body: Buffer): WholeAnswer;
  /** Returns a reader of one stream. */
  openParts(profile?: ModelProfile, stopSequences?: readonly string[]): StreamDecoder;
}
