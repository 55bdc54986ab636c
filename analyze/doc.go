// Package analyze finds, for each message refused with 131056, the earlier burst that spent its pair's quota.
//
// Readers in analyze/readlog turn logs into events (event.go, log.go). A first pass reduces them to small facts in a Ledger (fact.go, ledger.go), which
// keeps them in some 12 bytes each (store.go); those of one message are joined, on one clock and under one name for each person (join.go, message.go, clock.go, identity.go), in an order
// that does not depend on which ledger met what first (renumber.go), and become one timeline a pair
// (pair.go, readings.go). A second pass reads the records around failures again (detail.go), from which patterns.go names a cause, never without its evidence.
// All ends in one Report (report.go, finding.go, incident.go). WhatIf and Calibrate ask other questions of the same ledger.
//
// Nothing here reads a file, a clock or the network, and nothing can send.
package analyze
