import Anthropic from "@anthropic-ai/sdk";
import AnthropicBefore from "@anthropic-ai/sdk-0";
import { type Client, classFor, type Place, WEATHER_SCHEMA, weatherIn } from "./client";

type Sdk = typeof Anthropic;

const weather = { name: "get_weather", input_schema: WEATHER_SCHEMA };
const textOf = ({ content }: Anthropic.Message) =>
  content.map((block) => (block.type === "text" ? block.text : "")).join("");

const resultsOf = ({ content }: Anthropic.Message): Anthropic.ToolResultBlockParam[] =>
  content.flatMap((block) =>
    block.type === "tool_use"
      ? [
          {
            type: "tool_result" as const,
            tool_use_id: block.id,
            content: weatherIn((block.input as { city: string }).city),
          },
        ]
      : [],
  );

/** Returns a client that uses one release line of the messages SDK. */
function messagesClient(name: string, sdk: Sdk): Client {
  const clientOf = ({ url, key }: Place) => new sdk({ baseURL: url, apiKey: key, maxRetries: 0 });
  const ask = ({ model }: Place, content: Anthropic.MessageParam["content"] = "hi") => ({
    model,
    max_tokens: 500,
    messages: [{ role: "user" as const, content }],
  });
  const twoTurns = async (
    place: Place,
    create: (body: Anthropic.MessageCreateParamsNonStreaming) => Promise<Anthropic.Message>,
  ) => {
    const body = { ...ask(place, "weather?"), tools: [weather] };
    const asked = await create(body);
    const history = [
      { role: "assistant" as const, content: asked.content },
      { role: "user" as const, content: resultsOf(asked) },
    ];
    return textOf(await create({ ...body, messages: [...body.messages, ...history] }));
  };
  return {
    name,
    speaks: "conversations",
    whole: async (place, signal) => textOf(await clientOf(place).messages.create(ask(place), { signal })),
    async *stream(place, signal) {
      for await (const event of clientOf(place).messages.stream(ask(place), { signal }))
        if (event.type === "content_block_delta" && event.delta.type === "text_delta") yield event.delta.text;
    },
    tools: (place) => twoTurns(place, (body) => clientOf(place).messages.create(body)),
    streamedTools: (place) => twoTurns(place, (body) => clientOf(place).messages.stream(body).finalMessage()),
    async image(place, data) {
      const source = { type: "base64" as const, media_type: "image/png" as const, data };
      const content = [
        { type: "text" as const, text: "look" },
        { type: "image" as const, source },
      ];
      return textOf(await clientOf(place).messages.create(ask(place, content)));
    },
    isTyped(problem, status) {
      const classes = {
        400: sdk.BadRequestError,
        401: sdk.AuthenticationError,
        403: sdk.PermissionDeniedError,
        404: sdk.NotFoundError,
        413: sdk.APIError,
        422: sdk.UnprocessableEntityError,
        429: sdk.RateLimitError,
        server: sdk.InternalServerError,
      };
      return (
        problem instanceof classFor(status, classes) &&
        (problem as InstanceType<Sdk["APIError"]>).status === status &&
        typeof (problem as { error?: { error?: { type?: unknown } } }).error?.error?.type === "string"
      );
    },
  };
}

export const anthropicNow = messagesClient("@anthropic-ai/sdk 1.x", Anthropic);
export const anthropicBefore = messagesClient("@anthropic-ai/sdk 0.x", AnthropicBefore as unknown as Sdk);
