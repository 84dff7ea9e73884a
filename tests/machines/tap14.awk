# Whether a file is TAP 14 of the kind report.tap is (testanything.org, TAP version 14): the version, then the plan,
# then every test point in order, each with at most one YAML block of two blanks, and no other line.
function wrong(what) { print FILENAME ":" FNR ": " what; bad = 1 }
FNR == 1 { finish(); if ($0 != "TAP version 14") wrong("no version line"); points = 0; yaml = 0; plan = -1; name = FILENAME; next }
FNR == 2 { if ($0 !~ /^1\.\.[0-9]+$/) wrong("no plan"); plan = substr($0, 4) + 0; next }
yaml && $0 == "  ..." { yaml = 0; next }
yaml { if ($0 !~ /^  [a-z]+: '([^']|'')*'$/) wrong("no line of YAML: " $0); next }
$0 == "  ---" { if (!points || had_yaml) wrong("a block without its test"); yaml = 1; had_yaml = 1; next }
/^(not )?ok [0-9]+ - / {
    points++; had_yaml = 0
    at = index($0, " - ")
    if ($0 !~ "^(not )?ok " points " - [A-Z]+-[0-9][0-9][0-9] .") wrong("out of order: " $0)
    rest = substr($0, at + 3)
    gsub(/\\\\|\\#/, "", rest)
    if (rest ~ /#/ && rest !~ / # SKIP [^#]+$/) wrong("a directive that is none: " $0)
    if (rest ~ /\\/) wrong("a backslash that escapes nothing: " $0)
    next
}
{ wrong("neither test nor block: " $0) }
function finish() { if (name != "" && (points != plan || yaml)) { print name ": " points " points, plan " plan; bad = 1 } }
END { finish(); exit bad }
