import { SupplierFailure } from "../../canonical/supplier-failure";
import { readFailure } from "../toolkit/read-failure";

/** Bedrock's names for its errors, with the statuses that say what to do. Those that are left out keep their own. */
const STATUS: Readonly<Record<string, number>> = {
  throttlingexception: 429,
  servicequotaexceededexception: 429,
  // It is being loaded.
  modelnotreadyexception: 429,
  modeltimeoutexception: 408,
  modelerrorexception: 502,
  modelstreamerrorexception: 502,
  internalserverexception: 500,
  serviceunavailableexception: 503,
  validationexception: 400,
};

/** The status by which an error of this name would come as an answer of its own. */
export const statusOf = (name: string): number | null => STATUS[name.toLowerCase()] ?? null;

/** Understands an error answer: its name stands in a header, and its words in `message`. */
export const readBedrockFailure: typeof readFailure = (answer, asErrorCode) => {
  const failure = readFailure(answer, asErrorCode);
  const said = answer.headers["x-amzn-errortype"];
  const name = (Array.isArray(said) ? said[0] : said)?.split(":")[0] ?? failure.supplierType;
  if (name == null || name === "") return failure;
  return new SupplierFailure(failure.kind, failure.message, {
    ...failure,
    status: statusOf(name) ?? failure.status,
    supplierCode: failure.supplierCode ?? name,
  });
};
