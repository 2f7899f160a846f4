"""Forms of irregular English verbs."""

from __future__ import annotations

# Base form, simple past, past participle.
_IRREGULAR = (
    "arise arose arisen|be was been|bear bore borne|beat beat beaten|become became become|begin began begun|"
    "bind bound bound|bite bit bitten|blow blew blown|break broke broken|bring brought brought|build built built|"
    "buy bought bought|catch caught caught|choose chose chosen|come came come|cost cost cost|cut cut cut|"
    "deal dealt dealt|do did done|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|"
    "fall fell fallen|feed fed fed|feel felt felt|fight fought fought|find found found|fly flew flown|"
    "forbid forbade forbidden|forget forgot forgotten|freeze froze frozen|get got got|give gave given|go went gone|"
    "grow grew grown|hang hung hung|have had had|hear heard heard|hide hid hidden|hit hit hit|hold held held|"
    "hurt hurt hurt|keep kept kept|know knew known|lay laid laid|lead led led|leave left left|lend lent lent|"
    "let let let|lie lay lain|lose lost lost|make made made|mean meant meant|meet met met|outdo outdid outdone|"
    "overcome overcame overcome|override overrode overridden|overrun overran overrun|overtake overtook overtaken|"
    "overthrow overthrew overthrown|pay paid paid|put put put|read read read|rebuild rebuilt rebuilt|"
    "rewrite rewrote rewritten|ride rode ridden|ring rang rung|rise rose risen|run ran run|say said said|"
    "see saw seen|seek sought sought|sell sold sold|send sent sent|set set set|shake shook shaken|shoot shot shot|"
    "show showed shown|shrink shrank shrunk|shut shut shut|sing sang sung|sink sank sunk|sleep slept slept|"
    "speak spoke spoken|spend spent spent|split split split|spread spread spread|stand stood stood|"
    "steal stole stolen|stick stuck stuck|strike struck struck|swear swore sworn|sweep swept swept|swim swam swum|"
    "take took taken|teach taught taught|tear tore torn|tell told told|think thought thought|throw threw thrown|"
    "understand understood understood|undertake undertook undertaken|wear wore worn|win won won|"
    "withdraw withdrew withdrawn|write wrote written"
)
_FORMS = [verb.split() for verb in _IRREGULAR.split("|")]
IRREGULAR_PAST = {base: past for base, past, _ in _FORMS}
BASE_OF = {form: base for base, *forms in _FORMS for form in forms if form not in IRREGULAR_PAST} | {"born": "bear"}
"""Base form by irregular past or participle. A form that is also a base form, such as "lay", is left out."""
