"""The words that say a secret is near, as stems in lower case, in the languages people write in."""

from __future__ import annotations

# ruff: noqa: E501 — word lists read better in long lines

PASSWORD = (
    "pass", "pwd", "pw", "contrase", "clave", "senha", "mdp", "kennwort", "parola", "haslo", "hasło", "heslo", "wachtwoord", "lösenord",
    "adgangskod", "salasana", "jelsz", "sifre", "şifre", "mật khẩu", "парол", "密码", "密碼", "口令", "パスワード", "비밀번호", "암호",
    "كلمة المرور", "كلمة السر", "رمز عبور", "סיסמ", "पासवर्ड", "পাসওয়ার্ড", "รหัสผ่าน", "κωδικ", "kata sandi", "lozink", "geslo", "slaptažod",
    "identified by",
)  # fmt: skip
KEY = (
    "_key", "-key", "apikey", "api key", "accesskey", "access key", "accountkey", "privatekey", "secret", "sig=", "signature=",
    "ключ api", "api-ключ", "clé api", "clé d'api", "api 密钥", "密钥", "apiキー", "シークレット", "секрет", "api-schlüssel", "clave de api",
    "chave de api", "chiave api", "klucz api", "api anahtar", "مفتاح api", "api कुंजी", "api 키", "api密钥", "encryption key", "signing key",
    "openai key", "anthropic key", "license key", "licence key",
)  # fmt: skip
TOKEN = ("token", "credential", "_auth", "токен", "令牌", "トークン", "토큰", "jeton d'", "رمز الوصول")
PHRASE = (
    "seed phrase",
    "recovery phrase",
    "mnemonic",
    "сид-фраз",
    "сид фраз",
    "助记词",
    "frase semilla",
    "phrase de récupération",
)
PIN = ("pin", "пин", "пін", "暗証番号")
CODES = ("backup code", "recovery code", "резервные коды", "codes de secours", "códigos de respaldo", "备用验证码")

KIND_OF = {word: kind for kind, words in (("password", PASSWORD), ("api-key", KEY), ("token", TOKEN)) for word in words}
