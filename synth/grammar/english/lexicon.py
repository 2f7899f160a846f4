"""Closed lists of general English that a parser does not know."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of `text`."""
    return frozenset(text.split())


PERSON_NOUNS = word_set(
    "actor actress admiral architect archbishop artist astronaut astronomer author biologist bishop brother "
    "captain chairman chancellor chemist child chief citizen clergyman colonel composer commander count daughter "
    "dean director doctor duke economist editor emperor empress engineer explorer farmer father filmmaker founder "
    "friend general member contributor maintainer keeper chair owner governor guitarist head historian husband "
    "inventor journalist judge king knight lawyer leader lord man mathematician mayor merchant minister "
    "missionary monk mother musician nun officer painter patriarch philosopher physician physicist player poet "
    "politician pope president priest prince princess producer professor prophet psychologist queen researcher "
    "ruler scholar scientist sculptor secretary senator settler singer sister soldier son student sultan teacher "
    "theologian theorist wife woman writer people men women children settlers scientists"
)
VAGUE_NOUNS = word_set(
    "way ways thing things case cases part parts example examples one ones lot lots something anything everything "
    "someone anyone kind kinds type types sort number amount bit something fact reason idea point role issue "
    "issues matter effect detail details section chapter page rest same time times place result results problem "
    "problems chance aspect extent range variety series set group majority use view step steps none most all some "
    "many much few several others other another use cases idea option options process change changes work task "
    "order mix mixture combination form location version versions addition additions study studies "
    "researcher researchers expert experts critic critics observer observers"
)
# Nouns that say what kind of thing a name names, so that "which river" is the natural question.
TYPE_NOUNS = word_set(
    "storm hurricane typhoon act agreement airport algorithm army attribute award band bank battle bay bishopric "
    "board bridge bureau canal castle cathedral channel church city class college commission committee company "
    "conference constitution corporation council country county court decorator department desert directive "
    "district doctrine dynasty effect element empire encoding extension family festival field force forest format "
    "foundation framework function gallery game gas government group header hospital hypothesis institute island "
    "kingdom lake language law league library magazine method ministry model module mountain museum network "
    "newspaper object ocean option organization orchestra package palace parameter park parliament party planet "
    "plugin port principle program protocol province railway region regiment report republic revolution river "
    "road school sea service society specification standard state station street system team temple territory "
    "theorem theory tool tower town treaty tribe tribunal tunnel type university valley variable village volcano "
    "war zone"
)
# What names taken for people often name instead.
THING_NOUNS = word_set(
    "film movie book novel story poem album song single record opera play series show game company band group magazine "
    "newspaper village town city river mountain lake species genus plant period epoch era age ship software library "
    "framework tool platform language method class function module package format protocol website service system "
    "boat vessel ferry lighthouse car train aircraft building bridge tower"
)
# Definite nouns that need no introduction: there is one, or it is a role that every reader knows.
KNOWN_NOUNS = word_set(
    "world earth sun moon universe sky sea internet web public past future present "
    "atmosphere bible north south east west user "
    "client server browser database request response body header headers url path query application app code "
    "editor terminal console command framework standard operating system frontend backend computer "
    "developer programmer filesystem disk memory cpu compiler interpreter shell keyboard screen"
)
POINTING = word_set(
    "this these those such above below following previous next latter former same here there then thus therefore "
    "subsequent today currently now recently nowadays presently tomorrow yesterday ago later earlier again "
    "others else similar similarly likewise respectively so both either neither each one ones"
)
PRONOUNS = word_set(
    "it they them he she him we us i me itself themselves himself herself ourselves myself itself theirs ours "
    "hers mine something anything everything someone anyone everyone who whom which whose what"
)
POSSESSIVES = word_set("its their his her")
FIRST_PERSON = word_set("i me my mine myself we us our ours ourselves let's")
MOVABLE_PREPOSITIONS = word_set(
    "in on at during after before since until within by from under between around through by"
)
DROPPED_ADVERBS = word_set(
    "also however thus therefore then finally moreover furthermore instead indeed additionally consequently hence "
    "nevertheless nonetheless actually basically similarly subsequently otherwise meanwhile first firstly second "
    "secondly third thirdly later again just really simply even still already now ultimately eventually "
    "accordingly likewise certainly obviously too back easily normally probably merely quite rather "
    "though briefly largely mainly mostly roughly approximately only"
)
# Adverbs that change nothing in a question, wherever they stand.
SOFTENERS = word_set("alternatively easily just simply also actually really still even basically probably merely quite")
LIFE_VERBS = word_set("bear bury die")
PLACEHOLDERS = word_set(
    "foo bar baz qux item items my myfile mymodule demo user users hero heroes potato spam eggs myapp"
)
# Abbreviations that readers of any document know.
KNOWN_ABBREVIATIONS = word_set(
    "ACL AES AIDS AJAX AKS API APIS ASAP ASCII ATM AWS BBC BIOS CDN CEO CFO CIA CIDR CLI CMS CNCF COO CORS CPU "
    "CRM CSRF CSS CSV CTO CVE DDOS DHCP DIY DNA DNS DOM DRY DST DVD EKS EOL ERP ETA FAQ FAQS FBI FIFO FQDN FTP GCP GDP "
    "GDPR GFM GIF GKE GMT GNU GPS GPU GUI HDD HIV HTML HTTP HTTPS IBM ICMP IDE IEEE IETF IMAP IOT IRC ISO ISP JDK "
    "JPEG JSON JSX JVM JWT KISS KPI LAN LCD LDAP LED LLM LRU LTS MAC MFA MVC NASA NAT NATO NDA NFS NGO NPM NTP OECD "
    "OOP ORM PAT PBKDF PDF PHP PIN PKI PNG POSIX PTO QA RAID RAM RBAC RDBMS REST RFC RNA ROI ROM RPC RPM RSS "
    "RTFM RTT SAAS SAML SDK SEO SFTP SLA SMS SMTP SOAP SQL SSD SSH SSL SSO SSRF SVG TCP TDD TLD TLS TTL UDP "
    "UEFI UNESCO URI URIS URL URLS USA USB UTC UTF UUID VAT VLAN VPC VPN WAN WHO WWW XML XSS YAML"
)
