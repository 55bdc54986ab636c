// Package journal keeps the durable story of campaigns in one SQLite file: what is to go, what was asked, what was answered.
//
// A send goes through it so: [Open] the file, [Store.Acquire] the right to send, [Store.Find] the campaign or [Store.Create] it,
// [Store.Compare] it with the file, [Lease.Run] it, [Run.Recover] what a dead run left open, then [Run.Commit] intents and answers
// until [Run.Finish]. Everything that sends nothing, like [Store.Counts] and [Store.Rows], needs no lease.
//
// An intent is on disk before its request leaves, and a Run writes nothing once its lease is gone. So a killed, stopped or copied
// sender never sends a message a second time: what it cannot know becomes uncertain.
package journal
