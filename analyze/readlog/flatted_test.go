package readlog

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnflatted(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       string // as JSON; empty: the list is an ordinary one
	}{
		{"texts stand once", `[{"a":"1","b":"1","n":3},"x"]`, `{"a":"x","b":"x","n":3}`},
		{"lists and objects", `[{"list":"1"},["2","3",null,true],{"deep":"3"},"y"]`, `{"list":[{"deep":"y"},"y",null,true]}`},
		{"a list of records", `[{"id":"1"},{"id":"2"}]`, ``},
		{"a place that is none", `[{"a":"7"},"x"]`, ``},
		{"a value that holds itself", `[{"a":"1","b":"2"},{"a":"1"},"x"]`, ``},
		{"texts alone", `["1","2"]`, ``},
		{"a first text that is no place", `[{"status":"sent"},"x"]`, ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, err := decodeText(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			got, ok := unflatted(list.([]any))
			if ok != (tt.want != "") {
				t.Fatalf("flattened: %v", ok)
			}
			if !ok {
				return
			}
			want, err := decodeText(tt.want)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(withoutLines(want), withoutLines(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
