// Package report shows what lint found: problems of lists go in, one face each for people and for other systems comes out.
//
// Start at Report (report.go). People read Text (text.go); Write (faces.go) knows every other face by its name, and each face
// is one file. Before that, Policy leaves out or re-grades problems and Baseline leaves out the known ones. The page of each
// rule is one file in rules, which its examples test.
//
// A list is a stranger's text: each face escapes cells for its own place, and the faces made for other systems hide numbers.
package report
