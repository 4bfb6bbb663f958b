"""Servers that answer as the APIs of model providers do, from a script: with them the real agents' programs run offline, and
each answer and each failure is to be had on demand. They run in the test's own process. Python's standard library only."""

from model_servers.anthropic import Anthropic
from model_servers.gemini import Gemini
from model_servers.openai import OpenAi
from model_servers.server import ModelServer

# The API that each kind of agent uses.
APIS = {"claude": Anthropic, "codex": OpenAi, "gemini": Gemini, "acp": Gemini}

__all__ = ["APIS", "ModelServer"]
