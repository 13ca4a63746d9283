"""The unmodified `openai` package with the sandbox models of a fresh installation."""

import asyncio
import json
import os
import time

import openai
import pytest
from conftest import KEY, URL, WEATHER

HELLO = {"model": "sandbox-chat", "messages": [{"role": "user", "content": "Say hello."}]}
TOOL = {"type": "function", "function": {"name": "get_weather", "parameters": WEATHER}}


def test_whole_answer(chat):
    completion = chat.chat.completions.create(**HELLO, max_tokens=50)
    assert completion.choices[0].message.content
    assert completion.choices[0].finish_reason == "stop"
    usage = completion.usage
    assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens > 0


def test_headers_say_what_it_cost(chat):
    raw = chat.chat.completions.with_raw_response.create(**HELLO)
    assert raw.headers["x-gw-supplier"] == "sandbox"
    assert float(raw.headers["x-gw-cost-usd"]) >= 0
    assert raw.parse().id


def test_stream(chat):
    stream = chat.chat.completions.create(**HELLO, stream=True, stream_options={"include_usage": True})
    chunks = list(stream)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert len(chunks) > 3 and text
    assert text == chat.chat.completions.create(**HELLO).choices[0].message.content
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop"
    assert chunks[-1].usage.completion_tokens > 0


def test_leaving_a_stream_leaves_the_client_usable(chat):
    with chat.chat.completions.create(**HELLO, stream=True) as stream:
        next(iter(stream))
    assert chat.chat.completions.create(**HELLO).choices


def test_tools_over_two_turns(chat):
    question = {"role": "user", "content": "What is the weather in Paris?"}
    first = chat.chat.completions.create(model="sandbox-chat", messages=[question], tools=[TOOL])
    message = first.choices[0].message
    assert first.choices[0].finish_reason == "tool_calls"
    [call] = message.tool_calls
    assert (call.function.name, json.loads(call.function.arguments)) == ("get_weather", {"city": "Paris"})
    result = {"role": "tool", "tool_call_id": call.id, "content": "21 degrees and sunny"}
    turns = [question, message.model_dump(exclude_none=True), result]
    second = chat.chat.completions.create(model="sandbox-chat", messages=turns, tools=[TOOL])
    assert "21 degrees" in second.choices[0].message.content


def test_streamed_tool_calls(chat):
    question = {"role": "user", "content": "What is the weather in Paris?"}
    with chat.chat.completions.stream(model="sandbox-chat", messages=[question], tools=[TOOL]) as stream:
        for _ in stream:
            pass
        [call] = stream.get_final_completion().choices[0].message.tool_calls
    assert json.loads(call.function.arguments) == {"city": "Paris"}


def test_json_by_a_schema(chat):
    form = {"type": "json_schema", "json_schema": {"name": "weather", "strict": True, "schema": WEATHER}}
    completion = chat.chat.completions.create(**HELLO, response_format=form)
    assert set(json.loads(completion.choices[0].message.content)) == {"city"}


def test_embeddings(chat):
    # The package itself requests base64 and decodes it.
    answer = chat.embeddings.create(model="sandbox-embed", input=["one text", "another"])
    assert [len(item.embedding) for item in answer.data] == [256, 256]
    assert all(isinstance(number, float) for number in answer.data[0].embedding)
    floats = chat.embeddings.create(model="sandbox-embed", input=["one text"], encoding_format="float")
    assert floats.data[0].embedding == pytest.approx(answer.data[0].embedding, abs=1e-6)


def test_speech_and_its_transcription(chat):
    sound = chat.audio.speech.create(model="sandbox-tts", voice="alloy", input="Good morning", response_format="wav")
    text = chat.audio.transcriptions.create(model="sandbox-whisper", file=("morning.wav", sound.read())).text
    assert text == "Good morning"


def test_models(chat):
    assert chat.api_key == KEY
    # The package reads the list object, which the endpoint returns when the address has a query.
    models = [model.id for model in chat.models.list(extra_query={"object": "list"})]
    assert "sandbox-chat" in models and "sandbox-embed" in models


def test_responses_as_a_stream(chat):
    events = [event.type for event in chat.responses.create(model="sandbox-agent", input=HELLO["messages"], stream=True)]
    assert events[0] == "response.created"
    assert events[-1] == "response.completed"


@pytest.mark.parametrize("model", ["sandbox-chat", "sandbox-messages"])
def test_responses_over_two_turns(chat, model):
    first = chat.responses.create(model=model, input="Say hello.")
    assert (first.status, first.output[-1].type) == ("completed", "message")
    assert first.output_text
    second = chat.responses.create(model=model, input="Again.", previous_response_id=first.id)
    assert second.output_text and second.id != first.id
    assert chat.responses.retrieve(first.id).output_text == first.output_text
    with chat.responses.stream(model=model, input="Say hello.", store=False) as stream:
        for _ in stream:
            pass
        assert stream.get_final_response().output_text == first.output_text


def test_a_batch(chat):
    bodies = [HELLO, {**HELLO, "max_tokens": 5}]
    lines = [
        {"custom_id": f"line-{at}", "method": "POST", "url": "/v1/chat/completions", "body": body}
        for at, body in enumerate(bodies)
    ]
    content = "\n".join(json.dumps(line) for line in lines).encode()
    file = chat.files.create(purpose="batch", file=("lines.jsonl", content))
    assert (file.purpose, file.bytes) == ("batch", len(content))
    batch = chat.batches.create(
        input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h", metadata={"what": "test"}
    )
    for _ in range(300):
        batch = chat.batches.retrieve(batch.id)
        if batch.status in ("completed", "failed", "expired", "cancelled"):
            break
        time.sleep(0.2)
    assert (batch.status, batch.request_counts.completed) == ("completed", 2)
    told = [json.loads(line) for line in chat.files.content(batch.output_file_id).text.splitlines()]
    assert [line["custom_id"] for line in told] == ["line-0", "line-1"]
    assert all(line["response"]["status_code"] == 200 for line in told)
    assert batch.id in [each.id for each in chat.batches.list(limit=5)]
    assert chat.files.delete(file.id).deleted
    with pytest.raises(openai.NotFoundError):
        chat.files.retrieve(file.id)


def test_a_batch_of_lines_that_cannot_be_carried_out(chat):
    file = chat.files.create(purpose="batch", file=("lines.jsonl", b"{}"))
    batch = chat.batches.create(input_file_id=file.id, endpoint="/v1/embeddings", completion_window="24h")
    for _ in range(300):
        batch = chat.batches.retrieve(batch.id)
        if batch.status != "validating":
            break
        time.sleep(0.2)
    assert batch.status == "failed"
    assert batch.errors.data[0].line == 1


@pytest.mark.parametrize("key", ["gw_nobody", "not a key"])
def test_unknown_key(chat_with, key):
    with pytest.raises(openai.AuthenticationError) as failure:
        chat_with(key).chat.completions.create(**HELLO)
    assert (failure.value.status_code, failure.value.code) == (401, "invalid_api_key")


def test_model_that_the_key_may_not_use(chat_with):
    with pytest.raises(openai.PermissionDeniedError) as failure:
        chat_with(os.environ["GW_NARROW_KEY"]).chat.completions.create(**HELLO)
    assert failure.value.code == "model_not_allowed"


def test_unknown_model(chat):
    with pytest.raises(openai.NotFoundError) as failure:
        chat.chat.completions.create(**{**HELLO, "model": "no-such-model"})
    assert failure.value.code == "model_not_found"


def test_bad_request(chat):
    with pytest.raises(openai.BadRequestError) as failure:
        chat.chat.completions.create(**HELLO, temperature=9)
    assert (failure.value.code, failure.value.param) == ("invalid_request", "temperature")


def test_rate_limit_says_when_to_come_back(chat_with):
    client = chat_with(os.environ["GW_CHAT_ONCE_KEY"])
    client.chat.completions.create(**HELLO)
    with pytest.raises(openai.RateLimitError) as failure:
        client.chat.completions.create(**HELLO)
    assert failure.value.code == "rate_limit_exceeded"
    assert 1 <= int(failure.value.response.headers["retry-after"]) <= 61


def test_the_asynchronous_client():
    async def both():
        async with openai.AsyncOpenAI(base_url=f"{URL}/v1", api_key=KEY, max_retries=0) as client:
            whole, stream = await asyncio.gather(
                client.chat.completions.create(**HELLO),
                client.chat.completions.create(**HELLO, stream=True),
            )
            text = ""
            async for chunk in stream:
                text += (chunk.choices[0].delta.content or "") if chunk.choices else ""
            with pytest.raises(openai.NotFoundError):
                await client.chat.completions.create(**{**HELLO, "model": "no-such-model"})
            return whole.choices[0].message.content, text

    whole, streamed = asyncio.run(both())
    assert whole == streamed != ""
