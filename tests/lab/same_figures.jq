# Whether two runs in virtual time found the same: the same fields, and no number further apart than
# $within (ns). They are not always the same to the last digit: the disk answers in real time, so that the
# calibration of the timer starts at another phase of its tick, which moves a sleep by a few ns.
def numbers_of: [paths(numbers) as $p | {at: ($p | map(tostring) | join(".")), value: getpath($p)}];
def words_of: [paths(strings, booleans) as $p | {at: $p, value: getpath($p)}];
($first[0] | numbers_of) as $a
| ($second[0] | numbers_of) as $b
| ([$a[].at] == [$b[].at])
  and ($first[0] | words_of) == ($second[0] | words_of)
  and ([range($a | length)] | all(. as $i | (($a[$i].value - $b[$i].value) | fabs) <= $within))
