"""Secrets that show what they are by their own shape: vendors' tokens, private keys, JWTs, credentials in URLs."""

# ruff: noqa: E501 — one pattern a line reads better than a wrapped one
from __future__ import annotations

import re
from collections.abc import Iterator

from brain.secrets.reading import Anchors, Reading
from brain.secrets.secret import Secret, occurrences

# A token starts at the edge of a word; in escaped JSON the edge may be the n of "\n".
_EDGE = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=%3[Dd])|(?<=%20)|(?<=\\u[0-9a-f]{4})|(?<=\[[0-9]m)|(?<=[\[;][0-9][0-9]m)|(?<=\[m))"

# kind: (anchors, pattern). The pattern is matched where an anchor stands.
_VENDORS: dict[str, tuple[tuple[str, ...], str]] = {
    "aws-access-key": (("AKIA", "ASIA", "ABIA", "ACCA"), r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    "aws-bedrock-key": (("ABSK",), r"ABSK[A-Za-z0-9+/]{60,}={0,2}"),
    "github-token": (
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        r"(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})",
    ),
    "gitlab-token": (("glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glft-", "glsoat-", "glagent-", "gloas-"), r"gl[a-z]{2,5}-[A-Za-z0-9_.\-]{20,}"),
    "slack-token": (("xoxa", "xoxb", "xoxp", "xoxs", "xoxr", "xoxo", "xoxe", "xoxc", "xoxd", "xapp-"), r"(?:xox[abcdeoprs](?:\.xox[bp])?-|xapp-[0-9]-)[A-Za-z0-9%\-]{10,}"),
    "slack-webhook": (("hooks.slack.com/",), r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<v>[A-Za-z0-9/_\-]{20,})"),
    "discord-webhook": (("/api/webhooks/",), r"/api/webhooks/[0-9]{15,21}/(?P<v>[A-Za-z0-9_\-]{40,})"),
    "teams-webhook": ((".webhook.office.com/", "/IncomingWebhook/"), r"[^\s]{0,200}?/IncomingWebhook/(?P<v>[0-9a-f]{32}/[0-9a-f\-]{36})"),
    "stripe-key": (("sk_live_", "sk_test_", "rk_live_", "rk_test_", "pk_live_", "whsec_"), r"(?:[srp]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{24,})"),
    "anthropic-key": (("sk-ant-",), r"sk-ant-[A-Za-z0-9_\-]{16,}"),
    "openrouter-key": (("sk-or-",), r"sk-or-(?:v[0-9]-)?[A-Za-z0-9]{32,}"),
    "openai-key": (("sk-",), r"sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_\-]{20,}|(?=[A-Za-z]*[0-9])[A-Za-z0-9]{20,})"),
    "google-api-key": (("AIza",), r"AIza[A-Za-z0-9_\-]{35}"),
    "google-oauth": (("ya29.", "GOCSPX-", "1//0"), r"(?:ya29\.[A-Za-z0-9_\-]{20,}|GOCSPX-[A-Za-z0-9_\-]{20,}|1//0[A-Za-z0-9_\-]{30,})"),
    "huggingface-token": (("hf_", "api_org_"), r"(?:hf|api_org)_[A-Za-z]{30,}[A-Za-z0-9]*|hf_(?=[A-Za-z]*[0-9])[A-Za-z0-9]{30,}"),
    "npm-token": (("npm_",), r"npm_[A-Za-z0-9]{36,}"),
    "pypi-token": (("pypi-",), r"pypi-A[A-Za-z0-9_\-]{40,}"),
    "sendgrid-key": (("SG.",), r"SG\.[A-Za-z0-9_\-]{16,}\.[A-Za-z0-9_\-]{16,}"),
    "twilio-key": (("SK", "AC"), r"(?:SK|AC)[0-9a-f]{32}(?![0-9A-Za-z])"),
    "mailgun-key": (("key-",), r"key-[0-9a-f]{32}(?![0-9A-Za-z])"),
    "telegram-token": ((":AA",), r"(?<=[0-9]{8}):(?P<v>AA[A-Za-z0-9_\-]{32,34})(?![A-Za-z0-9])"),
    "digitalocean-token": (("dop_v1_", "doo_v1_", "dor_v1_"), r"do[opr]_v1_[0-9a-f]{64}"),
    "shopify-token": (("shpat_", "shpca_", "shppa_", "shpss_", "shptka_"), r"shp[a-z]{2,4}_[0-9a-fA-F]{32}"),
    "square-token": (("sq0", "EAAA"), r"(?:sq0[a-z]{3}-[A-Za-z0-9_\-]{22,}|EAAA[A-Za-z0-9_\-]{56,64})"),
    "databricks-token": (("dapi",), r"dapi[0-9a-f]{32}"),
    "linear-key": (("lin_api_", "lin_oauth_"), r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    "notion-token": (("ntn_", "secret_"), r"(?:ntn|secret)_(?=[A-Za-z]*[0-9])[A-Za-z0-9]{40,}"),
    "figma-token": (("figd_",), r"figd_[A-Za-z0-9_\-]{30,}"),
    "postman-key": (("PMAK-",), r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    "newrelic-key": (("NRAK-", "NRII-", "NRJS-"), r"NR(?:AK|II|JS)-[A-Za-z0-9_\-]{19,}"),
    "grafana-token": (("glsa_", "glc_"), r"gl(?:sa|c)_[A-Za-z0-9+/=_]{32,}"),
    "doppler-token": (("dp.",), r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.\-]{40,}"),
    "vault-token": (("hvs.", "hvb.", "hvr."), r"hv[sbr]\.[A-Za-z0-9_\-]{24,}"),
    "terraform-token": ((".atlasv1.",), r"\.atlasv1\.[A-Za-z0-9_\-]{50,}"),
    "pulumi-token": (("pul-",), r"pul-[0-9a-f]{40}"),
    "supabase-key": (("sbp_", "sb_secret_"), r"(?:sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_\-]{20,})"),
    "planetscale-token": (("pscale_",), r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.\-]{32,}"),
    "atlassian-token": (("ATATT3", "ATCTT3", "ATBB"), r"(?:AT[AC]TT3[A-Za-z0-9_=\-]{60,}|ATBB[A-Za-z0-9]{24,})"),
    "dropbox-token": (("sl.",), r"sl\.(?:u\.)?[A-Za-z0-9_\-]{100,}"),
    "facebook-token": (("EAA",), r"EAA[A-Za-z0-9]{80,}"),
    "groq-key": (("gsk_",), r"gsk_[A-Za-z0-9]{40,}"),
    "xai-key": (("xai-",), r"xai-[A-Za-z0-9]{60,}"),
    "perplexity-key": (("pplx-",), r"pplx-[A-Za-z0-9]{40,}"),
    "replicate-token": (("r8_",), r"r8_[A-Za-z0-9]{30,}"),
    "tavily-key": (("tvly-",), r"tvly-[A-Za-z0-9_\-]{20,}"),
    "tailscale-key": (("tskey-",), r"tskey-[a-z]+-[A-Za-z0-9\-]{16,}"),
    "age-key": (("AGE-SECRET-KEY-1",), r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    "rubygems-key": (("rubygems_",), r"rubygems_[0-9a-f]{48}"),
    "docker-token": (("dckr_pat_", "dckr_oat_"), r"dckr_[po]at_[A-Za-z0-9_\-]{20,}"),
    "artifactory-token": (("AKCp",), r"AKCp[A-Za-z0-9]{10,}"),
    "sentry-token": (("sntrys_", "sntryu_"), r"sntry[su]_[A-Za-z0-9+/=_\-]{32,}"),
    "netlify-token": (("nfp_",), r"nfp_[A-Za-z0-9]{36,}"),
    "heroku-key": (("HRKU-",), r"HRKU-[A-Za-z0-9_\-]{30,}"),
    "fly-token": (("FlyV1 ", "fo1_"), r"(?:FlyV1 fm[0-9]r?_[A-Za-z0-9+/=,_]{40,}|fo1_[A-Za-z0-9_\-]{40,})"),
    "plaid-token": (("access-sandbox-", "access-development-", "access-production-"), r"access-[a-z]+-[0-9a-f\-]{36}"),
    "azure-secret": (("Q~",), r"(?<=[A-Za-z0-9_~.\-]{3}[0-9])Q~[A-Za-z0-9_~.\-]{31,34}"),
    "elevenlabs-key": (("sk_",), r"sk_[0-9a-f]{48}(?![0-9A-Za-z])"),
    "dynatrace-token": (("dt0c01.",), r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    "cloudflare-key": (("v1.0-",), r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}"),
    "readme-key": (("rdme_",), r"rdme_[a-z0-9]{40,}"),
    "langsmith-key": (("lsv2_",), r"lsv2_[a-z]{2}_[0-9a-f]{32}_[0-9a-f]{10}"),
    "sourcegraph-token": (("sgp_",), r"sgp_(?:(?:[0-9a-f]{16}|local)_)?[0-9a-f]{40}"),
    "hubspot-token": (("pat-na", "pat-eu"), r"pat-(?:na|eu)[0-9]-[0-9a-f\-]{36}"),
    "razorpay-key": (("rzp_live_", "rzp_test_"), r"rzp_(?:live|test)_[A-Za-z0-9]{14,}"),
    "braintree-token": (("access_token$",), r"access_token\$[a-z]+\$[0-9a-z]{16}\$(?P<v>[0-9a-f]{32})"),
    "clojars-token": (("CLOJARS_",), r"CLOJARS_[0-9a-f]{60}"),
    "flutterwave-key": (("FLWSECK",), r"FLWSECK(?:_TEST|_PROD)?-[0-9a-zA-Z]{12,}(?:-X)?"),
    "easypost-key": (("EZAK", "EZTK"), r"EZ[AT]K[A-Za-z0-9]{54}"),
    "duffel-token": (("duffel_live_", "duffel_test_"), r"duffel_(?:live|test)_[A-Za-z0-9_\-=]{43}"),
    "frameio-token": (("fio-u-",), r"fio-u-[A-Za-z0-9_\-=]{64}"),
    "typeform-token": (("tfp_",), r"tfp_[A-Za-z0-9_\-.=]{40,}"),
    "prefect-key": (("pnu_", "pnb_"), r"pn[ub]_[A-Za-z0-9]{36}"),
    "nvidia-key": (("nvapi-",), r"nvapi-[A-Za-z0-9_\-]{40,}"),
    "fireworks-key": (("fw_",), r"fw_(?=[A-Za-z]*[0-9])[A-Za-z0-9]{24,}"),
    "resend-key": (("re_",), r"re_(?=[A-Za-z]*[0-9A-Z])[A-Za-z0-9]{8}_[A-Za-z0-9]{24,}"),
    "posthog-key": (("phx_",), r"phx_[A-Za-z0-9]{40,}"),
    "contentful-token": (("CFPAT-",), r"CFPAT-[A-Za-z0-9_\-]{43}"),
    "yandex-key": (("AQVN",), r"AQVN[A-Za-z0-9_\-]{35,38}"),
    "pinecone-key": (("pcsk_",), r"pcsk_[A-Za-z0-9_]{40,}"),
    "brevo-key": (("xkeysib-",), r"xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    "buildkite-token": (("bkua_",), r"bkua_[0-9a-f]{40}"),
    "circleci-token": (("CCIPAT_",), r"CCIPAT_[A-Za-z0-9]{22}_[0-9a-f]{40}"),
    "render-key": (("rnd_",), r"rnd_[A-Za-z0-9]{28,}"),
    "firecrawl-key": (("fc-",), r"fc-[0-9a-f]{32}(?![0-9A-Za-z])"),
    "e2b-key": (("e2b_",), r"e2b_[0-9a-f]{40}"),
    "langfuse-key": (("sk-lf-",), r"sk-lf-[0-9a-f\-]{36}"),
    "jina-key": (("jina_",), r"jina_[A-Za-z0-9_\-]{40,}"),
    "vercel-token": (("vercel_blob_rw_",), r"vercel_blob_rw_[A-Za-z0-9_]{30,}"),
    "1password-token": (("ops_eyJ",), r"ops_eyJ[A-Za-z0-9_\-+/=]{100,}"),
    "declared-secret": (("secret-token:",), r"secret-token:(?P<v>[A-Za-z0-9\-._~%!$&'()*+,;=:@]{8,})"),
    "password-hash": (("$2", "$5$", "$6$", "$y$", "$1$", "$apr1$", "$argon2"), r"\$(?:(?:1|apr1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|2[abxy]\$[0-9]{2}\$[./A-Za-z0-9]{53}|[56y]\$[./A-Za-z0-9$=,]{30,}|argon2(?:id|i|d)\$[^\s\"'`]{30,})"),
    "jwt": (("eyJ",), r"eyJ[A-Za-z0-9_\-]{8,}\.(?:eyJ[A-Za-z0-9_\-]{8,}|\.)(?:\.?[A-Za-z0-9_\-]{6,}){0,4}"),
}  # fmt: skip

# These hold a dot, colon, slash or dollar where others hold letters, so each anchor is looked for on its own.
_ALONE = (
    "slack-webhook", "discord-webhook", "teams-webhook", "google-oauth", "sendgrid-key", "telegram-token", "doppler-token", "vault-token",
    "terraform-token", "dropbox-token", "fly-token", "azure-secret", "password-hash", "jwt", "dynatrace-token", "cloudflare-key",
    "braintree-token", "declared-secret",
)  # fmt: skip
_NO_EDGE = {"slack-webhook", "discord-webhook", "teams-webhook", "telegram-token", "terraform-token", "azure-secret", "password-hash", "braintree-token", "declared-secret"}  # fmt: skip
_PATTERNS = {
    kind: re.compile(pattern if kind in _NO_EDGE else _EDGE + f"(?:{pattern})")
    for kind, (_, pattern) in _VENDORS.items()
}
_PREFIXES = {anchor: kind for kind, (anchors, _) in _VENDORS.items() if kind not in _ALONE for anchor in anchors}
_APART_KIND = {anchor: kind for kind in _ALONE for anchor in _VENDORS[kind][0]}
_APART_CASED: dict[str, list[str]] = {}
for _anchor in _APART_KIND:
    _APART_CASED.setdefault(_anchor.lower(), []).append(_anchor)
_APART = Anchors(_APART_CASED)
_RUN = re.compile(r"(?<![A-Za-z0-9_\-])[A-Za-z0-9_\-]{15,}")
_PREFIX = re.compile("|".join(re.escape(anchor) for anchor in sorted(_PREFIXES, key=len, reverse=True)))
_EXTENDED_BACK = {"terraform-token": 14, "azure-secret": 4}

_DISCORD_BOT = re.compile(_EDGE + r"[MNO][A-Za-z0-9_\-]{22,27}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,}")
_MAILCHIMP = re.compile(_EDGE + r"[0-9a-f]{32}-us[0-9]{1,2}(?![0-9])")
_ASANA = re.compile(r"(?<=[0-9]{13}):(?P<v>[0-9a-f]{32})(?![0-9a-zA-Z])")
_AIRTABLE = re.compile(_EDGE + r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}")

_PEM_END = re.compile(r"-----END [A-Z0-9 ]{0,40}-----")
_PEM_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY = re.compile(r"(?:[A-Za-z0-9+/=\s]|\\[nrt]|\\\\[nr]|[A-Z][A-Za-z\-]+: [^\n\\]{0,80})*")
_PUTTY = re.compile(r"Private-Lines: *[0-9]+(?:\s|\\[nr])+(?P<v>[A-Za-z0-9+/=\s]{20,})")
_JWK_PART = re.compile(r"\\?\"(?:d|k|p|q)\\?\"\s*:\s*\\?\"(?P<v>[A-Za-z0-9_\-]{20,})\\?\"")

_URL_TOKEN = re.compile(r"(?P<v>[A-Za-z0-9_\-]{20,255})@(?=[A-Za-z0-9\[])")
_URL_USER = re.compile(
    r"[^\s/?#@\"'<>`|:]{0,100}:(?P<v>[^\s/?#\"'<>`|@]{1,200}(?:[^\s\"'<>`|]{0,60}?[^\s/?#\"'<>`|@]{0,60})?)@(?=[A-Za-z0-9\[${%])"
)
_PLACEHOLDER = re.compile(
    r"(?i)^(?:[*x.•●_\-]+|\$[A-Za-z_]\w*|\$[{(].*|%\w+%|<.*|\{.*|\[.*|‹redacted.*|(?:your|my|the|some)?[-_ ]?(?:db|database|user|http)?[-_ ]?(?:pass(?:word|wd)?|pw|pwd|secret|token|api[-_]?key|key)s?)$"
)


def find_tokens(reading: Reading) -> Iterator[Secret]:
    """Private keys first, then vendors' tokens and JWTs, then passwords inside URLs."""
    text = reading.text
    yield from _private_keys(text)
    for run in _RUN.finditer(text) if reading.longest >= 15 else ():
        for prefix in _PREFIX.finditer(run[0]):
            kind = _PREFIXES[prefix[0]]
            if match := _PATTERNS[kind].match(text, run.start() + prefix.start()):
                yield Secret(kind=kind, start=match.start(), end=match.end())
    for anchor in (cased for word in _APART.within(reading) for cased in _APART_CASED[word]):
        kind = _APART_KIND[anchor]
        pattern = _PATTERNS[kind]
        group = "v" if "v" in pattern.groupindex else 0
        for at in occurrences(text, anchor):
            if match := pattern.match(text, at):
                start = max(0, match.start(group) - _EXTENDED_BACK.get(kind, 0))
                yield Secret(kind=kind, start=start, end=match.end(group))
    if reading.longest >= 30:
        yield from _dotted(text)
    yield from _url_passwords(text)


def _private_keys(text: str) -> Iterator[Secret]:
    done = 0
    for at in occurrences(text, "-----BEGIN "):
        begin = _PEM_BEGIN.match(text, at)
        if begin is None or at < done:
            continue
        end = _PEM_END.search(text, begin.end(), begin.end() + 20_000)
        body = _PEM_BODY.match(text, begin.end())
        stop = end.end() if end else body.end() if body else begin.end()
        done = stop
        yield Secret(kind="private-key", start=at, end=stop)
    for at in occurrences(text, "Private-Lines:"):
        if match := _PUTTY.match(text, at):
            yield Secret(kind="private-key", start=match.start("v"), end=match.end("v"))
    for at in occurrences(text, '"kty'):
        for match in _JWK_PART.finditer(text, max(0, at - 2000), at + 4000):
            yield Secret(kind="private-key", start=match.start("v"), end=match.end("v"))


def _dotted(text: str) -> Iterator[Secret]:
    """Tokens without a prefix of their own, found from the middle outwards."""
    for at in occurrences(text, "-us"):
        if match := _MAILCHIMP.match(text, max(0, at - 32)):
            yield Secret(kind="mailchimp-key", start=match.start(), end=match.end())
    for match in _ASANA.finditer(text):
        yield Secret(kind="asana-token", start=match.start("v"), end=match.end("v"))
    for at in occurrences(text, "pat"):
        if match := _AIRTABLE.match(text, at):
            yield Secret(kind="airtable-token", start=match.start(), end=match.end())
    for at in occurrences(text, "."):
        if text[at + 7 : at + 8] != ".":
            continue
        for start in range(max(0, at - 28), at - 22):
            if text[start] in "MNO" and (match := _DISCORD_BOT.match(text, start)):
                yield Secret(kind="discord-token", start=match.start(), end=match.end())
                break


def _url_passwords(text: str) -> Iterator[Secret]:
    """The password of `scheme://user:password@host`, database and broker connection strings included."""
    for at in occurrences(text, "://"):
        alone = _URL_TOKEN.match(text, at + 3)
        if alone is not None and sum(map(str.isdigit, alone["v"])) > 2:
            yield Secret(kind="url-password", start=alone.start("v"), end=alone.end("v"))
        match = _URL_USER.match(text, at + 3)
        if match is not None and not _PLACEHOLDER.match(match["v"]):
            yield Secret(kind="url-password", start=match.start("v"), end=match.end("v"))
