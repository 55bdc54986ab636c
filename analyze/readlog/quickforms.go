package readlog

// form is what may stand under a key of a webhook, and which part of it is a hole of a template.
type form struct {
	hole     hole             // of a string or number; noHole: the value itself belongs to the template
	slot     slot             // where the hole's value is kept
	keys     map[string]*form // of an object; nil under a key: such a line makes no template
	rest     *form            // of all other keys, and of the elements of a list
	elements *form            // of a list of any length, each element with an end of its own
	end      leafKind         // what the end of an object means
}

// The forms of a webhook, from the inside. What the decoder reads of one must be a hole with a slot, or stand in the template as it is.
var (
	anything   = loosely()
	literally  = exactly()
	statusForm = &form{end: leafEvent, rest: anything, keys: map[string]*form{
		"id": {hole: holeID, slot: slotID}, "timestamp": {hole: holeTime, slot: slotTime}, "status": literally, "errors": literally,
		"recipient_id": {hole: holePhone, slot: slotPhone}, "recipient_user_id": {hole: holeUser, slot: slotUser},
		"gs_id": nil, "error": nil,
	}}
	messageForm = &form{end: leafEvent, rest: anything, keys: map[string]*form{
		"id": {hole: holeID, slot: slotID}, "timestamp": {hole: holeTime, slot: slotTime}, "type": literally,
		"from": {hole: holePhone, slot: slotPhone}, "from_user_id": {hole: holeUser, slot: slotUser},
	}}
	echoForm = &form{end: leafEvent, rest: anything, keys: map[string]*form{
		"id": {hole: holeID, slot: slotID}, "timestamp": {hole: holeTime, slot: slotTime}, "type": literally,
		"to": {hole: holePhone, slot: slotPhone}, "to_user_id": {hole: holeUser, slot: slotUser},
	}}
	contactsForm = &form{rest: &form{rest: anything, keys: map[string]*form{
		"wa_id": {hole: holePhone, slot: slotContact}, "user_id": {hole: holeUser, slot: slotContactUser},
	}}}
	valueForm = &form{rest: anything, keys: map[string]*form{
		"metadata": {rest: anything, keys: map[string]*form{"phone_number_id": {hole: holeDigits, slot: slotNumber}}},
		"contacts": contactsForm, "errors": nil,
		"statuses": {elements: statusForm}, "messages": {elements: messageForm}, "message_echoes": {elements: echoForm},
	}}
	changeForm  = &form{end: leafChange, rest: literally, keys: map[string]*form{"value": valueForm}}
	entryForm   = &form{rest: anything, keys: map[string]*form{"changes": {elements: changeForm}}}
	webhookForm = &form{rest: anything, keys: map[string]*form{"object": literally, "entry": {elements: entryForm}}}
)

// loosely is the form of what nobody reads: any text and number will do.
func loosely() *form {
	f := &form{hole: holeText}
	f.rest = f
	return f
}

// exactly is the form of what has to stand there as it is.
func exactly() *form {
	f := &form{}
	f.rest = f
	return f
}

// of is the form under a key.
func (f *form) of(key string) *form {
	if known, ok := f.keys[key]; ok {
		return known
	}
	return f.rest
}
