import type { AssistantPart, Citation } from "./conversation";
import type { Usage } from "./usage";

/** A whole answer in no supplier's words. */
export type Answer = {
  /** The supplier's id of it; empty when it gave none. */
  id: string;
  model: string;
  parts: readonly AnswerPart[];
  stop: Stop;
  usage: Usage | null;
};

export type AnswerPart = AssistantPart | Picture;

/** A picture that a model has made. `url`: a `data:` address with base64 content, or where it lies. */
export type Picture = { kind: "picture"; url: string };

/** Why the model stopped. `sequence` is the stop sequence that was met, where the supplier names it. */
export type Stop = { reason: "end" | "sequence" | "length" | "toolCalls" | "refusal"; sequence: string | null };

/**
 * A streamed answer in pieces, in the order of their arrival. Pieces of several tool calls may be mixed: `call` tells
 * them apart. Exactly one `start` comes before all others and at most one `stop` behind all content.
 */
export type StreamPart =
  | { kind: "start"; id: string; model: string; usage: Usage | null }
  | { kind: "text"; text: string; isRefusal?: true }
  /** What the text so far refers to. */
  | { kind: "citation"; citation: Citation }
  | { kind: "thinking"; text: string }
  | Picture
  | { kind: "signature"; signature: string; isRedacted?: true }
  | { kind: "toolCall"; call: number; id: string; name: string }
  | { kind: "toolArguments"; call: number; text: string }
  /** No more of what the last pieces belonged to will come. Not every dialect says so. */
  | { kind: "partEnd" }
  | { kind: "stop"; stop: Stop };
