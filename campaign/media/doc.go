// Package media brings files to where a message can name them: local files below one folder (root.go), and files that https links lead to
// (fetch.go). What a file is, its bytes tell and not its name (sniff.go).
//
// The paths and links come from lists, and a list may come from a stranger. So nothing outside the folder is opened, whatever links lead there,
// and no address is called that is not public, whatever a name resolves to or redirects to.
package media
