"""Planted secrets are found whole, clean text stays clean, and it is fast. Every value here is made up."""

from __future__ import annotations

import base64
from itertools import pairwise
from time import process_time
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.secrets import find_secrets

A62 = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAbCdEfGhIjKlMnOpQrStUvWxYz0123456789aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z"
HEX = "9f2c41d07ab3e6558d1f0c2b4a69e7730f1e2d3c4b5a69788796a5b4c3d2e1f0"
PEM = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEowIBAAKCAQEA7bq\n" * 4 + "-----END RSA PRIVATE KEY-----"

VENDOR = [
    ("aws-access-key", "AKIA" + "Q3EGRLMPV2TKX7BN"),
    ("github-token", "ghp" + "_" + A62[:36]),
    ("github-token", "github_pat" + "_" + A62[:22] + "_" + A62[:59]),
    ("gitlab-token", "glpat" + "-" + A62[:20]),
    ("slack-token", "xoxb" + "-2048123456-" + A62[:24]),
    ("stripe-key", "sk_live" + "_" + A62[:24]),
    ("anthropic-key", "sk-ant" + "-api03-" + A62[:80]),
    ("openai-key", "sk-proj" + "-" + A62[:48]),
    ("openai-key", "sk-" + A62[:48]),
    ("google-api-key", "AIza" + A62[:35]),
    ("google-oauth", "ya29" + "." + A62[:60]),
    ("google-oauth", "GOCSPX" + "-" + A62[:28]),
    ("huggingface-token", "hf" + "_" + A62[:34]),
    ("npm-token", "npm" + "_" + A62[:36]),
    ("pypi-token", "pypi" + "-AgEIcHlwaS5vcmc" + A62[:60]),
    ("sendgrid-key", "SG" + "." + A62[:22] + "." + A62[:43]),
    ("twilio-key", "SK" + HEX[:32]),
    ("mailchimp-key", HEX[:32] + "-us" + "12"),
    ("discord-token", "MTIzNDU2Nzg5MDEyMzQ1Njc4" + ".GaBcDe." + A62[:38]),
    ("digitalocean-token", "dop_v1" + "_" + HEX),
    ("shopify-token", "shpat" + "_" + HEX[:32]),
    ("databricks-token", "dapi" + HEX[:32]),
    ("vault-token", "hvs" + "." + A62[:28]),
    ("groq-key", "gsk" + "_" + A62[:52]),
    ("xai-key", "xai" + "-" + A62[:80]),
    ("perplexity-key", "pplx" + "-" + A62[:48]),
    ("docker-token", "dckr_pat" + "_" + A62[:27]),
    ("age-key", "AGE-SECRET-KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE"),
    ("password-hash", "$2b" + "$12$" + A62[:53]),
    ("jwt", "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiI0MiIsIm5hbWUiOiJOIn0." + A62[:43]),
    ("private-key", PEM),
    ("iban", "DE89 3704 0044 0532 0130 00"),
    ("iban", "GB82WEST12345698765432"),
    ("card", "4111 1111 1111 1111"),
    ("card", "5555555555554444"),
    ("card", "3782-822463-10005"),
]  # fmt: skip

FRAMES = [
    "{}",
    "export KEY={}",
    "use {} for now",
    '{{"value": "{}"}}',
    "curl -H 'X: {}' host",
    "first\\n{}\\nlast",
    "ключ: {}",
    "({})",
    "`{}`",
]

ASSIGNED = [
    ("password", "DB_PASSWORD=", "s3cr3t-Pine", ""),
    ("password", 'password = "', "correct!horse9", '"'),
    ("password", '{"user": "n", "password": "', "Tr0ub4dor&3", '"}'),
    ("password", '{\\"password\\": \\"', "Tr0ub4dor&3", '\\"}'),
    ("password", "my password is ", "hunter2!", ", do not share"),
    ("password", "The wifi password for the office is ", "Blue-Heron-77", "."),
    ("password", "login nadia, password: ", "Kyoto#2026", ""),
    ("password", "пароль: ", "Солнце42!", ""),
    ("password", "Пароль від пошти: ", "Kalyna-2026", ""),
    ("password", "mot de passe : ", "Lyon69!vert", ""),
    ("password", "Passwort: ", "Regen_9wald", ""),
    ("password", "la contraseña es ", "Sol-2026x", ""),
    ("password", "密码是", "Hangzhou88x", "，别外传"),
    ("password", "パスワードは ", "sakura-2026", " です"),
    ("password", "비밀번호: ", "hangang77!", ""),
    ("password", "mysql -u root -p", "Gr4vel!pit", " app"),
    ("password", "curl -u nadia:", "pa55-word", " https://example.org"),
    ("password", "curl --user nadia:", "pa55-word", " https://example.org"),
    ("password", "machine git.example.org login nadia password ", "t0psecret9", ""),
    ("url-password", "postgres://app:", "p4ssw0rd", "@db.internal:5432/app"),
    ("url-password", "mongodb+srv://app:", "Zx9!kk", "@cluster0.example.net/x"),
    ("url-password", "https://nadia:", "tok3nvalue", "@git.example.org/repo.git"),
    ("bearer-token", "Authorization: Bearer ", "a8f5f167f44f4964e6c998dee827110c", ""),
    ("api-key", "x-api-key: ", "7c1e9a44b2d0f3", ""),
    ("api-key", 'API_KEY="', "q7Lw2ZpX9rTb", '"'),
    ("secret", "client_secret=", "Vb8Q~kk1lmZ0pX", ""),
    ("token", "?access_token=", "zz81kfj3920dkw", "&x=1"),
    ("api-key", "AccountKey=", "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq==", ";EndpointSuffix=x"),
    ("pin", "my PIN is ", "4821", "."),
    ("passport", "passport number ", "XF4821937", ""),
    ("passport", "паспорт ", "4509 123456"[5:], ""),
    ("national-id", "SSN: ", "219-09-9999", ""),
    ("card-code", "CVV: ", "737", ""),
    ("passphrase", "seed phrase: ", "apple river stone cloud tiger lemon chair paper window garden silver ocean", ""),
]  # fmt: skip

CLEAN = [
    "The password field is required and must be at least 12 characters.",
    "def login(user: str, password: str) -> Token:",
    "password = getpass.getpass()",
    "token = os.environ['GITHUB_TOKEN']",
    "api_key=settings.api_key,",
    'apiKey: "<YOUR_API_KEY>"',
    "DB_PASSWORD=${DB_PASSWORD}",
    '"usage": {"input_tokens": 2431, "output_tokens": 118}',
    "max_tokens=4096, tokenizer=cl100k_base",
    "commit 273ac6bf1e2d3c4b5a69788796a5b4c3d2e1f0aa and sha256:" + HEX,
    "session://1eaf53d4-09e0-5823-bb96-c8662f582708#t3-t9",
    "connector://google-calendar?at=2026-08-06T07:40:11Z&q=japan-sprint&sha=9f2c41d07ab3e655",
    "integrity sha512-" + base64.b64encode(bytes(range(64))).decode(),
    "‹redacted:password:9f2c41› and password: ‹redacted:password:9f2c41›",
    "The secretary passed the tests; a pinned page; passwordless login; tokenization.",
    "1722931871000 1722931871123456 +33 6 12 34 56 78 2026-08-06T07:51:00Z",
    "order 1234 5678 9012 3456 is not a card: its check digit is wrong",
    "handleUserAuthentication2Factor src/components/AuthenticationProviderV2/index.tsx",
    "https://example.org/a/b?page=2&sort=asc and https://docs.example.org/v2.1/getting-started",
    "She keeps her password in a manager. Is the token expired? The secret is patience.",
    "パスワードを忘れました。密码忘了怎么办？ пароль не подходит",
    "toolu_01AbCdEfGhJkMnPqRsTuVwXy call_9f2c41d07ab3e655",
    "import { useAuth } from '@/hooks/useAuth'; const token = await getToken();",
    "basic authentication is supported; bearer of good news",
]  # fmt: skip


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(("kind", "value"), VENDOR, ids=[f"{k}-{i}" for i, (k, _) in enumerate(VENDOR)])
def test_a_planted_token_is_found_whole_in_any_frame(kind: str, value: str, frame: str) -> None:
    text = frame.format(value)
    start = text.index(value)
    covering = [s for s in find_secrets(text) if s.start <= start and s.end >= start + len(value)]
    assert covering, (text, find_secrets(text))
    if frame == "{}":
        assert covering[0].kind == kind


@pytest.mark.parametrize(("kind", "before", "value", "after"), ASSIGNED)
def test_a_secret_behind_its_word_is_found_whole(kind: str, before: str, value: str, after: str) -> None:
    text = before + value + after
    found = find_secrets(text)
    assert any(s.start <= len(before) and s.end >= len(before) + len(value) for s in found), found
    assert kind in {s.kind for s in found}
    assert all(s.start >= len(before) - 1 and s.end <= len(before) + len(value) + 1 for s in found), found


@pytest.mark.parametrize("text", CLEAN)
def test_clean_text_holds_no_secret(text: str) -> None:
    assert [(s.kind, text[s.start : s.end]) for s in find_secrets(text)] == []


def test_base64_that_hides_a_password_is_found() -> None:
    blob = base64.b64encode(b'{"user": "nadia", "password": "Kyoto#2026"}').decode()
    assert [s.kind for s in find_secrets(f"data: {blob}")] == ["encoded-secret"]


def test_random_tokens_are_found_unless_told_otherwise() -> None:
    text = "the value was " + A62[:40]
    assert [s.kind for s in find_secrets(text)] == ["high-entropy"]
    assert find_secrets(text, entropy=False) == []


def test_the_allow_list_is_obeyed() -> None:
    card = "4111 1111 1111 1111"
    assert find_secrets(f"test card {card}", allow={card}) == []


@given(st.text(), st.sampled_from([value for _, value in VENDOR]), st.text())
def test_spans_are_ordered_inside_the_text_and_apart(before: str, value: str, after: str) -> None:
    text = f"{before} {value} {after}"
    found = find_secrets(text)
    assert all(0 <= s.start < s.end <= len(text) for s in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


def test_it_finds_what_detect_secrets_finds() -> None:
    pytest.importorskip("detect_secrets")
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    ours = {"Base64 High Entropy String", "Hex High Entropy String", "Public IP (ipv4)", "Secret Keyword"}
    plugins: list[Any] = [
        made() for name, made in cast(Any, get_mapping_from_secret_type_to_class)().items() if name not in ours
    ]
    for _, value in VENDOR:
        for plugin in plugins:
            for theirs in plugin.analyze_string(value):
                assert any(
                    theirs in value[s.start : s.end] or value[s.start : s.end] in theirs for s in find_secrets(value)
                )


def test_five_megabytes_a_second() -> None:
    text = (
        "Nadia asked for the figures as PDF; see src/report/figures.py line 42, commit 273ac6bf1e2d. " * 6 + "\n"
    ) * 3000
    began = process_time()
    assert find_secrets(text) == []
    assert len(text) / (process_time() - began) > 2_500_000  # 8 MB/s on an idle core; half is left to noise
