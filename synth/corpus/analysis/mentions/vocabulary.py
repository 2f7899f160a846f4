"""Word lists for telling names from other words."""

from __future__ import annotations

from synth.text.calendar_names import MONTH_ABBREVIATIONS, MONTHS, WEEKDAYS


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


AMBIGUOUS = _words(
    """
    act add age aid aids aim air all any arc ark arm art ash bad bag ban bar bat bed best bit boss box bus cap car
    care cart case cat chat chip clip coal cod core cow crop cup dad dam dare dash data date day den dip dish dog
    dot dove dream ear east eat edge fan far fast fat fit flag flow food fun gap gas gem get glad hat helm hen hot
    ice idea ill ion jam key kid laser lead led let lid lip list lot low mac made mad man map mars mask mass men mid
    mine mint moss mud net new nice nip node now nut oil old one open ore pact pad pan past path peace pen pet pie
    pin pit plan plus port post put race raid ram ran rap rat raw red rest rid rim rip road rock rot row rule run
    sad safe sage salt sap sat save saw say sea see set she shell sin sip sit six sky snap soap son space spa spin
    star start step stem sum sun tab tag tan tap tar task tea team ten tie tip toe top toy trim two use van vat vet
    via vine war wave way web wet who why win wire wish zip
    """
)
"""Common words that are acronyms when written in capitals (AIDS, STEM)."""

CALENDAR = frozenset(name.casefold() for name in (*MONTHS, *MONTH_ABBREVIATIONS, *WEEKDAYS)) | _words(
    """
    today tomorrow yesterday spring summer autumn winter bc ad bce ce am pm
    """
)
"""Names of days, months, seasons, eras and times of day."""

FURNITURE = _words(
    """
    note tip warning info danger caution important example examples figure table chapter section appendix page step
    steps part summary introduction overview conclusion reference references recap see also mr mrs ms dr prof sir
    lady lord st jr sr ok yes no not et al etc e.g i.e vs url urls href http https www isbn issn doi pp vol ed eds
    dear hello hi thanks thank please welcome read more learn next previous todo fixme nowiki br img div span
    technical details advanced basic bonus prerequisites requirements installation usage features faq notes tips
    注意 提示 说明 警告 总结 小结 例如 示例 简介 概述 参考 附录 技术细节 更多 其他 参见 参考资料
    """
)
"""Words of page layout, forms of address, citations and markup, which are not names."""

JOINERS = _words(
    """
    of the de for and in on to von van der den la le du del da di a an & y at with by
    """
)
"""Small words that occur within an English name."""

IMPERATIVES = _words(
    """
    compute separate add allow apply avoid bump build call change check clean cleanup combine configure convert
    create customize declare define deploy deploying disable document download drop edit enable enforce ensure
    exclude export extend fix generate get handle handling hide implement import improve include including install
    introduce let make merge migrate move override pass pin prevent propagate publish read refactor release remove
    rename replace require return revert review run running send serve set show simplify specify start stop support
    switch take test translate try tweak update upgrade use using validate verify write
    """
)
"""Verbs and participles that begin headings and change log entries, and that recognisers wrongly include in names."""

VAGUE = _words(
    """
    same other multiple different several available new own certain various many such first second third last next
    previous simple main more most few only whole entire actual real good better best big small old early late
    recent common general possible necessary useful important special particular custom some any each following
    above below key major minor complete similar current original great further modern final
    """
)
"""Determiners and vague modifiers, which are dropped from the front of a noun phrase."""

ROLES = _words(
    """
    app article articles government commission treaty treaties parliament chair chairman exhibition war wars state
    states president king queen emperor prince princess minister ministers court courts council committee congress
    senate house city town county district country nation national republic empire kingdom church university college
    school institute department ministry agency board bureau office company corporation society association union
    party army navy force forces act law bill constitution general colonel captain elder bishop doctor professor
    director north south east west northern southern eastern western center centre museum library theatre theater
    park river lake island mountain street road building station airport bank club team league cup season series
    episode book economist member members world internet
    duke duchess count countess earl baron baroness marquess viscount landgrave margrave elector archduke
    infante lord lady empress pope sultan caliph
    """
)
"""Common nouns for offices, institutions, places and works, which are not names by themselves."""

TIME_BEFORE = _words(
    """
    in since by until till from to during after before around circa of between and
    """
)
"""Words before a year that make it a date ("in 2018") instead of part of a name."""

GENERIC_CODE_NAMES = _words(
    """
    None none True true False false null nil undefined self cls args kwargs str int float bool bytes list dict set
    tuple object type string number boolean integer array char void print foo bar baz qux foobar hello Hello world
    World main test tests item items user users name names value values data key keys id ids result results file
    files path paths query body model models index count size text message messages code error errors token app apps
    src lib bin tmp var root home init description price title tax username password email input output example
    examples my_app item_id user_id short limit skip offset page line lines word words arg param
    params scope scopes request requests response responses Request Response header headers Header call next
    default admin get put post delete patch head options trace update
    """
)
"""Values, built-in types and identifiers that are common in examples."""

ORGANISATION_HEADS = _words(
    """
    大学 学院 公司 集团 银行 医院 学校 中学 小学 书院 研究所 研究院 科学院 委员会 协会 学会 商会 基金会 出版社
    电视台 电台 报社 博物馆 图书馆 政府 议会 国会 法院 党 工会 乐队 乐团 球队 队 军 部队 舰队 教会 联盟 联合会
    俱乐部 实验室 中心 局 署 部 厅 室 研究室 办公室 班 系 科 处 党委 支部 剧院 剧团 书店 工厂 厂 事务所 理事会 总部
    """
)
"""Nouns that end names of Chinese organisations."""

PLACE_HEADS = _words(
    """
    省 市 县 区 镇 乡 村 州 岛 群岛 半岛 山 山脉 河 江 湖 海 海峡 海湾 湾 港 路 街 大道 桥 大桥 站 车站 机场 公园
    广场 寺 庙 宫 塔 城 火车站 铁路 公路 高速公路 线 运河 水库 沙漠 平原 高原 盆地 雨林 地区 王国 帝国 共和国 王朝
    遗址 大厦 体育场 大街 体育馆 教堂 大教堂 码头 渔港 谷 海岸 石桥 纪念碑 广播塔 车厂 总站
    """
)
"""Nouns that end names of Chinese places."""

OTHER_HEADS = _words(
    """
    条约 协定 协议 公约 宪法 法案 战争 战役 之战 革命 运动 事件 起义 会议 大会 奥运会 奥林匹克运动会 运动会 世界杯
    锦标赛 联赛 总决赛 决赛 亚运会 电影节 奖 大奖 学派 理论 定理 定律 效应 综合征 综合症 计划 工程 系统 导弹 雷达
    战斗机 型 级 算法 语言 框架 引擎 方程 模型 语 族 人 教 文化 航空 日报 晚报 周刊 杂志 报
    """
)
"""Nouns that end other Chinese names."""

UNITS = _words(
    """
    km kg cm mm nm ml mg hz khz mhz ghz kb mb gb tb kw mw db ok vs no vol am pm ad bc app id pa ph
    """
)
"""Units and short abbreviations that are not names, in lower case."""

GENERIC = _words(
    """
    元 数据 先生 女士 小姐 公司 大学 学院 政府 中国人 上帝 皇帝 国王 总统 总理 主席 教授 博士 作者 用户 本站 本人
    东方 西方 南方 北方 世界 国家 地球 太阳 月球 本国 各国 国际 当地 全球 亚 欧 中方 美方 日方 古代 现代 官方 网站
    互联网 手机 电脑 大陆 内地 英文 中文 日文 学名 别名 单行本 全国 世纪 盛大 移动 人类 民族 汉字 外国 地址 深度
    东区 西区 向东 向西 向南 向北 大城市 城市 首都 市区 海外 热带地区 聚繖
    """
)
"""Chinese words that segmenters wrongly tag as names. Add a word when it appears as an entity without being one."""

SURNAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜"
    "范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪严牛温芦季俞章鲁葛"
    "伍韦申尤毕聂丛焦向柳邢路岳齐沿梅莫庄辛管祝左涂谷祁时舒耿牟卜詹关苗凌费纪靳盛童欧甄项曲成游阳裴席卫查屈鲍位覃霍翁隋植甘"
    "景薄单包司柏宁柯阮桂闵解强柴华车冉房边辜吉饶刁瞿戚丘古米池滕晋苑邬臧畅宫来苟全褚廉简娄盖符奚木穆党燕郎邸冀谈姬屠连郜晏"
    "栾郁商蒙计喻揭窦迟宇敖糜鄢冷卓花仇艾蓝都巩稽井练仲乐虞卞封竺冼原官衣楚佟栗匡宗应台巫鞠僧桑荆谌银扬明沙伏岑习胥保和蔺"
    "诸上尉慕皇长轩令澹公赫端呼"
)
"""First characters of Chinese family names. The last line is for names of two characters (司马, 上官, 慕容)."""

CHINESE_IMPERATIVES = _words(
    """
    使用 创建 添加 增加 声明 定义 安装 运行 配置 设置 编写 查看 检查 测试 导入 导出 启动 停止 关闭 打开 返回 获取
    读取 写入 更新 升级 删除 移除 修改 发送 接收 处理 部署 构建 生成 选择 了解 学习 理解 避免 启用 禁用 指定 包含
    排除 实现 扩展 覆盖 调用 传递 下载 上传 提交 开始 准备 进行 完成 帮助 支持 关于 参加 申请 办理 提高 加强 改进
    介绍 认识 发现 成为 具有 拥有 保持 防止
    """
)
"""Verbs that begin Chinese headings about tasks and do not belong to names."""
