"""Small cue tables for languages other than English, and what holds in any language: numbers, names, quoted words."""

# ruff: noqa: E501 — patterns, one thing a line
from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from brain.distil.gazetteer import CJK_PLACES
from brain.types import FactKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """The words of one language as alternations; `bounded` languages match whole words."""

    first: str
    preference: str
    decision: str
    correction: str
    plan: str
    failed: str
    worked: str
    relation: str
    standing: str
    talk: str
    request: str
    yes: str
    role: str
    workflow: str = r"(?!)"
    second: str = r"(?!)"
    wish: str = r"(?!)"
    bounded: bool = True


WORLD: dict[str, Cues] = {
    "fr": Cues(
        first=r"je|j['’]\w+|moi|mon|ma|mes|nous|notre|nos|on", preference=r"préfère|préférons|j['’]aime|j['’]adore|je déteste|n['’]aime pas|favori\w*|préféré\w*|plutôt que|allergique|je ne mange pas",
        decision=r"décidé|choisi|opté|on part sur|on garde|retenu|allons avec|nous utiliserons", correction=r"^(?:non|en fait|pardon|correction|erreur)\b|plutôt que|et non|ce n['’]est pas|je voulais dire|et pas",
        plan=r"vais|allons|prévois|prévu\w*|compte|voudrais|aimerais|j['’]espère|échéance|date limite|devons|dois|faut", failed=r"échoué|ne marche pas|ne fonctionne pas|plante|erreur|cassé\w*|n['’]a pas (?:marché|fonctionné)|bloqué\w*",
        worked=r"marche|fonctionne|réussi|corrigé|résolu|ça a marché", relation=r"(?:mon|ma|mes) (?:mari|femme|sœur|frère|mère|père|fils|fille|ami\w*|collègue|chef\w*|patron\w*|cousin\w*|oncle|tante|voisin\w*|compagn\w+|médecin)",
        standing=r"toujours|jamais|désormais|à l['’]avenir|dorénavant", talk=r"^(?:merci|bonjour|salut|bonsoir|super|génial|parfait|d['’]accord|ok|bravo|coucou|à bientôt|au revoir|bonne \w+|ça va|très bien|c['’]est (?:super|génial|noté|parfait))\b",
        request=r"^(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|est-ce que tu|écris|fais|donne|explique|montre|aide|traduis|corrige|ajoute|crée|génère|résume)|peux-tu|pouvez-vous|pourrais-tu|s['’]il (?:te|vous) plaît|^il me faut|^j['’]ai besoin|^(?:(?:dans|avec) [^,]{2,50}, )?(?:laisse|mets|montre|dis-moi|prépare|refais|regarde|vérifie|compare|trie|calcule|cherche|trouve|raccourcis|reformule|propose|liste|rédige|repère|saute|continue|rends)(?!\w)",
        yes=r"^(?:oui|d['’]accord|ok|parfait|vas-y|allez-y|faisons|exactement|c['’]est (?:ça|bon))\b", role="L'utilisateur", workflow=r"d['’]abord.{3,150}(?:ensuite|puis|enfin)", wish=r"plutôt|de préférence|je préfère|je préférerais|à partir de maintenant", second=r"tu|toi|vous|votre|vos|ton|ta|tes",
    ),
    "de": Cues(
        first=r"ich|mir|mich|mein\w*|wir|uns|unser\w*", preference=r"bevorzug\w+|lieber|mag|liebe|hasse|lieblings\w+|mag kein\w*|allergisch|am liebsten", decision=r"entschieden|beschlossen|nehmen wir|ausgewählt|bleiben bei|gewählt",
        correction=r"^(?:nein|eigentlich|falsch|korrektur|moment)\b|sondern|ich meinte|nicht \w+, sondern|stimmt nicht", plan=r"werde|werden|vorhabe|plane|planen|möchte|will|wollen|frist|termin|muss|müssen|hoffe", failed=r"fehlgeschlagen|geht nicht|funktioniert nicht|fehler|kaputt|abgestürzt|gescheitert",
        worked=r"funktioniert|geklappt|behoben|gelöst", relation=r"mein\w* (?:mann|frau|schwester|bruder|mutter|vater|sohn|tochter|freund\w*|kolleg\w+|chef\w*|nachbar\w*|cousin\w*|tante|onkel)", standing=r"immer|niemals|nie|ab jetzt|künftig|in zukunft|jedes mal",
        talk=r"^(?:danke|hallo|hi|guten \w+|super|toll|prima|perfekt|okay|ok|tschüss|bis bald|alles klar|gut)\b", request=r"^(?:kannst du|könntest du|können sie|schreib|gib|zeig|erklär|hilf|mach|füge|erstelle|übersetze)|kannst du|könntest du|können sie|bitte|^(?:lass|nimm|such|finde?|prüfe?|räum|sortiere?|vergleiche?|überspring|nenn|sag|bau|kürze?|schau|bereite|fasse?|ordne|berechne|schlag|formuliere?|erst zeigen)(?!\w)",
        yes=r"^(?:ja|genau|okay|ok|mach das|einverstanden|passt|stimmt)\b", role="Der Nutzer", workflow=r"zuerst.{3,150}(?:dann|danach|schließlich)", wish=r"lieber|am liebsten|bevorzugt|vorzugsweise|(?:bei|für) \w+ (?:bitte|immer)", second=r"du|dich|dir|dein\w*|sie|ihr\w*",
    ),
    "es": Cues(
        first=r"yo|me|mi|mis|mí|nosotros|nuestr\w+|nos|tengo|soy|estoy|vivo|trabajo|fui|hice|compré|voy", preference=r"prefiero|preferimos|me gusta\w*|me encanta\w*|odio|favorit\w+|no me gusta\w*|alérgic\w+|en vez de", decision=r"decid\w+|eleg\w+|optamos|escog\w+|vamos con|nos quedamos con",
        correction=r"^(?:no|en realidad|perdón|corrección|de hecho)\b.{1,80}\b(?:es|no|sino)\b|sino|quise decir|me equivoqué", plan=r"voy a|vamos a|planeo|pienso|espero|quiero|quisiera|me gustaría|plazo|fecha límite|tengo que|debemos", failed=r"falló|no funciona|no funcionó|error|se rompió|roto|fracas\w+",
        worked=r"funciona|funcionó|arreglad\w+|resuelto|solucionad\w+", relation=r"mis? (?:esposo|esposa|marido|mujer|hermana|hermano|madre|padre|mamá|papá|hij[oa]s?|amig[oa]s?|coleg\w+|jef[ea]|prim[oa]|tí[oa]|vecin[oa]|novi[oa])", standing=r"siempre|nunca|jamás|a partir de ahora|en adelante|cada vez",
        talk=r"^(?:gracias|hola|buen\w+ \w+|genial|perfecto|vale|ok|adiós|hasta luego|muy bien|claro|de nada)\b", request=r"^[¿]?(?:puedes|podrías|puede|escribe|dame|explica|muestra|ayúda\w+|haz|crea|traduce|corrige)|puedes|podrías|por favor|^(?:con [^,]{2,50}, )?(?:deja|enséña\w*|muéstra\w*|haz\w*|revisa|dime|busca\w*|búsca\w*|prepara\w*|mira|quita|pon|ponme|sigue|resume|compara|calcula|saca|ordena|ordéname|ayúda\w*|propón|salta)(?!\w)",
        yes=r"^(?:sí|vale|de acuerdo|ok|perfecto|adelante|exacto|hazlo|claro)\b", role="El usuario", workflow=r"primero.{3,150}(?:luego|después|finalmente)", wish=r"prefiero|preferiría|mejor|de preferencia|preferiblemente|a partir de ahora", second=r"tú|te|tu|tus|usted\w*",
    ),
    "uk": Cues(
        first=r"я|мене|мені|мій|моя|моє|мої|моїй|моєї|моїм|моїх|мою|моїми|мого|ми|нас|нам|наш\w*|\w+(?:юсь|уся|илася|алася|ався|ився)|\w{3,}(?:ила|ала|ула)", preference=r"віддаю перевагу|подобається|люблю|обожнюю|ненавиджу|не люблю|улюблен\w+|краще|надаю перевагу|алергія|волію|не їм",
        decision=r"вирішил\w|вирішив|обрал\w|обрали|обрав|домовил\w+|зупинил\w+|беремо|залишаємо", correction=r"^(?:ні|насправді|вибач\w*|виправлення|точніше)(?!\w)|не .{2,40}, а |мала на увазі|мав на увазі|помилил\w+", plan=r"буду|будемо|планую|плануємо|хочу|хочемо|збираюсь|збираюся|сподіваюс\w|термін|дедлайн|треба|потрібно|маю|мрію",
        failed=r"не працює|не вийшло|помилка|зламал\w+|не вдалося|збій|впав", worked=r"працює|вийшло|виправлено|вдалося|вирішено", relation=r"(?:мій|моя|мої|мого|моєї|моїм|моєю|мою) (?:чоловік\w*|дружин\w+|сестр\w+|брат\w*|мам\w+|тат\w+|матір\w*|батьк\w+|син\w*|доньк\w+|дочк\w+|подруг\w+|друг\w*|колег\w+|керівни\w+|начальни\w+|сусід\w*|бабус\w+|дідус\w+)",
        standing=r"завжди|ніколи|відтепер|надалі|щоразу|кожного разу", talk=r"^(?:дякую|привіт|вітаю|добрий \w+|добре|чудово|супер|гаразд|бувай|до зустрічі|ок|клас|круто|будь ласка)(?!\w)", request=r"^(?:напиши|зроби|дай|поясни|покажи|допоможи|переклади|виправ|додай|створи)|можеш|можете|будь ласка|чи не міг|чи могла|^(?:знайди|розклади|порадь|поможи|підготуй|прибери|оминай|пропусти|порівняй|порахуй|скороти|глянь|перевір|склади|запропонуй)(?!\w)",
        yes=r"^(?:так|добре|гаразд|звісно|згодна|згоден|давай|роби|ок|саме так)(?!\w)", role="Користувач", workflow=r"спочатку.{3,150}(?:потім|далі|нарешті)", wish=r"краще|волію|надаю перевагу|бажано|відтепер", second=r"ти|тебе|тобі|твій|твоя|твої|ви|вас|вам|ваш\w*",
    ),
    "ru": Cues(
        first=r"я|меня|мне|мой|моя|моё|мое|мои|моей|моего|моим|мою|мы|нас|нам|наш\w*", preference=r"предпочитаю|нравится|люблю|обожаю|ненавижу|не люблю|любим\w+|лучше|аллергия|не ем", decision=r"решил\w*|выбрал\w*|договорил\w+|остановил\w+|берём|оставляем", correction=r"^(?:нет|на самом деле|извини\w*|исправление|точнее)(?!\w)|не .{2,40}, а |имел\w? в виду|ошиб\w+",
        plan=r"буду|будем|планирую|хочу|хотим|собираюсь|надеюсь|срок|дедлайн|надо|нужно|мечтаю", failed=r"не работает|не вышло|ошибка|сломал\w+|не удалось|сбой|упал", worked=r"работает|получилось|исправлено|удалось|решено",
        relation=r"(?:мой|моя|мои|моего|моей|моим|мою) (?:муж\w*|жен\w+|сестр\w+|брат\w*|мам\w+|пап\w+|мать|отец|отц\w+|сын\w*|дочь|дочк\w+|подруг\w+|друг\w*|коллег\w+|начальни\w+|сосед\w*|бабушк\w+|дедушк\w+)", standing=r"всегда|никогда|отныне|впредь|каждый раз",
        talk=r"^(?:спасибо|привет|здравствуй\w*|добрый \w+|хорошо|отлично|супер|ладно|пока|до встречи|ок|класс|круто|пожалуйста)(?!\w)", request=r"^(?:напиши|сделай|дай|объясни|покажи|помоги|переведи|исправь|добавь|создай)|можешь|можете|пожалуйста|^(?:найди|разложи|посоветуй|подготовь|убери|пропусти|сравни|посчитай|сократи|проверь|составь|глянь|предложи)(?!\w)",
        yes=r"^(?:да|хорошо|ладно|конечно|согласн\w+|давай|делай|ок|именно)(?!\w)", role="Пользователь", workflow=r"сначала.{3,150}(?:потом|затем|наконец)", wish=r"лучше|предпочитаю|предпочтительно|желательно|отныне", second=r"ты|тебя|тебе|твой|твоя|твои|вы|вас|вам|ваш\w*",
    ),
    "zh": Cues(
        first=r"我|咱", preference=r"喜欢|喜歡|偏好|更愿意|更願意|讨厌|討厭|最爱|最愛|不吃|不喝|过敏|過敏|宁愿|寧願|习惯用|不喜欢|爱吃|爱喝|热爱", decision=r"决定|決定|选择了|選擇了|选了|就用|改用|定了|确定用|敲定|选定", correction=r"^(?:不|不是|不对|不對|其实|其實|更正|说错了|抱歉)[，,。 ]?|不是.{1,30}(?:而是|是)|应该是|應該是|搞错|我的意思是",
        plan=r"打算|计划|計劃|准备|準備|将要|想要|希望|要去|截止|预计|下个月|下周|需要|必须|会在|目标", failed=r"失败|失敗|不行|出错|出錯|报错|報錯|坏了|壞了|没成功|崩溃|崩潰|不管用", worked=r"成功|解决了|解決了|修好|可以了|通过了|管用|有效",
        relation=r"我(?:的)?(?:妻子|丈夫|老公|老婆|姐姐|妹妹|哥哥|弟弟|妈妈|媽媽|爸爸|母亲|父亲|儿子|女儿|朋友|同事|老板|經理|经理|上司|导师|邻居|室友|男朋友|女朋友|同学|奶奶|爷爷)", standing=r"总是|總是|永远|永遠|从不|從不|以后|以後|每次|一律|务必",
        talk=r"^(?:谢谢|謝謝|你好|您好|好的|嗯|太好了|太棒了|不客气|再见|晚安|早上好|哈哈|没关系|好吧|行)", request=r"^(?:请|請|帮我|幫我|给我|告诉我|写|解释|翻译|生成|列出)|你能|能不能|可以帮|麻烦你|吗？$|吗\?$",
        yes=r"^(?:好|好的|可以|行|对|對|是的|没错|就这样|同意|嗯)", role="用户", workflow=r"首先.{2,120}(?:然后|接着|最后)|先.{2,60}再.{2,60}", wish=r"宁愿|更喜欢|最好|偏好|以后|以後|一律", second=r"你|您", bounded=False,
    ),
    "ja": Cues(
        first=r"私|僕|ぼく|俺|わたし|うち|自分|我々|私たち", preference=r"好き|好み|嫌い|苦手|お気に入り|の方がいい|のほうがいい|が良い|アレルギー|気に入って|好んで|食べません|派です", decision=r"決めた|決めました|決まりました|ことにした|ことにしました|にします|にしましょう|選びました|選んだ|採用", correction=r"^(?:いいえ|いや|違います|実は|訂正|すみません)[、。, ]?|ではなく|じゃなくて|間違え|間違い",
        plan=r"予定|つもり|たいです|たいと思|するつもり|締め切り|締切|期限|までに|計画|目標|する必要", failed=r"失敗|動かない|動きません|うまくいか|エラー|壊れ|できませんでした|だめ", worked=r"うまくいき|うまくいっ|成功|直りました|直った|解決|動きました|動いた",
        relation=r"(?:私の)?(?:妻|夫|姉|妹|兄|弟|母|父|息子|娘|友人|友達|同僚|上司|先生|隣人|彼女|彼氏|祖母|祖父|いとこ)(?:の|は|が|と|、)", standing=r"いつも|必ず|絶対に|今後|これから|毎回|決して",
        talk=r"^(?:ありがとう|こんにちは|こんばんは|おはよう|はい、?(?:わかりました|了解)|了解|なるほど|すごい|いいですね|よろしく|お疲れ|じゃあね|またね|どういたしまして|そうですね|素晴らしい)", request=r"(?:してください|て下さい|てくれますか|お願いします|教えて|できますか|もらえますか|ですか|ますか)[。？?]?$|(?:[てで](?:ください|下さい|ね)?|しょうか?|か)[。！？?]?$",
        yes=r"^(?:はい|ええ|うん|そうです|お願いします|それで|了解|いいです)", role="ユーザー", workflow=r"まず.{2,120}(?:次に|それから|最後に)", wish=r"方がいい|ほうがいい|派です|(?:とき|時|場合|際)は.{2,40}(?:ください|下さい|お願いします|ないで)|^[^、。]{1,16}は[^。]{2,24}でお願いします", second=r"あなた|君", bounded=False,
    ),
}  # fmt: skip

_ORDER: tuple[tuple[FactKind, str, float], ...] = (
    (FactKind.DECISION, "decision", 0.32), (FactKind.PREFERENCE, "preference", 0.28), (FactKind.WORKFLOW, "workflow", 0.24),
    (FactKind.FAILED, "failed", 0.2), (FactKind.WORKED, "worked", 0.16), (FactKind.PLAN, "plan", 0.2), (FactKind.RELATION, "relation", 0.28),
)  # fmt: skip

NUMBER = re.compile(r"\d")
QUOTED = re.compile(r"[«“「『\"][^»”」』\"\n]{2,80}[»”」』\"]")
KATAKANA = re.compile(r"[ァ-ヴー]{3,}")
LATIN_IN_CJK = re.compile(r"[A-Za-z][A-Za-z0-9+#.-]+")
CAPITALISED = re.compile(r"(?<=[^\W\d_])[,;:]?\s+[A-ZÀ-ÖØ-ÞА-ЯІЇЄҐ][\w'’-]+")
CJK_DATE = re.compile(r"\d{1,4}\s?[年月日号]|[一二三四五六七八九十]+月")


_TAILS = {
    "fr": r"\s*,\s*(?:et\s+|donc\s+)?(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|tu (?:peux|pourrais|connais|as|aurais)|vous (?:pouvez|avez|connaissez)|est-ce que|as-tu|auriez-vous|connais-tu|quels?|quelles?|que me|comment|où)\b[^?]*\?\W*$",
    "de": r"\s*,\s*(?:und\s+)?(?:kannst du|könntest du|können sie|könnten sie|hast du|haben sie|was|welche\w*|wie|wo|gibt es)\b[^?]*\?\W*$",
    "es": r"\s*,\s*(?:y\s+)?[¿]?(?:puedes|podrías|puede|tienes|conoces|qué|cuál(?:es)?|cómo|dónde|me)\b[^?]*\?\W*$",
    "uk": r"\s*,\s*(?:і\s+|а\s+)?(?:можеш|можете|чи|що|як|які|який|де|порадиш|підкажи)(?!\w)[^?]*\?\W*$",
    "ru": r"\s*,\s*(?:и\s+|а\s+)?(?:можешь|можете|не могли|что|как|какие|какой|где|посоветуешь|подскажи)(?!\w)[^?]*\?\W*$",
    "zh": r"，(?:你|您|请|能|可以|有没有|有什么|帮我|怎么|哪)[^，。]*(?:[？?]|吗)\W*$",
    "ja": r"(?:が|けど|けれど)、[^、。]*(?:か|ください|下さい|教えて|お願いします)[。？?]*$",
}
REQUEST_TAILS = {language: re.compile(source, re.IGNORECASE) for language, source in _TAILS.items()}
"""A request that follows what its sentence tells: "Je pars à Lyon en mai, tu connais un hôtel ?"."""


def strip_request_world(sentence: str, language: str) -> str:
    """What is told before the request, closed like a sentence; `sentence` as it is when there is no such part."""
    tail = REQUEST_TAILS.get(language)
    found = tail.search(sentence) if tail else None
    head = sentence[: found.start()].rstrip(" ,，、") if found else ""
    if len(head) < (6 if language in ("zh", "ja") else 16):
        return sentence
    return head + ("。" if language in ("zh", "ja") else ".")


@dataclass(frozen=True, slots=True, kw_only=True)
class Patterns:
    """`Cues` compiled."""

    first: re.Pattern[str]
    second: re.Pattern[str]
    relation: re.Pattern[str]
    correction: re.Pattern[str]
    standing: re.Pattern[str]
    talk: re.Pattern[str]
    request: re.Pattern[str]
    wish: re.Pattern[str]
    yes: re.Pattern[str]
    kinds: tuple[tuple[FactKind, re.Pattern[str], float], ...]


@lru_cache(maxsize=16)
def patterns(language: str) -> Patterns | None:
    """The compiled cues of `language`, None when there is no table for it."""
    cues = WORLD.get(language)
    if cues is None:
        return None

    def words(source: str) -> re.Pattern[str]:
        return re.compile(
            rf"(?<!\w)(?:{source})(?!\w)" if cues.bounded and not source.startswith("^") else source, re.IGNORECASE
        )

    return Patterns(
        first=words(cues.first),
        second=words(cues.second),
        relation=words(cues.relation),
        correction=re.compile(cues.correction, re.IGNORECASE),
        standing=words(cues.standing),
        talk=re.compile(cues.talk, re.IGNORECASE),
        request=re.compile(cues.request, re.IGNORECASE),
        wish=words(cues.wish),
        yes=re.compile(cues.yes, re.IGNORECASE),
        kinds=tuple((kind, words(getattr(cues, name)), weight) for kind, name, weight in _ORDER),
    )


def role_name(language: str) -> str:
    """What to call a user whose name is not known."""
    cues = WORLD.get(language)
    return cues.role if cues else "The user"


def weight_any_language(sentence: str) -> float:
    """Salience from what needs no language: numbers and dates, names inside the sentence, quoted words, a fair length."""
    weight = 0.0
    if NUMBER.search(sentence):
        weight += 0.14 if CJK_DATE.search(sentence) else 0.1
    names = len(CAPITALISED.findall(sentence)) + len(KATAKANA.findall(sentence))
    if not sentence.isascii() and (len(LATIN_IN_CJK.findall(sentence)) and re.search(r"[\u3040-\u9fff]", sentence)):
        names += 1
    weight += min(0.2, 0.1 * names)
    if CJK_PLACES.search(sentence):
        weight += 0.08
    if QUOTED.search(sentence):
        weight += 0.08
    return weight
