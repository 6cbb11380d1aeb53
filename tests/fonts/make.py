"""Makes the fonts of this folder: subsets of Noto Sans with the letters and layout rules for the shaping tests.

    python3 make.py FOLDER

FOLDER has NotoSansArabic-Regular.ttf, NotoSansDevanagari-Regular.ttf and NotoSansHebrew-Regular.ttf. Needs fonttools. With the package
uharfbuzz it also prints the glyphs that HarfBuzz gives for the words of the tests: glyph, first character, advance, shift to the right and upwards.
"""
import pathlib
import sys
from fontTools import subset
from fontTools.ttLib import TTFont

WORDS = {
    "Arabic": ["سلام", "مَتّصل", "حبل"],
    "Devanagari": ["क्षत्रिय", "रस्सी", "किरण"],
    "Hebrew": ["שָׁלוֹם", "חבל"],
}
source, here = pathlib.Path(sys.argv[1]), pathlib.Path(__file__).parent
for script, words in WORDS.items():
    font = TTFont(source / f"NotoSans{script}-Regular.ttf")
    options = subset.Options()
    options.layout_features = ["*"]
    options.hinting = False
    options.glyph_names = False
    options.notdef_outline = True
    options.name_IDs = [0, 1, 2, 13, 14]
    options.drop_tables += ["gasp", "meta", "DSIG"]
    cutter = subset.Subsetter(options)
    cutter.populate(text="".join(words) + " .()")
    cutter.subset(font)
    font["head"].created = font["head"].modified = 0
    font.recalcTimestamp = False
    target = here / f"NotoSans{script}-part.ttf"
    font.save(target)
    try:
        import uharfbuzz as hb
    except ImportError:
        continue
    face = hb.Font(hb.Face(hb.Blob.from_file_path(str(target))))
    for word in words:
        buffer = hb.Buffer()
        buffer.add_str(word)
        buffer.guess_segment_properties()
        hb.shape(face, buffer)
        glyphs = zip(buffer.glyph_infos, buffer.glyph_positions)
        print(word, [(info.codepoint, info.cluster, at.x_advance, at.x_offset, at.y_offset) for info, at in glyphs])
