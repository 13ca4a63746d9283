import { z } from "zod";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { apiError } from "~/errors/app-error";
import type { MessageKey } from "~/errors/message";

const body = z.looseObject({});

/** Creates a retired endpoint: it rejects every request with the message of its successor and changes nothing. */
export function retired(
  key: MessageKey,
  { method = "POST", params }: { method?: "POST" | "DELETE"; params?: z.ZodObject } = {},
) {
  const run = () => {
    throw apiError("not_implemented", { key });
  };
  return portalEndpoint({ allow: "viewer", params, [method]: { body, run } });
}
