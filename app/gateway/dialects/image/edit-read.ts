import { config } from "~/config.server";
import { apiError } from "~/errors/app-error";
import type { Upload, UploadedFile } from "~/http/body/multipart";
import { DIALECTS } from "../../canonical/dialects";
import type { InferenceRequest } from "../../canonical/inference-request";
import { check, modelOf, regionOf, sessionIdOf } from "../wire/body-checks";
import { readFormUpload } from "../wire/media/form-upload";
import { IMAGE_TOKENS } from "../wire/media/media-tokens";
import { refuseAuto } from "../wire/refuse-auto";
import { outputTokensOf } from "./output-tokens";
import { PICTURE_HEAD_BYTES, type PictureFormat, pictureFormatOf } from "./picture-format";
import { MAX_IMAGES } from "./read";

/** The parsed form of an image edit. */
export type ImageEditSource = {
  /** Images and mask, in the client's order. */
  files: readonly (UploadedFile & { format: PictureFormat })[];
  /** Fields for the supplier besides the model and the files, in the client's order. */
  fields: readonly (readonly [name: string, value: string])[];
  /** Number of requested images. */
  count: number;
  /** Estimated output tokens per image, for suppliers that bill images by tokens. */
  tokensEach: number;
  /** Estimated tokens of the input images, and of images and prompt together. */
  mediaTokens: number;
  inputTokens: number;
};

const IMAGE_FIELDS = ["image", "image[]"];
const MASK = "mask";
/** Maximum input images, without the mask. */
const MAX_INPUTS = 16;

/**
 * Maximum input tokens of one image: at high fidelity suppliers count 6,240, plus 65 and 129 for each tile of 512
 * pixels (OpenAI's guide to images and vision, "Calculating costs").
 */
const MAX_TOKENS_EACH = 8_000;
/** Bytes of a prompt per token, for an estimate. */
const BYTES_A_TOKEN = 4;

/**
 * Reads a request to edit images: stores the form on disk, reads its fields, and detects the type of each file from its
 * content. Accepts up to 16 images and a mask; `n`, `size`, `quality` and other fields as for `images/generations`.
 * @throws AppError unsupported_media_type, request_too_large, missing_model, missing_fields, invalid_request,
 *   unsupported_parameter, unsupported_auto_mode, capacity_exceeded.
 */
export function readImageEdit(request: Request): Promise<InferenceRequest<ImageEditSource>> {
  const rules = {
    fileFields: [...IMAGE_FIELDS, MASK],
    files: MAX_INPUTS + 1,
    fileBytes: config().limits.imageBodyBytes,
  };
  return readFormUpload(request, rules, parsed);
}

/** Returns the prompt that is sent to the supplier. */
export const promptOf = ({ fields }: Pick<ImageEditSource, "fields">): string =>
  fields.find(([name]) => name === "prompt")?.[1] ?? "";

async function parsed({ fields, files }: Upload): Promise<InferenceRequest<ImageEditSource>> {
  const formFields = new Map(fields);
  const requestedModel = modelOf({ model: formFields.get("model") });
  refuseAuto(requestedModel);
  for (const name of ONCE) check(fields.filter(([other]) => other === name).length <= 1, name, "may be given once");
  refuseStream(formFields);
  const prompt = formFields.get("prompt");
  if (prompt === undefined)
    throw apiError("missing_fields", { userMessage: "The field prompt is missing.", param: "prompt" });
  check(prompt !== "", "prompt", "must be a text");
  const source = sourceOf({ fields, files: await pictures(files) }, formFields);
  const { count, tokensEach } = source;
  const textBytes = fields.reduce((sum, [, value]) => sum + Buffer.byteLength(value), 0);
  return {
    dialect: "imageEdit",
    endpoint: DIALECTS.imageEdit.endpoint,
    requestedModel,
    stream: false,
    region: regionOf({ region: formFields.get("region") || null }),
    sessionId: sessionIdOf({
      session_id: formFields.get("metadata[session_id]"),
      sticky_key: formFields.get("metadata[sticky_key]"),
    }),
    size: {
      bodyBytes: files.reduce((sum, { spool }) => sum + spool.size, textBytes),
      hasMedia: true,
      maxInputTokens: textBytes + files.length * MAX_TOKENS_EACH,
      maxOutputTokens: tokensEach,
      choices: count,
      maxRequests: count,
    },
    retrySafe: true,
    source,
  };
}

/** Fields that may occur once, because supplier and gw could read different values of a duplicate. */
const ONCE = ["model", "prompt", "n", "size", "quality", "region", "stream", "partial_images"];

/** gw's own fields, and fields that gw writes itself. */
const NOT_FORWARDED = new Set([
  ...["model", "region", "stream", "partial_images", "metadata[session_id]", "metadata[sticky_key]"],
]);

function sourceOf(
  { fields, files }: Pick<ImageEditSource, "files" | "fields">,
  formFields: ReadonlyMap<string, string>,
) {
  const mediaTokens = files.length * IMAGE_TOKENS;
  const source: ImageEditSource = {
    files,
    // Copies, because guardrails replace the values.
    fields: fields.filter(([name]) => !NOT_FORWARDED.has(name)).map(([name, value]) => [name, value]),
    count: countOf(formFields.get("n")),
    tokensEach: outputTokensOf({ quality: formFields.get("quality"), size: formFields.get("size") }),
    mediaTokens,
    inputTokens: mediaTokens + Math.ceil(Buffer.byteLength(formFields.get("prompt") ?? "") / BYTES_A_TOKEN),
  };
  return source;
}

function countOf(value: string | undefined): number {
  const count = value === undefined || value === "" ? 1 : /^\d{1,2}$/.test(value) ? Number(value) : 0;
  check(count >= 1 && count <= MAX_IMAGES, "n", `must be a whole number from 1 to ${MAX_IMAGES}`);
  return count;
}

async function pictures(files: readonly UploadedFile[]): Promise<ImageEditSource["files"]> {
  const images = files.filter(({ field }) => field !== MASK);
  if (images.length === 0)
    throw apiError("missing_fields", { userMessage: "The field image is missing.", param: "image" });
  check(images.length <= MAX_INPUTS, "image", `may be given ${MAX_INPUTS} times at most`);
  check(files.length - images.length <= 1, MASK, "may be given once");
  return Promise.all(
    files.map(async ({ field, spool }) => {
      const param = field === MASK ? MASK : "image";
      check(spool.size > 0, param, "is empty");
      const format = pictureFormatOf(await spool.read(0, PICTURE_HEAD_BYTES));
      if (format !== null) return { field, spool, format };
      throw apiError("unsupported_media_type", {
        userMessage: "The file is not an image of a known kind. Send PNG, JPEG or WebP.",
        param,
      });
    }),
  );
}

/** Rejects streams: partial images would be charged before their number is known. */
function refuseStream(formFields: ReadonlyMap<string, string>): void {
  const asks = (name: string, none: readonly string[]) => !none.includes(formFields.get(name)?.toLowerCase() ?? "");
  const param = asks("stream", ["", "false"]) ? "stream" : asks("partial_images", ["", "0"]) ? "partial_images" : null;
  if (param === null) return;
  throw apiError("unsupported_parameter", {
    userMessage: `Images are answered as a whole. Leave ${param} out.`,
    param,
  });
}
