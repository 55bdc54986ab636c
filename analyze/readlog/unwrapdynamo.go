package readlog

import (
	"encoding/json"
	"slices"
)

// dynamoTypes are the names that DynamoDB puts around a value to say what it is.
var dynamoTypes = []string{"S", "N", "BOOL", "NULL", "M", "L", "B", "SS", "NS", "BS"}

// openDynamo reads items of DynamoDB: an export, a scan of the command line, or a change that its stream tells of.
func openDynamo(_ *pass, r record, o object) (inner []record, ok bool) {
	for _, key := range []string{"Items", "Records"} {
		if l := list(o[key]); len(l) > 0 && (isTyped(obj(l[0])) || at(l[0], "dynamodb") != nil) {
			return each(r, o[key]), true
		}
	}
	for _, way := range [][]string{{"Item"}, {"dynamodb", "NewImage"}, {"NewImage"}} {
		if item := obj(at(o, way...)); isTyped(item) {
			return []record{r.within(untyped(object{"M": item}, 0))}, true
		}
	}
	if !isTyped(o) {
		return nil, false
	}
	return []record{r.within(untyped(object{"M": o}, 0))}, true
}

// isTyped says whether every value of o has its type around it.
func isTyped(o object) bool {
	keys := sortedKeys(o)
	return len(keys) > 0 && !slices.ContainsFunc(keys, func(key string) bool { return typeOf(o[key]) == "" })
}

// typeOf is the type that stands around a value, empty if none does.
func typeOf(v any) string {
	o := obj(v)
	if keys := sortedKeys(o); len(keys) == 1 && slices.Contains(dynamoTypes, keys[0]) {
		return keys[0]
	}
	return ""
}

// untyped is a value without the types around it.
func untyped(v any, depth int) any {
	kind := typeOf(v)
	inside := obj(v)[kind]
	switch {
	case kind == "" || depth > maxLiteralDepth:
		return v
	case kind == "M":
		plain := object{}
		for key, e := range obj(inside) {
			plain[key] = untyped(e, depth+1)
		}
		return plain
	case kind == "L":
		plain := []any{}
		for _, e := range list(inside) {
			plain = append(plain, untyped(e, depth+1))
		}
		return plain
	case kind == "N":
		return json.Number(str(inside))
	case kind == "NULL":
		return nil
	}
	return inside
}
