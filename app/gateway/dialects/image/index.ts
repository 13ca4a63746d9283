import { apiError } from "~/errors/app-error";
import { DIALECTS } from "../../canonical/dialects";
import type { Dialect, Translator } from "../dialect";
import { forwardAsItIs, rejectStream } from "../wire/pass-through";
import { readImageAnswer } from "./answer";
import { forwardEdit } from "./edit-forward";
import { type ImageEditSource, promptOf, readImageEdit } from "./edit-read";
import { type ImageSource, readImage } from "./read";

/** The image format: a prompt in, images as base64 or URLs out. */
export const imageDialect: Dialect<ImageSource> = {
  name: "image",
  endpoint: DIALECTS.image.endpoint,
  streamTexts: null,
  read: readImage,
  errorEvent: () => null,
  promptText: (inference) => inference.source.prompt,
};

/** Connects an image client with a supplier: bodies pass through, except model name and gw's own fields. */
export const imageToImage: Translator<ImageSource> = {
  forward: forwardAsItIs,
  readAnswer: (inference, body) => readImageAnswer(inference.source, body),
  openStream: rejectStream,
};

/** The format of image edits: a multipart form with images and a prompt in, the same answers out. */
export const imageEditDialect: Dialect<ImageEditSource> = {
  name: "imageEdit",
  endpoint: DIALECTS.imageEdit.endpoint,
  streamTexts: null,
  read() {
    throw apiError("unsupported_media_type", { userMessage: "Send the request as multipart/form-data." });
  },
  readUpload: readImageEdit,
  errorEvent: () => null,
  promptText: (inference) => promptOf(inference.source),
  mediaTokens: (inference) => inference.source.mediaTokens,
};

/** Connects a client with a supplier of image edits: the form is rewritten, the answer passes through. */
export const imageEditToImageEdit: Translator<ImageEditSource> = {
  forward: forwardEdit,
  readAnswer: (inference, body) => readImageAnswer(inference.source, body),
  openStream: rejectStream,
};
