package assignor

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// fingerprint returns a short hash of a strategy's settings, its exported
// fields of basic kinds, so that a leader can tell members that run the same
// strategy with other settings. 0 stands for the zero value, which costs no
// byte on the wire.
func fingerprint(s Strategy) uint32 {
	v := reflect.ValueOf(s)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return 0
	}
	var sb strings.Builder
	for i := range v.NumField() {
		f := v.Field(i)
		if !v.Type().Field(i).IsExported() || f.IsZero() {
			continue
		}
		switch f.Kind() {
		case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64,
			reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
			reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
			fmt.Fprintf(&sb, "%s=%v;", v.Type().Field(i).Name, f.Interface())
		}
	}
	if sb.Len() == 0 {
		return 0
	}
	return max(uint32(xxhash.Sum64String(sb.String())), 1)
}
