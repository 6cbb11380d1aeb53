# Turns the tables of fields, which have six columns, into definition lists: awk -f definitions.awk PAGE
#
# A page of the book is narrower than such a table. The source pages keep their tables, which are read and checked there.

# Splits a row of a table into cell[1] to cell[count]. A vertical bar within a cell is escaped.
function split_row(line,    index_of) {
    gsub(/\\\|/, "\001", line)
    count = split(line, cell, "|") - 2
    for (index_of = 1; index_of <= count; index_of++) {
        cell[index_of] = cell[index_of + 1]
        gsub(/^ +| +$/, "", cell[index_of])
        gsub(/\001/, "|", cell[index_of])
    }
}

# Adds a property to the sentence below a field, unless the table has none.
function property(name, value) {
    if (value != "" && value != "-") {
        told = told (told == "" ? "" : " · ") name ": " value
    }
}

/^\| field \| what it does \| unit \| default \| value \| allowed in \|$/ {
    in_list = 1
    print "<dl>"
    next
}

in_list && /^\| --- / { next }

in_list && /^\|/ {
    split_row($0)
    told = ""
    property("unit", cell[3])
    property("default", cell[4])
    property("value", cell[5])
    property("in", cell[6])
    printf "<dt>\n\n%s\n\n</dt>\n<dd>\n\n%s\n\n%s\n\n</dd>\n", cell[1], cell[2], told
    next
}

in_list {
    in_list = 0
    print "</dl>"
    print ""
}

{ print }

END {
    if (in_list) {
        print "</dl>"
    }
}
