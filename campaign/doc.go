// Package campaign turns a list of recipients and a message into steps, and sends them as soon as the limits allow.
//
// A list goes through it so: [NewPlan] reads and renders it (plan.go); the messages wait in a queue that knows who may go next and when
// (queue.go); one loop lets them leave (pace.go), on a virtual clock for [NewForecast], on the real one for a [Sender], which gives each step
// to a [Provider] and tells a [Journal] before and after; each answer becomes the step's next state (settle.go).
package campaign
