"""Makes Hack-Reserve.ttf: the letters of Hack that Inter-Regular.ttf lacks, without hints."""
import sys
from fontTools import subset
from fontTools.ttLib import TTFont

source, first, target = sys.argv[1:]
font = TTFont(source)
options = subset.Options()
options.layout_features = []
options.hinting = False
options.glyph_names = False
options.notdef_outline = True
options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
options.drop_tables += ["GPOS", "GSUB", "GDEF", "gasp", "prep", "DSIG", "TTFA"]
cutter = subset.Subsetter(options)
cutter.populate(unicodes=set(font.getBestCmap()) - set(TTFont(first).getBestCmap()))
cutter.subset(font)
font.recalcTimestamp = False
font.save(target)
