import type { PricedRoute } from "~/domain/routing/index.server";
import type { AppError } from "~/errors/app-error";
import type { WholeAnswer } from "../dialects/dialect";
import type { Attempts } from "./attempts";
import type { LiveStream } from "./live-stream";

/** A supplier's answer that may be shown to the client, after which there is no other attempt; or the failure. */
export type Reply = WholeReply | StreamReply | FailedReply;

/** `rejection`: the error that the client gets instead of the answer. The answer is charged all the same. */
export type WholeReply = {
  kind: "whole";
  route: PricedRoute;
  answer: WholeAnswer;
  attempts: Attempts;
  rejection?: AppError;
};
export type StreamReply = { kind: "stream"; route: PricedRoute; live: LiveStream; attempts: Attempts };
/** `problem`: the SupplierFailure of the last attempt, or the AppError that prevented it. */
export type FailedReply = { kind: "failed"; problem: unknown; attempts: Attempts };
