import type { StreamPart } from "../../canonical/answer";
import type { Usage } from "../../canonical/usage";
import type { ToolNames } from "../wire/identifiers";
import type { StreamEncoder } from "../wire/parts";
import { writeChatStop } from "./finish-reasons";
import { thoughtDetail } from "./thought-details";
import { writeChatPicture, writeChatUsage } from "./write-answer";

/** Input for a chat stream besides its parts. `createdSeconds` is Unix time. */
export type ChatStreamFrame = {
  names: ToolNames;
  wantsUsage: boolean;
  createdSeconds: number;
  /** Return the client's id and model name for the supplier's. */
  idOf(id: string): string;
  modelOf(model: string): string;
};

/** Writes a streamed answer as chat completion chunks: one finish reason, then usage if requested, then `[DONE]`. */
export class ChatStreamEncoder implements StreamEncoder {
  readonly #frame: ChatStreamFrame;
  #head = "";
  #tail = "";
  #thought = "";
  #pictures = 0;
  #finished = false;

  constructor(frame: ChatStreamFrame) {
    this.#frame = frame;
  }

  write(part: StreamPart): string {
    switch (part.kind) {
      case "start":
        this.#begin(part.id, part.model);
        return this.#delta('{"role":"assistant","content":""}');
      case "text":
        return this.#delta(`{"content":${JSON.stringify(part.text)}}`);
      case "thinking":
        this.#thought += part.text;
        return this.#delta(`{"reasoning_content":${JSON.stringify(part.text)}}`);
      case "picture":
        return this.#delta(JSON.stringify({ images: [writeChatPicture(part, this.#pictures++)] }));
      case "signature": {
        const detail = thoughtDetail({ ...part, text: part.isRedacted ? "" : this.#thought });
        if (!part.isRedacted) this.#thought = "";
        return this.#delta(JSON.stringify({ reasoning_details: [detail] }));
      }
      case "toolCall": {
        const called = { name: this.#frame.names.original(part.name), arguments: "" };
        return this.#delta(
          JSON.stringify({ tool_calls: [{ index: part.call, id: part.id, type: "function", function: called }] }),
        );
      }
      case "toolArguments":
        return this.#delta(
          `{"tool_calls":[{"index":${part.call},"function":{"arguments":${JSON.stringify(part.text)}}}]}`,
        );
      case "citation":
      case "partEnd":
        return "";
      case "stop":
        return this.#end(writeChatStop(part.stop));
    }
  }

  finish(usage: Usage | null): string {
    let text = this.#finished ? "" : this.#end("stop");
    if (this.#frame.wantsUsage && usage !== null) {
      text += `${this.#head}[],"usage":${JSON.stringify(writeChatUsage(usage))}}\n\n`;
    }
    return `${text}data: [DONE]\n\n`;
  }

  #begin(id: string, model: string): void {
    const { idOf, modelOf, createdSeconds, wantsUsage } = this.#frame;
    const head = { id: idOf(id), object: "chat.completion.chunk", created: createdSeconds, model: modelOf(model) };
    this.#head = `data: ${JSON.stringify(head).slice(0, -1)},"choices":`;
    // Clients that requested usage get `"usage":null` in every chunk before the totals.
    this.#tail = wantsUsage ? ',"usage":null}\n\n' : "}\n\n";
  }

  #delta(delta: string): string {
    return `${this.#head}[{"index":0,"delta":${delta},"finish_reason":null}]${this.#tail}`;
  }

  #end(reason: string): string {
    this.#finished = true;
    return `${this.#head}[{"index":0,"delta":{},"finish_reason":"${reason}"}]${this.#tail}`;
  }
}
