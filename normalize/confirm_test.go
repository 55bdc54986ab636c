package normalize

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/wactl/wactl/campaign/template"
)

// TestConfirmFindsFalseDuplicates holds that rows which were taken for the same although they differ are found out, and no others.
func TestConfirmFindsFalseDuplicates(t *testing.T) {
	for _, tt := range []struct {
		name, list string
		content    bool
		sure       bool
	}{
		{"no repeats", "phone,name\n+5511961234567,Ana\n+5511961234568,Ana\n", false, true},
		{"true ones", "phone,name\n+5511961234567,Ana\n11961234567,Ana\n(11) 96123-4567,Ana\n", false, true},
		{"a false one", "phone,name\n+5511961234567,Ana\n+5511961234567,Bia\n", false, false},
		{"a false one among true ones", "phone,name\n+5511961234567,Ana\n+5511961234567,Ana\n+5511961234567,Bia\n+5511961234568,Ana\n", false, false},
		{"two false ones with each other's content", "phone,name\n+5511961234567,Ana\n+5511961234568,Bia\n+5511961234567,Bia\n+5511961234568,Ana\n", false, false},
		{"quoted and not", "phone,name\n+5511961234567,\"Ana\"\n\n+5511961234567,Ana\n", false, true},
		{"the same message, other cells", "phone,name,note\n+5511961234567,Ana,1\n+5511961234567,Ana,1\n+5511961234568,Ana,1\n+5511961234568,Ana,1\n", true, true},
		{"another message", "phone,name,note\n+5511961234567,Ana,1\n+5511961234567,Bia,1\n", true, false},
		{"the same message in another row", "phone,name,note\n+5511961234567,Ana,1\n+5511961234567,Ana,2\n", true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := openText(t, tt.list)
			o := CheckOptions{}
			if tt.content {
				var err error
				if o.Content, err = template.NewContent(params("name"), l.Header); err != nil {
					t.Fatal(err)
				}
			}
			c := l.Check(o)
			c.blind, c.same.reach, c.twins.reach = true, 0, 0 // nothing is kept but where rows stand
			for _, err := range c.Rows() {
				if err != nil {
					t.Fatal(err)
				}
			}
			sure, err := c.Confirm(openText(t, tt.list))
			if err != nil || sure != tt.sure {
				t.Errorf("sure: %v, want %v; error %v", sure, tt.sure, err)
			}
			if !tt.sure && !c.Repeated() {
				t.Error("nothing was repeated: this case proves nothing")
			}
		})
	}
}

// TestFalseDuplicatesAreToldApart holds that rows which the set of recipients takes for the same are judged as if it did not, as long as the first
// one is not too far above, and that the others are found out.
func TestFalseDuplicatesAreToldApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list strings.Builder
		list.WriteString("phone,name,note\n")
		for range rapid.IntRange(2, 30).Draw(t, "rows") {
			fmt.Fprintf(&list, "+551196123456%d,%s,%d\n", rapid.IntRange(0, 3).Draw(t, "phone"), rapid.SampledFrom([]string{"Ana", "Bia"}).Draw(t, "name"),
				rapid.IntRange(0, 1).Draw(t, "note"))
		}
		content := rapid.Bool().Draw(t, "content")
		check := func(blind bool, reach uint32) (c *Check, told []string) {
			l := openText(t, list.String())
			var o CheckOptions
			if content {
				var err error
				if o.Content, err = template.NewContent(params("name"), l.Header); err != nil {
					t.Fatal(err)
				}
			}
			c = l.Check(o)
			c.blind, c.same.reach, c.twins.reach = blind, reach, reach
			for v, err := range c.Rows() {
				if err != nil {
					t.Fatal(err)
				}
				told = append(told, fmt.Sprint(v.Line, v.Kept, v.Repeats, v.FirstLine, v.twin, v.Findings))
			}
			return c, told
		}
		_, want := check(false, restLines)
		c, got := check(true, rapid.SampledFrom([]uint32{restLines, 3, 1, 0}).Draw(t, "reach"))
		sure, err := c.Confirm(openText(t, list.String()))
		if err != nil || sure != slices.Equal(got, want) {
			t.Fatalf("sure: %v, error %v; got and want:\n%s\n\n%s\n\nof\n%s", sure, err, strings.Join(got, "\n"), strings.Join(want, "\n"), list.String())
		}
	})
}

// TestClaimsAreSettled holds that the sums of true claims meet whatever their order, and those of false ones do not.
func TestClaimsAreSettled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c claims
		said, times := map[uint32]hashed{}, map[uint32]uint64{}
		h := newHasher()
		for range rapid.IntRange(1, 300).Draw(t, "claims") {
			line := rapid.SampledFrom([]uint32{2, 3, claimPage - 1, claimPage, 5 * claimPage}).Draw(t, "line")
			said[line] = h.of(fmt.Append(nil, line))
			times[line]++
			c.add(line, said[line])
		}
		lie := rapid.Bool().Draw(t, "one is false")
		if lie {
			c.add(2, h.of([]byte("x")))
			said[2] = h.of([]byte("2"))
			times[2]++
		}
		var s sums
		for line, h := range said {
			if n := c.count(int(line)); n != times[line] {
				t.Fatalf("%d claims on line %d, want %d", n, line, times[line])
			}
			s.add(int(line), h, c.count(int(line)))
		}
		if s.are(&c) == lie {
			t.Fatalf("settled: %v, although a claim was false: %v", !lie, lie)
		}
	})
}

// TestManyRepeatsOfOneRow counts beyond what a byte holds.
func TestManyRepeatsOfOneRow(t *testing.T) {
	const rows = 3*math.MaxUint8 + 7
	list := "phone,name\n" + strings.Repeat("+5511961234567,Ana\n", rows)
	c := openText(t, list).Check(CheckOptions{})
	c.same.reach = 0
	for range c.Rows() {
	}
	if n := c.same.count(2); n != rows-1 {
		t.Errorf("%d claims on line 2, want %d", n, rows-1)
	}
	if sure, err := c.Confirm(openText(t, list)); !sure || err != nil {
		t.Errorf("sure: %v, error %v", sure, err)
	}
}
