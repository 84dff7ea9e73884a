# Assay: one Makefile for every world the sources are built for. `make` alone prints the targets.
VERSION := 0.1.0

# Variables a user may set.
LINUX_SOURCE ?=
OVMF_CODE ?=
OVMF_VARS ?=
QEMU ?= qemu-system-x86_64
FUZZ_S ?= 30
KEY ?=
CERT ?=
DEMO ?= $(wildcard tests/lab/demo/*.asl)
export LINUX_SOURCE OVMF_CODE OVMF_VARS QEMU

B := build
Q := $(if $(V),,@)
JOBS := $(shell nproc 2>/dev/null || echo 1)
CC := gcc
CLANG := clang
CLANG_FORMAT := clang-format-14
CLANG_TIDY := clang-tidy-14
MAKEFLAGS += --no-builtin-rules --no-print-directory
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(JOBS)
endif
.DELETE_ON_ERROR:
.SECONDARY:
.DEFAULT_GOAL := help

# --- Sources: found by folder, so that nobody edits this file to add one.
LAYERS := $(wildcard $(addsuffix /*.c,model model/linux rules report run acpi drivers))
EFI_ONLY := $(wildcard drivers/x86/*.c drivers/x86/*.S efi/*.c)
HOST_ONLY := $(filter-out host/main.c,$(wildcard host/*.c))
SUITES := $(patsubst %.c,%,$(wildcard tests/unit/test_*.c tests/rules/test_*.c))
SHARED := $(filter-out $(addsuffix .c,$(SUITES)),$(wildcard $(addsuffix /*.c,tests/unit tests/rules tests/sim)))
MACHINE_TOOLS := $(patsubst %.c,%,$(wildcard tests/machines/*.c))
# On simulated machines, in virtual time: built as the suites are.
BENCH_SIMULATED := tests/bench/plan
BENCH_TOOLS := $(filter-out $(BENCH_SIMULATED),$(patsubst %.c,%,$(wildcard tests/bench/*.c)))
FUZZERS := $(patsubst %.c,%,$(wildcard tests/fuzz/fuzz_*.c))
TESTS_C := $(addsuffix .c,$(SUITES) $(MACHINE_TOOLS) $(BENCH_TOOLS) $(BENCH_SIMULATED)) $(SHARED)
OURS := $(wildcard $(foreach d,model model/linux rules report run acpi acpi/platform acpi/platform/linux \
	drivers drivers/x86 efi host tools tests/unit tests/rules tests/sim tests/machines tests/bench \
	tests/fuzz tests/lab/firmware,$d/*.c $d/*.h))

# --- Flags.
WARN := -Werror -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wvla \
	-Walloca -Wformat=2 -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
	-Wcast-qual -Wpointer-arith -Wwrite-strings -Wswitch-enum -Wimplicit-fallthrough \
	-Wdouble-promotion -Wnull-dereference -Wredundant-decls -Wdate-time
WARN_GCC := $(WARN) -Warith-conversion -Wformat-signedness -Wcast-align=strict -Wlogical-op \
	-Wduplicated-cond -Wduplicated-branches -Wjump-misses-init
FRAME := -Wframe-larger-than=2048
FRAME_GCC := $(FRAME) -Wstack-usage=2048
COMMON := -std=c17 -I. -MMD -MP
HOSTED := $(COMMON) -DASSAY_HOST
FREESTANDING := -ffreestanding -fpic -fvisibility=hidden -fshort-wchar -mno-red-zone \
	-mgeneral-regs-only -fno-stack-protector -fno-asynchronous-unwind-tables -ffunction-sections \
	-fdata-sections -U_FORTIFY_SOURCE
EFI := $(COMMON) $(FREESTANDING) -DASSAY_EFI -DGNU_EFI_USE_MS_ABI \
	-isystem /usr/include/efi -isystem /usr/include/efi/x86_64
GCC_EFI := -maccumulate-outgoing-args -fno-tree-loop-distribute-patterns
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# gcc warns of impossible paths in code that its own sanitizers instrumented.
ASAN_WARN := $(WARN_GCC) -Wno-null-dereference -Wno-maybe-uninitialized

# ACPICA sees us as gnu-efi in both worlds, which makes it ask acpi/platform for its host headers.
ACPICA_DEFS := -U__linux__ -U__linux -Ulinux -D_GNU_EFI -isystem $(B)/acpica/include \
	-isystem acpi/platform
# acpi/internals.c alone looks inside.
INTERNALS_DEFS := -isystem $(B)/acpica/src
ACPICA_CFLAGS := -std=gnu17 -w $(ACPICA_DEFS) -I$(B)/acpica/src -I$(B)/acpica/include/acpi
BY_FOLDER = $(if $(filter acpi/%,$<),$(ACPICA_DEFS))$(if $(filter acpi/internals.c,$<), $(INTERNALS_DEFS)) $(if $(filter host/% tests/% tools/%,$<),-D_GNU_SOURCE)
UNLESS_TEST = $(if $(filter tests/%,$<),,$(FRAME))

# --- One compile rule per flavour: name, compiler, flags, package set.
define flavour
$(B)/$(1)/%.o: %.c $(B)/acpica/.unpacked | $(B)/version.h $(B)/.setup-$(4)
	@mkdir -p $$(@D)
	$$(Q)$(2) $(3) $$(BY_FOLDER) -c -o $$@ $$<
endef
$(eval $(call flavour,host,$(CC),-O2 -g $(HOSTED) $(WARN_GCC) $(FRAME_GCC),build))
$(eval $(call flavour,asan,$(CC),-O1 -g $(HOSTED) $(ASAN_WARN) $(SANITIZE),build))
$(eval $(call flavour,efi,$(CC),-Os -g $(EFI) $(GCC_EFI) $(WARN_GCC) $(FRAME_GCC),build))
$(eval $(call flavour,clang,$(CLANG),-O1 $(HOSTED) $(WARN) $$(UNLESS_TEST),check))
$(eval $(call flavour,clang-efi,$(CLANG),-O1 $(EFI) $(WARN) $(FRAME),check))
$(eval $(call flavour,analyze,$(CC),-O1 $(HOSTED) -Werror -fanalyzer,check))
# For mutants: every suite in one program, and the same with a count for every line.
SUITE_MAIN = $(if $(filter $(addsuffix .c,$(SUITES)),$<),-Dmain=suite_$(basename $(notdir $<)))
$(eval $(call flavour,mutants,$(CC),-O1 -w $(HOSTED) $$(SUITE_MAIN),build))
$(eval $(call flavour,cover,$(CC),-O0 -w $(HOSTED) $$(SUITE_MAIN) --coverage,build))
$(eval $(call flavour,fuzz,$(CLANG),-O1 -g $(HOSTED) $(WARN) $(SANITIZE) -fsanitize=fuzzer-no-link,check))

$(B)/efi/%.o: %.S | $(B)/.setup-build
	@mkdir -p $(@D)
	$(Q)$(CC) $(EFI) -c -o $@ $<

objects = $(patsubst %,$(B)/$(1)/%.o,$(basename $(2)))
-include $(foreach f,host asan efi clang clang-efi analyze mutants cover fuzz,\
	$(patsubst %.o,%.d,$(call objects,$f,$(LAYERS) $(EFI_ONLY) $(HOST_ONLY) host/main.c \
	$(TESTS_C) $(addsuffix .c,$(FUZZERS)))))

# --- Set-up, version, ACPICA.
GOAL_SET := $(sort $(patsubst torture,test,$(patsubst bench,test,\
	$(filter unit run test check sign bench torture,$(MAKECMDGOALS)))))
SAY := $(if $(filter check check-files layers format-check,$(MAKECMDGOALS)),@:,@echo)
# The set of the goal goes first: one call of the package manager, one list of reasons.
$(addprefix $(B)/.setup-,$(filter-out $(GOAL_SET),build image unit)): | $(addprefix $(B)/.setup-,$(GOAL_SET))

$(B)/.setup-%: tools/setup
	@mkdir -p $(@D)
	@flock $(B) tools/setup $*
	@touch $@

.PHONY: FORCE
$(B)/version.h: $(B)/acpica/.unpacked FORCE
	@tools/version '$(VERSION)' $(B)/acpica/include/acpi/acpixf.h $@

# Remembers LINUX_SOURCE, so that another value unpacks again.
$(B)/acpica/source: FORCE
	@mkdir -p $(@D)
	@echo '$(LINUX_SOURCE)' | cmp -s - $@ || echo '$(LINUX_SOURCE)' > $@

$(B)/acpica/.unpacked: tools/acpica $(B)/acpica/source | $(B)/.setup-build
	$(SAY) "Unpacking ACPICA ..."
	@tools/acpica '$(LINUX_SOURCE)' $(B)/acpica
	@touch $@

# The debugger and the resource dumper are left out. All other files are taken as they are; one calls a function of
# ours in between: acpi/scope_guard.h.
SCOPE_GUARD := -Dacpi_ps_pop_scope=scope_guard_pop
define acpica_library
$(B)/acpica/$(1)/libacpica.a: $(B)/acpica/.unpacked $(wildcard acpi/platform/*.h) acpi/scope_guard.h
	$(SAY) "Compiling ACPICA ($(1)) ..."
	@mkdir -p $$(@D) && rm -f $$(@D)/*.o $$@
	$$(Q)ls $(B)/acpica/src/*.c | grep -v -e /db -e /rsdump.c | xargs -P $(JOBS) -I {} sh -c \
	  '$(3) $(ACPICA_CFLAGS) $(2) $$$$(case {} in */psobject.c) echo $(SCOPE_GUARD) ;; esac) \
	  -c -o $$(@D)/$$$$(basename {} .c).o {}'
	$$(Q)ar crs $$@ $$(@D)/*.o
endef
$(eval $(call acpica_library,host,-O2 -g,$(CC)))
$(eval $(call acpica_library,efi,-Os $(FREESTANDING) $(GCC_EFI),$(CC)))
# Tells the fuzzer which paths of the interpreter an input takes; its faults are the crash guard's business.
$(eval $(call acpica_library,fuzz,-O1 -g -fsanitize=fuzzer-no-link,$(CLANG)))

# --- Host program and libraries.
define library
$(B)/$(1)/libassay.a: $(call objects,$(1),$(LAYERS) $(HOST_ONLY))
	@rm -f $$@
	$$(Q)ar crs $$@ $$^
endef
$(foreach f,host asan mutants cover fuzz,$(eval $(call library,$f)))
HOST_LIBS := -ljansson -lsqlite3 -larchive -lm
LIBS = $(B)/$(1)/libassay.a $(B)/acpica/$(if $(filter fuzz,$1),fuzz,host)/libacpica.a

$(B)/assay: $(call objects,host,host/main.c) $(call LIBS,host)
	$(Q)$(CC) -o $@ $^ $(HOST_LIBS)

# --- UEFI application.
EFI_OBJECTS := $(call objects,efi,$(LAYERS) $(EFI_ONLY))
EFI_LIB := /usr/lib

# gnu-efi's library defines memset and memcpy as well; ours are the ones to use.
$(B)/efi/libefi.a: | $(B)/.setup-build
	@mkdir -p $(@D)
	$(Q)objcopy --weaken-symbol=memset --weaken-symbol=memcpy $(EFI_LIB)/libefi.a $@

LINK_EFI = ld -nostdlib -znocombreloc -shared -Bsymbolic --no-undefined --gc-sections -z noexecstack \
	-T efi/linker.lds -o $@ $(filter %.o %.a,$^) $(EFI_LIB)/libgnuefi.a

$(B)/efi/assay.so: $(EFI_OBJECTS) $(B)/acpica/efi/libacpica.a $(B)/efi/libefi.a efi/linker.lds
	$(Q)$(LINK_EFI)

# The reference of the boot benchmark.
$(B)/efi/empty.so: $(B)/efi/tests/bench/empty/empty.o $(B)/efi/efi/sbat.o $(B)/efi/libefi.a efi/linker.lds
	$(Q)$(LINK_EFI)

# Firmware with a fault, for the lab: it starts the application itself.
$(B)/efi/broken_firmware.so: $(patsubst %.c,$(B)/efi/%.o,$(wildcard tests/lab/firmware/*.c)) \
	$(addprefix $(B)/efi/,efi/start.o efi/cstring.o efi/sbat.o model/textbuf.o libefi.a) efi/linker.lds
	$(Q)$(LINK_EFI)

$(B)/%.efi: $(B)/efi/%.so $(B)/tools/perelocs $(B)/tools/pefinish
	$(Q)objcopy -S --target efi-app-x86_64 --subsystem=10 --section-alignment 4096 \
	  --file-alignment 512 $(foreach s,text rodata data sbat,-j .$s) $< $@.part
	$(Q)$(B)/tools/perelocs $@.part $<
	$(Q)$(B)/tools/pefinish $@.part
	@mv $@.part $@

$(B)/assay.img: $(B)/assay.efi tools/mkimage | $(B)/.setup-image
	$(Q)tools/mkimage $@ $<

$(B)/tools/%: tools/%.c | $(B)/.setup-build
	@mkdir -p $(@D)
	$(Q)$(CC) -O2 $(HOSTED) -D_GNU_SOURCE $(WARN_GCC) -o $@ $<

# --- Test programs: one per file, linked with everything but main.
TEST_LIBS := -Wl,--as-needed -lcmocka $(HOST_LIBS)
$(addprefix $(B)/asan/,$(SUITES) $(MACHINE_TOOLS) $(BENCH_SIMULATED)): %: %.o $(call LIBS,asan) $(call objects,asan,$(SHARED)) \
	| $(B)/.setup-unit
	$(Q)$(CC) $(SANITIZE) -o $@ $< $(filter $(B)/asan/$(patsubst $(B)/asan/%/,%,$(dir $@))/% \
	  $(B)/asan/tests/sim/%,$(filter-out $<,$(filter %.o,$^))) $(filter %.a,$^) \
	  $(TEST_LIBS)

$(addprefix $(B)/host/,$(BENCH_TOOLS)): %: %.o $(call LIBS,host)
	$(Q)$(CC) -o $@ $^ -Wl,--as-needed $(HOST_LIBS)

$(addprefix $(B)/fuzz/,$(FUZZERS)): %: %.o $(call LIBS,fuzz) $(call objects,fuzz,$(wildcard tests/sim/*.c)) \
	| $(B)/.setup-unit
	$(Q)$(CLANG) $(SANITIZE) -fsanitize=fuzzer -o $@ $< $(filter-out $<,$(filter %.o,$^)) $(filter %.a,$^) \
	  $(TEST_LIBS)

$(B)/mutants/mutate: tests/mutants/mutate.c | $(B)/.setup-build
	@mkdir -p $(@D)
	$(Q)$(CC) -O2 $(HOSTED) -D_GNU_SOURCE $(WARN_GCC) -o $@ $<

$(B)/mutants/suites.h: Makefile $(addsuffix .c,$(SUITES))
	@mkdir -p $(@D)
	@printf 'SUITE(%s)\n' $(notdir $(SUITES)) >$@

$(B)/mutants/tests/mutants/suites.o: $(B)/mutants/suites.h
$(B)/mutants/suites $(B)/cover/suites: $(B)/%/suites: $(B)/mutants/tests/mutants/suites.o \
	$(foreach f,mutants cover,$(B)/$f/libassay.a) $(B)/acpica/host/libacpica.a \
	$(foreach f,mutants cover,$(call objects,$f,$(addsuffix .c,$(SUITES)) $(SHARED))) | $(B)/.setup-unit
	$(Q)$(CC) $(if $(filter cover,$*),--coverage) -o $@ $< $(filter $(B)/$*/tests/%,$(filter-out $<,$^)) \
	  $(B)/$*/libassay.a $(B)/acpica/host/libacpica.a $(TEST_LIBS)

# AML for the tests of acpi/. Some of it is wrong on purpose, which only iasl -f compiles.
AML := $(patsubst tests/asl/%.asl,$(B)/asl/%.aml,$(wildcard tests/asl/*.asl))
$(B)/asl/%.aml: tests/asl/%.asl | $(B)/.setup-unit
	@mkdir -p $(@D)
	$(Q)iasl -f -p $(B)/asl/$* $< >$(B)/asl/$*.log 2>&1; test -s $@ || { cat $(B)/asl/$*.log; exit 1; }

SUITE_PROGRAMS := $(addprefix $(B)/asan/,$(SUITES))
MACHINE_PROGRAMS := $(addprefix $(B)/asan/,$(MACHINE_TOOLS)) $(B)/host/tests/bench/machine
MUTANT_PROGRAMS := $(B)/mutants/suites $(B)/cover/suites $(B)/mutants/mutate $(call objects,mutants,host/main.c)
HOST_PROGRAM := $(if $(wildcard host/main.c),$(B)/assay)

# --- Targets.
.PHONY: help run unit test all image sign check layers format-check format bench fuzz torture clean
help: ## this list
	@echo "Assay $(VERSION). Targets:"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | \
	  awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'
	@echo "Variables: LINUX_SOURCE= OVMF_CODE= OVMF_VARS= QEMU= FUZZ_S= KEY= CERT= V=1"

run: $(B)/.setup-run $(B)/assay.img ## boots the demonstration machine in QEMU and shows its report
	@tools/demo $(B)/run $(DEMO)

all: $(B)/assay.efi $(B)/assay.img $(HOST_PROGRAM) ## the UEFI application, the disk image, the host program

image: $(B)/assay.img ## the disk image, for dd to a USB stick

unit: $(SUITE_PROGRAMS) $(AML) compiled ## unit and rule tests on the host, in seconds
	@tools/runtests $(SUITE_PROGRAMS)

test: $(B)/.setup-test $(SUITE_PROGRAMS) $(AML) $(MACHINE_PROGRAMS) $(B)/assay.img $(B)/broken_firmware.efi $(HOST_PROGRAM) $(B)/tools/layers ## the whole test suite
	@# The slowest first: a lab script that starts last runs alone.
	@tools/runtests $(wildcard $(addsuffix /*.sh,tests/lab tests/machines tests/tools)) $(SUITE_PROGRAMS)

sign: $(B)/assay.efi $(B)/.setup-sign ## a copy signed for Secure Boot: make sign KEY=k.pem CERT=c.pem
	$(if $(and $(KEY),$(CERT)),,$(error make sign needs KEY= and CERT=))
	@sbsign --key '$(KEY)' --cert '$(CERT)' --output $(B)/assay-signed.efi $<

PER_FILE := $(LAYERS) $(HOST_ONLY) $(wildcard host/main.c)
EFI_C := $(filter %.c,$(EFI_ONLY))
TIDIED := $(PER_FILE:%.c=$(B)/tidy/clang/%.ok) $(EFI_C:%.c=$(B)/tidy/clang-efi/%.ok)
check: $(B)/.setup-check format-check layers ## formatting, layers, both compilers, static analysis: silent when clean
	@tools/pinned $(CC) $(CLANG_TIDY)
	@$(MAKE) --keep-going check-files

# Every source compiles for its worlds, also where no test needs it.
.PHONY: compiled
compiled: $(call objects,host,$(PER_FILE)) $(call objects,efi,$(LAYERS) $(EFI_ONLY))

.PHONY: check-files
# Another gcc judges otherwise, so only the agreed one does.
ANALYSED := host clang $(if $(filter 12,$(shell $(CC) -dumpversion)),analyze)
check-files: $(TIDIED) \
	$(foreach f,$(ANALYSED),$(call objects,$f,$(PER_FILE))) \
	$(foreach f,efi clang-efi,$(call objects,$f,$(LAYERS) $(EFI_C))) \
	$(call objects,clang,$(TESTS_C)) $(B)/tidy/cppcheck.ok

# The object file of the same flavour stands for the headers: a stamp is as old as they are.
define tidy
$(B)/tidy/$(1)/%.ok: %.c $(B)/$(1)/%.o .clang-tidy tools/tidy
	@mkdir -p $$(@D)
	$$(Q)tools/tidy $(CLANG_TIDY) $$< $(2) $$(BY_FOLDER)
	@touch $$@
endef
$(eval $(call tidy,clang,$(HOSTED)))
$(eval $(call tidy,clang-efi,$(EFI)))

$(B)/tidy/cppcheck.ok: $(OURS) tools/cppcheck
	@mkdir -p $(B)/tidy/cppcheck
	$(Q)tools/cppcheck $(B)/tidy/cppcheck $(JOBS) $(PER_FILE) $(EFI_C)
	@touch $@

layers: $(B)/tools/layers ## who may include whom, and what is not allowed in the sources
	@$(B)/tools/layers $(OURS)

format-check: ## formatting, with clang-format 14 only
	@tools/format $(CLANG_FORMAT) check $(OURS)

format: ## formats every source file
	@tools/format $(CLANG_FORMAT) write $(OURS)

bench: $(B)/.setup-test $(B)/assay.img $(B)/empty.efi $(HOST_PROGRAM) $(addprefix $(B)/host/,$(BENCH_TOOLS)) $(addprefix $(B)/asan/,$(BENCH_SIMULATED)) ## speed, size and memory, each beside its reference
	@sh -c ". tests/bench/table; table_header"; status=0; \
	  for s in tests/bench/size.sh tests/bench/host.sh tests/bench/plan.sh tests/bench/fleet.sh tests/bench/boot.sh; do sh $$s || status=1; done; exit $$status

fuzz: $(addprefix $(B)/fuzz/,$(FUZZERS)) ## every fuzz target for FUZZ_S seconds
	@tools/fuzz $(FUZZ_S) $^

torture: $(B)/.setup-test $(B)/assay.img $(HOST_PROGRAM) $(MUTANT_PROGRAMS) $(AML) ## the long part of the reliability tests
	@TEST_LIMIT_S=$${TEST_LIMIT_S:-7200} tools/runtests $(wildcard tests/torture/*.sh)

clean: ## removes build/
	@rm -rf $(B)
