package normalize

import (
	"testing"
	"unicode/utf8"
)

func TestRisky(t *testing.T) {
	for cell, want := range map[string]bool{
		"=1+1": true, "@SUM(A1)": true, "-2+3": true, "+1-1": true, "\t=1+1": true, "\r=1": true, "＝1+1": true, "=HYPERLINK(\"x\")": true, "- nota": true,
		"Ana": false, "": false, "-": false, "---": false, "-5": false, "-1.234,50": false, "+12%": false, "+55 11 96123-4567": false, "+5511961234567": false,
		"a=b": false, "\tAna": false, "１": false,
	} {
		if got := cell != "" && risky(cell); got != want {
			t.Errorf("%q: %v, want %v", cell, got, want)
		}
		if safe := SafeCell(cell); want != (safe == "'"+cell) || !want && safe != cell {
			t.Errorf("%q became %q", cell, safe)
		}
	}
}

func TestMisread(t *testing.T) {
	for cell, want := range map[string]string{
		"JosÃ©": "José", "SÃ£o Paulo": "São Paulo", "â€œDaviâ€\u009d": "“Davi”", "ðŸŒ»": "🌻", "Ð\u0098Ð²Ð°Ð½": "Иван",
		"José": "", "São Paulo": "", "IRMÃ": "", "MAÇÃ’S": "", "Ângela": "", "Ñandú": "", "🌻 Ana": "", "Ana": "", "Åsa": "",
	} {
		got, ok := misread(cell)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q %v, want %q", cell, got, ok, want)
		}
	}
}

func FuzzCells(f *testing.F) {
	for _, s := range []string{"", "=1", "JosÃ©", "\xc3", "\t", "＝", "-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		if cell == "" {
			return
		}
		if safe := SafeCell(cell); risky(safe) {
			t.Errorf("%q became %q, which a spreadsheet calculates", cell, safe)
		}
		if meant, ok := misread(cell); ok && !utf8.ValidString(meant) {
			t.Errorf("%q should be %q, which is no text", cell, meant)
		}
	})
}
