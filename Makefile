# What CI runs is `make check test` and `make integration`; see .ci/run.
GO          ?= go
STATICCHECK ?= $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2
COMPOSE     ?= $(shell docker compose version >/dev/null 2>&1 && echo docker compose || echo docker-compose)
# The broker's image. Where no registry can be reached, `make kafka-image` builds
# LOCAL_IMAGE, and integration, up and down take it if it is there.
LOCAL_IMAGE  = kgo-rendezvous/kafka:4.4.0
KAFKA_IMAGE ?= $(shell docker image inspect $(LOCAL_IMAGE) >/dev/null 2>&1 && echo $(LOCAL_IMAGE) || echo apache/kafka:4.4.0)
FUZZTIME    ?= 10s

.PHONY: help check test integration kafka-image bench fuzz vectors compare demo up down

help: ## Show this help.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Modules of their own, for what they depend on, are named: ./... ends at them.
check: ## Format, vet and lint all modules.
	@test -z "$$(gofmt -l .)" || { echo "not gofmted:"; gofmt -l .; exit 1; }
	$(GO) vet ./... ./examples/compare/...
	$(GO) vet -tags integration ./integration/...
	$(STATICCHECK) ./... ./examples/compare/...
	$(STATICCHECK) -tags integration ./integration/...

test: ## Run the fast tests, with the race detector and without Docker.
	$(GO) test -race ./... ./examples/compare/...

integration: ## Run the tests against a real broker in Docker.
	KAFKA_IMAGE=$(KAFKA_IMAGE) $(GO) test -tags integration -count=1 -timeout 30m ./integration/...

kafka-image: ## Build the broker's image from Maven Central's jars.
	integration/image/build.sh $(LOCAL_IMAGE)

bench: ## Measure the leader's work beside kgo's; BENCHFLAGS=-help for more.
	$(GO) run ./internal/bench $(BENCHFLAGS)

fuzz: ## Fuzz every target for FUZZTIME each.
	@set -e; for pkg in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
			echo "$$pkg $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg; \
		done; \
	done

vectors: ## Check the golden vectors with the reference in Python.
	python3 docs/placement.py

compare: ## Print every algorithm's figures side by side.
	$(GO) run ./examples/compare

demo: ## Watch partitions move, on an embedded broker.
	$(GO) run ./examples/demo

up: ## Start a broker, a producer and three workers in Docker; N=5 for five.
	CGO_ENABLED=0 GOOS=linux $(GO) build -trimpath -o examples/worker/bin/worker ./examples/worker
	KAFKA_IMAGE=$(KAFKA_IMAGE) DOCKER_BUILDKIT=0 $(COMPOSE) up -d --build --scale worker=$(or $(N),3)

down: ## Stop what `make up` started.
	$(COMPOSE) down --remove-orphans --volumes
