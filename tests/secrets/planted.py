"""Made-up secrets of every kind, and the ways in which transcripts come to hold them. All are made at run time.

for plant in plants(): plant.text  # holds plant.secret, which must not be there once it is redacted
"""

# ruff: noqa: E501 — tables read better in long lines
from __future__ import annotations

import base64
import html
import json
import random
import re
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import quote

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
ALNUM, HEX = LOWER + UPPER + DIGITS, "0123456789abcdef"
URLSAFE = ALNUM + "-_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plant:
    """A text with a secret in it. `traces` are the forms in which the secret must not be found afterwards."""

    kind: str
    frame: str
    text: str
    traces: tuple[str, ...]


class Maker:
    """Makes secrets, always the same ones for a seed."""

    def __init__(self, seed: int = 20_260_801) -> None:
        self.chance = random.Random(seed)

    def of(self, letters: str, count: int) -> str:
        """Random letters with at least one digit among them where digits are allowed."""
        out = [self.chance.choice(letters) for _ in range(count)]
        if count > 3 and set(DIGITS) & set(letters):
            out[count // 2] = self.chance.choice(DIGITS)
            out[count // 3] = self.chance.choice(DIGITS)
        return "".join(out)

    def password(self) -> str:
        words = self.chance.sample(["Otter", "quartz", "Lemon", "brick", "Fjord", "kettle", "Maple", "tunnel"], 2)
        return f"{words[0]}{self.chance.choice('!#_-%+.')}{words[1]}{self.chance.randint(10, 9999)}"

    def card(self, prefix: str = "4", length: int = 16) -> str:
        body = prefix + "".join(self.chance.choice(DIGITS) for _ in range(length - len(prefix) - 1))
        total = 0
        for place, digit in enumerate(reversed(body)):
            value = int(digit) * (2 - place % 2)
            total += value - 9 if value > 9 else value
        return body + str(-total % 10)

    def iban(self, country: str, bank: str, length: int) -> str:
        account = bank + "".join(self.chance.choice(DIGITS) for _ in range(length - 4 - len(bank)))
        value = int("".join(str(int(c, 36)) for c in account + country + "00"))
        return f"{country}{98 - value % 97:02d}{account}"

    def pem(self, label: str = "RSA PRIVATE KEY") -> str:
        body = [self.of(ALNUM + "+/", 64) for _ in range(5)] + [self.of(ALNUM, 30) + "=="]
        return "\n".join([f"-----BEGIN {label}-----", *body, f"-----END {label}-----"])

    def jwt(self) -> str:
        def part(item: object) -> str:
            return base64.urlsafe_b64encode(json.dumps(item).encode()).decode().rstrip("=")

        head = part({"alg": "HS256", "typ": "JWT"})
        return f"{head}.{part({'sub': self.of(DIGITS, 8), 'name': 'ines'})}.{self.of(URLSAFE, 43)}"


def tokens(make: Maker) -> dict[str, str]:
    """One secret a kind that shows by its own shape what it is."""
    a = make.of
    return {
        "aws-access-key": "AKIA" + a(UPPER + "234567", 16), "aws-temporary-key": "ASIA" + a(UPPER + "234567", 16),
        "github-classic": "ghp_" + a(ALNUM, 36), "github-oauth": "gho_" + a(ALNUM, 36), "github-server": "ghs_" + a(ALNUM, 36),
        "github-fine": "github_pat_" + a(ALNUM, 22) + "_" + a(ALNUM, 59), "gitlab": "glpat-" + a(URLSAFE, 20),
        "slack-bot": "xoxb-" + a(DIGITS, 12) + "-" + a(DIGITS, 12) + "-" + a(ALNUM, 24),
        "slack-webhook": "https://hooks.slack.com/services/T" + a(UPPER + DIGITS, 8) + "/B" + a(UPPER + DIGITS, 8) + "/" + a(ALNUM, 24),
        "discord-webhook": "https://discord.com/api/webhooks/" + a(DIGITS, 18) + "/" + a(URLSAFE, 68),
        "discord-bot": "MTk4NjIyNDgzNDcxOTI1MjQ4" + "." + a(ALNUM, 6) + "." + a(ALNUM, 38),
        "stripe-live": "sk_live_" + a(ALNUM, 24), "stripe-restricted": "rk_live_" + a(ALNUM, 24), "stripe-hook": "whsec_" + a(ALNUM, 32),
        "anthropic": "sk-ant-api03-" + a(URLSAFE, 93) + "AA", "openai-project": "sk-proj-" + a(URLSAFE, 74), "openai": "sk-" + a(ALNUM, 48),
        "openrouter": "sk-or-v1-" + a(HEX, 64), "google-api": "AIza" + a(URLSAFE, 35), "google-client": "GOCSPX-" + a(URLSAFE, 28),
        "google-access": "ya29." + a(URLSAFE, 80), "google-refresh": "1//0" + a(URLSAFE, 60), "huggingface": "hf_" + a(LOWER + UPPER + DIGITS, 34),
        "npm": "npm_" + a(ALNUM, 36), "pypi": "pypi-AgEIcHlwaS5vcmc" + a(URLSAFE, 70), "sendgrid": "SG." + a(URLSAFE, 22) + "." + a(URLSAFE, 43),
        "twilio": "SK" + a(HEX, 32), "mailgun": "key-" + a(HEX, 32), "mailchimp": a(HEX, 32) + "-us14",
        "telegram-bot": a("123456789", 10) + ":AA" + a(ALNUM, 33), "digitalocean": "dop_v1_" + a(HEX, 64), "shopify": "shpat_" + a(HEX, 32),
        "square": "sq0csp-" + a(URLSAFE, 43), "databricks": "dapi" + a(HEX, 32), "linear": "lin_api_" + a(ALNUM, 40), "notion": "ntn_" + a(ALNUM, 46),
        "figma": "figd_" + a(URLSAFE, 40), "postman": "PMAK-" + a(HEX, 24) + "-" + a(HEX, 34), "newrelic": "NRAK-" + a(UPPER + DIGITS, 27),
        "grafana": "glsa_" + a(ALNUM, 32) + "_" + a(HEX, 8), "doppler": "dp.pt." + a(ALNUM, 43), "vault": "hvs." + a(URLSAFE, 90),
        "terraform": a(ALNUM, 14) + ".atlasv1." + a(URLSAFE, 65), "pulumi": "pul-" + a(HEX, 40), "supabase": "sbp_" + a(HEX, 40),
        "planetscale": "pscale_tkn_" + a(ALNUM, 43), "atlassian": "ATATT3xFfGF0" + a(ALNUM, 160) + "=" + a(UPPER + DIGITS, 8),
        "facebook": "EAA" + a(ALNUM, 150), "groq": "gsk_" + a(ALNUM, 52), "xai": "xai-" + a(ALNUM, 80), "perplexity": "pplx-" + a(ALNUM, 48),
        "replicate": "r8_" + a(ALNUM, 37), "tavily": "tvly-dev-" + a(ALNUM, 32), "tailscale": "tskey-auth-" + a(ALNUM, 12) + "-" + a(ALNUM, 32),
        "age": "AGE-SECRET-KEY-1" + a("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58), "rubygems": "rubygems_" + a(HEX, 48), "docker": "dckr_pat_" + a(URLSAFE, 27),
        "artifactory": "AKCp" + a(ALNUM, 69), "sentry": "sntrys_" + a(ALNUM, 64), "netlify": "nfp_" + a(ALNUM, 36), "plaid": "access-production-" + "-".join(a(HEX, n) for n in (8, 4, 4, 4, 12)),
        "azure-client": a(ALNUM, 3) + "8Q~" + a(ALNUM, 34), "airtable": "pat" + a(ALNUM, 14) + "." + a(HEX, 64), "bcrypt": "$2b$12$" + a(ALNUM, 53),
        "argon2": "$argon2id$v=19$m=65536,t=3,p=4$" + a(ALNUM, 22) + "$" + a(ALNUM, 43), "jwt": make.jwt(),
        "bedrock": "ABSK" + a(ALNUM, 132), "flyio": "fo1_" + a(URLSAFE, 43), "heroku": "HRKU-" + a(URLSAFE, 60), "easypost": "EZAK" + a(ALNUM, 54),
        "github-refresh": "ghr_" + a(ALNUM, 76), "gitlab-runner": "glrt-" + a(URLSAFE, 20), "slack-app": "xapp-1-" + a(UPPER + DIGITS, 11) + "-" + a(DIGITS, 13) + "-" + a(HEX, 64),
        "clojars": "CLOJARS_" + a(HEX, 60), "duffel": "duffel_live_" + a(URLSAFE, 43), "flutterwave": "FLWSECK_TEST-" + a(HEX, 32) + "-X",
        "dynatrace": "dt0c01." + a(UPPER + "234567", 24) + "." + a(UPPER + "234567", 64), "frameio": "fio-u-" + a(URLSAFE, 64), "cloudflare-origin": "v1.0-" + a(HEX, 24) + "-" + a(HEX, 146),
        "typeform": "tfp_" + a(URLSAFE, 59), "readme": "rdme_" + a(LOWER + DIGITS, 70), "prefect": "pnu_" + a(ALNUM, 36), "asana": "2/" + a(DIGITS, 16) + "/" + a(DIGITS, 16) + ":" + a(HEX, 32),
        "langsmith": "lsv2_pt_" + a(HEX, 32) + "_" + a(HEX, 10), "nvidia": "nvapi-" + a(URLSAFE, 64), "fireworks": "fw_" + a(ALNUM, 24), "elevenlabs": "sk_" + a(HEX, 48),
        "sourcegraph": "sgp_" + a(HEX, 16) + "_" + a(HEX, 40), "resend": "re_" + a(ALNUM, 8) + "_" + a(ALNUM, 24),
        "posthog": "phx_" + a(ALNUM, 43), "contentful": "CFPAT-" + a(URLSAFE, 43), "hubspot": "pat-na1-" + "-".join(a(HEX, n) for n in (8, 4, 4, 4, 12)), "cloudinary": "cloudinary://" + a(DIGITS, 15) + ":" + a(ALNUM, 27) + "@boats",
        "razorpay": "rzp_live_" + a(ALNUM, 14), "paystack": "sk_live_" + a(HEX, 40), "braintree": "access_token$production$" + a(LOWER + DIGITS, 16) + "$" + a(HEX, 32), "yandex": "AQVN" + a(URLSAFE, 36),
    }  # fmt: skip


FRAMES: dict[str, Callable[[str], str]] = {
    "sentence": lambda s: f"Please use {s} for the boat site.",
    "end of sentence": lambda s: f"It answers to {s}.",
    "japanese": lambda s: f"このキー{s}を使ってください。",
    "chinese": lambda s: f"请用{s}登录。",
    "arabic": lambda s: f"استخدم {s} من فضلك",
    "env": lambda s: f"A=1\nSERVICE_THING={s}\nB=2",
    "export": lambda s: f'export THING="{s}"',
    "json": lambda s: json.dumps({"id": 7, "value": s, "note": "x"}),
    "json twice": lambda s: json.dumps(json.dumps({"out": json.dumps({"v": s})})),
    "yaml": lambda s: f"thing:\n  - {s}\n  - other",
    "yaml quoted": lambda s: f"thing: '{s}'",
    "toml": lambda s: f'[a]\nthing = "{s}"',
    "xml": lambda s: f"<add name='x'>{s}</add>",
    "html attribute": lambda s: f'<input value="{html.escape(s)}">',
    "csv": lambda s: f"ines,{s},harbour",
    "table": lambda s: f"| name | {s} |",
    "markdown code": lambda s: f"`{s}`",
    "fence": lambda s: f"```\n{s}\n```",
    "bracketed": lambda s: f"[{s}]({s})",
    "query": lambda s: f"https://api.example.org/v1?x=1&k={quote(s, safe='')}&y=2",
    "path": lambda s: f"/home/ines/keys/{s.replace('/', '_')}.txt" if "/" not in s else f"cat {s}",
    "header": lambda s: f"curl -H 'X-Thing: {s}' https://api.example.org",
    "python": lambda s: f"client = Client({s!r})",
    "escaped lines": lambda s: f"out\\n{s}\\nend",
    "escaped tab": lambda s: f"a\\t{s}\\tb",
    "ansi": lambda s: f"\x1b[32m{s}\x1b[0m",
    "diff": lambda s: f"-old\n+{s}\n",
    "colon glued": lambda s: f"value:{s};next",
    "base64": lambda s: "data " + base64.b64encode(f'{{"user":"ines","token":"{s}"}}'.encode()).decode(),
    "base64 env": lambda s: base64.b64encode(f"HOST=boat\nTHING={s}\nPORT=22\n".encode()).decode(),
    "base64 wrapped": lambda s: base64.encodebytes(f"HOST=boat.example.org\nPORT=5432\nUSER=ines\nTHING={s}\nTZ=UTC\n".encode()).decode(),
    "base64 url": lambda s: base64.urlsafe_b64encode(f"a=1\nb={s}\n".encode()).decode(),
    "base64 twice": lambda s: base64.b64encode(base64.b64encode(f"THING={s}\n".encode())).decode(),
    "data url": lambda s: "data:text/plain;base64," + base64.b64encode(f"THING={s}\n".encode()).decode(),
    "hex": lambda s: f"THING={s}\n".encode().hex(),
    "unicode escapes": lambda s: '{"v": "' + "".join(f"\\u{ord(c):04x}" if not c.isalnum() else c for c in s) + '"}',
    "percent": lambda s: "body=" + quote(f"a={s}", safe=""),
}  # fmt: skip


LABELLED: tuple[tuple[str, str], ...] = (
    ("password", "The password for the harbour wifi is {}"), ("password", "My password's {}, keep it to yourself."), ("password", "pw: {}"),
    ("password", "pass = {}"), ("password", "PASSWORD={}"), ("password", "password: {}"), ("password", "Password:\n{}"), ("password", "user ines / pass {}"),
    ("password", "login: ines\npassword: {}\n"), ("password", "ftp://ines:{}@boat.example.org"), ("password", '{{"password":"{}"}}'),
    ("password", '{{\\"password\\":\\"{}\\"}}'), ("password", '{{\\\\\\"password\\\\\\": \\\\\\"{}\\\\\\"}}'), ("password", "<password>{}</password>"),
    ("password", '<add key="DbPassword" value="{}" />'), ("password", "password => '{}'"), ("password", 'db_password := "{}"'), ("password", "Passwort lautet {}"),
    ("password", "Das Passwort ist {}."), ("password", "Kennwort: {}"), ("password", "le mot de passe est {}"), ("password", "Mot de passe : {}"), ("password", "la contraseña es {}"),
    ("password", "Contraseña: {}"), ("password", "a senha é {}"), ("password", "Senha: {}"), ("password", "la parola d'ordine è {}"), ("password", "La password è {}"), ("password", "wachtwoord: {}"),
    ("password", "Het wachtwoord is {}"), ("password", "hasło to {}"), ("password", "Hasło: {}"), ("password", "heslo je {}"), ("password", "пароль: {}"), ("password", "Пароль от почты — {}"),
    ("password", "мой пароль {}"), ("password", "Пароль до сервера: {}"), ("password", "密码是{}"), ("password", "密码：{}"), ("password", "密碼: {}"), ("password", "パスワードは{}です"), ("password", "パスワード：{}"),
    ("password", "비밀번호는 {} 입니다"), ("password", "비밀번호: {}"), ("password", "كلمة المرور هي {}"), ("password", "كلمة السر: {}"), ("password", "הסיסמה היא {}"), ("password", "סיסמה: {}"), ("password", "पासवर्ड {} है"),
    ("password", "पासवर्ड: {}"), ("password", "รหัสผ่าน: {}"), ("password", "mật khẩu là {}"), ("password", "Mật khẩu: {}"), ("password", "şifre: {}"), ("password", "Şifrem {}"), ("password", "ο κωδικός είναι {}"), ("password", "lösenord: {}"),
    ("password", "lösenordet är {}"), ("password", "adgangskoden er {}"), ("password", "passord: {}"), ("password", "salasana on {}"), ("password", "jelszó: {}"), ("password", "a jelszavam {}"), ("password", "parola: {}"), ("password", "Parola este {}"),
    ("password", "kata sandi: {}"), ("password", "kata sandinya {}"), ("password", "رمز عبور: {}"), ("password", "পাসওয়ার্ড: {}"), ("password", "lozinka: {}"), ("password", "geslo: {}"), ("password", "парола: {}"), ("password", "slaptažodis: {}"),
    ("password", "mysql -u root -p{} boats"), ("password", "mysql --user=root --password={} boats"), ("password", "PGPASSWORD={} psql -h db boats"), ("password", "sshpass -p {} ssh ines@boat"), ("password", "sshpass -p '{}' ssh ines@boat"),
    ("password", "curl -u ines:{} https://boat.example.org"), ("password", "curl --user 'ines:{}' https://boat.example.org"), ("password", "wget --http-password={} https://boat.example.org"), ("password", "redis-cli -h db -a {} ping"),
    ("password", "docker login -u ines -p {} registry.example.org"), ("password", "echo {} | sudo -S reboot"), ("password", "openssl rsa -in k.pem -passin pass:{}"), ("password", "zip -P {} boat.zip log.md"), ("password", "7z a -p{} boat.7z log.md"),
    ("password", "gpg --batch --passphrase {} -c log.md"), ("password", "net use Z: \\\\boat\\log {} /user:ines"), ("password", "ALTER USER ines WITH PASSWORD '{}';"), ("password", "CREATE USER 'ines'@'%' IDENTIFIED BY '{}';"),
    ("password", "machine boat.example.org login ines password {}"), ("password", "boat.example.org:5432:boats:ines:{}"), ("password", "Server=db;Database=boats;User Id=ines;Password={};Encrypt=true"), ("password", "Driver={{PostgreSQL}};UID=ines;PWD={};"),
    ("password", "jdbc:mysql://db/boats?user=ines&password={}"), ("password", "jdbc:oracle:thin:ines/{}@//db:1521/boats"), ("password", "host=db user=ines password={} dbname=boats"), ("password", "spring.datasource.password={}"),
    ("password", "| password | {} |"), ("password", "| ines | password: {} | x |"), ("password", "- **Password:** {}"), ("password", "**Password**: `{}`"), ("password", "Password (admin): {}"), ("password", "root password -> {}"), ("password", "user=ines;password={}"),
    ("password", "?user=ines&passwd={}&x=1"), ("password", "os.environ['DB_PASS'] = '{}'"), ("password", "const dbPassword = '{}';"), ("password", "--password {}"), ("password", "--password={}"), ("password", "set PASSWORD={}"), ("password", "$env:PASSWORD = \"{}\""),
    ("password", "ENV DB_PASSWORD {}"), ("password", "password\t{}"), ("password", "ansible_become_pass: {}"), ("password", "I changed it to {} (the password)."), ("password", "new password {} works"), ("password", "passwd={}"), ("password", "passphrase: {}"), ("password", "WIFI:T:WPA;S:Harbour;P:{};;"),
    ("password", "the admin password should be \"{}\""), ("password", "try the password {} first"), ("password", "credentials: ines / {}"), ("password", "Credentials are ines:{}"), ("password", "username: ines, password: {}"), ("password", "login ines with {}, that's the password"),
    ("url", "postgres://ines:{}@db.example.org:5432/boats"), ("url", "postgresql+asyncpg://ines:{}@db/boats"), ("url", "mysql://root:{}@db/boats"), ("url", "mongodb+srv://ines:{}@cluster0.example.net/boats"), ("url", "redis://:{}@db:6379/0"),
    ("url", "amqps://ines:{}@mq.example.org/boats"), ("url", "https://ines:{}@git.example.org/boats.git"), ("url", "smtp://ines%40example.org:{}@mail.example.org:587"), ("url", "git clone https://{}@git.example.org/boats.git"), ("url", "git clone https://oauth2:{}@git.example.org/boats.git"),
    ("url", "https://api.example.org/v1?api_key={}&q=1"), ("url", "https://api.example.org/cb#access_token={}&state=9"), ("url", "https://store.example.org/f?sig={}&se=2026"), ("url", "wss://x.example.org/?token={}"), ("url", "ldap://cn=ines:{}@ldap.example.org"),
    ("key", "api key: {}"), ("key", "API_KEY={}"), ("key", "apiKey: '{}'"), ("key", '{{"apiKey":"{}"}}'), ("key", '{{"api_key":"{}"}}'), ("key", "The API key is {}."), ("key", "x-api-key: {}"), ("key", "X-Api-Key={}"), ("key", "aws_secret_access_key = {}"), ("key", '{{"SecretAccessKey": "{}"}}'),
    ("key", "AccountKey={};EndpointSuffix=x"), ("key", "SharedAccessKey={}"), ("key", "client_secret={}"), ("key", '{{"clientSecret":"{}"}}'), ("key", "client secret is {}"), ("key", "SECRET_KEY = '{}'"), ("key", "secret: {}"), ("key", "signing secret: {}"),
    ("key", "access_token={}"), ("key", '{{"access_token":"{}","token_type":"bearer"}}'), ("key", '{{"refresh_token":"{}"}}'), ("key", "token: {}"), ("key", "TOKEN={}"), ("key", "authToken={}"), ("key", "//registry.example.org/:_authToken={}"), ("key", "Authorization: Bearer {}"), ("key", "Authorization: token {}"),
    ("key", "Authorization: {}"), ("key", "Authorization: ApiKey {}"), ("key", "'Authorization': 'Bearer {}'"), ("key", "Proxy-Authorization: Bearer {}"), ("key", "X-Auth-Token: {}"), ("key", "X-Vault-Token: {}"), ("key", "PRIVATE-TOKEN: {}"), ("key", "Cookie: theme=dark; sessionid={}; x=1"), ("key", "Set-Cookie: session={}; Path=/; HttpOnly"),
    ("key", "ключ API: {}"), ("key", "API-ключ {}"), ("key", "токен: {}"), ("key", "мой токен {}"), ("key", "clé API : {}"), ("key", "la clé d'API est {}"), ("key", "clave de API: {}"), ("key", "chave de API: {}"), ("key", "API-Schlüssel: {}"), ("key", "API-Schlüssel lautet {}"), ("key", "API 密钥：{}"), ("key", "令牌是{}"), ("key", "APIキーは{}です"),
    ("key", "トークン：{}"), ("key", "API 키: {}"), ("key", "토큰은 {}"), ("key", "مفتاح API: {}"), ("key", "API कुंजी: {}"), ("key", "chiave API: {}"), ("key", "klucz API: {}"), ("key", "API anahtarı: {}"), ("key", "openssl enc -aes-256-cbc -K {} -iv 0"), ("key", "PrivateKey = {}"), ("key", "encryption key: {}"), ("key", "WANDB_API_KEY={}"),
    ("key", "HTTP_X_API_KEY: {}"), ("key", "-H \"api-key: {}\""), ("key", "otpauth://totp/boat:ines?secret={}&issuer=boat"), ("key", "DATADOG_APP_KEY={}"), ("key", "here is my openai key {}"), ("key", "the webhook secret should be {}"), ("key", "license key: {}"), ("key", "session_token: {}"),
)  # fmt: skip
"""What says that something is a secret, {} where it stands: (what kind of secret, text)."""

NUMBERS: tuple[tuple[str, str], ...] = (
    ("card", "My card is {}."), ("card", '{{"number":"{}"}}'), ("card", "карта {}"), ("card", "カード番号：{}"), ("card", "card={}&cvv=1"), ("card", "| {} |"), ("card", "Visa {} exp 09/29"), ("card", "out\\n{}\\n"),
    ("iban", "IBAN {}"), ("iban", "Bitte auf {} überweisen."), ("iban", '{{"iban":"{}"}}'), ("iban", "счёт {}"), ("iban", "口座は{}です"), ("iban", "<iban>{}</iban>"), ("iban", "iban={}&x=1"), ("iban", "({})"),
)  # fmt: skip


def numbers(make: Maker, kind: str) -> list[str]:
    """Cards and accounts whose check digits are right, as people and programs write them."""
    if kind == "card":
        plain = [
            make.card("4"),
            make.card("51"),
            make.card("2223"),
            make.card("6011"),
            make.card("37", 15),
            make.card("36", 14),
        ]
        spaced = [" ".join(one[at : at + 4] for at in range(0, 16, 4)) for one in plain[:3]]
        dashed = ["-".join(one[at : at + 4] for at in range(0, 16, 4)) for one in plain[:3]]
        return [
            *plain,
            *spaced,
            *dashed,
            f"{plain[4][:4]} {plain[4][4:10]} {plain[4][10:]}",
            plain[0].translate({48 + n: 0xFF10 + n for n in range(10)}),
        ]
    countries = (
        ("DE", "", 22),
        ("GB", "WEST", 22),
        ("FR", "", 27),
        ("NL", "ABNA", 18),
        ("PT", "", 25),
        ("UA", "", 29),
        ("PL", "", 28),
        ("CH", "", 21),
        ("NO", "", 15),
    )
    plain = [make.iban(*country) for country in countries]
    return [
        *plain,
        *(" ".join(one[at : at + 4] for at in range(0, len(one), 4)) for one in plain),
        plain[0].lower(),
        "-".join(plain[1][at : at + 4] for at in range(0, 22, 4)),
    ]


KEYS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("as it is", lambda pem: pem), ("in one line", lambda pem: pem.replace("\n", "\\n")), ("in JSON", lambda pem: json.dumps({"private_key": pem})), ("in JSON twice", lambda pem: json.dumps(json.dumps({"private_key": pem}))),
    ("in an .env", lambda pem: 'KEY="' + pem.replace("\n", "\\n") + '"'), ("indented", lambda pem: "key: |\n" + "".join(f"    {line}\n" for line in pem.split("\n"))), ("quoted", lambda pem: "".join(f"> {line}\n" for line in pem.split("\n"))),
    ("with CRLF", lambda pem: pem.replace("\n", "\r\n")), ("without its end", lambda pem: pem[: pem.rindex("-----END")]), ("as base64", lambda pem: base64.b64encode(pem.encode()).decode()), ("in kubeconfig", lambda pem: "client-key-data: " + base64.b64encode(pem.encode()).decode()),
    ("with spaces for lines", lambda pem: pem.replace("\n", " ")), ("in a heredoc", lambda pem: f"cat > k <<EOF\n{pem}\nEOF"), ("as a diff", lambda pem: "".join(f"+{line}\n" for line in pem.split("\n"))), ("numbered", lambda pem: "".join(f"{n:>6}\t{line}\n" for n, line in enumerate(pem.split("\n"), 1))),
)  # fmt: skip


def plants(seed: int = 20_260_801) -> Iterator[Plant]:
    """Every kind of secret in every frame that suits it."""
    make = Maker(seed)
    for kind, secret in tokens(make).items():
        for frame, put in FRAMES.items():
            text = put(secret)
            if frame.startswith(("base64", "hex", "data")):  # encoded: nothing of the code may be left
                coded = max(re.findall(r"[A-Za-z0-9+/=_\\\\-]+", text), key=len)
                yield Plant(kind=kind, frame=frame, text=text, traces=(secret, secret[-16:], coded[8:40], coded[-24:]))
                continue
            yield Plant(kind=kind, frame=frame, text=text, traces=(secret, secret[-16:], quote(secret[-16:], safe="")))
    for kind, frame in LABELLED:
        for letters, count in ((HEX, 32), (ALNUM, 40), (URLSAFE, 28)):
            if kind == "key" or any(word in frame for word in ("token=", "sig=", "api_key=", "https://{}")):
                secret = make.of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 32) if "totp" in frame else make.of(letters, count)
            else:
                secret = make.password()
            secret = re.sub(r"[#%+]", "x", secret) if kind == "url" else secret
            yield Plant(kind=kind, frame=frame, text=frame.format(secret), traces=(secret, secret[:8], secret[-8:]))
    for kind, frame in NUMBERS:
        for secret in numbers(make, kind):
            yield Plant(kind=kind, frame=frame, text=frame.format(secret), traces=(secret, secret[:12], secret[-9:]))
    for label in ("RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "EC PRIVATE KEY", "PRIVATE KEY", "ENCRYPTED PRIVATE KEY"):
        for frame, put in KEYS:
            pem = make.pem(label)
            lines = pem.split("\n")[1:-1]
            yield Plant(kind="private-key", frame=frame, text=put(pem), traces=tuple(line[:24] for line in lines))
