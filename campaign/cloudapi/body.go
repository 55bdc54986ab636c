package cloudapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/template"
	"github.com/wactl/wactl/campaign/wire"
)

// ErrUnsendable says that a step's message cannot be put into a request; the error that wraps it says which value of which line.
var ErrUnsendable = errors.New("the message can't be sent as it is")

// Body is the JSON that is sent for s: the very bytes, so that a preview shows what will go out.
func Body(s campaign.Step) ([]byte, error) {
	r, err := Request(s)
	if err != nil {
		return nil, err
	}
	return Encode(r)
}

// Encode is the JSON of a request of any provider, without a line break at its end.
func Encode(request any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // links stay readable in previews
	if err := e.Encode(request); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnsendable, err)
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// Request is what Body writes for s, for providers that dress it otherwise. An error names the line and wraps ErrUnsendable.
func Request(s campaign.Step) (wire.Request, error) {
	r := wire.Request{MessagingProduct: "whatsapp", RecipientType: "individual", Type: s.Message.Type, CallbackData: s.ID}
	err := address(&r, s.Recipient)
	if err == nil {
		err = fill(&r, s.Message)
	}
	if err != nil {
		err = fmt.Errorf("line %d: %w: %w", s.Line, ErrUnsendable, err)
	}
	return r, err
}

// address prefers the phone number, as the platform does when it gets both.
func address(r *wire.Request, to campaign.Recipient) error {
	switch {
	case strings.HasPrefix(to.Phone, "+"):
		r.To = to.Phone
	case to.Phone != "":
		// The platform would put the sender's country code before it, and write to a stranger.
		return errors.New("the phone number has no + in front")
	case to.BSUID != "":
		r.Recipient = to.BSUID
	default:
		return errors.New("the recipient has neither phone number nor user id")
	}
	return nil
}

func fill(r *wire.Request, m template.Message) (err error) {
	switch m.Type {
	case template.TypeTemplate:
		r.Template, err = templateOf(m)
	case template.TypeText:
		r.Text, err = textOf(m)
	case template.TypeImage:
		r.Image, err = mediaOf(m.Type, m.Media, m.Caption)
	case template.TypeVideo:
		r.Video, err = mediaOf(m.Type, m.Media, m.Caption)
	case template.TypeDocument:
		r.Document, err = mediaOf(m.Type, m.Media, m.Caption)
	default:
		err = fmt.Errorf("%q is no type of message", m.Type)
	}
	return err
}

func textOf(m template.Message) (*wire.Text, error) {
	if m.Text == "" {
		return nil, errors.New("the text is empty")
	}
	return &wire.Text{Body: m.Text}, nil
}

func mediaOf(kind string, m *template.Media, caption string) (*wire.Media, error) {
	if m == nil || (m.Link == "") == (m.ID == "") {
		return nil, fmt.Errorf("the %s needs a link or an id, one of the two", kind)
	}
	w := &wire.Media{ID: m.ID, Link: m.Link, Caption: caption}
	if kind == template.TypeDocument {
		w.Filename = m.Filename
	}
	return w, nil
}

func templateOf(m template.Message) (*wire.Template, error) {
	if m.Template == "" || m.Language == "" {
		return nil, errors.New("the template needs a name and a language")
	}
	t := &wire.Template{Name: m.Template, Language: wire.Language{Code: m.Language}}
	if m.Header != nil {
		p, err := headerParameter(*m.Header)
		if err != nil {
			return nil, err
		}
		t.Components = append(t.Components, wire.Component{Type: "header", Parameters: []wire.Parameter{p}})
	}
	if len(m.Body) > 0 {
		ps, err := bodyParameters(m.Body)
		if err != nil {
			return nil, err
		}
		t.Components = append(t.Components, wire.Component{Type: "body", Parameters: ps})
	}
	for _, b := range m.Buttons {
		c, err := button(b)
		if err != nil {
			return nil, err
		}
		t.Components = append(t.Components, c)
	}
	return t, nil
}

func headerParameter(h template.Header) (p wire.Parameter, err error) {
	p.Type = h.Type
	switch h.Type {
	case template.TypeText:
		p.Name, p.Text = h.Name, h.Text
		if h.Text == "" {
			err = errors.New("the header's text is empty")
		}
	case template.TypeImage:
		p.Image, err = mediaOf("header image", h.Media, "")
	case template.TypeVideo:
		p.Video, err = mediaOf("header video", h.Media, "")
	case template.TypeDocument:
		p.Document, err = mediaOf(h.Type, h.Media, "")
	default:
		err = fmt.Errorf("%q is no type of header", h.Type)
	}
	return p, err
}

func bodyParameters(body []template.Parameter) ([]wire.Parameter, error) {
	ps := make([]wire.Parameter, 0, len(body))
	for i, b := range body {
		if b.Text == "" {
			// The platform refuses an empty value, and its message does not say which.
			return nil, fmt.Errorf("body parameter %s is empty", nameOr(b.Name, i+1))
		}
		ps = append(ps, wire.Parameter{Type: "text", Name: b.Name, Text: b.Text})
	}
	return ps, nil
}

func nameOr(name string, position int) string {
	if name != "" {
		return name
	}
	return fmt.Sprint(position)
}

// buttonParameters says where the value of each kind of button stands.
var buttonParameters = map[string]func(value string) wire.Parameter{
	"url":         func(v string) wire.Parameter { return wire.Parameter{Type: "text", Text: v} }, // what follows the approved address
	"quick_reply": func(v string) wire.Parameter { return wire.Parameter{Type: "payload", Payload: v} },
	"copy_code":   func(v string) wire.Parameter { return wire.Parameter{Type: "coupon_code", CouponCode: v} },
}

func button(b template.Button) (wire.Component, error) {
	parameter, ok := buttonParameters[b.SubType]
	if !ok {
		return wire.Component{}, fmt.Errorf("button %d: %q is no type of button that takes a value", b.Index, b.SubType)
	}
	if b.Text == "" {
		return wire.Component{}, fmt.Errorf("button %d: its value is empty", b.Index)
	}
	return wire.Component{Type: "button", SubType: b.SubType, Index: new(b.Index), Parameters: []wire.Parameter{parameter(b.Text)}}, nil
}
