import { SupplierFailure } from "../../canonical/supplier-failure";
import { readFailure } from "../toolkit/read-failure";

/** Bedrock's error names with equivalent statuses. Other names keep the response's status. */
const STATUS: Readonly<Record<string, number>> = {
  throttlingexception: 429,
  servicequotaexceededexception: 429,
  // The model is being loaded.
  modelnotreadyexception: 429,
  modeltimeoutexception: 408,
  modelerrorexception: 502,
  modelstreamerrorexception: 502,
  internalserverexception: 500,
  serviceunavailableexception: 503,
  validationexception: 400,
};

/** Errors after which the model may have executed the request: it exceeded its time limit. */
const MAY_HAVE_WORKED: ReadonlySet<string> = new Set(["modeltimeoutexception"]);

/** Returns the status for an error of this name; null if it has none. */
export const statusOf = (name: string): number | null => STATUS[name.toLowerCase()] ?? null;

/** Reads an error response: its name is in a header, its text in `message`. */
export const readBedrockFailure: typeof readFailure = (answer, asErrorCode) => {
  const failure = readFailure(answer, asErrorCode);
  const errorType = answer.headers["x-amzn-errortype"];
  const name = (Array.isArray(errorType) ? errorType[0] : errorType)?.split(":")[0] ?? failure.supplierType;
  if (name == null || name === "") return failure;
  return new SupplierFailure(failure.kind, failure.message, {
    ...failure,
    executed: MAY_HAVE_WORKED.has(name.toLowerCase()) ? "unknown" : failure.executed,
    status: statusOf(name) ?? failure.status,
    supplierCode: failure.supplierCode ?? name,
  });
};
