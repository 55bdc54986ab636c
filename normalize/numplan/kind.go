package numplan

import "slices"

// Kind is what a number is for. The zero value says that no such number exists.
type Kind uint8

// The kinds of numbers that plans tell apart. Where landlines and mobiles look alike, a number is FixedLineOrMobile.
const (
	NoKind Kind = iota
	FixedLine
	Mobile
	FixedLineOrMobile
	TollFree
	PremiumRate
	SharedCost
	VoIP
	Personal
	Pager
	CompanyWide
	Voicemail
)

var kindNames = [...]string{"", "fixed-line", "mobile", "fixed-line-or-mobile", "toll-free", "premium-rate", "shared-cost", "voip", "personal", "pager", "company-wide", "voicemail"}

// String is the kind's public name such as "mobile"; empty for NoKind.
func (k Kind) String() string { return kindNames[k] }

// Status says whether digits are a number, and if not, why. The zero value is Valid.
type Status uint8

// The reasons why digits are no number, as the plan of their country sees them.
const (
	Valid         Status = iota
	Unreadable           // no digits, or too few for any number
	InvalidCode          // they start with no country code
	TooShort             // fewer digits than any number of the country
	TooLong              // more digits than any number of the country
	LocalOnly            // as long as a number without its area code
	InvalidLength        // between two possible lengths
	Unassigned           // the length is possible, the digits are given to nobody
)

var statusNames = [...]string{"valid", "unreadable", "invalid-code", "too-short", "too-long", "local-only", "invalid-length", "unassigned"}

// String is the status in a word, for messages of tests and tools.
func (s Status) String() string { return statusNames[s] }

// KindNamed is the kind of a public name; NoKind for any other word.
func KindNamed(name string) Kind { return Kind(max(slices.Index(kindNames[:], name), 0)) }
