import { apiError } from "~/errors/app-error";
import type { Dialect, Translator } from "../dialect";
import { forwardAsItIs, neverStreamed } from "../wire/pass-through";
import { readImageAnswer } from "./answer";
import { forwardEdit } from "./edit-forward";
import { type ImageEditSource, promptOf, readImageEdit } from "./edit-read";
import { type ImageSource, readImage } from "./read";

/** The image format: a prompt in, images as base64 or as addresses out. */
export const imageDialect: Dialect = {
  name: "image",
  endpoint: "images/generations",
  read: readImage,
  errorEvent: () => null,
  promptText: (inference) => (inference.source as ImageSource).prompt,
};

/** An image client and a supplier with the same format: bodies pass through, but for the model's name and gw's own fields. */
export const imageToImage: Translator = {
  forward: forwardAsItIs,
  readAnswer: (inference, body) => readImageAnswer(inference.source as ImageSource, body),
  openStream: neverStreamed,
};

/** The format of edits: a multipart form with images and a prompt in, the same answers out. */
export const imageEditDialect: Dialect = {
  name: "imageEdit",
  endpoint: "images/edits",
  read() {
    throw apiError("unsupported_media_type", { userMessage: "Send the request as multipart/form-data." });
  },
  readUpload: readImageEdit,
  errorEvent: () => null,
  promptText: (inference) => promptOf(inference.source as ImageEditSource),
  mediaTokens: (inference) => (inference.source as ImageEditSource).mediaTokens,
};

/** A client of edits and a supplier with the same format: the form is written anew, the answer passes through. */
export const imageEditToImageEdit: Translator = {
  forward: forwardEdit,
  readAnswer: (inference, body) => readImageAnswer(inference.source as ImageEditSource, body),
  openStream: neverStreamed,
};
