// Package integration holds tests against a real Apache Kafka broker. They are
// behind the build tag integration and in a module of their own, because
// testcontainers brings a hundred others:
//
//	go test -tags integration -count=1 ./integration/...
//
// (-count=1 because go's cache of results does not see that the worker's
// sources or the image changed.)
//
// A container is started from the image KAFKA_IMAGE, by default
// apache/kafka:4.4.0; `make kafka-image` builds an equal one,
// kgo-rendezvous/kafka:4.4.0, where no registry can be reached. Without Docker
// or without the image the tests fail; they skip nothing.
//
// Unless it is set otherwise, TESTCONTAINERS_RYUK_DISABLED is set to true: the
// reaper would be one more image to pull. A run ends its container itself, on
// SIGINT and SIGTERM too; what a killed run leaves behind carries the label
// org.testcontainers=true.
package integration
