// Package cost tells what a campaign costs, by the prices of a file that its user gives. No price is built in.
//
// [ReadRates] reads the prices; a [Bill] takes one message after the other and sums them up per market and category. Which calling code belongs
// to which market is a table (markets.go), and so is what is free and since when (free.go): both change, so each row has its date.
package cost
