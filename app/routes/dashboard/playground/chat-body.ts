import type { z } from "zod";
import type { PlaygroundCallForm } from "./playground-form.schema";

export type PlaygroundCall = Omit<z.output<typeof PlaygroundCallForm>, "key_id">;

/** Returns the body of the chat request for a form; used for samples and for calls. */
export function chatBodyOf(call: PlaygroundCall): Record<string, unknown> {
  const { model, system, message, history, image, tool, max_tokens, temperature } = call;
  const content =
    image === ""
      ? message
      : [
          { type: "text", text: message },
          { type: "image_url", image_url: { url: image } },
        ];
  return {
    model,
    messages: [
      ...(system.trim() === "" ? [] : [{ role: "system", content: system }]),
      ...(history ?? []),
      { role: "user", content },
    ],
    max_tokens,
    ...(temperature === null ? {} : { temperature }),
    ...(tool === null ? {} : { tools: [{ type: "function", function: tool }] }),
  };
}

/** An image in a sample: its type, and a placeholder for its bytes. */
export const withoutBytes = (image: string): string =>
  image === "" ? "" : `${image.slice(0, image.indexOf(",") + 1)}…`;
