import type { z } from "zod";
import type { PlaygroundCallForm } from "./playground-form.schema";

export type PlaygroundCall = Omit<z.output<typeof PlaygroundCallForm>, "key_id">;

/** The body of the chat request that a form describes, which is what samples show and what is called. */
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

/** A picture as a sample shows it: what kind it is and where its bytes go. */
export const withoutBytes = (image: string): string =>
  image === "" ? "" : `${image.slice(0, image.indexOf(",") + 1)}…`;
