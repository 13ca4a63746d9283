"""The unmodified `anthropic` package with a messages-style and a chat-style model behind the gateway."""

import asyncio
import os

import anthropic
import pytest
from conftest import KEY, URL, WEATHER

TOOL = {"name": "get_weather", "description": "Today's weather", "input_schema": WEATHER}
QUESTION = {"role": "user", "content": "What is the weather in Paris?"}
MODELS = ["sandbox-messages", "sandbox-chat"]
both = pytest.mark.parametrize("model", MODELS)


def hello(model="sandbox-messages"):
    return {"model": model, "max_tokens": 200, "messages": [{"role": "user", "content": "Say hello."}]}


@both
def test_whole_answer(messages, model):
    message = messages.messages.create(**hello(model))
    assert (message.type, message.role, message.stop_reason) == ("message", "assistant", "end_turn")
    assert message.content[0].text
    assert message.usage.input_tokens > 0 and message.usage.output_tokens > 0


@both
def test_stream(messages, model):
    with messages.messages.stream(**hello(model)) as stream:
        text = "".join(stream.text_stream)
        message = stream.get_final_message()
    assert text == message.content[0].text == messages.messages.create(**hello(model)).content[0].text
    assert message.stop_reason == "end_turn" and message.usage.output_tokens > 0


@both
def test_events_of_a_stream(messages, model):
    events = [event.type for event in messages.messages.create(**hello(model), stream=True)]
    assert events[0] == "message_start"
    assert events[-2:] == ["message_delta", "message_stop"]


@both
def test_tools_over_two_turns(messages, model):
    first = messages.messages.create(model=model, max_tokens=200, messages=[QUESTION], tools=[TOOL])
    assert first.stop_reason == "tool_use"
    [call] = [block for block in first.content if block.type == "tool_use"]
    assert (call.name, call.input) == ("get_weather", {"city": "Paris"})
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "21 degrees and sunny"}
    turns = [QUESTION, {"role": "assistant", "content": first.content}, {"role": "user", "content": [result]}]
    second = messages.messages.create(model=model, max_tokens=200, messages=turns, tools=[TOOL])
    assert "21 degrees" in second.content[0].text


@both
def test_counting_tokens(messages, model):
    question = hello(model)
    counted = messages.messages.count_tokens(model=question["model"], messages=question["messages"]).input_tokens
    assert counted > 0
    longer = [{"role": "user", "content": "Say hello. " * 20}]
    assert messages.messages.count_tokens(model=model, messages=longer).input_tokens > counted


def test_models(messages):
    assert "sandbox-messages" in [model.id for model in messages.models.list()]


def test_unknown_key(messages_with):
    with pytest.raises(anthropic.AuthenticationError) as failure:
        messages_with("gw_nobody").messages.create(**hello())
    assert failure.value.status_code == 401
    assert failure.value.body["error"]["type"] == "authentication_error"
    assert failure.value.body["error"]["code"] == "invalid_api_key"


def test_model_that_the_key_may_not_use(messages_with):
    with pytest.raises(anthropic.PermissionDeniedError):
        messages_with(os.environ["GW_NARROW_KEY"]).messages.create(**hello())


def test_unknown_model(messages):
    with pytest.raises(anthropic.NotFoundError) as failure:
        messages.messages.create(**hello("no-such-model"))
    assert failure.value.body["error"]["code"] == "model_not_found"


def test_bad_request(messages):
    with pytest.raises(anthropic.BadRequestError) as failure:
        messages.messages.create(**{**hello(), "messages": []})
    assert failure.value.body["error"]["type"] == "invalid_request_error"


def test_rate_limit_says_when_to_come_back(messages_with):
    client = messages_with(os.environ["GW_MESSAGES_ONCE_KEY"])
    client.messages.create(**hello())
    with pytest.raises(anthropic.RateLimitError) as failure:
        client.messages.create(**hello())
    assert failure.value.body["error"]["type"] == "rate_limit_error"
    assert 1 <= int(failure.value.response.headers["retry-after"]) <= 61


def test_the_asynchronous_client():
    async def run():
        async with anthropic.AsyncAnthropic(base_url=URL, api_key=KEY, max_retries=0) as client:
            whole = await client.messages.create(**hello())
            async with client.messages.stream(**hello()) as stream:
                text = "".join([piece async for piece in stream.text_stream])
            with pytest.raises(anthropic.NotFoundError):
                await client.messages.create(**hello("no-such-model"))
            return whole.content[0].text, text

    whole, streamed = asyncio.run(run())
    assert whole == streamed != ""
