"""Words behind topics: areas of life, words too general to be a topic, words that show a noun."""

# ruff: noqa: E501, SIM905 — lists of words read better as text

from __future__ import annotations

FAMILY = "Family and friends"

AREAS: dict[str, str] = {
    FAMILY: """family mother mom mum father dad parent parents sister brother son daughter kid kids child children
        baby wife husband girlfriend boyfriend partner married marriage wedding divorce grandma grandmother
        grandpa grandfather uncle aunt cousin niece nephew friend friends roommate adopt adoption engaged
        pregnant famille mère père soeur sœur frère fils fille enfant enfants mari femme amis ami amie сім'я
        мама тато мати батько сестра брат син дочка дружина чоловік діти друг подруга 家 家族 家庭 妈妈 爸爸 母亲 父亲 妹妹
        姐姐 哥哥 弟弟 儿子 女儿 孩子 妻子 丈夫 朋友 母 父 妹 姉 兄 弟 息子 娘 子供 友達""",
    "Work and study": """job career boss colleague colleagues coworker office company business startup client clients customer
        customers salary promotion promoted hired fired interview internship manager engineer teacher nurse
        banker degree university college school exam exams study studying student students graduated graduate
        graduation thesis store shop studio campaign project investor investors travail métier bureau
        entreprise études université école cours робота офіс компанія університет школа навчання 工作 公司 学校 大学
        同事 老板 学习 仕事 会社 職場 勉強""",
    "Health": """health doctor hospital therapy therapist counseling counselor surgery injury injured diagnosed
        diagnosis illness sick pain medication medicine allergic allergy allergies asthma diet weight fitness
        gym workout workouts exercise yoga meditation sleep anxiety anxious stress depression heart ankle knee
        accident recovery rehab santé médecin hôpital maladie blessure régime здоров'я лікар лікарня хвороба
        健康 医生 医院 医師 病院 病気""",
    "Pets": """pet pets dog dogs puppy pup pups cat cats kitten kitty turtle turtles guinea hamster rabbit parrot
        leash vet shelter-dog doggo doggos chien собака кіт 狗 猫 犬 ペット 宠物""",
    "Home and places": """house apartment flat moved move moving neighborhood neighbourhood rent landlord mortgage city town
        garden gardening lives living hometown country maison appartement quartier ville дім будинок квартира
        місто 家里 房子 公寓 城市 引っ越し 部屋 都市""",
    "Travel": """trip trips travel traveled travelled travelling traveling vacation holiday flight flights hotel beach
        mountain mountains hike hiked hiking hikes camping camped roadtrip road-trip abroad tour voyage
        vacances randonnée подорож поїздка відпустка 旅行 出差 出張 酒店 ホテル""",
    "Food": """food cook cooking cooked recipe recipes bake baking baked dinner lunch breakfast restaurant
        restaurants meal meals dish dishes cake cookies vegan vegetarian dairy coffee tea wine ice-cream sushi
        pizza salad soup cuisine recette repas restaurant їжа рецепт вечеря кухня 菜 餐厅 料理 食べ物 レストラン""",
    "Interests": """hobby hobbies paint painting painted art artist drawing draw pottery music song songs guitar violin
        piano concert concerts band sing singing dance dancing dancer book books read reading novel movie
        movies film films series show game games gaming video-game videogame tournament tournaments sport
        sports basketball soccer football tennis running race swim swimming surf surfing climbing cycling
        photography photo-shoot writing poem poetry script screenplay knitting chess museum festival exhibit
        exhibition theater theatre fantasy peinture musique livre film jeu lecture danse музика книга фільм
        гра спорт малювання 音乐 电影 书 游戏 运动 画画 音楽 映画 本 ゲーム スポーツ 絵""",
    "Community": """volunteer volunteering volunteered charity community fundraiser fundraising donate donated donation
        activism activist rights campaign protest pride support-group mentor mentoring church faith religion
        religious politics political military veteran veterans council bénévole association волонтер громада
        церква 志愿者 社区 ボランティア""",
}
"""Head → words, by which a person's statements are grouped. Order is the order of heads on a page."""

GENERIC = frozenset(
    """headache headaches beginner makes make find playing acceptance activities activity advice afternoon age agency all amazing another answer anybody anyone
    anything area arm arms asking assistant atmosphere attention autumn awesome back background balance beauty
    becoming bed being believing best big bit blast body bond boss both bottom boy boyfriend break bringing
    brother building bunch call car care case center centre chair challenge challenges chance change changes
    chapter chat checking child children choice city class classes clothes code colleague colleagues color
    colors comfort coming communities community confidence congrats connection connections content
    conversation cool country couple courage court coworker coworkers creating crew customer customers dad
    data date dates daughter day days deal design detail details difference doing door double dream dreams
    each effort efforts either end energy enjoying enough environment evening event events every everybody
    everyone everything example experience experiences eye eyes face faces facing fact fall families family
    father feel feeling feelings few file files finding floor focus folder freedom friend friends front fun
    getting gift girl girlfriend giving goal goals goes going good great ground group growing growth guy guys
    hair half hand hands having he head hearing heart help helping her herself him himself hobby holding home
    honor hope hoping hour hours house hug hugs husband i idea ideas image impact importance including
    information inspiration interest interests issue issues it item items itself job journey joy keeping key
    kid kids kind kindness knowing laugh laughs learning leaving left less letting level life light lights
    line list living look looking lot lots love lovely loving luck lying making man many matter me meaning
    meeting member members memories memory men message mind mine minute minutes mom moment moments month
    months more morning morning's most mother motivation much my myself name nature needing neighbor neighbors
    neighbour neither new news nice night nobody none note notes nothing number old one ones opportunities
    opportunity option options other others outlook page parent parents park parks part partner passion peace
    people person perspective photo photos pic pics picture pictures piece pieces place places plan planning
    plans pleasure plenty point positivity power practice present pressure pride problem problems process
    progress project projects purpose pushing putting quality question questions reason relationship
    relationships remembering reminder request resource resources respect response rest result results reward
    right road role room same saying season second section seeing self sense sentence session sessions set
    setting several sharing she showing side sight sister sitting situation skill skills sky small smile
    somebody someone something son sort space spending spot spots spring stage standing start starting state
    status staying step steps sticking stories story street strength stress stuff style success such summer
    support supporting surprise system table taking talk talking task tasks team teammate teammates tear
    telling text thank thanking thanks that them themself themselves these they thing things thinking this
    those thought thoughts time times title today tonight top touch town treat trust trying turning type
    understanding update updates us user using value version vibe vibes view views voice waiting wall wanting
    way ways we wearing week weekend weeks what which who whole wife window winter woman women word words work
    working world year years you yours yourself""".split()
)
"""Nouns that come back in every talk and make no topic of their own."""

PRAISE = frozenset(
    """amazing awesome bad beautiful best better big busy caring certain close cool crazy current cute different
    difficult easy favorite favourite few first free full fun good great happy hard huge important incredible
    inspiring last little local long lovely loving main major negative new next nice old own perfect personal
    positive possible previous proud real recent rough safe several similar simple single small special sure
    sweet tough true various warm whole wonderful young""".split()
)
"""Adjectives that say how good or how big, not of what kind."""

EMPTY = frozenset(
    """all bit bunch couple day days end it kind lot lots moment moments month months morning night one ones
    other others part people person sort start them they thing things time times today tonight way week weeks
    year years you""".split()
)
"""Nouns that make no pair with another."""

BEFORE_NOUN = frozenset(
    """a about an another any did doing favorite favourite first for from go goes gone her his in into its
    learned learning local my new no of online our own some taking taught teaches that the their this took
    tried went with your""".split()
)
"""Words after which one that could be a verb is a noun."""

SAME_AS = {
    "pup": "dog",
    "pups": "dog",
    "puppy": "dog",
    "doggo": "dog",
    "doggos": "dog",
    "kitty": "cat",
    "kitten": "cat",
    "film": "movie",
    "films": "movie",
}
"""Words that are brought together though they share no stem."""
