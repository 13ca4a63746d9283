import OpenAI from "openai";
import { type Client, classFor, type Place, WEATHER_SCHEMA, weatherIn } from "./client";

const clientOf = ({ url, key }: Place) => new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });

const question: OpenAI.ChatCompletionMessageParam = { role: "user", content: "weather?" };
const WEATHER = { type: "function" as const, function: { name: "get_weather", parameters: WEATHER_SCHEMA } };

function resultOf(call: OpenAI.ChatCompletionMessageToolCall): OpenAI.ChatCompletionMessageParam {
  if (call.type !== "function") throw new Error(`a call of the type ${call.type}`);
  const { city } = JSON.parse(call.function.arguments);
  return { role: "tool", tool_call_id: call.id, content: weatherIn(city) };
}

const CLASSES = {
  400: OpenAI.BadRequestError,
  401: OpenAI.AuthenticationError,
  403: OpenAI.PermissionDeniedError,
  404: OpenAI.NotFoundError,
  413: OpenAI.APIError,
  422: OpenAI.UnprocessableEntityError,
  429: OpenAI.RateLimitError,
  server: OpenAI.InternalServerError,
};

const isTyped: Client["isTyped"] = (problem, status) =>
  problem instanceof classFor(status, CLASSES) && (problem as InstanceType<typeof OpenAI.APIError>).status === status;

/** The chat SDK's chat completions. */
export const openaiChat: Client = {
  name: "openai, chat completions",
  speaks: "conversations",
  async whole(place, signal) {
    const { model } = place;
    const body = { model, messages: [{ role: "user" as const, content: "hi" }] };
    const { choices } = await clientOf(place).chat.completions.create(body, { signal });
    return choices[0]!.message.content ?? "";
  },
  async *stream(place, signal) {
    const { model } = place;
    const body = { model, messages: [{ role: "user" as const, content: "hi" }], stream: true as const };
    for await (const chunk of await clientOf(place).chat.completions.create(body, { signal }))
      yield chunk.choices[0]?.delta.content ?? "";
  },
  async tools(place) {
    const { model } = place;
    const create = (messages: OpenAI.ChatCompletionMessageParam[]) =>
      clientOf(place).chat.completions.create({ model, messages, tools: [WEATHER] });
    const { message } = (await create([question])).choices[0]!;
    const after = await create([question, message, ...(message.tool_calls ?? []).map(resultOf)]);
    return after.choices[0]!.message.content ?? "";
  },
  async streamedTools(place) {
    const { model } = place;
    const create = (messages: OpenAI.ChatCompletionMessageParam[]) =>
      clientOf(place)
        .chat.completions.stream({ model, messages, tools: [WEATHER] })
        .finalChatCompletion();
    const { message } = (await create([question])).choices[0]!;
    const after = await create([question, message, ...(message.tool_calls ?? []).map(resultOf)]);
    return after.choices[0]!.message.content ?? "";
  },
  async image(place, png) {
    const url = `data:image/png;base64,${png}`;
    const { choices } = await clientOf(place).chat.completions.create({
      model: place.model,
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "look" },
            { type: "image_url", image_url: { url } },
          ],
        },
      ],
    });
    return choices[0]!.message.content ?? "";
  },
  isTyped,
};

const ALWAYS_STREAMS = { none: "native agents always stream; a whole answer is refused by name" };

const textOf = ({ output }: OpenAI.Responses.Response): string =>
  output
    .flatMap((item) => (item.type === "message" ? item.content : []))
    .map((part) => (part.type === "output_text" ? part.text : ""))
    .join("");

/** Returns the results of all calls of a response. */
function resultsOf({ output }: OpenAI.Responses.Response): OpenAI.Responses.ResponseInput {
  return output.flatMap((item) =>
    item.type === "function_call"
      ? [
          {
            type: "function_call_output" as const,
            call_id: item.call_id,
            output: weatherIn(JSON.parse(item.arguments).city),
          },
        ]
      : [],
  );
}

/** The chat SDK's responses, for models that gw translates; it continues from responses that gw has stored. */
export const openaiTranslated: Client = {
  name: "openai, responses in translation",
  speaks: "conversations",
  whole: async (place, signal) =>
    (await clientOf(place).responses.create({ model: place.model, input: "hi" }, { signal })).output_text,
  stream: (place, signal) => openaiResponses.stream(place, signal),
  async tools(place) {
    const { responses } = clientOf(place);
    const tools = [{ type: "function" as const, name: "get_weather", parameters: WEATHER_SCHEMA, strict: true }];
    const { model } = place;
    const asked = await responses.create({ model, input: "weather?", tools });
    const input = resultsOf(asked);
    return (await responses.create({ model, input, tools, previous_response_id: asked.id })).output_text;
  },
  streamedTools: (place) => openaiResponses.streamedTools(place),
  image: (place, png) => openaiResponses.image(place, png),
  isTyped,
};

/** The chat SDK's responses. */
export const openaiResponses = {
  name: "openai, responses",
  speaks: "native",
  whole: ALWAYS_STREAMS,
  async *stream(place, signal) {
    const stream = await clientOf(place).responses.create(
      { model: place.model, input: [{ role: "user", content: "hi" }], stream: true },
      { signal },
    );
    for await (const event of stream) {
      if (event.type === "response.output_text.delta") yield event.delta;
      if (event.type === "response.failed") throw new Error(event.response.error?.message);
    }
  },
  tools: ALWAYS_STREAMS,
  async streamedTools(place) {
    const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "weather?" }];
    const tool = { type: "function" as const, name: "get_weather", parameters: WEATHER_SCHEMA, strict: true };
    const ask = () =>
      clientOf(place)
        .responses.stream({ model: place.model, input, tools: [tool] })
        .finalResponse();
    const asked = await ask();
    for (const item of asked.output) {
      if (item.type !== "function_call") continue;
      input.push(item, {
        type: "function_call_output",
        call_id: item.call_id,
        output: weatherIn(JSON.parse(item.arguments).city),
      });
    }
    return textOf(await ask());
  },
  async image(place, png) {
    const content = [
      { type: "input_image" as const, detail: "auto" as const, image_url: `data:image/png;base64,${png}` },
    ];
    const stream = clientOf(place).responses.stream({ model: place.model, input: [{ role: "user", content }] });
    return textOf(await stream.finalResponse());
  },
  isTyped,
} satisfies Client;
