import { profileOf } from "~/domain/catalogue/profiles";
import type { Route } from "~/domain/catalogue/shared";
import type { Answer, AnswerPart } from "../../canonical/answer";
import type { Conversation } from "../../canonical/conversation";
import type { InferenceRequest } from "../../canonical/inference-request";
import type { SupplierFailure } from "../../canonical/supplier-failure";
import type { Usage } from "../../canonical/usage";
import type { Translator, WholeAnswer } from "../dialect";
import type { ToolNames } from "../wire/identifiers";
import type { StreamEncoder } from "../wire/parts";
import type { SupplierFormat } from "../wire/supplier-format";
import { translated, written } from "./shared";
import { TranslatedStream } from "./stream";

/** A client's request as a conversation, with the names of its tools at suppliers. */
export type ClientConversation = { conversation: Conversation; names: ToolNames };

/** A wire format of clients, from and to which every supplier's format is translated. */
export interface ClientFormat<Source> {
  /** The field that contains the conversation, for errors. Null: the conversation cannot be at fault. */
  readonly field: string | null;
  /** Answers always contain usage, even if the supplier reported none. */
  readonly statesUsage?: true;
  /** Parses a request, once for all attempts. `route`: the attempt for which it is written; absent for its answer. */
  parse(inference: InferenceRequest<Source>, route?: Route): ClientConversation;
  /** Returns the client's name of a field that is omitted. */
  fieldName(name: string): string;
  /** Returns a function that writes an answer with its usage; it may be repeated. */
  writer(inference: InferenceRequest<Source>, answer: Answer): (usage: Usage | null) => string;
  openEncoder(inference: InferenceRequest<Source>): StreamEncoder;
  /** Translates a supplier's rejection. Absent: it stays as it is. */
  translateError?(failure: SupplierFailure): SupplierFailure;
}

/** A translator that reads answers synchronously, because translated answers are short. */
interface Translation<Source> extends Translator<Source> {
  leftOut(inference: InferenceRequest<Source>, route: Route): readonly string[];
  readAnswer(inference: InferenceRequest<Source>, body: Buffer, route?: Route): WholeAnswer;
}

/** Translates between a client's format and a supplier's. */
export const translatorBetween = <Source>(
  client: ClientFormat<Source>,
  format: SupplierFormat,
): Translation<Source> => ({
  forward(inference, route) {
    const { conversation, names } = client.parse(inference, route);
    const request = { model: route.upstreamModel, profile: profileOf(route), stream: inference.stream, names, route };
    return written(client.field, () => format.write(conversation, request));
  },
  leftOut: (inference, route) =>
    format
      .leftOut(client.parse(inference, route).conversation, profileOf(route), route)
      .map((name) => client.fieldName(name)),
  readAnswer: (inference, body, route) =>
    translated(() => {
      const { stopSequences } = client.parse(inference).conversation;
      const report = format.readReport?.(body);
      const answer = format.readWhole(body, route && profileOf(route), stopSequences);
      const { usage, ...rest } = report ?? reportOf(answer);
      const write = client.writer(inference, answer);
      const withUsage = (settled: Usage | null) => Buffer.from(write(settled));
      const states = client.statesUsage && usage === null ? { withUsage } : {};
      return { ...rest, usage, body: withUsage(usage), ...states };
    }),
  openStream: (inference, route) =>
    new TranslatedStream(
      format.openParts(route && profileOf(route), client.parse(inference).conversation.stopSequences),
      client.openEncoder(inference),
    ),
  ...(format.headers === undefined ? {} : { headers: () => ({ ...format.headers }) }),
  ...(client.translateError === undefined ? {} : { translateError: client.translateError }),
});

function reportOf({ usage, parts }: Answer): Omit<WholeAnswer, "body"> {
  const pictures = parts.filter(({ kind }) => kind === "picture").length;
  return { usage, pictures, outputText: () => parts.map(textOf).join("") };
}

function textOf(part: AnswerPart): string {
  if (part.kind === "picture") return "";
  return part.kind === "toolCall" ? part.name + part.arguments : part.text;
}
