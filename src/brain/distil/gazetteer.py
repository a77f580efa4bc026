"""Small lists that tell what kind of thing a capitalised name is: given names, places, tools, and telling endings."""

# ruff: noqa: E501 — word lists and patterns, one thing a line
from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


GIVEN_NAMES = _words(
    """Aaron Abigail Adam Adele Adrian Agnes Ahmed Aiko Aisha Akira Alan Albert Alejandro Alex Alexander Alexandra Alexis Alfred Ali Alice Alicia Alina Alison Allison Amanda Amara Amelia Amina Amir Amy Ana Anastasia
    Anders Andre Andrea Andreas Andrew Andrii Andy Angela Anita Anja Ann Anna Anne Annie Anthony Antoine Anton Antonio Arjun Arthur Asha Ashley Astrid Aubrey Audrey Austin Ava Barbara Beatrice Ben Benjamin Bernard Beth Betty
    Bill Bob Boris Brad Brandon Brenda Brian Bruno Caleb Calvin Camila Camille Carl Carla Carlos Carmen Carol Caroline Catherine Cecilia Charles Charlie Charlotte Chen Chloe Chris Christian Christina Christine
    Christopher Claire Clara Claudia Colin Connor Craig Cynthia Dana Daniel Daniela Danielle Darius David Deborah Dennis Derek Diana Diego Dmitri Dmytro Dominic Donald Donna Dorothy Doug Dylan Edith Edward Eileen Elena Eli
    Elias Elise Elizabeth Ella Ellen Emi Emilia Emily Emma Enrico Eric Erica Erik Erin Ernest Esther Ethan Eva Evan Evelyn Fatima Felix Fernando Fiona Florence Frances Francesca Francis Francisco Frank Fred Frieda Gabriel
    Gabriela Gary Gavin George Gerald Gina Giulia Gloria Gordon Grace Graham Greg Greta Guillaume Gustavo Hana Hanna Hannah Hans Harold Haruka Haruki Harry Hassan Heather Heidi Helen Helena Henri Henry Hiroshi Hugo Ian Ibrahim Ida Igor Inès
    Ines Ingrid Irene Irina Iris Isaac Isabel Isabella Ivan Ivy Jack Jackson Jacob Jacqueline Jake James Jamie Jan Jane Janet Jasmine Jason Javier Jay Jean Jeff Jeffrey Jennifer Jenny Jeremy Jerry Jesse Jessica Jim Joan Joanna Joe
    Joel Johan Johanna John Johnny Jolene Jon Jonas Jonathan Jordan Jorge Jose José Joseph Joshua Josh Joy Joyce Juan Juana Judith Judy Jules Julia Julian Julie Juliette Julio June Justin Kai Karen Karim Karin Karl Kate Katherine Kathleen
    Kathy Katie Kaito Keith Kelly Ken Kenji Kenneth Kenta Kevin Khalid Kim Kimberly Kira Klaus Kofi Kyle Lars Laura Lauren Laurent Layla Lea Leah Lee Leila Lena Leo Leon Leonard Leslie Liam Lily Lina Linda Lisa Liu Logan Louis Louise Luc
    Luca Lucas Lucia Lucy Luis Luka Lukas Luke Lydia Lynn Madison Maja Malik Manuel Marc Marco Marcus Margaret Maria María Marie Marina Mario Marion Mark Marta Martha Martin Martina Mary Masha Mason Mateo Mathieu Matt Matthew Maya
    Max Megan Mei Mel Melanie Melissa Mia Michael Michel Michelle Miguel Mika Mike Mikhail Mila Milan Miriam Mohamed Mohammed Molly Monica Monika Morgan Nadia Nadine Naomi Natalia Natalie Natasha Nate Nathan Neil Nicholas Nick Nicolas
    Nicole Nikolai Nina Noah Noam Nora Norman Olga Oksana Oleksandr Oliver Olivia Omar Oscar Otto Owen Pablo Pamela Paolo Patricia Patrick Paul Paula Pavel Pedro Penelope Peter Petra Phil Philip Philippe Pierre Priya Quinn Rachel Rafael
    Rahul Raj Ralph Ramon Raphael Raymond Rebecca Reza Riley Rita Rob Robert Roberta Roberto Robin Roger Roland Roman Ron Ronald Rosa Rose Ruby Russell Ruth Ryan Sabine Sakura Sally Sam Samantha Samir Samuel Sandra Santiago Sara
    Sarah Scott Sean Sebastian Serena Sergei Sergio Seth Shane Shannon Sharon Shaun Shirley Simon Simone Sofia Solomiia Sonia Sophia Sophie Stan Stanley Stefan Stella Stephan Stephanie Stephen Steve Steven Stuart Sue Susan Suzanne Svetlana
    Sven Sylvia Tanya Tara Tatiana Ted Teresa Terry Theo Theresa Thomas Tiffany Tim Timothy Tina Todd Tom Tomas Tomasz Tommy Tony Tracy Tyler Uwe Valentina Valerie Vanessa Vera Veronica Victor Victoria Vincent Viktor Virginia Vladimir Walter Wanda
    Wanyu Wei Wendy William Willow Xavier Yan Yara Yasmin Yolanda Yuki Yulia Yusuf Yves Yvonne Zachary Zara Zhang Zoe
    Марія Олена Ірина Оксана Надія Андрій Олександр Іван Петро Тарас Оля Катерина Юлія Наталія Сергій Дмитро Богдан Соломія Анна Мария Елена Ольга Иван Пётр Сергей Дмитрий Наталья"""
)
PLACES = _words(
    """Afghanistan Albania Algeria Argentina Armenia Australia Austria Azerbaijan Bangladesh Belarus Belgium Bolivia Bosnia Brazil Bulgaria Cambodia Cameroon Canada Chile China Colombia Croatia Cuba Cyprus Czechia Denmark Ecuador Egypt
    England Estonia Ethiopia Finland France Georgia Germany Ghana Greece Guatemala Honduras Hungary Iceland India Indonesia Iran Iraq Ireland Israel Italy Jamaica Japan Jordan Kazakhstan Kenya Korea Kuwait Laos Latvia Lebanon Libya Lithuania
    Luxembourg Malaysia Mali Malta Mexico Moldova Mongolia Morocco Mozambique Myanmar Namibia Nepal Netherlands Nicaragua Nigeria Norway Oman Pakistan Panama Paraguay Peru Philippines Poland Portugal Qatar Romania Russia Rwanda Scotland
    Senegal Serbia Singapore Slovakia Slovenia Somalia Spain Sudan Sweden Switzerland Syria Taiwan Tanzania Thailand Tunisia Turkey Uganda Ukraine Uruguay Uzbekistan Venezuela Vietnam Wales Yemen Zambia Zimbabwe USA UK America Europe
    Asia Africa Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Hawaii Idaho Illinois Indiana Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota Mississippi Missouri Montana Nebraska
    Nevada Ohio Oklahoma Oregon Pennsylvania Tennessee Texas Utah Vermont Virginia Wisconsin Wyoming Ontario Quebec Alberta Amsterdam Ankara Antwerp Athens Atlanta Auckland Austin Baghdad Baltimore Bangkok Barcelona Basel Beijing Beirut
    Belgrade Berlin Bern Birmingham Bogota Bologna Bordeaux Boston Brisbane Bristol Brussels Bucharest Budapest Cairo Calgary Cambridge Capetown Casablanca Chengdu Chicago Cologne Copenhagen Dakar Dallas Damascus Delhi Denver Detroit Dresden Dubai Dublin
    Edinburgh Florence Frankfurt Geneva Glasgow Gothenburg Grenoble Guangzhou Hamburg Hanoi Havana Helsinki Houston Hiroshima Istanbul Jakarta Jerusalem Johannesburg Kyiv Kharkiv Kobe Krakow Kyoto Lagos Lille Lima Lisbon Liverpool Ljubljana
    London Luxembourg Lviv Lyon Madrid Manchester Manila Marseille Melbourne Miami Milan Montreal Moscow Mumbai Munich Nagoya Nairobi Nantes Naples Nice Odesa Odessa Osaka Oslo Ottawa Oxford Paris Perth Philadelphia Phoenix Porto Portland
    Prague Quito Reykjavik Riga Rome Rotterdam Sapporo Seattle Sendai Seoul Seville Shanghai Shenzhen Sofia Stockholm Strasbourg Stuttgart Sydney Taipei Tallinn Tbilisi Tokyo Toronto Toulouse Turin Valencia Vancouver Venice Vienna Vilnius
    Warsaw Washington Wellington Wuhan Yokohama Zagreb Zurich Manhattan Brooklyn Queens Hollywood Tuscany Provence Brittany Bavaria Catalonia Andalusia Scandinavia Patagonia Bali Hokkaido Okinawa Nara Київ Львів Харків Одеса Дніпро Україна Москва"""
)
LONG_PLACES = frozenset(
    """New York|New York City|San Francisco|Los Angeles|San Diego|Las Vegas|New Orleans|Hong Kong|United States|United Kingdom|New Zealand|South Korea|North Carolina|South Carolina|New Jersey|New Mexico|New Hampshire|Rhode Island|
    West Virginia|Costa Rica|Puerto Rico|Sri Lanka|South Africa|Saudi Arabia|Cape Town|Buenos Aires|Rio de Janeiro|Sao Paulo|Mexico City|Saint Petersburg|The Hague|Tel Aviv|Abu Dhabi|Kuala Lumpur|Ho Chi Minh City|New Delhi|
    Salt Lake City|San Antonio|San Jose|Santa Fe|El Salvador|Dominican Republic|Czech Republic|British Columbia|Nova Scotia""".replace("\n", "").replace("    ", "").split("|")
)  # fmt: skip
CJK_PLACES = re.compile(
    r"北京|上海|广州|廣州|深圳|杭州|南京|成都|武汉|西安|苏州|天津|重庆|香港|台北|臺北|高雄|中国|日本|韩国|韓国|美国|英国|法国|德国|東京|京都|大阪|仙台|札幌|名古屋|福岡|神戸|横浜|広島|奈良|沖縄|北海道|里昂|巴黎|伦敦|纽约|"
    r"リヨン|パリ|ロンドン|ニューヨーク|ベルリン|ソウル|フランス|アメリカ|ドイツ|イギリス"
)
_CJK_STOP = "我你他她它们的在是于和与跟及到从对给让请因为了就把被向也都这那去来会要想说姐妹哥弟のはがをにでとへも"
CJK_ORGS = re.compile(
    rf"(?:(?![{_CJK_STOP}])[\u4e00-\u9fffァ-ヴーA-Za-z]){{2,10}}?"
    r"(?:公司|大学|大學|实验室|研究所|研究室|医院|醫院|银行|銀行|协会|協会|株式会社|ラボ|病院|学校|基金会)"
)
CJK_PERSONS = re.compile(
    rf"(?:(?:(?![{_CJK_STOP}])[\u4e00-\u9fff]){{1,3}}|[ァ-ヴー]{{2,8}}|[ぁ-ん]{{2,5}})"
    r"(?:さん|先生|老师|教授|小姐|经理|部長|課長|君(?!た))"
)
CJK_TITLES = re.compile(r"[《『「]([^》』」\n]{2,30})[》』」]")

TOOLS = _words(
    """Python JavaScript TypeScript Java Rust Go Ruby PHP Kotlin Swift Scala Haskell Perl Lua Docker Kubernetes Terraform Ansible Jenkins Git GitHub GitLab Bitbucket Linux Ubuntu Debian Windows macOS Android iOS React Vue Angular Svelte
    Django Flask FastAPI Rails Spring Laravel Node Deno Bun Postgres PostgreSQL MySQL SQLite Redis MongoDB Elasticsearch Kafka RabbitMQ Celery Airflow Spark Pandas NumPy PyTorch TensorFlow Jupyter Figma Photoshop Illustrator Excel Word PowerPoint
    Notion Slack Jira Confluence Trello Asana Obsidian Zotero LaTeX Markdown Vim Emacs VSCode Cursor Codex Claude ChatGPT Gemini Copilot OpenAI Anthropic AWS Azure GCP Heroku Vercel Netlify Cloudflare Nginx Apache Grafana Prometheus Sentry
    Stripe Shopify WordPress Zoom Spotify Netflix YouTube Instagram Facebook Twitter TikTok LinkedIn WhatsApp Telegram Discord Reddit Gmail Outlook Dropbox Evernote Canva Blender Unity Unreal pytest ruff mypy webpack Vite ESLint Prettier npm pnpm yarn pip uv Poetry
    Google Microsoft PDF PNG SVG CSV JSON YAML HTML CSS SQL API MCP"""
)

ORG_ENDINGS = _words(
    "Inc Inc. Ltd LLC GmbH Corp Corporation Company Co Co. Lab Labs Laboratory University College School Institute Coop Co-op Cooperative Foundation Agency Bank Hospital Church Club Team Association Committee Council Studio Studios "
    "Group Society Union Ministry Department Press Academy Center Centre Clinic Network Partners Ventures Airlines Solutions Systems Technologies Organization Organisation Charity Shelter League Federation Records Media Consulting"
)
ORG_OPENINGS = _words(
    "University Institute Ministry Department Bank Atelier Association Université Institut École Fondation Société Collectif Coopérative Mairie"
)
PLACE_ENDINGS = _words(
    "Street Avenue Road Park Beach Lake River Mountain Mountains Island Islands Hall Station Airport Cafe Café Restaurant Museum Valley Forest Canyon Bridge City County Hotel Bay Coast Falls Springs Gardens Garden Trail Library Square Market "
    "Theater Theatre Stadium Arena Harbor Harbour Desert Peninsula Temple Castle Cathedral Bakery Gym Bar Pub Plaza Zoo Aquarium Amphitheatre"
)
EVENT_ENDINGS = _words(
    "Conference Festival Marathon Summit Fair Cup Championship Championships Tournament Olympics Concert Parade Expo Hackathon Workshop Convention Awards Gala Meetup Day Week"
)
PRODUCT_LEADS = re.compile(
    r"\b(?:read|reading|watch|watched|watching|book|books|novel|movie|film|series|show|game|games|play|played|playing|song|album|podcast|trilogy|called|titled|named|author|band|recommend|seen|finished)\s+(?:\w+\s+){0,2}$",
    re.IGNORECASE,
)
NOT_NAMES = _words(
    """I I'm I've I'd I'll Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays Sundays January February March April May June July August September October November December Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec
    English Spanish French German Italian Portuguese Russian Ukrainian Chinese Japanese Korean Arabic Hindi Latin American British European Asian African Mexican Indian Canadian Australian Irish Greek Turkish Dutch Swedish Thai Vietnamese Polish
    Christmas Easter Halloween Thanksgiving God Lord Mom Dad Mum Mother Father Grandma Grandpa OK Okay TV PC AI AM PM CEO CTO CFO HR FYI BTW LOL OMG ASAP ETA TBD FAQ DIY PS Mr Mrs Ms Dr Sir Madam Yes No Hi Hey Hello Thanks Thank Wow
    The A An And But So Or If When What Why How Where Who It He She They We You My Your Our Their His Her This That These Those There Here Then Now Also Just Please Sure Great Good Nice Well Oh Yeah Yep TODO README LGBTQ LGBTQ+
    Option Step Phase Part Chapter Section Note Day Week Month Year Version Figure Table Example Question Answer Internet Web North South East West Earth Bible Spring Summer Autumn Winter Fall Chief Morning Tomorrow Today Yesterday
    Actually Btw BTW Ask Even Because Since After Before Maybe Still Once When While Although Though Only Never Always Call Tell Meet Email Let For From With At In On To By Of Remember Bring Put Take Get Make Go See Use Do Did Can Could
    Would Will Should Is Are Was Has Have Had Not All Any Some Every Each Both Another Other More Most My Me Bonne Bon Non Oui Petite Petit Merci Bonjour Et Ou Mais Donc Car Au Le La Les Un Une Des Il Elle Je Nous Vous Ce Cette"""
)
TITLES = re.compile(r"^(?:Mr|Mrs|Ms|Dr|Prof|Professor|Aunt|Uncle|Coach|Sir|Mme|Monsieur|Madame)\.?\s")
