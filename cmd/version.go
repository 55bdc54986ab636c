package cmd

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/wactl/wactl/normalize/numplan"
)

// versionReport is the result of `wactl version`.
type versionReport struct {
	Version      int    `json:"version"`
	Wactl        string `json:"wactl"`
	Go           string `json:"go"`
	Platform     string `json:"platform"`
	PhoneNumbers string `json:"phonenumbers"` // the library whose metadata the plans are, by its version
}

func newVersion(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "version",
		Short:   "Show the version of wactl and of its numbering plans",
		Long:    "Shows the version of wactl, of Go, and of the numbering plans that phone numbers\nare read by.",
		Example: "  wactl version\n  wactl version --format json",
		GroupID: groupSetup,
		Args:    noArgs,
	}
	format := formatFlag(c)
	c.RunE = func(*cobra.Command, []string) error {
		r := versionReport{Version: 1, Wactl: wactlVersion(), Go: runtime.Version(),
			Platform: runtime.GOOS + "/" + runtime.GOARCH, PhoneNumbers: numplan.Version}
		return a.show(format, r, func() {
			a.out.Line("wactl %s (%s, %s)", r.Wactl, r.Go, r.Platform)
			a.out.Line("numbering plans: phonenumbers %s", r.PhoneNumbers)
		})
	}
	return c
}

// wactlVersion is the version that the Go tool stamped into the build.
func wactlVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
