package template

// The types of a message, as the platform names them.
const (
	TypeTemplate = "template"
	TypeText     = "text"
	TypeImage    = "image"
	TypeVideo    = "video"
	TypeDocument = "document"
)

// Message is what one recipient gets, with every value filled in. It is stored as JSON with its step, so the keys are short and stay.
type Message struct {
	Type     string      `json:"type"`           // one of the Type constants
	Template string      `json:"name,omitempty"` // template name, for TypeTemplate
	Language string      `json:"lang,omitempty"` // template language, exact ("en" is not "en_US")
	Header   *Header     `json:"head,omitempty"` // template header, nil when the template has none or a fixed one
	Body     []Parameter `json:"body,omitempty"` // template body parameters in order
	Buttons  []Button    `json:"btns,omitempty"` // template buttons that take a value
	Text     string      `json:"text,omitempty"` // body of TypeText
	Media    *Media      `json:"media,omitempty"`
	Caption  string      `json:"cap,omitempty"` // caption of TypeImage, TypeVideo, TypeDocument
}

// Header is the one value of a template's header: a text or a medium, never both.
type Header struct {
	Type  string `json:"type"`           // TypeText, TypeImage, TypeVideo or TypeDocument
	Name  string `json:"name,omitempty"` // parameter name, for named text parameters
	Text  string `json:"text,omitempty"`
	Media *Media `json:"media,omitempty"`
}

// Parameter is one value of a template's body. Name is empty for positional parameters.
type Parameter struct {
	Name string `json:"name,omitempty"`
	Text string `json:"text"`
}

// Button is the value of one template button; Index counts all buttons from 0.
type Button struct {
	Index   int    `json:"i"`
	SubType string `json:"sub"` // "url", "quick_reply" or "copy_code"
	Text    string `json:"text"`
}

// Media names a medium by link or by the id of an upload, or a local file that has to be uploaded before: exactly one of the three.
type Media struct {
	Link     string `json:"link,omitempty"`
	ID       string `json:"id,omitempty"`
	Path     string `json:"path,omitempty"` // of the local file, as the flag or the cell named it
	Sum      string `json:"sum,omitempty"`  // of the local file: SHA-256 in hexadecimal, so that another file is another message
	Filename string `json:"file,omitempty"` // documents only
}

// Medium is the message's one medium and its place, such as "image" or "header.document"; nil without one.
func (m Message) Medium() (place string, medium *Media) {
	if m.Media != nil {
		return m.Type, m.Media
	}
	if m.Header != nil && m.Header.Media != nil {
		return "header." + m.Header.Type, m.Header.Media
	}
	return "", nil
}

// WithMedium is the message with another medium in the place of its own; the message itself stays as it is.
func (m Message) WithMedium(medium Media) Message {
	switch {
	case m.Media != nil:
		m.Media = &medium
	case m.Header != nil:
		header := *m.Header
		header.Media = &medium
		m.Header = &header
	}
	return m
}
