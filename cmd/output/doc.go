// Package output is the only room that knows terminals: results go to Streams.Out, and notes, progress, errors and questions to Streams.Err.
//
// Every text passes Safe on its way out, and Mask where the user asked for it, so a command hands over what it knows and no escape codes.
package output
