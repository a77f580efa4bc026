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


def check_price(config: Config, model: str, max_cost: float, *, own_server: bool = False) -> None:
    """Raise ConfigError when a limit on cost cannot be held because nobody knows what a model costs."""
    if max_cost and price_known(config, model, own_server=own_server) is None:
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
        return _by(price, usage.input_tokens, usage.output_tokens, usage.cache_read_tokens)
    if own_server:
        return None
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError, AssertionError):
        return None


def price_known(config: Config, model: str, *, own_server: bool = False) -> float | None:
    """What a million tokens in cost, by the settings or as genai-prices has it; None when nobody knows."""
    return estimate(config, model, tokens_in=MILLION, tokens_out=0, own_server=own_server)


def estimate(
    config: Config, model: str, *, tokens_in: int, tokens_out: int, cached: int = 0, own_server: bool = False
) -> float | None:
    """US dollars for so many tokens of a model; None when nobody knows the price."""
    if price := price_override(config, model):
        return _by(price, tokens_in, tokens_out, cached)
    if own_server:
        return None
    from genai_prices import Usage, calc_price

    provider, _, name = model.rpartition(":")
    usage = Usage(input_tokens=tokens_in, output_tokens=tokens_out, cache_read_tokens=cached)
    for given in dict.fromkeys((provider or None, provider.partition("-")[0] or None)):
        try:
            return float(calc_price(usage, name, provider_id=given).total_price)
        except (LookupError, ValueError):
            continue
    return None


def _by(price: Price, tokens_in: int, tokens_out: int, cached: int) -> float:
    kept = min(cached, tokens_in)
    return (
        (tokens_in - kept) * price.input + kept * (price.cached or price.input) + tokens_out * price.output
    ) / MILLION
