import type { Route } from "~/domain/catalogue/shared";
import type { BodySource } from "../../canonical/exchange";
import type { InferenceRequest } from "../../canonical/inference-request";
import { formBody } from "../wire/media/form-body";
import { steers } from "../wire/steering-fields";
import type { ImageEditSource } from "./edit-read";
import { PICTURE_FORMATS } from "./picture-format";

/**
 * Returns the form for the supplier: the supplier's model name, the client's other fields, and the images from disk in
 * their order, under the client's field names.
 */
export function forwardEdit(inference: InferenceRequest<ImageEditSource>, route: Route): BodySource {
  const { files, fields } = inference.source;
  const passed = fields.filter(([name]) => !steers(name.replace(/\[.*$/s, ""), route.supplier));
  return formBody(
    [["model", route.upstreamModel], ...passed],
    files.map(({ field, spool, format }, index) => ({
      field,
      spool,
      contentType: PICTURE_FORMATS[format],
      filename: `${field === "mask" ? "mask" : `image-${index + 1}`}.${format}`,
    })),
  );
}
