package readlog

import "strings"

// signs is which of the names that give a provider's form away an object has. It is worked out once for all forms.
type signs [2]uint64

func (s *signs) set(i int)          { s[i/64] |= 1 << (i % 64) }
func (s signs) meets(of signs) bool { return s[0]&of[0]|s[1]&of[1] != 0 }

// signOf is the place of each such name in signs.
var signOf = func() map[string]int {
	places := map[string]int{}
	for i := range resources {
		for _, group := range resources[i].firstNames() {
			for _, name := range group {
				if _, known := places[name]; !known {
					places[name] = len(places)
				}
			}
		}
	}
	return places
}()

// resourceSigns is, for each resource, groups of names of which each must be met.
var resourceSigns = func() [][]signs {
	all := make([][]signs, len(resources))
	for i := range resources {
		for _, group := range resources[i].firstNames() {
			var s signs
			for _, name := range group {
				s.set(signOf[name])
			}
			all[i] = append(all[i], s)
		}
	}
	return all
}()

// firstNames are the names of which an object of this form has at least one from each group.
func (f *resource) firstNames() (groups [][]string) {
	if f.inside != "" {
		return [][]string{{f.inside}}
	}
	for _, ways := range f.signs {
		var group []string
		for _, way := range ways {
			name, _, _ := strings.Cut(way, ".")
			group = append(group, name)
		}
		groups = append(groups, group)
	}
	return groups
}

// signsOf is the signs that an object has.
func signsOf(o object) (s signs) {
	for name := range o {
		if k := keyOf(name); k.isSign {
			s.set(k.sign)
		}
	}
	return s
}

// resourceOf is the first form of a provider that o has, and the message in it; nil: none.
func resourceOf(o object) (f *resource, root object) {
	there := signsOf(o)
next:
	for i := range resources {
		for _, group := range resourceSigns[i] {
			if !there.meets(group) {
				continue next
			}
		}
		if root = resources[i].root(o); root != nil {
			return &resources[i], root
		}
	}
	return nil, nil
}
