"""English cues: which words mark a preference, a decision, a plan … and which sentences are only talk."""

# ruff: noqa: E501, SIM905 — word lists and patterns, one thing a line
from __future__ import annotations

import re

from brain.types import FactKind


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{p})" for p in patterns), re.IGNORECASE)


_SOFT = r"(?:(?:really|also|always|absolutely|totally|still|just|do|truly|particularly|especially|usually|generally|mostly|kind of|kinda|never|personally|definitely|actually|much|so)\s+){0,2}"
I = r"\b(?:I|we)\s+" + _SOFT  # noqa: E741

CORRECTION = _any(
    r"^(?:no|nope|nah|wait|sorry|correction|actually|hmm,? no)\b[,.:;!\s-]{1,4}.{0,60}\b(?:not|isn't|wasn't|it's|it is|should be|that's|meant|wrong|instead|rather)\b",
    r"\bI (?:actually )?meant\b",
    r"\b(?:that's|that is|this is|it's|you're|it is) (?:wrong|not (?:right|correct|true|what I)|incorrect|outdated|mistaken)\b",
    r"^(?:it|that|they|this)(?:'s|'re| is| are| was) not\s+[\w'’-]+(?:\s+[\w'’-]+){0,3},?\s+(?:but|it's)\b",
    r"\bI (?:made a mistake|misspoke|was wrong|got .{1,30} wrong)\b",
    r"\bit'?s (?:actually|now)\b.{1,60}\bnot\b",
    r"^(?:no|nope)[,.]\s+(?:it|the|we|there|I said|use)\b",
    r"^[^,]{1,60}\b(?:it's|is|are|there are|should be|was)\s[^,]{1,50},\s+not\s+(?!(?:only|just|sure|to|too|really|the|because|even|so|that|a|an|in|on|at|for|yet|bad|all|as|much|many)\b)[\"“]?[\w'’-]+(?:\s[\w'’-]+){0,3}[\"”]?[.!]?$",
    r"^[^,]{1,80}\b\d[\d,.]*\b[^,]{0,50},\s+not\s+\d",
    r"^(?:small |quick )?(?:correction|change) (?:on|for|to|about|of plan)\b[^?]{3,}$", r"\bI(?:'ve| have)? changed my mind\b",
)  # fmt: skip
STANDING = _any(
    r"\b(?:from now on|going forward|in (?:the )?future|every time|each time|by default)\b", r"^(?:please\s+)?(?:always|never|don't ever|do not ever|remember (?!that\b|this\b|when\b|the\b))\b", r"^(?:please\s+)?(?:make sure|be sure|keep in mind)\b.{3,80}\b(?:always|never|every|each|any time|whenever|from now on|all (?:my|our|future))\b",
    r"^(?:please\s+)?(?:don't|do not|stop|avoid|use|keep|write|send|export|deliver|format|put)\b.{3,80}\b(?:instead|not|rather than|always|never|only|every)\b",
    r"\b(?:you should|you must|should|must) (?:always|never)\b", r"\bplease (?:always|never|don't|do not|only)\b",
    r"^(?:please\s+)?\w+ .{3,80}\bwhen(?:ever)? you (?:give|write|send|compare|draft|make|show|list|hand|book|add|name|answer|reply|format|quote|summari[sz]e)\b", r"^(?:when(?:ever)?|if|in (?:anything|everything|whatever)) you (?!(?:can|could|have|want|need|know|think|ask me)\b)\w+[^,:?]{0,50}[,:] [^?]+$",
    r"^(?:in (?:anything|everything|whatever)) you \w+ .{3,80}\b(?:I use|I want|use|only|nothing)\b", r"[,;] (?:always|never|nothing (?:else|more)|every time)[.!]*$",
)  # fmt: skip
PREFERENCE = _any(
    I + r"(?:prefer|love|like|enjoy|adore|hate|dislike|avoid|favou?r|loved|enjoyed|appreciate)\b", r"\bmy (?:all-time |personal |absolute |current )?fav(?:ou?rite|e)?\b",
    r"\bI(?:'d| would) (?:rather|prefer)\b", r"\bI(?:'m| am) (?:\w+ )?(?:a (?:big |huge )?fan of|into|keen on|fond of|passionate about|allergic|vegan|vegetarian|obsessed|drawn to|crazy about|not a fan|not into|picky)\b",
    r"\bI (?:can't|cannot) stand\b", r"\bI (?:don't|do not) (?:like|want|eat|drink|enjoy|use)\b", r"\bI (?:always |only )?want (?!to\b)[^.]{1,60}\b(?:as|in|not|rather)\b", r"\bworks best for me\b",
    r"\bI(?:'ve| have) (?:always )?(?:loved|preferred|wanted)\b", r"\bI find .{2,40} (?:relaxing|calming|therapeutic|boring|useful|helpful|annoying|soothing)\b",
    r"\b(?:is|are|'s) (?:my|our) (?:favou?rite|go-to|passion|thing|therapy|escape|happy place|comfort)\b", r"\bmy go-to\b",
    r"^(?-i:[A-ZÀ-Þ])[\w'’-]+ (?:(?-i:[A-ZÀ-Þ])[\w'’-]+ )?(?:really |always |also )?(?:prefers|likes|loves|hates|dislikes|wants|enjoys|avoids|can't stand|doesn't (?:like|eat|drink|want))\b",
)  # fmt: skip
DECISION = _any(
    r"\b(?:I|we)(?:'ve| have)? (?:just |finally |already )?(?:decided|chose|chosen|picked|settled on|went with (?!my\b|our\b|him\b|her\b|them\b|a friend|friends|some\b|family|[A-Z]\w+ to\b)|agreed|opted|committed)\b", r"\blet'?s (?:go with|use|stick with|switch to|call (?:it|the)|drop the|skip the|not (?:use|do|add))\b",
    r"\b(?:I|we)(?:'ll| will|'re going to|'m going to| are going to) (?:go with|use|stick with|switch to|choose)\b", r"\bthe (?:decision|plan) (?:is|was)\b", r"\bmade (?:the|a|my|our) decision\b",
    r"\b(?:I|we) (?:switched|migrated) (?:from|to|over)\b", r"\b(?:I|we) (?:want|need) to (?:go with|use|stick with)\b", r"\binstead of\b.{2,40}\b(?:we|I) (?:use|will|chose)\b",
)  # fmt: skip
FAILED = _any(
    r"\b(?:didn't|doesn't|did not|does not|don't|won't|never|not) work(?:ed|ing)?\b(?! (?:at|for|in|on)\b)", r"\b(?:failed|fails|failing|crash(?:ed|es)|broke down|gave up|no luck|backfired|fell through|went wrong|stopped working)\b",
    r"\bcouldn't (?:get|make|find|figure|finish|do)\b", r"\b(?:is|was|are|still) (?:broken|failing|blocked|stuck)\b", r"\b(?:root cause|the (?:bug|error|issue|problem) (?:was|is))\b",
)  # fmt: skip
WORKED = _any(
    r"(?<!one )(?<!what )(?<!which )(?<!that )(?<!options )\b(?:works|working|worked) (?:now|great|well|perfectly|fine|like a charm|for me|better|wonders)\b", r"\b(?:(?:is|was|are|were|got|been|now|I|we|have|'ve|has|finally|all) fixed|fixed (?:it|that|the|this|my|our|by|in)|solved|resolved|that did the trick|did the trick|did it|paid off|tests? (?:all )?pass(?:ed|es)?|succeeded)\b",
    r"(?<!you )(?<!already )\bhelped (?:me|us)\b", r"\b(?:it|that) works\b",
    r"^(?:that|it|this) (?:just |finally |really |actually )?worked\b", r"\bmade (?:a )?(?:big |huge )?difference\b",
)  # fmt: skip
PLAN = _any(
    r"\b(?:I|we)(?:'m|'re| am| are) (?:\w+ )?(?:going to|gonna|planning|hoping|thinking (?:of|about)|aiming|looking (?:to|for|forward to)|considering|about to|trying to|set to|working on|saving|preparing|off to)\b",
    r"\b(?:I|we) (?:\w+ )?(?:plan|hope|intend|want|wanna|need|have|aim|wish|would love|'d love|'d like|would like) to\b", r"\b(?:I|we)(?:'ll| will)\b", r"^(?:gonna|going to|planning|hoping|thinking|looking forward)\b",
    r"\b(?:is|are|was) (?:scheduled|planned|due|set) (?:for|to|on|by)\b", r"\bdeadline\b", r"\bupcoming\b", r"\b(?:my|our|the) (?:goal|dream|plan|aim|target)\b", r"\b(?:I|we)(?:'d| would) (?:love|like) to\b", r"\bthe (?:plan|goal|next step) is\b",
    r"\b(?:I|we) signed up\b", r"\b(?:I|we) (?:can't|cannot) wait to\b", r"\blooking forward to\b",
)  # fmt: skip
WORKFLOW = _any(
    r"\b(?:first|start by|begin by)\b.{3,200}\b(?:then|after that|next|finally)\b", r"\bthe way (?:I|we) (?:do|make|handle|run|work)\b", r"\b(?:my|our) (?:process|workflow|routine|method|procedure|approach|recipe|checklist) (?:is|for|starts|:)",
    r"\b(?:whenever|every time|each time) (?:I|we)\b", r"\b(?:I|we) (?:always|usually|typically|normally) (?!love|like|want|enjoy|feel|have|am|been)\w+", r"\bstep (?:one|two|three|\d)\b",
)  # fmt: skip
_KIN = (
    r"(?:(?:step|half|ex|grand|great-grand|god)-?)?(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[ée]e?|mother|mom|mum|father|dad|parents|son|daughter|kid|kids|children|child|sister|brother|sibling|"
    r"aunt|uncle|cousin|niece|nephew|grandma|grandpa|grandmother|grandfather|mother-in-law|father-in-law|sister-in-law|brother-in-law|roommate|flatmate|neighbou?r|friend|buddy|pal|best friend|boss|manager|"
    r"colleague|coworker|co-worker|teammate|mentor|coach|teacher|professor|advisor|supervisor|doctor|dentist|therapist|trainer|landlord|client|dog|cat|puppy|kitten|pet|turtle|guinea pig|pup|tutor|lawyer|accountant|assistant)"
)
KIN = _KIN
KIN_NAMED = re.compile(rf"\b(?:my|our) (?:\w+ )?{_KIN}s?,? (?-i:[A-Z])\w+", re.IGNORECASE)
"""Names a relative or friend in passing; the relation becomes a statement of its own."""

RELATION = _any(
    rf"^(?:my|our) (?:\w+ )?{_KIN}s?,? (?-i:[A-Z])\w+", rf"\b(?-i:[A-Z])\w+,? (?:who )?(?:is|was|'s) (?:my|our|the) (?:\w+ )?{_KIN}\b", rf"\bmy (?:\w+ )?{_KIN}(?:'s)? (?:is|was|name|named|called|lives|works|has)\b",
    rf"\b(?:have|has|had|got|adopted) (?:(?!to\b|for\b|with\b|the\b|my\b|our\b|from\b|by\b)\w+ ){{1,3}}{_KIN}s?\b(?!['’ ]s\b| (?:bed|tree|food|toys?|carrier|training|shower|party|sitter|house|gift|meeting|support|call)\b)", rf"\b{_KIN}s? (?:named|called)\b", r"\bI(?:'m| am) (?:married|engaged|single|divorced|pregnant|dating|a (?:single )?(?:mom|mother|dad|father|parent))\b",
)  # fmt: skip
STATE = _any(
    r"\bI(?:'m| am) (?:(?:a|an|the|in|at|from|on|based|living|working|studying|currently|now|originally|\d+|married|allergic|reading|learning|taking|training)\b)", r"\bI (?:live|work|study|own|have|speak|teach|run|lead|manage|play|use|drive|weigh|belong|drink|eat|wear|cook|bake|read|write|ride|swim|volunteer|collect|grow|keep|commute|paint|draw|sing|sew|knit|code|garden|meditate|jog|hike|go to)\b",
    r"\bI(?:'ve| have) (?:been|had|got|lived|worked|known)\b", r"\bmy (?:\w+ ){1,3}(?:is|are|was)\b", r"\bI(?:'ve| have) got\b", r"\b(?:name|email|address|budget|deadline|host|owner|version|status|port|password|price|venue) (?:is|was|are)\b",
    r"\b(?:I|we) (?:moved|live|lived|work|worked|grew up)\b", r"\bused to\b",
    r"\b(?:my|our) (?:[\w'’-]+ ){1,2}(?:gets?|takes?|costs?|runs?|needs?|pays?|works?|earns?|sells?|uses?|wants?|likes?|starts?|ends?|lasts?|opens?|closes?)\b",
)  # fmt: skip
EVENT = _any(
    r"\b(?:I|we|he|she|they|it)(?:'ve| have|'d| had)? (?:just |also |recently |finally |even |actually |already |once )?(?:went|got|took|made|saw|came|bought|met|gave|found|told|left|lost|won|ran|started|began|ate|wrote|read|sent|spent|"
    r"heard|became|held|built|brought|taught|flew|drove|rode|swam|fell|broke|gone|done|seen|taken|written|joined|visited|attended|finished|completed|graduated|adopted|moved|hosted|organi[sz]ed|painted|"
    r"played|watched|tried|cooked|baked|volunteered|created|launched|opened|signed|applied|passed|received|planted|hiked|camped|celebrated|learned|sold|paid|caught|threw|chose|grew|drew|sang|wore|stood|spoke|slept|kept|forgot|led|dug|fought|hung|lent|fed|swept|meant|woke|rose|thought|decided|lost|chosen|\w{3,}ed)\b",
    r"\b(?:was|were|had|happened|took place)\b", r"^(?:just |finally |also )?(?:went|got|took|made|saw|bought|met|found|started|finished|had|tried|joined|visited)\b",
)  # fmt: skip

KINDS: tuple[tuple[FactKind, re.Pattern[str], float], ...] = (
    (FactKind.DECISION, DECISION, 0.34), (FactKind.RELATION, RELATION, 0.30), (FactKind.PREFERENCE, PREFERENCE, 0.26), (FactKind.WORKFLOW, WORKFLOW, 0.22),
    (FactKind.FAILED, FAILED, 0.22), (FactKind.WORKED, WORKED, 0.18), (FactKind.PLAN, PLAN, 0.20), (FactKind.STATE, STATE, 0.24), (FactKind.EVENT, EVENT, 0.20),
)  # fmt: skip
"""Kind, its cue, and what the cue adds to a sentence's weight. Earlier kinds win."""

_INTERJECTION = (
    r"(?:yeah|yep|yup|yes|no|nope|nah|oh|ah|aw+|wow|whoa|hey|hi|hello|well|so|ok|okay|sure|thanks|thank you|thx|right|true|haha\w*|lol|hmm+|um+|uh+|anyway|anyways|by the way|btw|also|and|but|plus|actually|honestly|"
    r"to be honest|tbh|basically|of course|absolutely|definitely|totally|exactly|for sure|no worries|no problem|speaking of [\w' -]{2,40}(?=,)|in fact|as for me|you know|i mean|good question|great question|great|perfect|cool|nice|good|"
    r"awesome|amazing|sounds good|fair enough|got it|alright|oh my gosh|omg|gosh|man|dude|apparently|incidentally|on another note|stop|careful|for the record|last thing|one more thing|one last thing|quick note|on top of that|however|additionally|furthermore|moreover|first off|alright then|on that note|that said|having said that|that being said|(?:as|like) (?:I|we) (?:\w+ )?(?:said|mentioned|discussed|agreed|talked about)(?: (?:earlier|before|last time|yesterday|already))?(?=,)|my brother(?=,)|speaking of which|"
    r"in addition|unfortunately|luckily|oh my|my bad|guess what|not gonna lie|ngl|seriously|indeed|besides|for example|yay|you won't believe (?:it|this|what happened)|don't forget|my (?:guy|friend|dear)(?=,))"
)
OPENING = re.compile(
    rf"^(?:{_INTERJECTION}(?:\s*[,!.:;…]+\s*|\s+[–—-]+\s+|\s+)){{0,6}}{_INTERJECTION}(?:\s*[,!.:;…]+\s+|\s+[–—-]+\s+|\s+(?=(?:I|we|my|the|it|he|she|they|there|that|this)\b))"
    r"|^(?:(?:and|but|so|plus|also|btw|actually|oh)\s+)+(?=\w)",
    re.IGNORECASE,
)
"""Interjections before the statement begins."""

REQUEST_TAIL = re.compile(
    r"(?:,?\s*(?:and|so|but)\s+)?(?:,\s*)?\bI(?:'m| was| am|'d| would)?\s*(?:was |am |just |also |like to )*(?:wonder(?:ing)?|curious|ask|know if|was thinking, (?:would|could|is|are|can|what|how)|wanted to (?:ask|know|check)|have a (?:quick )?question)\b.*"
    r"|(?:,?\s*(?:and|so|but)\s+)?(?:,\s*)?\b(?:can|could|would|will|do|did|are|is|what|which|how|any|have)\s+(?:you|I|we|there|it|some|other|advice|suggestions|recommendations|ideas|tips|kind|are|is|do|would|should|can|about|else)\b[^.]*\?\s*$"
    r"|\s*(?:[,;:–—]|\s-)\s*(?:and |but |so |or )?(?:do|can|could|would|what(?:'s)?|how|any|is|are|have|which|where|who|when|why|should|does|did|will)\b [^.]{3,200}\?\s*$",
    re.IGNORECASE,
)
REQUEST = re.compile(
    r"^(?:(?:please|now|then|ok|okay|also|and|first|next|great|so|hey|hi|let's|just)[,!]?\s+)*(?:write|create|generate|give|tell|explain|rewrite|summari[sz]e|list|export|print|save|upload|download|share|attach|schedule|format|sort|count|split|copy|insert|dig|pull|help|show|fix|add|make|provide|describe|translate|convert|implement|refactor|update|"
    r"change|remove|delete|run|check|look|find|search|compare|suggest|recommend|continue|act|imagine|pretend|let me know|walk me|draft|edit|improve|expand|shorten|design|build|test|review|debug|try|answer|calculate|analy[sz]e|"
    r"read|open|rename|move|install|deploy|commit|push|merge|set up|use|do|go|keep|think|consider|include|replace|put|send|repeat|clarify|elaborate|start|stop|ask|tell|remind|call|email|ignore|respond|reply|play|plan|skip|propose|prepare|outline|rephrase|reword|simplify|organi[sz]e|undo|revert|define|talk me|take me)\b"
    r"|\b(?:can|could|would|will) you\b|\bI(?:'d| would)? (?:want|need|like) you to\b|\bI(?:'m| am) (?:looking for|wondering|curious)\b|\bplease (?:help|provide|give|write|make|explain|let)\b",
    re.IGNORECASE,
)
"""A task given to the assistant, not a thing to remember."""

TALK = _any(
    r"^(?:thanks|thank you|thx|many thanks|cheers|congrat\w*|good (?:luck|job|morning|night|evening|to (?:see|hear))|great (?:job|to (?:see|hear))|nice (?:job|work|to)|well done|way to go|keep (?:it up|up|going|me|pushing|on|shining|doing)|take care|talk (?:to you )?(?:soon|later)|see (?:you|ya)|catch (?:you|up)|bye|good ?bye|"
    r"have (?:fun|a (?:great|good|nice|wonderful|blast))|enjoy|no (?:problem|worries)|you(?:'re| are) welcome|my pleasure|anytime|of course|sure|absolutely|definitely|totally|exactly|same here|me too|likewise|hope (?:you|it|that|all|everything|your)|hey|hi|hello|long time|what's up|how (?:are|have) you|wow|cool|"
    r"awesome|amazing|lovely|wonderful|fantastic|incredible|beautiful|gorgeous|adorable|cute|yay|woo|ha|lol|glad|so (?:glad|happy|cool|proud|sweet|cute|true|great|awesome)|sounds|looks|seems|can't wait|stay|let me know|let's (?:keep|stay|catch|do it)|cheers|here's to|rock on|go for it|wishing|sending|best of luck|i hear you|you got this|go you)\b",
    r"^(?:that|this|it|those|these|they|what)(?:'s| is| was|'re| are| sounds?| looks?| seems?| must| really)? (?:(?:so|really|such|a|an|very|pretty|just|absolutely|be|have been|feel|like|great|truly|quite|definitely|always|to|totally) )*(?:great|good|nice|awesome|amazing|cool|wonderful|fantastic|incredible|beautiful|lovely|inspiring|sweet|"
    r"impressive|interesting|exciting|fun|true|right|understandable|tough|hard|hear|perfect|adorable|cute|gorgeous|brilliant|delicious|yummy|rewarding|important|special|powerful|touching|heartwarming|admirable|commendable|thoughtful|sad|rough|terrible|awful|crazy|wild|idea|news|point|feeling|reminder|blast|view|achievement|accomplishment|plan|pic|shot|photo|question|way|time|one|combo|choice|honor|fulfilling|super|stunning|kind|peaceful|relaxing|helpful|huge|big)\b(?!.*\b(?:I|my|we|our)\b)",
    r"^(?:your|you)\b.{0,140}\b(?:great|amazing|awesome|inspiring|beautiful|proud|wonderful|incredible|strong|brave|talented|love|support|dedication|passion|hard work|deserve|rock|right|best|cute|adorable|fun|journey|positiv\w+|attitude|impressive|determination)\b",
    r"^I(?:'m| am) (?:(?:so|really|very|just|super|truly|always|also) )*(?:glad|happy|proud|sorry|thrilled|excited|stoked|here|rooting|grateful|thankful|honou?red|lucky|blessed)\b(?:[^.]{0,30}\b(?:you|for you|that you|to hear|your|it|that)\b.*|[.!]*$)",
    r"^I (?:(?:really|totally|completely|definitely|can|do|so|just|also|truly|couldn't) )*(?:agree|appreciate (?:it|your|you|that)|understand|get it|hear you|bet|know what you|imagine|hope (?:you|your|it|so)|wish you|believe in you|admire|see (?:that|what|why|how)|think so|feel you)\b.*",
    r"^(?:it's been|been|it has been) .{0,40}\bsince (?:we|I|our)\b", r"^I (?:really |just |so |absolutely )*(?:love|like|admire|appreciate) (?:how|that|seeing|when|the way) you",
    r"^(?:what|how) (?:a|an|cool|great|nice|lovely|exciting|fun|amazing|awesome|wonderful)\b", r"^(?:let me know|keep me|feel free|i'll let you know|we got this|you can do)\b.*", r"^I(?:'ll| will) (?:keep you|let you know|check it out|definitely|do|try|think about it|be there|look into it|give it a (?:try|shot)|consider)\b[^,;]{0,50}[.!]*$",
    r"^.{0,60}\bsince (?:we|I) (?:last )?(?:spoke|talked|chatted|met|caught up)[.!]*$",
    r"^my name(?:'s| is)\b",
    r"^(?:bonne nuit|good night|bye|goodbye|gotta (?:run|go)|i'm off|off to|heading (?:out|home)|night night|until (?:tomorrow|next time))\b",
    r"^(?:i'm doing|doing|not much|pretty|all good|i'm good|i'm fine)\b[^,.]{0,40}[.!]*$", r"^(?:i )?love (?:it|that|this|your|you)\b.{0,60}$",
    r"^(?:i )?(?:can't wait|cannot wait) (?:to (?:see|hear|catch|chat|talk)|for (?:it|you|that))\b", r"^it(?:'s| is| was) (?:(?:so|really|always|very|such|all|nice|great|good|just|important|amazing|awesome|crazy|wonderful) )+(?:to (?:see|hear|have|know|be)|about|when|how|a)\b(?!.*\b(?:I|my|we|our)\b)",
)  # fmt: skip
"""Greetings, thanks, praise and reactions: nothing to remember."""

NAMED_SUBJECT = re.compile(
    r"^(?!(?:The|It|This|That|There|These|Those|He|She|They|We|What|Who|Everyone|Everything|Nothing|Something|Someone|People|Sometimes|Life|Nature|Please|Yes|No|So|And|But|My|Our|Your|His|Her|Their|Its|All|Some|Most|Being|Having|Seeing|In|On|At|If|When|As)\b)"
    r"[\"“]?(?:[A-ZÀ-Þ][\w'’&-]*\s){1,5}(?:is|was|has|had|will|can|does|did|leads?|[a-z]{2,}(?:s|ed)|went|came|told|said|took|made|left|got|won|sent|gave|built|wrote)\b"
)
"""Opens with a name that does something."""

GREETING_QUESTION = re.compile(
    r"^(?:so,? |hey,? )?(?:how(?:'s|'re|'ve| is| are| have| has| was)? (?:you|things|it|everything|life|your (?:day|week|weekend|morning|summer))|what(?:'s|s|'ve| is| has| have)? (?:up|new|been|going|happening|you been|everyone)|anything (?:new|fun|exciting|interesting))",
    re.IGNORECASE,
)
"""Small talk; the answer to it stands alone or is nothing."""

MOMENT = re.compile(
    r"\bI (?:just |really |also |still )?(?:(?:need|want|have|would like|'d like|wanna) (?:to )?(?:know|see|understand|write|check|find|draft|make sure|focus|start|work on|finali[sz]e|discuss|review|talk|figure|go over|move|continue|be sure|hear|say|admit)|have (?:text|the|some|a few|several|all|seen)|'?ve (?:seen|got|already|attached|pasted|sent|forwarded|uploaded|shared))\b"
    r"|\b(?:this time|start there|somewhere safe|right away|immediately|asap)\b",
    re.IGNORECASE,
)
"""A wish of the moment in a talk with an assistant, or a word about what was just pasted."""

EXHORTS = re.compile(
    r"\b(?:let's|we'll (?:keep|make|get)|(?:I|we)(?:'ll| will) (?:always|never) |gonna keep|going to keep|keep (?:pushing|supporting|going|up|each|shining|dreaming|working)|each other|cherish)\b",
    re.IGNORECASE,
)
"""Encouragement between people."""

TAIL = re.compile(
    r"(?:\s*[,;]|\s+[–—-])\s*(?:and\s+)?(?:it|that|which)(?:'s| is| was|'s been| has been)? (?:(?:so|really|such|very|just|super|pretty|a|an|been|quite) )*(?:fun|cool|awesome|great|amazing|enjoyable|nice|lovely|blast|exciting|good)(?: (?:time|experience|feeling|day|too))?[.!]*$"
    r"|,?\s+(?:by the way|btw|lol|haha|if (?:that|this|it) (?:helps|makes sense|matters|is ok(?:ay)?)|if possible|you know|(?:as|like) (?:we|I) (?:\w+ )?(?:discussed|talked about|said|mentioned|agreed)(?: (?:earlier|before|last time))?|sharp sharp|no wahala|for (?:context|reference|what it's worth)|just (?:so you know|fyi)|fyi)[.!]*$|\s*[:;]-?[)D(](?=[.!]*$)",
    re.IGNORECASE,
)
"""A closing remark that adds nothing."""

GENERAL = re.compile(
    r"^(?:it(?:'s| is)|that(?:'s| is)|this is|there(?:'s| is|'re| are)|sometimes|life|nature|everyone|people|everything|nothing|having|being|taking|seeing|knowing|working|spending|family|friends|music|art|books|support|love|hard work|small|little|together|when you|if you|you (?:can|have|never|know))\b",
    re.IGNORECASE,
)
"""Often a saying rather than something about the speaker."""

DANGLING = re.compile(
    r"^(?!this (?:folder|project|repo|repository|directory|workspace)\b)(?:it|they|he|she|this|that|these|those|there|one|both|his|her|their|its|him|them|which|who|where|each|some|another|all of (?:it|them))(?:'s|'re|'ll|'d|'ve)?\b",
    re.IGNORECASE,
)
"""Opens with a word whose meaning stands in the sentence before."""

LEANS = re.compile(
    DANGLING.pattern + r"|^(?:then|after that|afterwards|next|finally)\b|^remember (?:that|this)\b", re.IGNORECASE
)
"""Cannot stand without the sentence before it."""

YES = re.compile(
    r"^(?:yes|yeah|yep|yup|sure|ok|okay|perfect|great|sounds (?:good|great|perfect)|exactly|correct|right|that's right|go ahead|do (?:it|that)|please do|agreed|let's do (?:it|that|this)|i agree|fine|deal|works for me|approved|confirmed|looks good|lgtm|absolutely|definitely)\b",
    re.IGNORECASE,
)
SHOWS = re.compile(
    r"^(?:here(?:'s| is| are)|check (?:it |this )?out|take a look|look at|this is|these are|have a look|see)\b",
    re.IGNORECASE,
)
"""Points at a picture; without it the sentence says little."""

AGREES = re.compile(
    r"\b(?:do (?:it|that|this)|go ahead|let's (?:do|go)|sounds (?:good|great|perfect|right)|go with|please do|agreed|works for me|approved|lgtm|i agree|proceed|yes please|that's the (?:one|plan)|"
    r"i like (?:that|this|it|the)|perfect)\b|^(?:yes|yep|yeah|ok|okay|sure)[,.! ]*$",
    re.IGNORECASE,
)
PROPOSES = re.compile(
    r"\b(?:should we (?=(?:use|go|keep|switch|move|choose|drop|start|book|set|make)\b)|I(?:'d| would)? (?:suggest|recommend|propose|go (?:with|for)|take|start with|use|keep|try|put)|how about|what about|let's|we (?:could|should|can)|my (?:suggestion|recommendation|proposal)|"
    r"the (?:best|simplest|safest) (?:option|way|approach)|option \d|you (?:could|should))\b",
    re.IGNORECASE,
)
META_QUESTION = re.compile(
    r"\b(?:how (?:does|do|is|are) (?:that|this|these|it|the|your|you)\b.{0,60}\b(?:sound|feel|look|resonate|work|align|going)|does (?:that|this|it)|do(?:es)? (?:that|this|these) |would you like|shall (?:I|we)|should I|ready to|anything else|"
    r"want me to|let me know|is there anything|are you (?:ready|comfortable|happy|okay)|sound (?:good|right|like)|make sense|what do you think|any (?:other )?questions|to (?:proceed|start|begin) with\?|next\?|further)",
    re.IGNORECASE,
)
"""An assistant's question about how to go on; the answer to it is no fact."""

OPEN = re.compile(
    r"\b(?:still (?:need|have|open|unclear|unsure|undecided|waiting|pending|to do|not sure)|not sure (?:if|whether|which|how)|to be (?:decided|confirmed|determined)|TBD|todo|open question|need to (?:check|confirm|find out|figure out|decide) (?:if|whether|which|with|how)|"
    r"not (?:\\w+ )?(?:booked|decided|confirmed|done|sent|paid|finished|ready|settled|known) yet|haven't (?:decided|heard|figured)|waiting (?:for|on)|remains? (?:open|unclear|to be))\b",
    re.IGNORECASE,
)
"""Something is not settled yet."""

FIRST = re.compile(r"\b(?:I|I'm|I've|I'd|I'll|me|my|mine|we|we're|we've|our|us)\b")

BLAND = frozenset(
    (
        "a about absolutely actually after again all also always am amazing an and any anything are as at awesome "
        "away back be beautiful because been before being best better bit both but by can can't chance come cool "
        "could day definitely did didn't different do does doesn't doing don't done down each else even ever every "
        "everyone everything exactly exciting experience feel feeling feels few find first for from fun get gets "
        "getting give glad go going good gonna got great had happy hard has have having he hear hello help her here "
        "hey hi him his hope how i i'd i'll i'm i've if important in into is isn't it it's its just keep kind know "
        "let let's life like little long look looking looks lot lots love lovely made make makes making many maybe me "
        "mean means more most much must my myself need never new next nice no not nothing now of off oh ok okay on "
        "once one only or other our out over own part people place pretty probably proud put quite really right same "
        "say see seem seems she should since so some someone something special still stuff such super support sure "
        "sweet take taking thank thanks that that's the their them then there there's these they thing things think "
        "this those though thought through time to together too totally true try trying two up us use very want was "
        "wasn't way we we're we've well were what what's when where which while who why will wish with wonderful "
        "would wow yeah yep yes you you'd you'll you're you've your journey inspiring inspire inspired positive "
        "passion moments moment memories joy forward hear heard happiness grateful appreciate agree world keep "
        "keeping reminds whole big huge hearing share sharing wonderful incredible perfect definitely awesome believe "
        "guess maybe kinda sort truly worth alone meaningful impact difference strength courage peace"
    ).split()
)
"""Words that carry little of what a careful reader would want to find again."""
