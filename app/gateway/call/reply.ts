import type { PricedRoute } from "~/domain/routing/index.server";
import type { AppError } from "~/errors/app-error";
import type { WholeAnswer } from "../dialects/dialect";
import type { Attempts } from "./attempts";
import type { LiveStream } from "./live-stream";

/** A supplier's answer that may be shown to the client: from here on there is no other attempt. Or why there is none. */
export type Reply = WholeReply | StreamReply | FailedReply;

/** `rejection`: the client gets that instead of the answer, which is charged. */
export type WholeReply = {
  kind: "whole";
  route: PricedRoute;
  answer: WholeAnswer;
  attempts: Attempts;
  rejection?: AppError;
};
export type StreamReply = { kind: "stream"; route: PricedRoute; live: LiveStream; attempts: Attempts };
/** `problem`: the SupplierFailure of the last attempt, or the AppError that kept it from being made. */
export type FailedReply = { kind: "failed"; problem: unknown; attempts: Attempts };
