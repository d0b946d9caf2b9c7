// Package hash is rendezvous hashing itself.
package hash
