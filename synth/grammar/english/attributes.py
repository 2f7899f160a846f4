"""English questions about persons, places and organisations, with patterns of passages that may answer them."""

from synth.grammar.pack import Attribute

ATTRIBUTES = (
    Attribute("person", "Where was {} born?", r"\bborn\b|\bbirth|native|grew up|\bfrom\b"),
    Attribute(
        "person", "At which university did {} study?", r"universit|college|school|stud[yi]|educat|degree|graduat"
    ),
    Attribute("person", "Who were the parents of {}?", r"parent|father|mother|\bson\b|daughter|family|born"),
    Attribute("place", "What is the population of {}?", r"populat|inhabit|people|resident|census|million"),
    Attribute("place", "How large is the area of {}?", r"\barea\b|square|\bkm|acre|hectare|\bsq\b|size"),
    Attribute("organisation", "Who founded {}?", r"found|establish|creat|form(?:ed|ation)|start|began|incorporat"),
    Attribute("organisation", "How many people work for {}?", r"employ|staff|work|people|workforce|personnel"),
)
