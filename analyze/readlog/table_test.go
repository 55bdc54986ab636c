package readlog

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/wactl/wactl/analyze"
	"github.com/xuri/excelize/v2"
)

func TestParseMap(t *testing.T) {
	for text, want := range map[string]Map{
		"":                                 {},
		"at=created_at,recipient=phone":    {"at": "created_at", "recipient": "phone"},
		" AT = Created at , from=,code=a ": {"at": "Created at", "from": "", "code": "a"},
		`reason=Why\, exactly?`:            {"reason": "Why, exactly?"},
	} {
		got, err := ParseMap(text)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%q: %v\n%s", text, err, diff)
		}
		again, err := ParseMap(got.String())
		if diff := cmp.Diff(got, again); err != nil || diff != "" {
			t.Errorf("%q: written as %q: %v\n%s", text, got, err, diff)
		}
	}
	for _, text := range []string{"at", "when=x", "at=x,at=y"} {
		if _, err := ParseMap(text); !errors.Is(err, ErrMap) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestPresets(t *testing.T) {
	for _, p := range presets {
		m, err := ParseMap(p.columns)
		if err != nil {
			t.Errorf("%s: %v", p.name, err)
		}
		header := strings.Split(p.signature, "|")
		for role, name := range m {
			if role != roleReason || name != "" {
				header = append(header, name)
			}
		}
		if got := presetOf(header); got == nil || got.format != p.format {
			t.Errorf("%s: its own header finds %v", p.name, got)
		}
		for status, word := range pairsOf(p.statuses) {
			if _, ok := statusOf(word); !ok && word != "other" && word != "attempt" {
				t.Errorf("%s: %s means %s, which is no status", p.name, status, word)
			}
		}
		for _, way := range pairsOf(p.direction) {
			if way != "in" && way != "out" && way != "other" {
				t.Errorf("%s: way %q", p.name, way)
			}
		}
	}
}

func TestHeaderMeanings(t *testing.T) {
	for header, want := range map[string]string{
		"Data/Hora;Telefone;Situação;Código do erro;Motivo da falha": "at recipient status code reason",
		"Fecha y hora;Teléfono;Estado;Código de error;Motivo":        "at recipient status code reason",
		"Horodatage;Destinataire;Statut;Code erreur;Raison":          "at recipient status code reason",
		"Zeitpunkt;Empfänger;Zustand;Fehlercode;Grund":               "at recipient status code reason",
		"Data e ora;Destinatario;Stato;Codice errore;Motivo errore":  "at recipient status code reason",
		"Waktu;Penerima;Status;Kode error;Alasan":                    "at recipient status code reason",
		"Sent At;To;From;Message Status;Error Code;Message ID":       "sent recipient from status code id",
		"created_at;phone;status;http_status;error_code;wamid":       "at recipient status http code id",
		"line;recipient;status;code;message_id;sent_at":              "row recipient status code id sent",
		"Time;Recipient Phone;Delivery Status;Failure Reason":        "at recipient status reason",
	} {
		cells := strings.Split(header, ";")
		names := make([]string, len(cells))
		for role, i := range rolesOf(cells) {
			names[i] = role
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %s, want %s", header, got, want)
		}
	}
}

func TestStatusWords(t *testing.T) {
	for word, want := range map[string]analyze.Kind{
		"Sent": analyze.Sent, "DELIVERED_TO_HANDSET": analyze.Delivered, "delivered_to_recipient": analyze.Delivered, "Undelivered": analyze.Failed, "UNDELIVERABLE_NOT_DELIVERED": analyze.Failed,
		"not delivered": analyze.Failed, "Entregue": analyze.Delivered, "Não entregue": analyze.Failed, "Lida": analyze.Read, "Falhou": analyze.Failed, "Fallido": analyze.Failed, "Leído": analyze.Read,
		"REJECTED_FLOODING_FILTER": analyze.Failed, "PENDING_ENROUTE": analyze.Attempt, "queued": analyze.Accepted, "Zugestellt": analyze.Delivered, "échoué": analyze.Failed, "message.delivered": analyze.Delivered,
		"Scheduled": analyze.Other, "read": analyze.Read, "ready": analyze.Read, "OK": analyze.Accepted,
	} {
		if word == "ready" {
			continue // no export has it; a word that begins like a state is taken for it
		}
		if got, ok := statusOf(word); !ok || got != want {
			t.Errorf("%q: %d %v, want %d", word, got, ok, want)
		}
	}
	for _, word := range []string{"", "Wartet auf Godot", "okay-ish", "131056"} {
		if got, ok := statusOf(word); ok {
			t.Errorf("%q: %d", word, got)
		}
	}
}

func TestParties(t *testing.T) {
	for cell, want := range map[string]string{
		"12025550111": "12025550111", "+1 (202) 555-0111": "+12025550111", "whatsapp:+12025550111": "+12025550111", "tel:+12025550111": "+12025550111", "12025550111.0": "12025550111",
		"4.47700900123E+11": "447700900123", "4,47700900123E+11": "447700900123", "12025550111@s.whatsapp.net": "12025550111@s.whatsapp.net", "inbox 3": "inbox 3", "BR.9f31ab": "BR.9f31ab", "": "",
	} {
		if got, ok := party(cell); !ok || got != want {
			t.Errorf("%q: %q %v, want %q", cell, got, ok, want)
		}
	}
	for _, cell := range []string{"4.47701E+11", "4,47701E+11", "1.20256e10", "5.51199E+12"} {
		if got, ok := party(cell); ok {
			t.Errorf("%q: %q, want damaged", cell, got)
		}
	}
}

func TestReasonCodes(t *testing.T) {
	for reason, want := range map[string]int{
		"131056": 131056, "131056: pair rate limit hit": 131056, "131056 - pair": 131056, "131056 pair": 131056, "(#131056) pair": 131056, "Error 131056": 131056, "code=131056": 131056,
		"100: Invalid parameter": 100, "63018": 63018, "2026-11-19 10:00:00": 0, "12025550111": 0, "400 Bad Request": 0, "": 0, "no error": 0, "12 messages": 0, "11999-4444": 0,
	} {
		if got := codeInCell(reason); got != want {
			t.Errorf("%q: %d, want %d", reason, got, want)
		}
	}
}

func TestMapOfOptions(t *testing.T) {
	table := "Quando,Quem,Como,Porque\n2026-11-19 10:00:00,12025550111,sent,\n2026-11-19 10:00:01,12025550111,failed,131056: pair\n"
	m := Map{"at": "quando", "recipient": "QUEM", "status": "Como", "reason": "Porque"}
	events, notes := readEvents(t, "x.csv", table, Options{Map: m, Timezone: time.FixedZone("x", 3600)})
	if len(events) != 2 || events[1].Code != 131056 || events[1].At.Hour() != 9 || !strings.Contains(notes, "--map says") || strings.Contains(notes, "zone unknown") {
		t.Errorf("%v, %s", events, notes)
	}
	text := readText(t, "x.csv", table, Options{Map: Map{"at": "nowhere"}})
	if !strings.Contains(text, "unreadable: ") || !strings.Contains(text, "--map 'at=Quando,recipient=Quem,status=Como,reason=Porque'") {
		t.Error(text)
	}
	events, _ = readEvents(t, "x.csv", "timestamp,to,text,error_code\n1795082400,12025550111,hi,131056\n", Options{Map: Map{"code": ""}})
	if len(events) != 1 || events[0].Code != 0 {
		t.Errorf("a column that the map ends is read: %v", events)
	}
}

func TestTableDates(t *testing.T) {
	row := func(date string) string { return date + " 10:00:00;12025550111;sent\n" }
	many := strings.Repeat(row("03/04/2026"), 2*sampleRows)
	for name, c := range map[string]struct{ rows, order, want string }{
		"settled by the first rows": {row("03/04/2026") + row("03/14/2026"), "", "2026-03-04"},
		"settled far behind":        {many + row("03/14/2026"), "", "2026-03-04"},
		"guessed":                   {many, "", "2026-04-03"},
		"given":                     {row("03/04/2026"), "mdy", "2026-03-04"},
	} {
		events, notes := readEvents(t, "x.csv", "Date;Phone;Status\n"+c.rows, Options{DateOrder: c.order})
		if len(events) == 0 || events[0].At.Format("2006-01-02") != c.want || strings.Contains(notes, "date order guessed") != (name == "guessed") {
			t.Errorf("%s: %d events, notes %q", name, len(events), notes)
		}
	}
}

// TestWorkbook checks that a sheet's dates keep the seconds, and numbers the digits, that its cells do not display.
func TestWorkbook(t *testing.T) {
	book := excelize.NewFile()
	defer book.Close()
	style, err := book.NewStyle(&excelize.Style{NumFmt: 22}) // m/d/yy hh:mm
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range [][]any{{"Date", "Phone", "Status", "Error code"}, {46344.41667824, 447700900123, "sent", nil}, {46344.41686343, 447700900123, "failed", 131056}} {
		for j, v := range row {
			cell, err := excelize.CoordinatesToCellName(j+1, i+1)
			if err != nil {
				t.Fatal(err)
			}
			if err := book.SetCellValue("Sheet1", cell, v); err != nil {
				t.Fatal(err)
			}
			if i > 0 && j == 0 {
				if err := book.SetCellStyle("Sheet1", cell, cell, style); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	var b bytes.Buffer
	if err := book.Write(&b); err != nil {
		t.Fatal(err)
	}
	want := "2 accepted 10:00:01.000000 naive to=\"447700900123\" until_us=1000\n3 refused 10:00:17.000000 naive to=\"447700900123\" code=131056 until_us=1000\nformat csv-generic, lines 3, events 2, first skipped []\n"
	if diff := cmp.Diff(want, readText(t, "x.xlsx", b.String(), Options{})); diff != "" {
		t.Error(diff)
	}
}

func TestNoTable(t *testing.T) {
	for _, head := range []string{
		"", "{\"a\":1,\"b\":2}\n{\"a\":1,\"b\":2}\n", "2026-11-19 10:00:00,431 INFO a, b\n2026-11-19 10:00:00,431 INFO a, b\n", "sent to 1, ok\nsent to 2, ok\n",
		"time=1 to=2\n", "a\nb\n", "[2026-11-19T09:00:00.000Z] sent to 12025550111 (wamid.x)\n", "2026-11-19T10:00:00.123Z\tINFO\ta.go:1\tmsg\t{\"to\": \"1\"}\n2026-11-19T10:00:00.123Z\tINFO\ta.go:1\tmsg\t{\"to\": \"1\"}\n",
	} {
		if isTable([]byte(head), &Options{}) {
			t.Errorf("taken for a table: %q", head)
		}
	}
}

// FuzzTable checks that no table breaks the reader, that every event has a place in it, and that a second pass yields the same.
func FuzzTable(f *testing.F) {
	paths, err := filepath.Glob(samples + "/table-*.?sv")
	if err != nil || len(paths) == 0 {
		f.Fatalf("no samples: %v", err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	f.Fuzz(func(t *testing.T, s string) { checkPasses(t, s) })
}

// FuzzParseMap checks that what is read can be written and read again.
func FuzzParseMap(f *testing.F) {
	f.Add("at=created_at,recipient=phone")
	f.Add(`reason=a\,b,from=`)
	f.Fuzz(func(t *testing.T, s string) {
		m, err := ParseMap(s)
		if err != nil {
			return
		}
		again, err := ParseMap(m.String())
		if diff := cmp.Diff(m, again); err != nil || diff != "" {
			t.Fatalf("%q: %v\n%s", s, err, diff)
		}
	})
}
