"""What a user tells an assistant unasked: words that announce it ("So you know: …"), and turns that only tell."""

# ruff: noqa: E501 — patterns, one thing a line
from __future__ import annotations

import re
from collections.abc import Sequence

from brain.distil import chatter_en
from brain.distil import cues_en as en
from brain.distil.cues_world import patterns
from brain.distil.judge import is_question, opens_question
from brain.distil.sentences import word_count

ANNOUNCED, TELLING = 0.24, 0.12
"""What a statement weighs more when its speaker announces it, and when its turn asks for nothing."""

_ANNOUNCES = {
    "en": r"(?:just )?so (?:it['’]s (?:said|clear|on record)|(?:that )?you(?:'re aware| know| have it| stop guessing))|(?:just )?for (?:your information|your notes|(?:some |a bit of )?(?:context|background)(?:, so .{3,40})?|the record|reference|later|future reference)|f\.?y\.?i|heads[- ]?up|(?:a |one )?(?:quick |small |little |brief )?(?:side ?note|aside|(?:bit|piece) of (?:context|background|information)|background|detail that matters)"
    r"|(?:before|in case|lest) I forget|while I (?:think of it|remember|am at it|'m at it)|I (?:should|forgot to|meant to|wanted to|ought to) (?:say|mention|add|tell you)(?: (?:this|that))?|(?:I(?:'m| am)? )?(?:not sure|don't think|doubt) (?:that )?I(?:'ve)? (?:ever )?(?:told|mentioned)\b.{0,20}|you(?:'ll| will) need (?:this|that|to know)(?: (?:later|soon))?|(?:please )?(?:make a note(?: of (?:this|that))?|note|remember|keep in mind)(?: (?:this|that)(?: one)?)?"
    r"|(?:this|that|it)? ?(?:may|might|will|could) (?:come up|be useful|come in handy|matter)(?: again| later| soon)?|(?:right|ok|okay|well)?,? ?one (?:more |last |other )?thing(?: before .{3,30})?|(?:just )?thought I['’]d (?:say|mention) (?:it|this)|unrelated(?:ly)?(?: to [\w ]{2,20})?|(?:oh|ah|and)?,? ?(?:and )?(?:something else|another thing|one (?:more|other|last) thing)(?: (?:on|about) [\w ]{2,20})?|(?:ah|oh),? wait|by the way|btw|incidentally|something (?:new|you should know|I should (?:say|mention|add))|(?:this|something) (?:just )?came up(?: (?:this|today|yesterday|in|at)\b[^.:]{0,30})?|good to know|for what it's worth",
    "de": r"nebenbei(?: gesagt| bemerkt)?|übrigens|am rande(?: bemerkt)?|(?:nur |mal )*(?:zur|als) info(?:rmation)?|(?:nur )?damit du(?: es| das)?(?: bescheid)? weißt|für (?:später|den hinterkopf)|kurz (?:dazwischen|nebenbei|zwischendurch)|(?:kurz )?zum (?:hintergrund|kontext|verständnis)|bevor ich(?: es|['’]s)? vergesse|was ich noch sagen wollte|(?:bitte )?merk(?:e)? dir(?: das| bitte)?|vorweg|(?:ach(?: ja)?,? )?noch (?:etwas|was|eine sache|eins)|eins noch|apropos|gut zu wissen|ich glaube,? das habe ich noch nicht (?:gesagt|erzählt)|wichtige(?:s|r)? (?:detail|hinweis|kleinigkeit)",
    "fr": r"(?:ah,? )?au fait|à propos|pour (?:info(?:rmation)?|ta gouverne|votre information|mémoire|(?:le )?contexte|que tu (?:le )?saches|la suite|plus tard)|(?:une )?(?:petite|brève) parenthèse|entre parenthèses|(?:bon,? )?(?:un )?(?:petit )?détail (?:qui compte|important|utile)|(?:soit dit )?en passant|je ne (?:crois|pense) pas te l['’]avoir dit|avant (?:que j['’]oublie|d['’]oublier)|(?:ah,? )?(?:autre chose|une chose encore|encore une chose)|note(?:z)?(?: bien)?(?: que)?(?: ceci| cela)?|à noter|(?:ça n['’]a )?(?:rien à voir|sans rapport)(?: mais)?|tant que j['’]y pense|bon à savoir|retiens(?: ceci| cela| bien)?",
    "es": r"(?:ah,? )?por cierto|a todo esto|para que (?:lo )?sepas|(?:un )?(?:pequeño )?detalle (?:importante|que importa)|dicho sea de paso|de paso|(?:ah,? )?(?:otra|una) cosa(?: más)?|antes de que (?:se )?(?:me |lo )?olvide|para (?:tu información|más adelante|después|contexto|que conste)|(?:por )?si acaso|nota|apunta(?: esto)?|ten en cuenta(?: esto)?|toma nota|entre paréntesis|(?:no sé si|creo que no) te lo (?:he dicho|dije|había dicho)|(?:un )?poco de contexto|ahora que (?:me acuerdo|lo pienso)|(?:un )?(?:breve )?inciso|no tiene (?:nada )?que ver(?:,? pero)?|recuerda(?: esto)?",
    "uk": r"до речі|між іншим|до слова|(?:маленьк\w+|коротк\w+|невеличк\w+)? ?відступ|щойно (?:згадал\w*|згадав|згадалося)|(?:а|ах|о)?,? ?(?:ще одне|ще дещо|іще одне)|поки не забул\w|поки не забув|щоб ти знал\w|щоб ти знав|для (?:довідки|контексту|розуміння)|(?:важлив\w+ )?дрібниц\w+|на майбутнє|зауваж(?:те)?|запам['’]ятай(?:те)?|занотуй(?:те)?|здається,? я (?:цього )?не казал\w|це (?:ще )?знадобиться|не по темі",
    "ru": r"кстати(?: говоря)?|между прочим|к слову|небольшое отступление|(?:а|ах|о)?,? ?(?:ещё одно|еще одно|ещё кое-что)|пока не забыл\w?|чтобы ты знал\w?|для (?:справки|контекста)|на будущее|забыл\w? сказать|вспомнил\w?|запомни(?:те)?|учти(?:те)?|запиши(?:те)?|не по теме|это (?:ещё )?пригодится",
    "ja": r"ちなみに|余談ですが|関係(?:の)?ない(?:話)?(?:です)?が|前提として|あ、?そうそう|そうそう|そう(?:言|い)えば|ところで|今思い出しました(?:が)?|思い出した(?:ん)?ですが|忘れないうちに|(?:メモして|覚えて|記録して)おいて(?:ください|下さい|ね)?|まだ(?:言|い|話し|伝え)(?:って|て)(?:い)?な(?:かった|い)(?:かもしれません|と思います)?(?:が)?|参考までに|ご参考までに|念のため|補足(?:ですが|すると)|後で(?:必要|要|使い)[^。、]{0,8}|大事なこと(?:ですが)?|話は変わりますが|一つ(?:だけ)?補足",
    "zh": r"顺便(?:说|提|讲)?(?:一下|一句)?|順便(?:說|提)?(?:一下|一句)?|对了|對了|备注|备忘|補充一下|补充一下|(?:供你?)?参考|记一下|请记住|提醒一下|题外话|说到这个|忘了说|以防我忘了|背景(?:是|信息)?|另外说一句|有件事(?:要|得)?(?:说|告诉你)?",
}  # fmt: skip
_COURTESY = {
    "en": r"^(?:(?:does|will|would|did) (?:that|this|it) (?:change|matter|affect|help|make)\b.*\?|(?:is|was) (?:that|this|it) (?:ok|okay|fine|relevant|clear)\W*|anyway[,.!]?.*|(?:ok(?:ay)?|right|so|now)?,? ?(?:carry|go) on\W*|back to (?:it|work|the \w+)\W*|(?:sorry|apologies)(?:,? (?:that was|for|about)\b.*)?\W*|that's (?:all|it)\b.*|nothing (?:to do|else)\b.*|no (?:need|action|rush|hurry)\b.*|(?:don't|do not|no need to) (?:build|do|change|act|worry|bother|reply|answer)\b.*|I(?:'m| am)? (?:keep |always )?repeat\w*\b.*|(?:fine|good|ok) so far\W*|just so you know\W*|carry on\W*|(?:I (?:need|have|'ve got|gotta)(?: to)?|I['’]ve got to|gotta|got to) (?:run|go|leave|head out|dash)(?:[,.;!].*| now\b.*)?|I(?:'m| am) off\W*|let['’]s (?:leave|stop|call) it (?:here|there|a day)\b.*|(?:great|ok|okay|fine|good)?,? ?I['’]ll (?:try|do|test) (?:it|that|this)(?: out)?(?: and .*| first)?\W*|(?:that['’]s )?enough for (?:today|now)\W*|(?:hm+|ok(?:ay)?|well|right)?,? ?let me (?:think|sleep|see|look|get back|come back)\b.*|I(?:'m| am) not (?:convinced|sure about that)\W*)$",
    "de": r"^(?:ändert (?:das|sich).*\?|(?:gut|so|okay),? (?:weiter|zurück).*|entschuldig\w*(?: (?:die|den|das|für)\b.*)?\W*|das (?:war|ist) (?:alles|es)\W*|mehr (?:nicht|weiß ich nicht)\W*|nur (?:so|zur info)\W*|weiter(?: im text| geht['’]s)?\W*|ich wiederhole mich.*|ich (?:muss|mach(?:e)?) (?:los|weg|schluss)(?:[,.].*)?\W*|(?:das )?(?:probiere|mache) ich(?: aus)?\W*|(?:das )?überzeugt mich nicht\W*|(?:für heute )?reicht(?: es| das)?(?: für heute)?\W*)$",
    "fr": r"^(?:(?:ça|cela) change.*\?|(?:bon|allez|voilà),?(?: on)? ?(?:reprenons|continuons|c['’]est tout|voilà)?\W*|(?:pardon|désolée?|excuse-moi)(?:,? (?:pour|du|de)\b.*)?\W*|c['’]est tout\W*|rien à faire.*|je (?:le|me) répète.*|fin de la parenthèse\W*|(?:je (?:file|me sauve|vous laisse|te laisse|dois (?:y aller|filer))|j['’]y vais)(?:[,.].*)?\W*|(?:parfait,? )?j['’]essaie(?:,? et .*)?\W*|(?:ça|cela) ne me convainc pas\W*|je ne suis pas convaincue?\W*)$",
    "es": r"^(?:¿?(?:eso|esto)? ?(?:te |le |me )?(?:cambia|importa).*\?|bueno,? (?:sigamos|seguimos|volvamos).*|(?:perdona?|disculpa|lo siento)(?:,? (?:el|la|por)\b.*)?\W*|(?:eso es todo|ya está|nada más|no sé más)\W*|lo repito.*|no hay que hacer nada.*|sigamos\W*|(?:me voy|tengo que irme|me tengo que ir)(?:[,.].*)?\W*|(?:lo )?pruebo(?: y .*)?\W*|no me convence\W*|(?:gracias,? )?por hoy (?:basta|ya está)\W*|luego más\W*)$",
    "uk": r"^(?:це (?:щось )?(?:змінює|міняє).*\?|(?:добре|гаразд|ну),? (?:далі|продовж\w+|поїхали).*|(?:вибач\w*|перепрошую)(?:,? (?:за|що відволік\w+)(?!\w).*)?\W*|(?:це|от і) все\W*|нічого робити не (?:треба|потрібно).*|повторююся.*|(?:біжу|побіг\w*|мушу (?:бігти|йти)|мені пора)(?:[,.].*)?\W*|(?:спробую|попробую)(?:[,.].*|\sі .*)?\W*|не переконує\W*)$",
    "ru": r"^(?:это (?:что-то )?меняет.*\?|(?:хорошо|ладно|ну),? (?:дальше|продолж\w+|поехали).*|(?:извини\w*|прости\w*)(?:,? (?:за|что отвлек\w+|что отвлёк\w*)(?!\w).*)?\W*|(?:это|вот и) вс[её]\W*|ничего делать не (?:надо|нужно).*|повторяюсь.*|(?:бегу|побежал\w*|мне пора|я пош[её]л|я пошла)(?:[,.].*)?\W*|попробую(?:[,.].*|\sи .*)?\W*|не убеждает\W*)$",
    "ja": r"^(?:(?:何か|これで|それで)?(?:変わり|変わる)[^。]*か[。？?]*|以上です。?|脱線し(?:ました|ます)[^。]*。?|(?:話|本題)(?:を|に)?(?:戻し|戻り)[^。]*。?|すみません。?|今は(?:何も|特に)[^。]*(?:大丈夫|結構|なくていい)[^。]*。?|それだけです。?|続けて(?:ください)?。?|何度も(?:言|い)[^。]*。?|(?:出かけます|行ってきます|もう行きます|失礼します)(?:[、。].*)?|(?:試し|やって)み(?:ます|る)[^。]*。?|納得(?:できません|いきません)。?|(?:今日は)?ここまで(?:で|に)[^。]*。?)$",
    "zh": r"^(?:(?:这|那|這)?(?:会|會|有)?(?:影响|影響|改变|变)[^。]*[吗嗎][？?]?|(?:好|那)?(?:继续|繼續)[吧。]*|抱歉。?|(?:就|先)这样[吧。]*|不用(?:处理|做)[^。]*。?|(?:我先走了|我得走了|我要走了|回头聊|回頭聊)[^。]*。?|我(?:先)?试试[^。]*。?)$",
}  # fmt: skip
_OPENS = {
    language: re.compile(
        rf"^(?:{source})(?:\s*[:：.,;…。、，—–-]+\s*(?:but\b:?\s*|mais\b:?\s*|pero\b:?\s*|aber\b:?\s*|але\b:?\s*)?|$)",
        re.IGNORECASE,
    )
    for language, source in _ANNOUNCES.items()
}
_CLOSES = {language: re.compile(source, re.IGNORECASE) for language, source in _COURTESY.items()}
_GOING_ON = re.compile(
    r"\b(?:on (?:reprend|continue|y va)|machen wir|weitermachen|soll(?:en wir|te ich| ich)|seguimos|continuamos|retomamos)\b|(?:продовж|йдемо далі|поверта)\w*|продолж\w+|続け|進め|戻り|继续|繼續",
    re.IGNORECASE,
)
"""An assistant's question about how to go on, in other languages than English."""

_LONGEST = 45
"""Words of a turn that is heard as only telling something."""

_CJK = ("ja", "zh")
_STANDS = 9
"""Words from which on a sentence with a loose pronoun says enough by itself."""

_TALK = 0.3
_ADDRESSED = re.compile(r"\b(?:you|your|you['’]\w+)\b|^(?:\w+,? )?let['’]s\b", re.IGNORECASE)
_FINITE = re.compile(
    r"\b(?:I|we|am|is|are|was|were|has|have|had|will|can|could|would|must|do|does|did|\w+n['’]t|['’]s|cannot|[a-z]{2,}ed|went|came|got|took|made|left|lost|won|gave|"
    r"said|told|sold|sent|met|built|bought|broke|fell|found|began|chose|ran|wrote|put in|paid|held|kept|led|grew|spent|taught|brought|needs?|wants?|costs?|takes?|gets?|lives?|works?|runs?|uses?|means|makes?|gives?|goes|comes?|keeps?|stands?|visits?|opens?|closes?|starts?|ends?)\b|\d|^[^\W\d_][\w' -]{2,30}: [^?]{3,80}\.$"
    r"|\b[a-z]{2,}s (?:the|an?|us|me|it|them|in|on|at|by|for|to|from|with|out|up|off|no|not|my|our|all|every|only|around|about|over|after|before|until|\d|(?-i:[A-Z]))",
    re.IGNORECASE,
)
"""A verb that makes a sentence of words, or an amount under its name."""

_STOPS = ".!…。！"
_PLEASE = re.compile(r"\bplease\W*$", re.IGNORECASE)
_LOOSE = re.compile(r"^(?:the|a|an|my|our)?\s?[a-z]\w+ (?:\w+ ){1,2}(?:it|them|this|that)\b", re.IGNORECASE)
"""A loose pronoun that nothing in the sentence explains ("The director wants it faster.")."""

_QUESTION_WORDS = {
    language: re.compile(rf"(?:{source})(?!\w)", re.IGNORECASE)
    for language, source in {
        "de": "wie|was|wer|wo|wann|warum|wieso|weshalb|woran|welche[rsmn]?|ist|sind|gibt",
        "fr": "comment|combien|quels?|quelles?|pourquoi|où|quand|qui|c['’]est quoi|qu['’]est-ce",
        "es": "cómo|cuánt[oa]s?|qué|cuál(?:es)?|dónde|cuándo|por qué|quién",
        "uk": "як|скільки|чим|що|де|коли|чому|хто|який|яка|яке|які|чи",
        "ru": "как|сколько|чем|что|где|когда|почему|кто|какой|какая|какое|какие",
    }.items()
}
"""Words that open a question, where its mark was left out."""


def announced(sentence: str, language: str) -> tuple[bool, str]:
    """Whether a sentence opens by announcing that it tells something, and what it tells ("" when the next one does).

    >>> announced("So you know: the kiln is booked until May.", "en")
    (True, 'The kiln is booked until May.')
    """
    pattern = _OPENS.get(language)
    found = False
    for _ in range(3):
        match = pattern.match(sentence) if pattern else None
        if match is None:
            break
        found, sentence = True, sentence[match.end() :]
    return found, sentence[:1].upper() + sentence[1:] if found else sentence


def courtesy(sentence: str, language: str) -> bool:
    """A word around what was told, about the talk: "Anyway, back to it.", "Does that change anything for you?"."""
    pattern = _CLOSES.get(language)
    return pattern is not None and pattern.match(sentence) is not None


def only_goes_on(question: str) -> bool:
    """Whether the assistant only asked how to go on: what is said next is no answer to it."""
    return question == "" or en.META_QUESTION.search(question) is not None or _GOING_ON.search(question) is not None


def only_tells(spoken: Sequence[tuple[str, str]]) -> bool:
    """Whether a turn, as sentences with their languages, asks for nothing and gives no task."""
    if not spoken or sum(word_count(sentence) for sentence, _ in spoken) > _LONGEST:
        return False
    return not any(asks(*said) for said in spoken if not courtesy(*said) and announced(*said)[1])


def tells(sentence: str, language: str, *, announced: bool = False) -> bool:
    """Whether a sentence of a turn that only tells says something: no reaction, no fragment, no word about the talk."""
    if courtesy(sentence, language) or asks(sentence, language):
        return False
    if language == "en":
        return _tells_english(en.OPENING.sub("", sentence), announced=announced)
    table = patterns(language)
    if table is None or table.talk.search(sentence) or table.yes.search(sentence):
        return False
    return len(sentence) >= 8 if language in _CJK else word_count(sentence) >= 3


def wishes(sentence: str, language: str) -> bool:
    """Whether a sentence that somebody announced is a wish: an order that is not for now ("Sort them by age for me.")."""
    return asks(sentence, language) and not (is_question(sentence) or courtesy(sentence, language))


def _tells_english(sentence: str, *, announced: bool) -> bool:
    count = word_count(sentence)
    if count < 3 or en.TALK.search(sentence) or chatter_en.FRAGMENT.search(sentence):
        return False
    if count < _STANDS and (en.LEANS.match(sentence) or _LOOSE.search(sentence)):
        return False
    if announced:
        return chatter_en.penalty(sentence, first=_own(sentence)) < _TALK
    if _ADDRESSED.search(sentence) or en.MOMENT.search(sentence) or chatter_en.REFUSAL.search(sentence):
        return False
    allowed = _TALK if sentence.startswith(("My ", "Our ")) else 0.01
    return chatter_en.penalty(sentence, first=_own(sentence)) < allowed and _FINITE.search(sentence) is not None


def _own(sentence: str) -> bool:
    return sentence.startswith(("My ", "Our ")) or en.FIRST.search(sentence) is not None


def asks(sentence: str, language: str) -> bool:
    """A question, a task, or the words of a search ("excel count empty cells")."""
    closed = sentence[-1:] in _STOPS
    if is_question(sentence) or not (closed or sentence[:1].isupper() or sentence[:1].isdigit()):
        return True
    if language == "en":
        return (
            en.REQUEST.search(sentence) is not None or _PLEASE.search(sentence) is not None or opens_question(sentence)
        )
    table = patterns(language)
    if table is None or table.request.search(sentence) is not None:
        return True
    opening = _QUESTION_WORDS.get(language)
    return not closed and opening is not None and opening.match(sentence) is not None
