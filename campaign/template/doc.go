// Package template turns one row of a campaign file into the message that its recipient gets.
//
// The flow: Parse reads a template as the API returns it, NewContent binds every value to a flag or a column once, Content.Render fills
// one row in and checks it against the platform's length and character rules (rules.go, forms.go), Message.Hash tells two contents apart.
// Characters are Unicode code points everywhere.
package template
