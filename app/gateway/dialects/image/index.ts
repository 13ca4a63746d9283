import type { Dialect, Translator } from "../dialect";
import { forwardAsItIs, neverStreamed } from "../wire/pass-through";
import { readImageAnswer } from "./answer";
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
