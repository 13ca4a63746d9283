"""The clients under test, created as an application does. The environment contains the gateway's URL and keys."""

import os

import anthropic
import openai
import pytest

URL = os.environ["GW_URL"]
KEY = os.environ["GW_KEY"]

WEATHER = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}


@pytest.fixture
def chat():
    return openai.OpenAI(base_url=f"{URL}/v1", api_key=KEY, max_retries=0)


@pytest.fixture
def chat_with():
    """Returns a chat client with another key."""
    return lambda key: openai.OpenAI(base_url=f"{URL}/v1", api_key=key, max_retries=0)


@pytest.fixture
def messages():
    return anthropic.Anthropic(base_url=URL, api_key=KEY, max_retries=0)


@pytest.fixture
def messages_with():
    """Returns a messages client with another key."""
    return lambda key: anthropic.Anthropic(base_url=URL, api_key=key, max_retries=0)
