"""Makes Inter-Regular.ttf: the letters that labels use, with figures of one width."""
import sys
from fontTools import subset
from fontTools.ttLib import TTFont

source, target = sys.argv[1:]
font = TTFont(source)
table = font["cmap"].getBestCmap()
# Figures of one width, so that numbers in columns and in films stand still.
single = {}
gsub = font["GSUB"].table
for record in gsub.FeatureList.FeatureRecord:
    if record.FeatureTag == "tnum":
        for index in record.Feature.LookupListIndex:
            for part in gsub.LookupList.Lookup[index].SubTable:
                part = getattr(part, "ExtSubTable", part)
                single.update(part.mapping)
digits = {ord(letter): single[table[ord(letter)]] for letter in "0123456789"}
for part in font["cmap"].tables:
    for code in digits.keys() & part.cmap.keys():
        part.cmap[code] = digits[code]

ranges = [(0x20, 0x7E), (0xA0, 0x17F), (0x192, 0x192), (0x218, 0x21B), (0x2C6, 0x2DD), (0x370, 0x3FF),
    (0x400, 0x45F), (0x490, 0x491), (0x1E9E, 0x1E9E), (0x2010, 0x2026), (0x2030, 0x203A), (0x2044, 0x2044),
    (0x2070, 0x209C), (0x20AC, 0x20AC), (0x2116, 0x2122), (0x2126, 0x2126), (0x2150, 0x215E),
    (0x2190, 0x2199), (0x2200, 0x22FF), (0x25A0, 0x25CF), (0x2713, 0x2717)]
options = subset.Options()
options.layout_features = []
options.hinting = False
options.glyph_names = False
options.notdef_outline = True
options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
options.drop_tables += ["GPOS", "GSUB", "GDEF", "STAT", "gasp", "prep", "meta", "DSIG"]
cutter = subset.Subsetter(options)
cutter.populate(unicodes=[code for low, high in ranges for code in range(low, high + 1)])
cutter.subset(font)
font.flavor = None
font["head"].created = font["head"].modified = 0
font.recalcTimestamp = False
font.save(target)
