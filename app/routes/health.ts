import { admissionClosedBecause } from "~/domain/accounting/index.server";
import { healthEndpoint } from "~/http/health";

const health = healthEndpoint(admissionClosedBecause);

export const loader = health;
export const action = health;
