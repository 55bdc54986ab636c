package readlog

import "testing"

func TestNear(t *testing.T) {
	for text, want := range map[string][2]string{
		"sent to 12025550111":                                    {"12025550111", ""},
		"sent to: +1 (202) 555-0111, ok":                         {"+1 (202) 555-0111", ""},
		"TO=12025550111 from=990000000000001":                    {"12025550111", "990000000000001"},
		"envoyé à 33612345678 de 12025550100":                    {"33612345678", "12025550100"},
		"via number id 990000000000001 for \"12025550111@c.us\"": {"12025550111@c.us", "990000000000001"},
		"proto 12025550111":                                      {"", ""},
		"to_12025550111":                                         {"", ""},
		"to 123456":                                              {"", ""},
		"to 12 34567890":                                         {"", ""},
		"12025550111 to":                                         {"", ""},
		"":                                                       {"", ""},
	} {
		if got := [2]string{toNumber.find(text), fromNumber.find(text)}; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
