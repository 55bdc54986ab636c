package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Timeline is a send over time, to be drawn with characters. The zero value draws nothing.
type Timeline struct {
	From   time.Time // in the zone that people read
	Width  time.Duration
	Counts []int // messages in each stretch of so long
	Marks  []Mark
}

// Mark is what happens at an instant, or over a stretch of time where To is later than At.
type Mark struct {
	At, To time.Time
	Sign   byte
	Says   string // what the sign stands for; equal signs say the same
}

// strides are how many messages' stretches may become one column: minutes, and hours for longer sends.
var strides = []time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour}

const (
	timelineHeight = 6
	levels         = 8 // parts of a character's height that blocks can show
)

// Draw draws the messages in each stretch as columns, in lines of at most so many characters; plain keeps to ASCII.
func (t Timeline) Draw(width int, plain bool) []string {
	counts, stride := t.columns(width)
	if len(counts) < 2 {
		return nil
	}
	most := 0
	for _, n := range counts {
		most = max(most, n)
	}
	label := grouped(most)
	margin := strings.Repeat(" ", len(label))
	lines := []string{"messages per " + stretchName(stride)}
	for row := timelineHeight - 1; row >= 0; row-- {
		head := margin
		if row == timelineHeight-1 {
			head = label
		}
		lines = append(lines, strings.TrimRight(head+" |"+bars(counts, most, row, plain), " "))
	}
	lines = append(lines, margin+" +"+strings.Repeat("-", len(counts)), margin+"  "+t.clock(len(counts), stride))
	return append(lines, t.marked(len(counts), stride, margin+"  ")...)
}

// columns joins stretches until they fit; the stride is how long a column lasts.
func (t Timeline) columns(width int) (counts []int, stride time.Duration) {
	room := max(width-14, 10)
	join := 1
	if t.Width > 0 && len(t.Counts) > room {
		for join = 2; (len(t.Counts)+join-1)/join > room; join++ {
		}
		for _, s := range strides {
			if n := int(s / t.Width); n >= join {
				join = n
				break
			}
		}
	}
	counts = make([]int, (len(t.Counts)+join-1)/join)
	for i, n := range t.Counts {
		counts[i/join] += n
	}
	return counts, time.Duration(join) * t.Width
}

// blocks are the eighths of a character's height.
var blocks = []rune(" ▁▂▃▄▅▆▇█")

// bars is one row of the columns, the lowest is 0. A column that holds anything at all is seen.
func bars(counts []int, most, row int, plain bool) string {
	var b strings.Builder
	for _, n := range counts {
		height := (n*timelineHeight*levels + most - 1) / most // in eighths, rounded up
		part := min(max(height-row*levels, 0), levels)
		switch {
		case !plain:
			b.WriteRune(blocks[part])
		case part >= levels/2 || part > 0 && row == 0:
			b.WriteByte('#')
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// clock writes times below the axis, each where its column begins; the day too where the send outlasts one.
func (t Timeline) clock(columns int, stride time.Duration) string {
	form := "15:04"
	if time.Duration(columns)*stride > 24*time.Hour {
		form = "Jan 2 15:04"
	}
	if stride >= 24*time.Hour {
		form = "Jan 2"
	}
	line := ""
	for i := range columns {
		if at := t.From.Add(time.Duration(i) * stride).Format(form); len(line) == 0 || i >= len(line)+3 {
			line += strings.Repeat(" ", i-len(line)) + at
		}
	}
	return line
}

// marked writes each kind of mark below the axis, in a line of its own, and what it says.
func (t Timeline) marked(columns int, stride time.Duration, margin string) (lines []string) {
	var order []Mark
	signs := map[byte][]byte{}
	for _, m := range t.Marks {
		if signs[m.Sign] == nil {
			signs[m.Sign] = []byte(strings.Repeat(" ", columns))
			order = append(order, m)
		}
		first := int(m.At.Sub(t.From) / stride)
		last := first
		if m.To.After(m.At) {
			last = int((m.To.Sub(t.From) - 1) / stride)
		}
		for i := max(first, 0); i <= min(last, columns-1); i++ {
			signs[m.Sign][i] = m.Sign
		}
	}
	for _, m := range order {
		lines = append(lines, strings.TrimRight(margin+string(signs[m.Sign]), " "))
	}
	for _, m := range order {
		lines = append(lines, fmt.Sprintf("%s%c: %s", margin, m.Sign, m.Says))
	}
	return lines
}

// stretchName says how long a column lasts.
func stretchName(d time.Duration) string {
	for _, u := range []struct {
		size time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		if n := int64(d / u.size); d%u.size == 0 && n > 0 {
			if n == 1 {
				return u.name
			}
			return strconv.FormatInt(n, 10) + " " + u.name + "s"
		}
	}
	return d.String()
}

// grouped is a number with separators between its thousands.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
