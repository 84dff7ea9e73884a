# The assumed view of a report, whole, folded over the kernels: a line for each value that all of them share, and
# for the others a line for each run of kernels, oldest first. "-" is a value that is absent.
def is_plain: all(.[]; type != "object" and (type != "array" or all(.[]; type != "object" and type != "array")));
def flat($path):
    if type == "object" and (is_plain | not) or type == "object" and ($path | endswith("]") | not) then
        to_entries[] | .key as $key | .value | flat(if $path == "" then $key else $path + "." + $key end)
    elif type == "array" and any(.[]; type == "object" or type == "array") then
        range(length) as $i | .[$i] | flat("\($path)[\($i)]")
    else
        {path: $path, value: tojson}
    end;
def runs:
    reduce .[] as $at ([];
        if length > 0 and .[-1].value == $at.value then .[-1].last = $at.version
        else . + [{first: $at.version, last: $at.version, value: $at.value}] end);
def fold($views):
    . as $path
    | [$views[] | {version, value: (.values[$path] // "-")}] | runs
    | if length == 1 then "\($path): \(.[0].value)"
      else $path, (.[] | "    \(if .first == .last then .first else .first + " to " + .last end): \(.value)") end;
(.frequency | {frequency: .} | flat("") | "\(.path): \(.value)"),
(.boost_remedies | {boost_remedies: .} | flat("") | "\(.path): \(.value)"),
([.linux[1:][], .linux[0]] | map({version, values: (del(.version) | [flat("")] | map({(.path): .value}) | add)})
 | . as $views
 | reduce $views[].values as $values ([]; . + (($values | keys_unsorted) - .))
 | .[] | fold($views))
