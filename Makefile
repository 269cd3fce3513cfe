# `make` alone prints what there is.

packages = libncursesw5-dev libbson-dev zlib1g-dev libssl-dev libpcre2-dev libtomlplusplus-dev \
  libsqlite3-dev libpq-dev
sources = Package.swift Plugins Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources \
  $(addprefix LegacyModels/,Package.swift Plugins Sources Tests)
scratch = .build$(if $(SANITIZE),/$(SANITIZE))
# The packages that depend on this one have one folder, where the modules of this one are built once.
dependents = $(CURDIR)/$(scratch)/dependents
# Foundation cannot start a process where more than 1,300 files are open, as many tests together have:
# those that start the most have a process of their own.
programs = ^(EndToEndTests|TidyTests|KennelPagesTests)\.
test = swift test --disable-xctest $(if $(SANITIZE),--sanitize=$(SANITIZE)) $(if $(FILTER),--filter $(FILTER))

# What a program keeps until it ends is no leak, and would fail the build: a tool of it runs then, too.
export ASAN_OPTIONS = detect_leaks=0

# DEBUG=1: the benchmarks are built for the debugger, to see that they work and not how fast.
benches = swift build --package-path Benchmarks --configuration release
benches_path = Benchmarks/.build/release
ifdef DEBUG
benches = swift build --package-path Benchmarks --scratch-path "$(dependents)"
benches_path = $(dependents)/debug
endif

# libFuzzer, without its main function: the program has one, which knows the target. Swift's own handler
# of signals would keep libFuzzer from writing down the input.
fuzzer = $(shell clang --print-file-name=libclang_rt.fuzzer_no_main-$(shell uname -m).a)
fuzz: TARGET = pages
failing-calls: EVERY = 1
soak: KEYS = 100000
tortured = ^KennelPagesTests\.|^KennelCoreTests\.(FileDamageTests|HistoryTests|CrashTests)|engine and its twin
fuzz: SECONDS = 3600

PREFIX = /usr/local
share = $(DESTDIR)$(PREFIX)/share
zsh = $(share)/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)
# Words of the shell, since the name of a folder may have a blank.
installed = "$(DESTDIR)$(PREFIX)/bin/kennel" "$(share)/man/man1/kennel.1" \
  "$(share)/bash-completion/completions/kennel" "$(zsh)/_kennel" "$(share)/fish/vendor_completions.d/kennel.fish"
# What is installed; without the Swift libraries, it runs where Swift is not installed.
static = .build/static/release/kennel

.DEFAULT_GOAL := help
.PHONY: help run build test torture failing-calls soak power-loss fuzz example planted-bugs additions interop bench docs lint format walks screens check clean \
  install uninstall deb $(static)

help: ## print this
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | while IFS="$$(printf '\t')" read -r name what; do \
	  printf '  make %-12s %s\n' "$$name" "$$what"; done

run: ## open the sample in the browser; ARGS="FILE" opens a file, ARGS="--help" tells the rest
	@Scripts/require $(packages)
	@swift build --configuration release --product kennel
	@.build/release/kennel $(ARGS)

build: ## build everything
	@Scripts/require $(packages)
	swift build --build-tests

test: ## run every test; FILTER=name runs some, SANITIZE=thread or address watches them
	@Scripts/require $(packages) tmux dpkg-dev sqlite3 postgresql
	$(test) --scratch-path $(scratch) $(if $(FILTER),,--skip '$(programs)')
	$(if $(FILTER),,$(test) --scratch-path $(scratch) --skip-build --filter '$(programs)')
	$(test) --scratch-path $(dependents) --package-path LegacyModels

example: ## run the packages in Examples; the output of each must be that in its output.txt
	@Scripts/require $(packages)
	@set -e; for example in Family/Family Box/DogWalks; do \
	  package="$(CURDIR)/Examples/$${example%/*}"; \
	  swift build --package-path "$$package" --scratch-path "$(dependents)"; \
	  (cd "$$(mktemp -d)"; "$(dependents)/debug/$${example#*/}" > output.txt; \
	  diff "$$package/output.txt" output.txt; rm -r "$$PWD"); done

planted-bugs: ## plant bugs in a copy of the engine, one at a time, and see that each is caught
	@Scripts/require $(packages)
	@Tests/PlantedBugs/run
	@Tests/PlantedBugs/Pages/run

additions: ## add a kind of value and a view to a copy of the engine, build it, and store such values
	@Scripts/require $(packages)
	@Tests/Additions/run

bench: ## measure Kennel beside SQLite; BENCH="--dogs 100000 --cpu" says what, BENCH=--help the rest
	@Scripts/require $(packages)
	@$(benches)
	@$(if $(filter realm-files,$(BENCH)),Scripts/require xz-utils)
	@$(if $(filter documents,$(BENCH)),Scripts/require sqlite3 python3-venv && $(MAKE) --no-print-directory .build/pymongo)
	@$(if $(filter groups,$(BENCH)),Scripts/require python3-venv && $(MAKE) --no-print-directory .build/duckdb)
	@$(if $(filter sql,$(BENCH)),Scripts/require sqlite3 postgresql)
	@$(if $(filter browser documents realm-files sql,$(BENCH)),$(benches) --product kennel)
	@"$(benches_path)/kennel-bench" $(BENCH)

torture: ## try power failures, damage, failing calls, kills and random keys in great numbers, and print how many
	@Scripts/require $(packages) tmux strace fiu-utils
	@swift build --build-tests --quiet
	@echo "This takes an hour or more."
	@KENNEL_LONG=5 $(test) --skip-build --filter '$(tortured)' > .build/torture.log 2>&1 || \
	  { grep -E 'issue|error|fatal' .build/torture.log; echo "See .build/torture.log." >&2; exit 1; }
	@grep -E '^ +[0-9]+ [^ ]|Test run with' .build/torture.log
	@$(MAKE) --no-print-directory failing-calls EVERY=5
	@$(MAKE) --no-print-directory soak KEYS=10000

failing-calls: ## let the Nth call into the system fail, N = 1, 2, 3 …; EVERY=5 tries only each fifth
	@Scripts/require $(packages) strace fiu-utils
	@swift build --product kennel --quiet
	@Tests/FailingCalls/run .build/debug/kennel --every $(EVERY) $(if $(ERRORS),--errors $(ERRORS)) $(COMMANDS)

soak: ## press KEYS=100000 random keys in the browser, on a file that another process changes
	@Scripts/require $(packages) tmux
	@swift build --product kennel --quiet
	@swift build --product TortureProgram --quiet
	@Tests/Soak/run .build/debug/kennel .build/debug/TortureProgram --keys $(KEYS)

power-loss: ## take the power from a kernel that runs kennel on FILE_SYSTEMS="ext4 xfs btrfs", after each flush
	@Scripts/require $(packages) user-mode-linux kmod dmsetup xfsprogs btrfs-progs
	@swift build --product kennel --quiet
	@Tests/KernelPowerLoss/run .build/debug/kennel $(FILE_SYSTEMS)

fuzz: ## feed made-up bytes to a part that reads them; TARGET=pages says to which, SECONDS=3600 how long
	@Scripts/require $(packages)
	@swift build --configuration release --product Fuzzing --scratch-path .build/fuzzing --quiet \
	  -Xswiftc -Xfrontend -Xswiftc -sanitize=fuzzer -Xlinker "$(fuzzer)" -Xlinker -u \
	  -Xlinker LLVMFuzzerRunDriver -Xlinker -lstdc++ -Xlinker -lm
	@mkdir -p ".build/fuzzing/$(TARGET)"
	@SWIFT_BACKTRACE=enable=no TMPDIR="$(or $(wildcard /dev/shm),$(TMPDIR),/tmp)" nice -n 15 \
	  .build/fuzzing/release/Fuzzing "$(TARGET)" ".build/fuzzing/$(TARGET)" -timeout=10 \
	  -rss_limit_mb=2048 -artifact_prefix=".build/fuzzing/$(TARGET)-" -max_total_time=$(SECONDS) \
	  -print_final_stats=1 -reload=0

interop: ## compare documents both ways with PyMongo's, which is installed in .build/pymongo
	@Scripts/require $(packages) python3-venv
	@swift build --product kennel
	@$(MAKE) --no-print-directory .build/pymongo
	@.build/pymongo/bin/python Tests/Interop/interop.py .build/debug/kennel sample-data/sample.jsonl

.build/pymongo: # PyMongo, for comparisons
	@python3 -m venv .build/pymongo
	@.build/pymongo/bin/pip install --quiet --disable-pip-version-check 'pymongo>=4.9,<5' || \
	  { rm -rf .build/pymongo; exit 1; }

.build/duckdb: # DuckDB, for comparisons
	@python3 -m venv .build/duckdb
	@.build/duckdb/bin/pip install --quiet --disable-pip-version-check 'duckdb>=1.4,<3' || \
	  { rm -rf .build/duckdb; exit 1; }

docs: ## make the reference of Kennel, KennelCore and KennelRealm in .build/docs/site, for any web server
	@Scripts/require $(packages)
	@set -e; mkdir -p .build/docs/symbols; rm -rf .build/docs/site; for module in Kennel KennelCore KennelRealm; do \
	  swift build --target $$module --scratch-path .build/docs/build -Xswiftc -emit-symbol-graph \
	    -Xswiftc -emit-symbol-graph-dir -Xswiftc .build/docs/symbols; \
	  rm -rf .build/docs/module; mkdir .build/docs/module; \
	  cp .build/docs/symbols/$$module.symbols.json .build/docs/symbols/$$module@*.json .build/docs/module; \
	  docc convert $$(ls -d Sources/$$module/$$module.docc 2> /dev/null) --additional-symbol-graph-dir .build/docs/module \
	    --fallback-display-name $$module --fallback-bundle-identifier kennel.$$module \
	    --output-path .build/docs/$$module.doccarchive; done; \
	  docc merge $(foreach module,Kennel KennelCore KennelRealm,.build/docs/$(module).doccarchive) \
	    --synthesized-landing-page-name Kennel --output-path .build/docs/site

lint: ## find what the formatter would change or forbids
	swift format lint --strict --recursive --parallel $(sources)

format: ## let the formatter mend what it can
	swift format format --in-place --recursive --parallel $(sources)

walks: ## rewrite the golden screens and the manual; look at them with git diff
	@Scripts/require $(packages)
	UPDATE_WALKS=1 swift test --disable-xctest --filter KennelBrowserTests

screens: ## draw the pictures of the documents from the scripts in Documentation/Screens
	@Scripts/require $(packages)
	UPDATE_WALKS=1 swift test --disable-xctest --filter PictureTests

install: KENNEL = $(static)
install: $(if $(KENNEL),,$(static)) ## install kennel, its manual and completions; PREFIX=/opt/kennel says where
	@install -D -s -m 755 "$(KENNEL)" "$(DESTDIR)$(PREFIX)/bin/kennel"
	@install -D -m 644 Documentation/kennel.1 "$(share)/man/man1/kennel.1"
	@for shell in "bash $(share)/bash-completion/completions/kennel" "zsh $(zsh)/_kennel" \
	  "fish $(share)/fish/vendor_completions.d/kennel.fish"; do \
	  text="$$("$(KENNEL)" --generate-completion-script "$${shell%% *}")" && \
	  printf '%s\n' "$$text" | install -D -m 644 /dev/stdin "$${shell#* }" || exit 1; done
	@printf '%s\n' $(installed)

uninstall: ## remove what was installed with the same PREFIX
	@rm -f $(installed)

deb: $(static) ## make a Debian package of kennel in .build
	@Scripts/require dpkg-dev
	@Scripts/deb $(static) .build

# Under sudo nothing is built: root need not have Swift, and what it builds nobody else can replace.
$(static):
	@if [ -z "$$SUDO_USER" ]; then Scripts/require $(packages) && \
	  swift build --configuration release --product kennel --static-swift-stdlib --scratch-path .build/static; \
	elif [ ! -x "$@" ]; then echo "Build kennel first, without sudo: make $@" >&2; exit 1; fi

check: ## everything that decides whether a change may land
	.ci/run

clean: ## remove what was built
	rm -rf .build Benchmarks/.build LegacyModels/.build
