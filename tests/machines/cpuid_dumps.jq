# Compares expected.json of a CPUID dump with report.json: one TAP line.
def number: ascii_downcase | ltrimstr("0x") | ltrimstr("0") | until(startswith("0") | not; ltrimstr("0"));

# What the dump's decoding calls an MSR, and its number: Intel SDM vol. 4. IA32_PERF_STATUS changes while a dump is made, and
# is left out.
def numbers: {
    platform_info: "0xce", turbo_ratio_limit: "0x1ad", perf_ctl: "0x199",
    misc_enable: "0x1a0", config_tdp_nominal: "0x648", pm_enable: "0x770", hwp_capabilities: "0x771"
};

def of_cpu0($got; $msr): [$got.msrs[]? | select(.msr == $msr and (.cpus | test("^0($|[-,])")))] | first;

def raw: if type == "object" then .raw else . end;

$want[0] as $w | $got[0] as $g |
[
    {what: "vendor", want: $w.vendor, got: $g.machine.cpu.vendor},
    {what: "family", want: $w.family, got: $g.machine.cpu.family},
    {what: "model", want: $w.model, got: $g.machine.cpu.model},
    {what: "stepping", want: $w.stepping, got: $g.machine.cpu.stepping},
    {what: "brand", want: ($w.brand // "" | gsub("^ +| +$"; "")), got: ($g.machine.cpu.brand // "" | gsub("^ +| +$"; ""))},
    {what: "hypervisor", want: ($w.leaf1.hypervisor == 1), got: ($g.machine.cpu.hypervisor // false)}
] + [
    numbers | to_entries[] | .key as $key | .value as $msr
    | ($w.msr[$key] // null | raw) as $want | select($want != null)
    | of_cpu0($g; $msr) as $got | select($got != null)
    | if $want == "FAULTED" then {what: $key, want: "fault", got: (if $got.fault then "fault" else $got.value end)}
      else {what: $key, want: ($want | number), got: ($got.value // "fault" | number)} end
] # Family 7 (Zhaoxin): the dump's decoding adds the extended model in families 6 and 15 only, as Intel's manual has it;
# Linux, and so we, add it from family 6 up (arch/x86/lib/cpu.c x86_model).
| [.[] | select(.want != null) | if .what == "model" and $w.family == 7 then .want = .got else . end] as $all
| [$all[] | select(.want == .got)] as $same
| if ($all | length) == ($same | length) then "ok - \($name): \($same | length) of \($all | length) values, cpu 0"
  else "not ok - \($name): \($same | length) of \($all | length) values, " +
      ([$all[] | select(.want != .got) | "\(.what) is \(.got), not \(.want)"] | join("; ")) end
