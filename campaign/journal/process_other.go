//go:build !linux

package journal

// startOf knows nothing here: leases are judged by their heartbeat.
func startOf(int) (started string, lives bool) { return "", true }
