"""What a model costs: as the settings say, else as genai-prices has it, else nobody knows, which is not nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brain.config import Config, Price
from brain.errors import ConfigError

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse

MILLION = 1_000_000


def price_override(config: Config, model: str) -> Price | None:
    """The price that the settings give for a model, by its full name or the part after the provider."""
    prices = config.models.prices
    return prices.get(model) or prices.get(model.partition(":")[2] or model)


def check_price(config: Config, model: str, max_cost: float) -> None:
    """Raise ConfigError when a limit on cost cannot be held because nobody knows what a model costs."""
    if max_cost and price_known(config, model) is None:
        raise ConfigError(
            f"nobody knows what {model!r} costs, so a limit of ${max_cost:g} cannot be held",
            hint=f'write [models.prices."{model}"] input = …, output = … (dollars a million tokens)',
        )


def priced(config: Config, model: str, response: ModelResponse, *, own_server: bool) -> float | None:
    """What a response cost, by the settings, else as genai-prices has it, else None.

    A server of one's own is never priced by what a model of that name costs elsewhere.
    """
    usage = response.usage
    price = price_override(config, model)
    if price is not None:
        cached = min(usage.cache_read_tokens, usage.input_tokens)
        rate = price.cached or price.input
        return (
            (usage.input_tokens - cached) * price.input + cached * rate + usage.output_tokens * price.output
        ) / MILLION
    if own_server:
        return None
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError, AssertionError):
        return None


def price_known(config: Config, model: str) -> float | None:
    """What a million tokens in cost, by the settings or as genai-prices has it; None when nobody knows."""
    if price := price_override(config, model):
        return price.input
    return estimate(config, model, tokens_in=MILLION, tokens_out=0)


def estimate(config: Config, model: str, *, tokens_in: int, tokens_out: int) -> float | None:
    """US dollars for so many tokens of a model; None when nobody knows the price."""
    if price := price_override(config, model):
        return (tokens_in * price.input + tokens_out * price.output) / MILLION
    if config.models.base_url:
        return None
    from genai_prices import Usage, calc_price

    provider, _, name = model.rpartition(":")
    try:
        found = calc_price(
            Usage(input_tokens=tokens_in, output_tokens=tokens_out),
            name,
            provider_id=provider.partition("-")[0] or None,
        )
    except (LookupError, ValueError):
        return None
    return float(found.total_price)
