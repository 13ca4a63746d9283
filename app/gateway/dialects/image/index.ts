import type { Route } from "~/domain/catalogue/shared";
import { editMembers } from "~/http/json-surgery";
import type { InferenceRequest } from "../../canonical/inference-request";
import type { Dialect, Translator } from "../dialect";
import { ownFieldEdits } from "../wire/body-checks";
import { notAnAnswer } from "../wire/whole-json";
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
  forward: forwardImage,
  readAnswer: (inference, body) => readImageAnswer(inference.source as ImageSource, body),
  openStream() {
    throw notAnAnswer("the supplier streamed what is never streamed");
  },
};

function forwardImage(inference: InferenceRequest, route: Route): string {
  const { text, members, body } = inference.source as ImageSource;
  return editMembers(text, members, ownFieldEdits({ body, members }, route));
}
