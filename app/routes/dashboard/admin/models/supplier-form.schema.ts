import { z } from "zod";
import { PORTAL_KINDS } from "~/domain/catalogue/shared";
import { accountText } from "~/domain/credentials/shared";
import { issue } from "~/errors/message";
import { Flag } from "~/http/body/fields";
import { HeaderName, Headers, Parameters } from "./extra-fields";

const BaseUrl = z.string().trim().min(1, issue("problems:fillIn")).max(500);
/** A token that is sent as "Bearer", or the JSON of a service account. */
const ApiKey = z
  .string()
  .trim()
  .max(8_000)
  .transform((text) => accountText(text) ?? text)
  .refine(
    (text) => (text.startsWith("{") ? accountText(text) !== null : /^[\x21-\x7e]+$/.test(text)),
    issue("problems:apiKey"),
  );
const Region = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, issue("problems:regionName"));
const Empty = z.literal("").transform(() => undefined);

/** A supplier to add; without a key for suppliers that need none. */
export const NewSupplierForm = z.strictObject({
  name: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?$/, issue("problems:supplierName")),
  kind: z.enum(PORTAL_KINDS),
  base_url: BaseUrl,
  region: z.union([z.literal("").transform(() => "global"), Region], issue("problems:regionName")).default("global"),
  api_key: z.union([Empty, ApiKey], issue("problems:apiKey")).optional(),
  headers: Headers.default({}),
  query: Parameters.default({}),
  key_header: z.union([Empty, HeaderName]).optional(),
});

/** A change of a supplier; missing fields and an empty key change nothing. */
export const SupplierChangeForm = z.strictObject({
  kind: z.enum(PORTAL_KINDS).optional(),
  base_url: BaseUrl.optional(),
  region: Region.optional(),
  api_key: z.union([Empty, ApiKey], issue("problems:apiKey")).optional(),
  draining: Flag.optional(),
});

/** The name of the supplier, typed again as confirmation. */
export const DeleteSupplierForm = z.strictObject({ confirm: z.string().max(200) });
