import type { Parties } from "~/domain/accounting/shared";
import type { UsageBounds } from "~/domain/metering/index.server";
import type { CallContext } from "../call-context";
import type { InferenceRequest } from "../canonical/inference-request";
import type { RoutePlan } from "../route/route-plan";

/** A call that may be dispatched: its hold is committed, or its payer needs none. */
export type Admission = {
  parties: Parties;
  held: boolean;
  /** The payer is not charged because a sandbox answers. */
  isFree: boolean;
  /** More than this cannot have been used; usage beyond it is not believed. */
  bounds: UsageBounds;
  /** Of the dearest candidate, frozen in the hold; 0 without one. */
  priceVersion: number;
  /** The request to carry out: the client's own, or with a lower ceiling of output. */
  inference: InferenceRequest;
};

/** What is known of a call once it is admitted: where it may go, and what is held for it. */
export type AdmittedCall = CallContext & { readonly plan: RoutePlan; readonly admission: Admission };
