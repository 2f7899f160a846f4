"""Units of measurement: dimension, spellings, and exact ratio to a base unit.

The library pint does not fit: importing its registry takes a second, it has no Chinese names, and it takes words such
as "in", "a" and "min" for units anywhere.
"""
# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

# id | dimension | base | ratio | English, singular and plural first | symbols | simplified Chinese, preferred name first
# Units whose size depends on the place or the trade (ton, gallon, 斤, 亩, 里) are their own base. Prefixes of bytes
# and bits are those of IEC 80000-13: 1 KB is 1000 bytes, 1 KiB is 1024. A month is a twelfth of a year, not 30 days.
_TABLE = """
m | length | m | 1 | metre metres meter meters | m | 米 公尺
km | length | m | 1000 | kilometre kilometres kilometer kilometers | km | 公里 千米
cm | length | m | 0.01 | centimetre centimetres centimeter centimeters | cm | 厘米 公分
mm | length | m | 0.001 | millimetre millimetres millimeter millimeters | mm | 毫米
um | length | m | 0.000001 | micrometre micrometres micrometer micrometers | μm µm | 微米
nm | length | m | 0.000000001 | nanometre nanometres nanometer nanometers | | 纳米 奈米
nmi | length | m | 1852 | nautical_mile nautical_miles | nmi | 海里 浬
mile | length | m | 1609.344 | mile miles | | 英里 哩
yard | length | m | 0.9144 | yard yards | yd | 英码
foot | length | m | 0.3048 | foot feet | ft | 英尺 呎
inch | length | m | 0.0254 | inch inches | | 英寸 英吋 吋
light_year | length | m | 9460730472580800 | light_year light_years light-year light-years | | 光年
li | length | li | 1 | li | | 华里
kg | mass | kg | 1 | kilogram kilograms kilogramme kilogrammes | kg | 公斤 千克
g | mass | kg | 0.001 | gram grams gramme grammes | g | 克 公克
mg | mass | kg | 0.000001 | milligram milligrams | mg | 毫克
tonne | mass | kg | 1000 | tonne tonnes metric_ton metric_tons | t | 吨 公吨
ton | mass | ton | 1 | ton tons | |
pound | mass | kg | 0.45359237 | lb lbs | lb lbs | 磅
ounce | mass | kg | 0.028349523125 | ounce ounces | oz | 盎司
jin | mass | jin | 1 | jin | | 斤
ms | time | s | 0.001 | millisecond milliseconds | ms | 毫秒
s | time | s | 1 | second seconds | s sec secs | 秒 秒钟
minute | time | s | 60 | minute minutes | min mins | 分钟
hour | time | s | 3600 | hour hours | h hr hrs | 小时 个小时 个钟头 钟头
day | time | s | 86400 | day days | | 天
week | time | s | 604800 | week weeks | | 周 个星期 星期 个礼拜
month | time | month | 1 | month months | | 个月
year | time | month | 12 | year years | | 年
decade | time | month | 120 | decade decades | |
century | time | month | 1200 | century centuries | | 个世纪
age | age | age | 1 | year_old years_old year-old years-old | | 岁
byte | data | bit | 8 | byte bytes | B | 字节 位元组
kB | data | bit | 8000 | kilobyte kilobytes | KB kB |
MB | data | bit | 8000000 | megabyte megabytes | MB | 兆字节
GB | data | bit | 8000000000 | gigabyte gigabytes | GB | 吉字节
TB | data | bit | 8000000000000 | terabyte terabytes | TB |
PB | data | bit | 8000000000000000 | petabyte petabytes | PB |
KiB | data | bit | 8192 | kibibyte kibibytes | KiB |
MiB | data | bit | 8388608 | mebibyte mebibytes | MiB |
GiB | data | bit | 8589934592 | gibibyte gibibytes | GiB |
TiB | data | bit | 8796093022208 | tebibyte tebibytes | TiB |
bit | data | bit | 1 | bit bits | | 比特 位元
kbit | data | bit | 1000 | kilobit kilobits | kbit |
Mbit | data | bit | 1000000 | megabit megabits | Mbit |
Gbit | data | bit | 1000000000 | gigabit gigabits | Gbit |
km2 | area | m2 | 1000000 | square_kilometre square_kilometres square_kilometer square_kilometers sq_km | km² km2 | 平方公里 平方千米
m2 | area | m2 | 1 | square_metre square_metres square_meter square_meters sq_m | m² m2 | 平方米 平方公尺
cm2 | area | m2 | 0.0001 | square_centimetre square_centimetres square_centimeter square_centimeters | cm² | 平方厘米 平方公分
hectare | area | m2 | 10000 | hectare hectares | ha | 公顷
acre | area | m2 | 4046.8564224 | acre acres | | 英亩
mile2 | area | m2 | 2589988.110336 | square_mile square_miles sq_mi | | 平方英里
foot2 | area | m2 | 0.09290304 | square_foot square_feet sq_ft | | 平方英尺 平方呎
mu | area | mu | 1 | mu | | 亩
litre | volume | litre | 1 | litre litres liter liters | | 升 公升
ml | volume | litre | 0.001 | millilitre millilitres milliliter milliliters | ml mL | 毫升
m3 | volume | litre | 1000 | cubic_metre cubic_metres cubic_meter cubic_meters | m³ m3 | 立方米 立方公尺
km3 | volume | litre | 1000000000000 | cubic_kilometre cubic_kilometres cubic_kilometer cubic_kilometers | km³ km3 | 立方公里 立方千米
gallon | volume | gallon | 1 | gallon gallons | | 加仑
km/h | speed | km/h | 1 | kilometre_per_hour kilometres_per_hour kilometer_per_hour kilometers_per_hour | km/h kph | 公里/小时 千米/小时 公里每小时 千米每小时
m/s | speed | km/h | 3.6 | metre_per_second metres_per_second meter_per_second meters_per_second | m/s | 米/秒 米每秒
mph | speed | km/h | 1.609344 | mile_per_hour miles_per_hour | mph | 英里/小时 英里每小时
knot | speed | km/h | 1.852 | knot knots | | 海里/小时
W | power | W | 1 | watt watts | W | 瓦 瓦特
kW | power | W | 1000 | kilowatt kilowatts | kW | 千瓦
MW | power | W | 1000000 | megawatt megawatts | MW | 兆瓦
GW | power | W | 1000000000 | gigawatt gigawatts | GW | 吉瓦
horsepower | power | horsepower | 1 | horsepower | hp | 马力
kWh | energy | J | 3600000 | kilowatt_hour kilowatt_hours kilowatt-hour kilowatt-hours | kWh | 千瓦时 千瓦小时
J | energy | J | 1 | joule joules | | 焦耳
Hz | frequency | Hz | 1 | hertz | Hz | 赫兹 赫
kHz | frequency | Hz | 1000 | kilohertz | kHz | 千赫 千赫兹
MHz | frequency | Hz | 1000000 | megahertz | MHz | 兆赫 兆赫兹
GHz | frequency | Hz | 1000000000 | gigahertz | GHz | 吉赫 吉赫兹
V | voltage | V | 1 | volt volts | V | 伏 伏特
kV | voltage | V | 1000 | kilovolt kilovolts | kV | 千伏
dB | level | dB | 1 | decibel decibels | dB | 分贝
celsius | temperature | celsius | 1 | degree_Celsius degrees_Celsius degree_celsius degrees_celsius | °C ℃ | 摄氏度
fahrenheit | temperature | fahrenheit | 1 | degree_Fahrenheit degrees_Fahrenheit degree_fahrenheit degrees_fahrenheit | °F ℉ | 华氏度
kelvin | temperature | kelvin | 1 | kelvin kelvins | | 开尔文
degree | degree | degree | 1 | degree degrees | ° |
percent | share | percent | 1 | percent per_cent | % |
point | points | point | 1 | percentage_point percentage_points | | 个百分点
usd | money | usd | 1 | US_dollar US_dollars dollar dollars USD | US$ $ USD | 美元 美金
gbp | money | gbp | 1 | pound_sterling pounds_sterling | £ GBP | 英镑
eur | money | eur | 1 | euro euros | € EUR | 欧元
cny | money | cny | 1 | yuan renminbi | RMB CNY | 元人民币 人民币
jpy | money | jpy | 1 | yen | JPY | 日元 日圆
hkd | money | hkd | 1 | Hong_Kong_dollar Hong_Kong_dollars | HK$ HKD | 港元 港币
twd | money | twd | 1 | New_Taiwan_dollar New_Taiwan_dollars | NT$ TWD | 元新台币
krw | money | krw | 1 | won | KRW | 韩元 韩圆
yuan | money | yuan | 1 | | | 元
person | count | person | 1 | person people persons | | 人
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A unit of `ratio` times `base`; only units with the same base convert into each other.

    `words` are its English names, singular and plural first; `symbols` its symbols; `chinese` its names in simplified
    script. The first of each is the preferred one.
    """

    unit_id: str
    dimension: str
    base: str
    ratio: Decimal
    words: tuple[str, ...]
    symbols: tuple[str, ...]
    chinese: tuple[str, ...]


def _rows() -> Iterator[Unit]:
    for line in _TABLE.strip().splitlines():
        unit_id, dimension, base, ratio, words, symbols, chinese = (cell.strip() for cell in line.split("|"))
        yield Unit(
            unit_id=unit_id,
            dimension=dimension,
            base=base,
            ratio=Decimal(ratio),
            words=tuple(word.replace("_", " ") for word in words.split()),
            symbols=tuple(symbols.split()),
            chinese=tuple(chinese.split()),
        )


UNITS = {unit.unit_id: unit for unit in _rows()}
ENGLISH_WORDS = {word: unit for unit in UNITS.values() for word in unit.words}
SYMBOLS = {symbol: unit for unit in UNITS.values() for symbol in unit.symbols}
SIGNS = sorted((sign for sign in SYMBOLS if sign[-1] not in "$£€"), key=lambda sign: (-len(sign), sign))
"""Symbols that follow their number, the longest first."""

CHINESE_NAMES = {name: unit for unit in UNITS.values() for name in unit.chinese}
