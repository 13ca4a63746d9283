import type { Parties } from "~/domain/accounting/shared";
import type { UsageBounds } from "~/domain/pricing/shared";
import type { CallContext } from "../call-context";
import type { InferenceRequest } from "../canonical/inference-request";
import type { RoutePlan } from "../route/route-plan";

/** A call that may be dispatched: its hold is committed, or its payer needs none. */
export type Admission = {
  parties: Parties;
  held: boolean;
  /** The payer is not charged because the call can only reach a sandbox. */
  isFree: boolean;
  /** Maximum usage that the request can cause. Reported usage far above it is ignored. */
  bounds: UsageBounds;
  /** Price version of the most expensive route, frozen in the hold; 0 without a hold. */
  priceVersion: number;
  /** The request to carry out: the client's own, or with a lower output limit. */
  inference: InferenceRequest;
};

/** A call after admission: its routes and its hold. */
export type AdmittedCall = CallContext & { readonly plan: RoutePlan; readonly admission: Admission };
