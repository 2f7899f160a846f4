"""Small files of every kind, made on the spot."""

from __future__ import annotations

import base64
import io
import zipfile
import zlib
from collections.abc import Callable, Sequence
from typing import Any

FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
BOLD = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>"
CHINESE = (
    b"<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UTF16-H /DescendantFonts "
    b"[<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /DW 1000 "
    b"/CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> >>] >>"
)


def pdf(pages: Sequence[Sequence[str]], *, title: str = "") -> bytes:
    """A PDF of lines of text, set in a standard font; Chinese through a standard Chinese encoding."""
    return drawn_pdf(
        [
            b"\n".join(shown(line, 50, 760 - 14 * number) for number, line in enumerate(lines) if line)
            for lines in pages
        ],
        title=title,
    )


def shown(line: str, x: float, y: float, *, size: float = 11, font: str = "") -> bytes:
    """The operators that show a line with its foot at (x, y); fonts are F1, F2 for Chinese and F3 for bold."""
    if line.isascii():
        text = b"(%s)" % line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)").encode()
    else:
        text, font = b"<%s>" % line.encode("utf-16-be").hex().encode(), "F2"
    return b"BT /%s %g Tf %g %g Td %s Tj ET\n" % ((font or "F1").encode(), size, x, y, text)


def drawn_pdf(
    contents: Sequence[bytes], *, title: str = "", page: bytes = b"", catalog: bytes = b"", more: Sequence[bytes] = ()
) -> bytes:
    """A PDF of pages with these contents. `page` and `catalog` are further entries; `more` are objects from number 6."""
    objects: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog, b"", FONT, CHINESE, BOLD, *more]
    kids = []
    for drawn in contents:
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn))
        fonts = b"<< /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >> >>"
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources %s /Contents %d 0 R %s >>"
            % (fonts, len(objects), page)
        )
        kids.append(len(objects))
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(b"%d 0 R" % kid for kid in kids))
    return assembled(objects, title)


def assembled(objects: Sequence[bytes], title: str = "") -> bytes:
    """A PDF file of numbered objects, the first of which is the catalog."""
    out = io.BytesIO()
    out.write(b"%PDF-1.4\n")
    places = []
    if title:
        objects = [*objects, b"<< /Title (%s) >>" % title.encode()]
    for number, body in enumerate(objects, start=1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    info = b"/Info %d 0 R " % len(objects) if title else b""
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.write(b"".join(b"%010d 00000 n \n" % place for place in places))
    out.write(b"trailer << /Size %d /Root 1 0 R %s>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, info, start))
    return out.getvalue()


_ENCRYPTED = {
    "AES-128": (
        "c-oCr&1)n@6bHdepFD_)h!jG=gR$$YtE*rPB$<o}yGzzgJ`l;Fs;g?!I_Vy}J2CO-!4Cv4y9h24L~!-!O$7BIis*tuf(qhEPafQV"
        "KoDQ`<YROccRre~U%mH!@4a8Wnz`ET&63AiH1o@^-<?DRVN{xDqfRG^*AGVy#f!Sp!*USCSM|Wvh=RddG&dKy!UjV+<<Qzi@nX4G"
        "G>Am;rQFu&8N`Ak+MaM_|LPiuDhIA(rud4pxn3v_AOwc5z!*vRZ%6T(tINGAgQP-)UI{+!3qgGB+M_5rOBa5SQqe%<8i{`t!KX3_"
        "(W1D&XPR~yKqzHF*RJJ>m)&sRHF>6^c&W%rn->EVZ{@{&QRipC1VM5q1bC95zuqs4!R+OHu+vO(Y!vyE3$q*RJtAh8qqytp3^;Vr"
        "1h>%V|D;%4=?3I~n7UhtU<?Le-ao7xx4TmKvW>dt26^37hp59nGuT+C2qi=tDqN~PO%s*C6LvBot)Pk-YP?g-XGx+s@ti6tGeHGt"
        "v07PIg^D_!2x(HI5}p}pNXlfIXiALDw4^xGn0TK`N>b;%PBanTa;bSLL}r!ocrMg98V%iUduqmF|LvfOiSA!^#h}?iN`!r=#_8SY"
        "+R+c6J+ObGj-Pw}=~ur$di|@dFaLb>+Py!$arg2!AAIo+d-%6|KKba!?MHs!y6fGO8#m^Ee(SYMPknmx`V+_gR(k*Sn-9JG=6mtx"
        "*DrKGyuEsKD|+R@gZl>E^6mE@`}XsXkN<dSE97xXb(&E+k<ljN(A)4h&5ckALx7-LT#1w_3MV-qHm(A#8VzDs7W#)ei4b1PlsU&("
        "mZ~(f%qYyg)z(YGwbzVWuQZchILnDqk~^9StEtw)C(yVJ)FBzDNG-;SXHrpx1=b8(o@r(nNJpjd+$D~?G=a7g!7+xl@ZN(oScbXk"
        "wdbSX*weT9y=G@=Kgbbx%WQSziePjF#q&%3O?pwNIGfCVv)e=C0AW#`FD^tpsGN^r_9J}$K_W?5f;>9M2n<@gQ(RzzPho_zDU1p-"
        "g|S3VVJXK`n3UoIYbu=&UDaya&tG(qa=ccSa2JkmrIl`&QYD4qQraZ5FfQ1D1jeR`fCe+=teLwLlkN6qs18RBO3$vey3tkBHj5Ai"
        "*ZR!TYA^Z=VZX9j"
    ),
    "AES-256": (
        "c-oCsO=u)V6g~(mG#&&G!on_v7%!T1{Z|)+f$U7i4M|MMB)gyltgd=B>D{C|^mNvZhdqjT@!-+RBJ9C~f_U)YA}*{KVO?bpUc9Jy"
        "@FaTl<m<`b=qT=F2C81Y_r9;b_v&S4z1N>*b0V4f>F0-!5=JPg@@vWbe3EV+?gL4?u5r87FiF?l5JrTf!$#8SBv6LdkxvDT{gSj>"
        "9h41WNxEEw5qXV>Hjr#jgo=L+ZGmdQ&?BUD6++=IRW~sO#Xn6c$?&(Gq#H1*4r-62+6?^)W5x?c<WXp!6LmrtzeuTUF!PA$e_TRN"
        "F=?|U>EIx5#@p72SGnXyFvdwQ!|n}e3h$D1vGi3a${|Uw7Ue=YDozX&0P1l7=p?{kb5NDT*_C3r(@bJ)mBq`KX16x`OwV3U(jJUF"
        "Vz{zt!&;sH6QaA+Yc2nS)VoR;rRad}gTqk+drM`k##uLDSd5zbkjz`}9dnSy+yo(P?j-}QfC1Oa@!W&-LOB4b6&~841)iE<GzgyA"
        "JYX%>>Hu|nqj?s1q)dVfxy-HL&V~?;H{2^7GK|cW4>IJ|dYv<Cz(mP{w@4vCjL>QCxWB&(d*iM-D)!$RO;4!50_CvTAy&8NcpGqg"
        "$(r4MZtmXg-+uXM`JK1FI{*BKw~{yJ?%sLuUU~ig>(6!{9LVB>k3adk^UYh&_#eJJcj4R5&)@p7e)9Kg_kVrj{o4--U48nqI~TvZ"
        "d+yH*_g;8$<)uGf>At)0seARQ>leR&^u_Y9<#7yk%*aeIx<V9cOY|u>u5i6hB)8IP!!5^7E_NHJu~v=4V%GunBl9j=L4m8>7}VMY"
        "FfMQ&lu$7kW0Vm*cbXc<ISV19oUxoUDV^XkWG;_dN_5aV7_KPeLP;r{l;E?B8kM84TV&pdKozqxM;MNdI<w4pWtmb~P?K|>+bBbH"
        "kwTzR7?azethQ9=;0^T@Jar6L8d*5!KxiMM%%!AMgtmO${<yyeO*mdH95g$NH`;Qhy~?lcL)kj5l5}Bla7CO7CHTq99yEJ>a+ILm"
        ")MuNuMZAKy8o32Uv7MaGM5a9rEP7xJH_AH2q^8~>Gszta<gE*y8-=oZCR!mdjY7&oa-c?X20@`*mW3#ox7hyp6pUpt(?&(+@PP!!"
        "6s20{jxkV7cucbn^&XBZ;d3p07Nlo30~)=fjPVQ$9(Bf@=u9;4%^G5YGcTd1AEFf&nM87GV>n>OC*_$<%PAYyc*@2#o3aU&P1%g3"
        "Q?@MAXSSwx#V*w2o*oo$0#Z&lstW%H98Ke;UOSysz@7~NHd8!v*p19dVNeMT_@JZfJdVrucp}z^`wcNCqkPo3x*3brMkF&ci);Pl"
        "F9<pDdH"
    ),
    "AES-256, secret": (
        "c-oCsOK2oj6vd5;av_K-L3kip#(Mt`G>w^b_e?M$A)OB*5#F~`nywDjl_8m}OZO_caG{Htfe}A2;!0uGGU&J&5X1=xj=FKct={VV"
        "T3d0tx}n~E_ug~gx#!)UTkG`Z$%`zTdvJXBUPcf`BlmjNYGwJx(SAhvqOI-TXprS=b`Zyig2Q^&ZfCI!jU$~2nD}M+;^?5P5y|qG"
        "i!es7BGv?=ovBdvub~Z46(RHlDPM`9u$M-MkOIRaF-97GJ6XOS$D@PFLs3nJ-UwnQF9h+E&>ltNtX%j)No5V0$4LI;5PYVRCR>*G"
        "4_rN2HbywgB|DB2ocv1MyBh1l+br*veiVvwfb#94TqwuInPCb*JPrV!2Iz0}N9ACCxftx$(-@m&arx5x=0=am`72r8iDM5Kwyc}5"
        "hUfo;SX}Bfmj6NOY$Jj(IDmWqXk5qPQkh1Rtm|=5jO*$MwOEQu`@p02E*Q-u(a}qrxaY=GqikT_DC((@*5IIwQNacQP8v5h=*4Ok"
        "V%40eWd!G%xkQLdMnn^hkjZ;OFpXSL5tzb?QO~3UTt|eZ!Fvmt0y9{rc5}x4{k=GxsOF^Ee-oOVVt+Z7gL)Sk+3dq<q8(;Gj*HK3"
        "-1_Z{+bf+r_lx^~-hA`h+wZ+ITzcuo$JcL$pFa8E-QS;k`121>zool>T-*NYnNL4IzH|4{*5<)$m!Eq3g*f-dFSj0j|KQ&9A1yuk"
        "{=(O<e3_p3=Go(izaB1rCzr2(*j{MrIE6Z`NKI9=g#>Vm<auqt5L^Ppso_Q{YA7hV*sEg&y{auVy9&S`Y6;+-M#B}>M0lnoi`r^s"
        "qlQpoyiO@tCb(0UXyrMDo>&uPa)KL?uyEc;7kOgdJ8YO1fx@PYgbN}K2Vyr-3zI-8rpZA!qjiZ%5h)LtMad&eLIf))iI9}3popZw"
        "8SNF0%GzY3aMDU>Z6HB1&#?+nmGD@a07}7BHuthO(O16?r*8`f^=|iS)6Tpz@~iu?Y@Ak5zR>M&v2&srJ-gZcde}oJ37SQ9u~_Y*"
        "78I>G<I!8EDTpe;qm5_5CIj*$f{W-A6NdUkw8tS?&5a>W8e&=U4G~QmII3k1YtOtjR#F!z!$2hyGDKks2c;UElo0_`%q^vyB$g6k"
        "f+g1QxfZJ-jH_fg=vW9BVhG&&KyeD%CY*@VPSEz0cn_<XGMIT8KK~#o023v2ZX+;YCOhSYP4XEVp=`!RC7H1?p=WH0;~AUQ^1@bE"
        "w%Ci+MAQA^T7;7G_0b6a15T##Qm2_t0t820@*z;KRR~c910-t22vrKx_T#whOeSJ=v|l52Hp<7ft?CI`gmaS3&2?9M*<aMx`Pc"
    ),
}


def encrypted_pdf(kind: str) -> bytes:
    """A PDF that says "The Kell lighthouse was built in 1811."; only one of them wants a password, `secret`."""
    return zlib.decompress(base64.b85decode(_ENCRYPTED[kind]))


def docx(fill: Callable[[Any], None]) -> bytes:
    from docx import Document

    document = Document()
    fill(document)
    return _saved(document)


def pptx(fill: Callable[[Any], None]) -> bytes:
    from pptx import Presentation

    deck = Presentation()
    fill(deck)
    return _saved(deck)


def xlsx(rows: Sequence[Sequence[Any]], name: str = "Sheet") -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    book.active.title = name
    for row in rows:
        book.active.append(list(row))
    return _saved(book)


def _saved(thing: Any) -> bytes:
    out = io.BytesIO()
    thing.save(out)
    return out.getvalue()


def repacked(data: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """A zip archive with each part changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.infolist():
            new.writestr(part.filename, change(part.filename, old.read(part)))
    return out.getvalue()


def zip_encrypted(data: bytes) -> bytes:
    """The archive with the encryption flag set on every part."""
    made = bytearray(data)
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = made.find(mark)
        while place >= 0:
            made[place + offset] |= 1
            place = made.find(mark, place + 4)
    return bytes(made)


def ole(stream: str = "EncryptedPackage") -> bytes:
    """The beginning of an OLE container with a stream of that name."""
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500) + stream.encode("utf-16-le") + bytes(500)
