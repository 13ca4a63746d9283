import { answer, inImage, inText, PDF, PICTURE, PNG, type RequestCase, said, system, text, turn, user } from "./say";

const picture = (url: string, more: object = {}) => ({ type: "image_url", image_url: { url, ...more } });

/** Messages of an input. */
export const MESSAGE_CASES: readonly RequestCase[] = [
  {
    name: "a text",
    ask: { input: "hello" },
    chat: { sends: { messages: [user("hello")] } },
    messages: { sends: { messages: [turn("hello")] } },
  },
  {
    name: "a message with its type",
    ask: { input: [{ type: "message", role: "user", content: "hello" }] },
    chat: { sends: { messages: [user("hello")] } },
    messages: { sends: { messages: [turn("hello")] } },
  },
  {
    name: "a message of two texts",
    ask: { input: [user([inText("one"), inText("two")])] },
    chat: { sends: { messages: [user([text("one"), text("two")])] } },
    messages: { sends: { messages: [turn("one", "two")] } },
  },
  {
    name: "two messages of the user in a row",
    ask: { input: [user("one"), user("two")] },
    chat: { sends: { messages: [user("one"), user("two")] } },
    messages: { sends: { messages: [turn("one", "two")] } },
  },
  {
    name: "a system message",
    ask: { input: [system("Be brief."), user("hi")] },
    chat: { sends: { messages: [system("Be brief."), user("hi")] } },
    messages: { sends: { system: "Be brief.", messages: [turn("hi")] } },
  },
  {
    name: "a developer's message of two texts",
    ask: { input: [{ role: "developer", content: [inText("One."), inText("Two.")] }, user("hi")] },
    chat: { sends: { messages: [system("One.\n\nTwo."), user("hi")] } },
    messages: { sends: { system: [text("One."), text("Two.")], messages: [turn("hi")] } },
  },
  {
    name: "instructions before a developer's message",
    ask: { instructions: "First.", input: [{ role: "developer", content: "Second." }, user("hi")] },
    chat: { sends: { messages: [system("First.\n\nSecond."), user("hi")] } },
    messages: { sends: { system: [text("First."), text("Second.")], messages: [turn("hi")] } },
  },
  {
    name: "empty instructions",
    ask: { instructions: "" },
    chat: { sends: { messages: [user("hi")] } },
    messages: { sends: { messages: [turn("hi")] } },
  },
  {
    name: "a developer's message in the middle",
    ask: { input: [user("hi"), said("Hello"), { role: "developer", content: "Hurry." }, user("and?")] },
    chat: {
      sends: {
        messages: [user("hi"), { role: "assistant", content: "Hello" }, system("Hurry."), user("and?")],
      },
    },
    messages: {
      sends: { messages: [turn("hi"), answer("Hello"), turn("<system>\nHurry.\n</system>", "and?")] },
    },
  },
  {
    name: "an earlier answer as it was given, with its phase",
    ask: { input: [user("hi"), said("Hello", { phase: "final_answer" }), user("and?")] },
    chat: { sends: { messages: [user("hi"), { role: "assistant", content: "Hello" }, user("and?")] } },
    messages: { sends: { messages: [turn("hi"), answer("Hello"), turn("and?")] } },
  },
  {
    name: "an earlier answer as a text",
    ask: { input: [user("hi"), { role: "assistant", content: "Hello" }, user("and?")] },
    chat: { sends: { messages: [user("hi"), { role: "assistant", content: "Hello" }, user("and?")] } },
    messages: { sends: { messages: [turn("hi"), answer("Hello"), turn("and?")] } },
  },
  {
    name: "a comment and an answer, which are two messages",
    ask: { input: [user("hi"), said("Looking.", { phase: "commentary" }), said("Found."), user("and?")] },
    chat: {
      sends: { messages: [user("hi"), { role: "assistant", content: "Looking.\n\nFound." }, user("and?")] },
    },
    messages: { sends: { messages: [turn("hi"), answer("Looking.", "\n\nFound."), turn("and?")] } },
  },
  {
    name: "an earlier answer of two texts, which are one message",
    ask: {
      input: [
        user("hi"),
        {
          role: "assistant",
          content: [
            { type: "output_text", text: "Hel" },
            { type: "output_text", text: "lo" },
          ],
        },
        user("and?"),
      ],
    },
    chat: { sends: { messages: [user("hi"), { role: "assistant", content: "Hello" }, user("and?")] } },
    messages: { sends: { messages: [turn("hi"), answer("Hel", "lo"), turn("and?")] } },
  },
  {
    name: "an earlier refusal",
    ask: { input: [user("hi"), said("", { content: [{ type: "refusal", refusal: "No." }] }), user("why?")] },
    chat: { sends: { messages: [user("hi"), { role: "assistant", content: "No." }, user("why?")] } },
    messages: { sends: { messages: [turn("hi"), answer("No."), turn("why?")] } },
  },
  {
    name: "an earlier answer with what it refers to",
    ask: {
      input: [
        user("hi"),
        said("", {
          content: [
            {
              ...{ type: "output_text", text: "See there", logprobs: [] },
              annotations: [
                { type: "url_citation", url: "https://a.example", title: "A", start_index: 0, end_index: 3 },
              ],
            },
          ],
        }),
        user("and?"),
      ],
    },
    chat: { sends: { messages: [user("hi"), { role: "assistant", content: "See there" }, user("and?")] } },
    messages: { sends: { messages: [turn("hi"), answer("See there"), turn("and?")] } },
  },
  {
    name: "a conversation that begins with the model",
    ask: { input: [said("Welcome"), user("hi")] },
    chat: { sends: { messages: [{ role: "assistant", content: "Welcome" }, user("hi")] } },
    messages: { sends: { messages: [turn("(The conversation begins.)"), answer("Welcome"), turn("hi")] } },
  },
  {
    name: "a beginning that the model is to go on with",
    ask: { input: [user("hi"), said("Well, ")] },
    chat: { sends: { messages: [user("hi"), { role: "assistant", content: "Well, " }] } },
    messages: { sends: { messages: [turn("hi"), answer("Well,")] } },
  },
  {
    name: "a picture as data",
    ask: { input: [user([inText("what?"), inImage(PNG)])] },
    chat: { sends: { messages: [user([text("what?"), picture(PNG)])] } },
    messages: { sends: { messages: [turn("what?", PICTURE)] } },
  },
  ...["low", "high"].map(
    (detail): RequestCase => ({
      name: `a picture to be looked at with ${detail} detail`,
      ask: { input: [user([inImage(PNG, { detail })])] },
      chat: { sends: { messages: [user([picture(PNG, { detail })])] } },
      messages: { sends: { messages: [turn(PICTURE)] }, drops: ["input_image.detail"] },
    }),
  ),
  {
    name: "a picture to be looked at as it is",
    ask: { input: [user([inImage(PNG, { detail: "original" })])] },
    chat: { sends: { messages: [user([picture(PNG, { detail: "high" })])] } },
    messages: { sends: { messages: [turn(PICTURE)] }, drops: ["input_image.detail"] },
  },
  {
    name: "a picture to be looked at as the supplier likes",
    ask: { input: [user([inImage(PNG, { detail: "auto" })])] },
    chat: { sends: { messages: [user([picture(PNG)])] } },
    messages: { sends: { messages: [turn(PICTURE)] } },
  },
  {
    name: "a picture by its address",
    ask: { input: [user([inImage("https://a.example/b.png")])] },
    chat: { sends: { messages: [user([picture("https://a.example/b.png")])] } },
    messages: {
      sends: { messages: [turn({ type: "image", source: { type: "url", url: "https://a.example/b.png" } })] },
    },
  },
  {
    name: "a picture of a kind that one dialect has",
    ask: { input: [user([inImage("data:image/tiff;base64,AAAA")])] },
    chat: { sends: { messages: [user([picture("data:image/tiff;base64,AAAA")])] } },
    messages: { refuses: "input[0].content[0]" },
  },
  {
    name: "a picture by its id",
    ask: { input: [user([{ type: "input_image", file_id: "file_1" }])] },
    chat: { refuses: "input[0].content[0].file_id" },
    messages: { refuses: "input[0].content[0].file_id" },
  },
  {
    name: "a document as data",
    ask: { input: [user([{ type: "input_file", filename: "a.pdf", file_data: PDF }])] },
    chat: { sends: { messages: [user([{ type: "file", file: { filename: "a.pdf", file_data: PDF } }])] } },
    messages: {
      sends: {
        messages: [
          turn({
            ...{ type: "document", title: "a.pdf" },
            source: { type: "base64", media_type: "application/pdf", data: "BBBB" },
          }),
        ],
      },
    },
  },
  {
    name: "a document by its address, which one dialect has",
    ask: { input: [user([{ type: "input_file", file_url: "https://a.example/b.pdf" }])] },
    chat: { refuses: "input[0].content[0].source" },
    messages: {
      sends: { messages: [turn({ type: "document", source: { type: "url", url: "https://a.example/b.pdf" } })] },
    },
  },
  {
    name: "a document by its id",
    ask: { input: [user([{ type: "input_file", file_id: "file_1" }])] },
    chat: { refuses: "input[0].content[0].file_id" },
    messages: { refuses: "input[0].content[0].file_id" },
  },
  {
    name: "sound",
    ask: { input: [user([{ type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }])] },
    chat: { refuses: "input[0].content[0]" },
    messages: { refuses: "input[0].content[0]" },
  },
];
