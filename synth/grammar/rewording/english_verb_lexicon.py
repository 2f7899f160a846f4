"""Verbs of English questions and what says the same: each with the frame in which it does.

An entry reads "word: paraphrase / paraphrase"; the first paraphrase that the passage does not have is taken. Verbs are
base forms, and of a phrase the first word is inflected; what begins with "~" has no passive. Only words with one plain
meaning in their frame are here; a word with several stands where its frame tells them apart, or not at all.
"""

from __future__ import annotations


def entries(text: str) -> dict[str, tuple[str, ...]]:
    """The rows of a table: each word with its paraphrases."""
    rows = (row.split(":") for row in text.strip().splitlines())
    return {word.strip(): tuple(one.strip() for one in said.split("/")) for word, said in rows}


WITH_OBJECT = entries(
    """
    abandon: give up
    absorb: take in
    accelerate: speed up
    accompany: ~go along with
    accomplish: achieve
    achieve: attain
    acquire: obtain
    adjust: adapt
    affect: influence
    alter: change
    announce: make public
    appoint: name
    assassinate: murder
    assess: evaluate
    assist: help
    attain: achieve
    attack: assault
    augment: increase
    authorise: permit
    authorize: permit
    award: grant
    ban: prohibit / outlaw
    build: construct / put up
    calculate: work out
    capture: seize
    cause: bring about
    change: alter
    chart: map
    choose: select / pick
    commence: begin
    complete: finish
    conceal: hide
    conduct: carry out
    configure: set up
    construct: build
    contact: ~get in touch with
    convince: persuade
    create: make
    customise: adapt
    customize: adapt
    damage: harm
    defeat: beat
    defend: protect
    delete: remove
    demolish: tear down
    demonstrate: show
    depict: portray
    devise: come up with
    diminish: reduce
    disable: turn off
    discard: throw away
    disclose: reveal
    discover: find
    discuss: talk about
    dispatch: send
    display: show
    donate: give
    eliminate: ~get rid of
    emphasise: stress
    emphasize: stress
    encounter: ~meet with
    enlarge: expand
    erect: put up
    establish: set up / create
    evaluate: assess
    examine: look into
    exceed: ~go beyond
    exclude: leave out
    expel: drive out
    face: ~have to contend with
    feature: include
    finance: pay for
    fix: repair
    forbid: prohibit / disallow
    found: set up / establish
    gather: collect
    generate: produce
    grant: give
    halt: stop
    handle: deal with
    hit: strike
    ignore: disregard
    illustrate: show
    incorporate: include
    influence: affect
    inhibit: suppress
    initiate: start
    invent: devise / come up with
    investigate: look into
    launch: start
    modify: change
    murder: kill
    obtain: ~get
    omit: leave out
    oppose: ~object to
    optimise: improve
    optimize: improve
    outlaw: ban
    overthrow: bring down
    own: possess
    permit: allow
    pioneer: ~lead the way in
    plague: afflict
    pledge: promise
    possess: own
    postpone: put off
    praise: ~speak highly of
    precede: ~come before
    prevent: stop
    proclaim: declare
    produce: make
    prohibit: forbid / ban
    propose: put forward
    protect: safeguard
    provide: supply
    publish: bring out
    purchase: buy
    ravage: devastate
    rebuild: reconstruct
    receive: ~get
    recommend: advise
    recover: ~get back
    recruit: enlist
    reduce: lower
    regain: win back
    reinforce: strengthen
    reject: ~turn down
    relinquish: give up
    rename: ~give a new name to
    repair: fix
    repeal: revoke
    replace: ~take the place of / ~take over from
    request: ask for
    require: ~call for
    rescue: save
    resist: ~stand up against
    restore: bring back
    restrict: limit
    resume: ~go back to
    retain: keep
    reuse: use again
    reveal: disclose
    seize: capture
    select: choose
    solve: ~find a solution to
    specify: state
    strengthen: reinforce
    supply: provide
    suppress: put down
    terminate: end
    transport: carry
    trigger: set off
    undergo: ~go through
    unveil: reveal
    use: employ
    utilise: use
    utilize: use
    verify: check
    violate: break
    visit: ~travel to
    weaken: undermine
    widen: broaden
    withdraw: take back
    yield: produce
    """
)
"""Verbs with a direct object, or in the passive."""

WITH_PARTICLE = entries(
    """
    bring about: cause
    carry out: conduct
    hand over: surrender
    look into: investigate
    point out: indicate
    put forward: propose
    set off: trigger
    set up: create / establish
    take place: occur / happen
    tear down: demolish
    """
)
"""Verbs with the word that follows at once, which is no object."""

WITHOUT_OBJECT = entries(
    """
    arise: come up
    begin: start / get under way
    cease: stop
    close: shut down
    collapse: break down
    commence: begin
    decline: fall
    decrease: go down
    depart: leave
    die: pass away / perish
    end: come to an end
    emerge: appear
    expand: grow
    expire: run out
    happen: take place
    increase: go up
    occur: take place
    originate: come
    reside: live
    resign: step down
    start: begin
    vanish: disappear
    """
)
"""Verbs without any object or particle."""

WITH_PREPOSITION = entries(
    """
    act as: serve as
    arrive in: reach
    ask for: request
    associate with: link to
    attribute to: ascribe to
    base on: ground in
    begin with: start with
    collaborate with: work together with
    comply with: adhere to
    convert into: turn into
    convert to: turn into
    decide on: choose
    depend on: rely on
    derive from: come from
    describe as: characterise as
    divide into: split into
    elect as: choose as
    embark on: set out on
    evolve into: develop into
    flow into: run into
    flow through: run through
    focus on: concentrate on
    invest in: put money into
    live in: reside in
    locate at: situate at
    locate in: situate in
    locate on: situate on
    look for: search for
    merge with: join with
    migrate to: move to
    name as: appoint as
    participate in: take part in
    partner with: team up with
    provide with: supply with
    react to: respond to
    replace with: swap for
    regard as: consider
    rely on: depend on
    respond to: react to
    result in: lead to
    search for: look for
    see as: regard as
    serve as: act as
    settle in: make a home in
    specialise in: concentrate on
    specialize in: concentrate on
    switch to: change over to
    throng to: flock to
    transform into: turn into
    travel to: journey to
    view as: regard as
    """
)
"""Verbs with a preposition, whose object may stand in front of them."""

WITH_INFINITIVE = entries(
    """
    agree: consent
    aim: seek
    attempt: try
    begin: start
    choose: opt
    continue: go on
    decide: choose / resolve
    decline: refuse
    intend: plan
    need: have
    refuse: decline
    start: begin
    strive: try hard
    try: attempt
    want: wish
    wish: want
    """
)
"""Verbs with "to" and a verb."""

WITH_OBJECT_AND_INFINITIVE = entries(
    """
    allow: permit
    ask: request
    compel: oblige
    enable: allow
    encourage: urge
    force: compel
    instruct: order
    invite: ask
    order: command
    permit: allow
    persuade: convince
    require: oblige
    urge: press
    """
)
"""Verbs with an object that is to do something."""

WITH_COMPLEMENT = entries(
    """
    elect: choose as
    name: call
    """
)
"""Verbs that say what somebody or something is made, or is called."""

PARTED = frozenset(
    "associate attribute base convert derive describe divide elect invest locate name provide regard replace see "
    "transform view".split()
)
"""Verbs whose object stands between them and their preposition."""
