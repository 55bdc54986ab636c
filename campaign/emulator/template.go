package emulator

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

var templateName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9_]{1,512}$`) }) // long to compile, and few runs need it

// checkTemplate says what the platform would refuse a template for. It knows no approved templates: every name and language exists.
func checkTemplate(path string, o object) *refusal {
	name := o.text("name")
	switch {
	case name == "":
		return missing(at(path, "name"))
	case !templateName().MatchString(name):
		return refuse(132001, "Template name does not exist: it has other characters than a to z, 0 to 9 and _, or over 512.")
	case o.object("language").text("code") == "":
		return missing(at(at(path, "language"), "code"))
	}
	list, refused := objects(at(path, "components"), o["components"])
	for i, c := range list {
		refused = first(refused, checkComponent(at(at(path, "components"), i), c))
	}
	return refused
}

// componentChecks are the parts of a template that take values; a nil check looks no further.
var componentChecks = map[string]func(path string, c object, parameters []object) *refusal{
	"header":             checkHeader,
	"body":               checkTemplateBody,
	"button":             checkButton,
	"carousel":           nil,
	"limited_time_offer": nil,
}

func checkComponent(path string, c object) *refusal {
	kind := strings.ToLower(c.text("type"))
	check, known := componentChecks[kind]
	switch {
	case kind == "":
		return missing(at(path, "type"))
	case !known:
		return invalid(fmt.Sprintf("Param %s must be one of header, body, button.", at(path, "type")))
	case check == nil:
		return nil
	}
	parameters, refused := objects(at(path, "parameters"), c["parameters"])
	if refused != nil {
		return refused
	}
	return check(path, c, parameters)
}

func checkHeader(path string, _ object, parameters []object) *refusal {
	if len(parameters) != 1 {
		return refuse(132000, fmt.Sprintf("A header takes one parameter, %s has %d.", path, len(parameters)))
	}
	p := at(at(path, "parameters"), 0)
	return first(
		checkParameter(p, parameters[0]),
		tooLong(132005, at(p, "text"), parameters[0].text("text"), maxHeaderText),
	)
}

func checkTemplateBody(path string, _ object, parameters []object) *refusal {
	var all strings.Builder
	names := map[string]bool{}
	for i, p := range parameters {
		where := at(at(path, "parameters"), i)
		if r := checkParameter(where, p); r != nil {
			return r
		}
		all.WriteString(p.text("text"))
		if name := p.text("parameter_name"); name != "" {
			if names[name] {
				return invalid("Param " + at(where, "parameter_name") + " is there twice.")
			}
			names[name] = true
		}
	}
	if len(names) != 0 && len(names) != len(parameters) {
		return invalid("Either all parameters of " + path + " have a parameter_name, or none.")
	}
	return tooLong(132005, path, all.String(), maxParameters)
}

// forbidden is what no text parameter may hold: a line break, a tab, more than four spaces in a row.
var forbidden = regexp.MustCompile(`[\r\n\t]| {5}`)

// checkParameter looks at one value of a header or body.
func checkParameter(path string, p object) *refusal {
	kind := p.text("type")
	switch kind {
	case "":
		return missing(at(path, "type"))
	case "text":
		if p.text("text") == "" {
			return missing(at(path, "text"))
		}
		if forbidden.MatchString(p.text("text")) {
			return refuse(132018, "Param text cannot have new-line/tab characters or more than 4 consecutive spaces, in "+path+".")
		}
		return nil
	case "image", "video", "document":
		if p.object(kind) == nil {
			return missing(at(path, kind))
		}
		return checkMedia(at(path, kind), p.object(kind))
	case "currency", "date_time":
		if p.object(kind).text("fallback_value") == "" {
			return missing(at(at(path, kind), "fallback_value"))
		}
		return nil
	case "location":
		if p.object(kind) == nil {
			return missing(at(path, kind))
		}
		return nil
	}
	return refuse(132012, fmt.Sprintf("Parameter type %q is not known, in %s.", kind, path))
}

// buttonValues is which key holds the value of a button's parameter, by sub_type. The others, such as flows, are not looked at.
var buttonValues = map[string]string{"url": "text", "quick_reply": "payload", "copy_code": "coupon_code"}

func checkButton(path string, c object, parameters []object) *refusal {
	kind := strings.ToLower(c.text("sub_type"))
	key, looked := buttonValues[kind]
	switch {
	case kind == "":
		return missing(at(path, "sub_type"))
	case c["index"] == nil:
		return missing(at(path, "index"))
	case !isIndex(c["index"]):
		return refuse(131009, "Param "+at(path, "index")+" must be the button's place, from 0 to 9.")
	case !looked:
		return nil
	}
	for i, p := range parameters {
		value := at(at(at(path, "parameters"), i), key)
		if p.text(key) == "" {
			return missing(value)
		}
		if kind == "copy_code" {
			if r := tooLong(131009, value, p.text(key), maxCoupon); r != nil {
				return r
			}
		}
	}
	return nil
}

// isIndex takes 0 and "0" alike, as the platform does; a template has at most ten buttons.
func isIndex(v any) bool {
	switch v := v.(type) {
	case float64:
		return v >= 0 && v <= 9 && v == float64(int(v))
	case string:
		n, err := strconv.Atoi(v)
		return err == nil && n >= 0 && n <= 9
	}
	return false
}

// objects reads a list of objects; a list that is not there is empty.
func objects(path string, v any) ([]object, *refusal) {
	if v == nil {
		return nil, nil
	}
	list, ok := v.([]any)
	if !ok {
		return nil, invalid("Param " + path + " must be an array.")
	}
	out := make([]object, len(list))
	for i, item := range list {
		o, ok := item.(map[string]any)
		if !ok {
			return nil, invalid("Param " + at(path, i) + " must be an object.")
		}
		out[i] = o
	}
	return out, nil
}
