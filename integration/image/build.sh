#!/bin/bash
# Builds a single-purpose Apache Kafka image from Maven Central's jars, the JDK of
# this machine and a static busybox: for machines that reach no image registry.
# Its interface is that of apache/kafka, so KAFKA_IMAGE can name either.
#
# The image is for tests: it has no security updates, and nothing in it is tuned
# for load.
set -euo pipefail

usage() {
	cat <<-'END'
		usage: build.sh [--force] [IMAGE]

		Builds IMAGE (default: kgo-rendezvous/kafka:4.4.0) unless it is there already,
		built from the same build.sh, pom.xml and run. --force builds it anyway.
	END
}

image=kgo-rendezvous/kafka:4.4.0
force=no
while [ $# -gt 0 ]; do
	case $1 in
	--force) force=yes ;;
	-h | --help) usage && exit ;;
	-*) usage >&2 && exit 2 ;;
	*) image=$1 ;;
	esac
	shift
done

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
label=kgo-rendezvous.build-inputs
inputs=$(cat "$here/build.sh" "$here/pom.xml" "$here/run" | sha256sum | cut -c 1-16)
work=''
base=''
trainee=''

say() { echo "kafka image: $*"; }
die() { say "$*" >&2 && exit 1; }

need() { # need TOOL PACKAGE
	command -v "$1" >/dev/null || die "$1 is missing; on Debian: apt-get install -y --no-install-recommends $2"
}

cleanup() {
	[ -z "$trainee" ] || docker rm -f -v "$trainee" >/dev/null 2>&1 || true
	[ -z "$base" ] || remove_untagged "$base"
	[ -z "$work" ] || rm -rf "$work"
}

# remove_untagged ID: an image that got a tag in the meantime is somebody's.
remove_untagged() {
	if [ "$(docker image inspect -f '{{len .RepoTags}}' "$1" 2>/dev/null)" = 0 ]; then
		docker rmi "$1" >/dev/null 2>&1 || true # a container may still use it
	fi
}

check_tools() {
	need jlink openjdk-17-jdk-headless
	need mvn maven
	need busybox busybox-static
	need ldd libc-bin
	local version
	version=$(jlink --version)
	[ "${version%%.*}" -ge 17 ] || die "Kafka 4 needs Java 17, jlink is $version; on Debian: apt-get install -y openjdk-17-jdk-headless"
}

check_docker() {
	need docker docker.io
	docker version -f '{{.Server.Version}}' >/dev/null 2>&1 ||
		die "the docker daemon does not answer; start it: service docker start, or dockerd & where there is no init"
}

# fetch_jars ROOT. Maven runs on a copy of the pom, since it writes next to it.
fetch_jars() {
	mkdir -p "$1/opt/kafka/libs" "$work/maven"
	cp "$here/pom.xml" "$work/maven/"
	if ! mvn -q -B -C -f "$work/maven/pom.xml" dependency:copy-dependencies \
		-DincludeScope=runtime -DoutputDirectory="$1/opt/kafka/libs" >"$work/maven/log" 2>&1; then
		cat "$work/maven/log" >&2
		die "Maven could not fetch the jars: is Maven Central, or a mirror of it named in Maven's settings, in reach?"
	fi
}

# link_jre ROOT. java.desktop looks odd in a broker: log4j-core uses java.beans.
# jdk.crypto.ec, java.security.* and java.naming are for TLS and SASL listeners.
link_jre() {
	mkdir -p "$1/opt/java"
	jlink --output "$1/opt/java/openjdk" --strip-java-debug-attributes --no-header-files --no-man-pages \
		--add-modules java.base,java.desktop,java.logging,java.management,java.naming,java.net.http \
		--add-modules java.security.jgss,java.security.sasl,java.sql,java.xml \
		--add-modules jdk.crypto.ec,jdk.management,jdk.unsupported,jdk.zipfs ||
		die "jlink failed; a JDK with its jmods directory is needed: openjdk-17-jdk-headless"
	# jlink leaves out the archive of the JDK's own classes; every start is slower without it.
	"$1/opt/java/openjdk/bin/java" -Xshare:dump >/dev/null 2>&1 || say "no archive of the JDK's classes: starts will be slower"
}

# copy_libc ROOT: the JRE is linked to this machine's glibc, so the image gets just that one.
# libstdc++ and libgcc_s are for the native halves of zstd and snappy; the libnss
# files and libresolv are loaded by name lookups only, so ldd does not list them.
copy_libc() {
	local libc dir name
	libc=$(ldd "$1/opt/java/openjdk/bin/java" | awk '$1 == "libc.so.6" { print $3 }')
	dir=$(dirname "$libc")
	mkdir -p "$1$dir"
	for name in libc.so.6 libm.so.6 libz.so.1 libdl.so.2 libpthread.so.0 librt.so.1 libresolv.so.2 \
		libnss_files.so.2 libnss_dns.so.2 libgcc_s.so.1 libstdc++.so.6; do
		[ -e "$dir/$name" ] || die "$dir/$name is missing; on Debian: apt-get install -y libc6 libgcc-s1 libstdc++6 zlib1g"
		cp -L "$dir/$name" "$1$dir/"
	done
	# The loader has a path of its own, which is part of every executable.
	name=$(ldd "$1/opt/java/openjdk/bin/java" | awk '$1 ~ "/ld-linux" { print $1 }')
	mkdir -p "$1$(dirname "$name")"
	cp -L "$name" "$1$name"
}

# install_busybox ROOT: a shell for the entry point, and the small tools that
# health checks and `docker exec` expect.
install_busybox() {
	local applet
	! ldd "$(command -v busybox)" >/dev/null 2>&1 ||
		die "busybox is linked dynamically; on Debian: apt-get install -y busybox-static"
	mkdir -p "$1/bin" "$1/usr"
	cp -L "$(command -v busybox)" "$1/bin/busybox"
	for applet in $(busybox --list); do
		[ "$applet" = busybox ] || ln -s busybox "$1/bin/$applet"
	done
	ln -s ../bin "$1/usr/bin" # #!/usr/bin/env
}

write_etc() { # write_etc ROOT
	mkdir -p "$1/etc" "$1/root" "$1/home/appuser"
	printf '%s\n' root:x:0:0:root:/root:/bin/sh appuser:x:1000:1000::/home/appuser:/bin/sh >"$1/etc/passwd"
	printf '%s\n' root:x:0: appuser:x:1000: >"$1/etc/group"
	# Without it glibc may ask services for host names that are not in the image.
	echo 'hosts: files dns' >"$1/etc/nsswitch.conf"
}

# install_kafka ROOT: the entry point, the options shared by every JVM, and the tools.
install_kafka() {
	local jar
	mkdir -p "$1/etc/kafka/docker" "$1/opt/kafka/bin" "$1/opt/kafka/config" \
		"$1/mnt/shared/config" "$1/var/lib/kafka/data"
	install -m 755 "$here/run" "$1/etc/kafka/docker/run"

	# Every jar by name and in order, because an archive of classes is accepted only for the
	# class path that it was made with, and java expands "libs/*" in the order of the directory.
	{
		printf -- '-XX:-UsePerfData -cp '
		for jar in "$1"/opt/kafka/libs/*.jar; do
			printf '/opt/kafka/libs/%s:' "${jar##*/}"
		done | sed 's/:$//'
		echo
	} >"$1/opt/kafka/java.args"

	write_tool "$1" kafka-topics org.apache.kafka.tools.TopicCommand
	write_tool "$1" kafka-consumer-groups org.apache.kafka.tools.consumer.group.ConsumerGroupCommand
}

write_tool() { # write_tool ROOT NAME CLASS
	cat >"$1/opt/kafka/bin/$2.sh" <<-END
		#!/bin/sh
		# Only warnings, and on stderr: stdout is the answer.
		exec java @/opt/kafka/java.args -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \\
			-Dorg.slf4j.simpleLogger.defaultLogLevel=warn $3 "\$@"
	END
	chmod 755 "$1/opt/kafka/bin/$2.sh"
}

# import_image ROOT [TAG]: prints the image's id. `docker import` rather than a
# Dockerfile: one layer, no context to send, and the same with either builder.
import_image() {
	local mine=(./home/appuser ./opt/kafka/config ./mnt/shared ./var/lib/kafka/data)
	chmod 1777 "$1/tmp"
	# Two passes give two owners without chown. Times stay as they are, because an
	# archive of classes records those of the jars.
	tar -c -C "$1" --sort=name --owner=0 --group=0 "${mine[@]/#/--exclude=}" -f "$work/root.tar" .
	tar -r -C "$1" --sort=name --owner=1000 --group=1000 -f "$work/root.tar" "${mine[@]}"
	docker import \
		--change 'USER appuser' \
		--change 'WORKDIR /' \
		--change 'EXPOSE 9092' \
		--change 'ENV PATH=/opt/java/openjdk/bin:/opt/kafka/bin:/bin' \
		--change 'ENV JAVA_HOME=/opt/java/openjdk' \
		--change 'ENV LANG=C.UTF-8' \
		--change 'CMD ["/etc/kafka/docker/run"]' \
		--change "LABEL $label=$inputs" \
		"$work/root.tar" "${@:2}"
}

# train ROOT: one run of the base image that records which classes a node and the
# tools load, for -XX:SharedArchiveFile. It is a gain and no need: it may fail.
train() {
	local i
	trainee=$(docker create --network none \
		-e KAFKA_NODE_ID=1 -e KAFKA_PROCESS_ROLES=broker,controller \
		-e KAFKA_LISTENERS=PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093 \
		-e KAFKA_CONTROLLER_LISTENER_NAMES=CONTROLLER -e KAFKA_CONTROLLER_QUORUM_VOTERS=1@127.0.0.1:9093 \
		-e KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR=1 -e KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS=1 \
		-e KAFKA_LOG_DIRS=/tmp/kafka-logs -e KAFKA_OPTS=-XX:ArchiveClassesAtExit=/tmp/kafka.jsa "$base") || return 1
	docker start "$trainee" >/dev/null || return 1
	for ((i = 0; ; i++)); do
		[ "$i" -lt 120 ] || return 1
		[ "$(docker inspect -f '{{.State.Running}}' "$trainee")" = true ] || return 1
		! docker logs "$trainee" 2>&1 | grep -q 'Kafka Server started' || break
		sleep 1
	done
	docker exec "$trainee" kafka-topics.sh --bootstrap-server 127.0.0.1:9092 --create --topic training >/dev/null || return 1
	docker exec "$trainee" kafka-consumer-groups.sh --bootstrap-server 127.0.0.1:9092 --list >/dev/null || return 1
	docker stop -t 120 "$trainee" >/dev/null || return 1
	docker cp "$trainee:/tmp/kafka.jsa" "$1/opt/kafka/kafka.jsa" || return 1
	chmod 644 "$1/opt/kafka/kafka.jsa"
	echo '-XX:SharedArchiveFile=/opt/kafka/kafka.jsa' >>"$1/opt/kafka/java.args"
}

main() {
	local root old start=$SECONDS
	check_docker
	old=$(docker image inspect -f '{{.Id}}' "$image" 2>/dev/null || true)
	if [ "$force" = no ] && [ -n "$old" ] &&
		[ "$(docker image inspect -f "{{index .Config.Labels \"$label\"}}" "$image")" = "$inputs" ]; then
		say "$image is up to date ($inputs)"
		return
	fi
	check_tools
	trap cleanup EXIT
	work=$(mktemp -d)
	root=$work/root
	mkdir -p "$root/tmp"

	say "fetching the jars"
	fetch_jars "$root"
	say "linking a JRE"
	link_jre "$root"
	copy_libc "$root"
	install_busybox "$root"
	write_etc "$root"
	install_kafka "$root"

	say "importing"
	base=$(import_image "$root")
	say "training run for faster starts"
	if train "$root"; then
		import_image "$root" "$image" >/dev/null
	else
		[ -z "$trainee" ] || docker logs --tail 5 "$trainee" >&2 || true
		say "the training run failed: building without it, a start takes a few seconds more (--force tries again)" >&2
		docker tag "$base" "$image"
	fi
	[ -z "$old" ] || remove_untagged "$old"
	say "built $image ($inputs) in $((SECONDS - start)) s"
}

main
