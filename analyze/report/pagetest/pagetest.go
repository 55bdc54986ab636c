// Package pagetest looks at the pages that reports write, in a headless Chromium: at any width, light and dark, on paper and by keyboard. Only tests
// import it.
package pagetest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Browser is a headless Chromium that listens on a pair of pipes: no port is opened.
type Browser struct {
	T       *testing.T // the test that is running; a subtest sets itself
	in      io.Writer
	out     *bufio.Reader
	session string
	last    int
	events  []cdpMessage // of this page, since it was opened
}

type cdpMessage struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// chromium is a browser's command, or the test is skipped.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium in PATH: the page was not looked at in a browser; install chromium to have that checked")
	return ""
}

// Open starts the browser, which ends with the test. Where none is installed, the test is skipped.
func Open(t *testing.T) *Browser {
	t.Helper()
	c := exec.CommandContext(t.Context(), chromium(t), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--disable-background-networking", "--no-first-run", "--remote-debugging-pipe", "--user-data-dir="+t.TempDir(), "about:blank")
	toRead, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, toWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c.ExtraFiles = []*os.File{toRead, toWrite} // descriptors 3 and 4
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	toRead.Close()
	toWrite.Close()
	b := &Browser{T: t, in: in, out: bufio.NewReader(out)}
	t.Cleanup(func() {
		b.session = ""
		io.WriteString(in, `{"id":1000000,"method":"Browser.close"}`+"\x00")
		io.Copy(io.Discard, out) // until it is gone: its profile is removed next
		c.Wait()
		in.Close()
		out.Close()
		if t.Failed() {
			t.Logf("the browser said: %s", said.String())
		}
	})
	return b
}

// Call asks the browser to do something and waits for its answer; events that come before are kept.
func (b *Browser) Call(method string, params map[string]any, result any) {
	b.T.Helper()
	b.last++
	request := map[string]any{"id": b.last, "method": method, "params": params}
	if b.session != "" {
		request["sessionId"] = b.session
	}
	text, err := json.Marshal(request)
	if err != nil {
		b.T.Fatal(err)
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		b.T.Fatalf("%s: %v", method, err)
	}
	for {
		m := b.next()
		if m.ID != b.last {
			continue
		}
		if m.Error != nil {
			b.T.Fatalf("%s: %s", method, m.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				b.T.Fatalf("%s: %v", method, err)
			}
		}
		return
	}
}

// next is the next message of the browser.
func (b *Browser) next() (m cdpMessage) {
	b.T.Helper()
	text, err := b.out.ReadBytes(0)
	if err != nil {
		b.T.Fatalf("the browser is gone: %v", err)
	}
	if err := json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &m); err != nil {
		b.T.Fatal(err)
	}
	if m.Method != "" {
		b.events = append(b.events, m)
	}
	return m
}

// Show shows a page in a new tab of a size, and waits until it is loaded.
func (b *Browser) Show(path string, width int, media, scheme string) {
	b.T.Helper()
	b.session = ""
	var target struct{ TargetID, SessionID string }
	b.Call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	b.Call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &target)
	b.session, b.events = target.SessionID, nil
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.Call(domain+".enable", nil, nil)
	}
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}, nil)
	b.media(media, scheme)
	b.Call("Page.navigate", map[string]any{"url": "file://" + path}, nil)
	for {
		if m := b.next(); m.Method == "Page.loadEventFired" {
			return
		}
	}
}

func (b *Browser) media(kind, scheme string) {
	b.T.Helper()
	b.Call("Emulation.setEmulatedMedia", map[string]any{"media": kind, "features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// Eval runs an expression in the page, which the page itself may not.
func (b *Browser) Eval(expression string, value any) {
	b.T.Helper()
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct{ Text string }
	}
	b.Call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &answer)
	if answer.ExceptionDetails != nil {
		b.T.Fatalf("%s: %s", expression, answer.ExceptionDetails.Text)
	}
	if err := json.Unmarshal(answer.Result.Value, value); err != nil {
		b.T.Fatalf("%s: %v", expression, err)
	}
}

// Quiet fails where the page asked for anything but itself, or had anything to complain about.
func (b *Browser) Quiet(path string) {
	b.T.Helper()
	asked := 0
	for _, m := range b.events {
		switch m.Method {
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			if err := json.Unmarshal(m.Params, &p); err != nil {
				b.T.Fatal(err)
			}
			if asked++; p.Request.URL != "file://"+path && !strings.HasPrefix(p.Request.URL, "data:") {
				b.T.Errorf("the page asks for %s", p.Request.URL)
			}
		case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded":
			b.T.Errorf("%s: %s", m.Method, m.Params)
		}
	}
	if asked == 0 {
		b.T.Error("no request was seen, not even for the page")
	}
}

// shot keeps a picture of the page for people in the folder that WACTL_TEST_SHOTS names.
func (b *Browser) shot(name string, width int) {
	b.T.Helper()
	folder := os.Getenv("WACTL_TEST_SHOTS")
	if folder == "" {
		return
	}
	var picture struct{ Data []byte }
	b.Call("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true, "clip": map[string]any{"x": 0, "y": 0, "width": width, "height": 1900, "scale": 1}}, &picture)
	if err := os.WriteFile(filepath.Join(folder, name+".png"), picture.Data, 0o644); err != nil {
		b.T.Fatal(err)
	}
}

// File writes a page into a folder of the test and is its path.
func File(t *testing.T, html []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, html, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// contrasts is the least contrast of any text in the page with what is behind it, and that text.
const contrasts = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgb = c => { canvas.clearRect(0,0,1,1); canvas.fillStyle = c; canvas.fillRect(0,0,1,1); return [...canvas.getImageData(0,0,1,1).data]; };
  const light = c => c.slice(0,3).map(v => v/255).map(v => v <= .03928 ? v/12.92 : ((v+.055)/1.055)**2.4).reduce((s,v,i) => s + v*[.2126,.7152,.0722][i], 0);
  const ground = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c[3] > 250) return c; } return [255,255,255,255]; };
  let least = {ratio: 99, text: ''};
  for (const e of document.querySelectorAll('body *')) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || e.closest('svg')) continue;
    const a = light(rgb(getComputedStyle(e).color)), b = light(ground(e));
    const ratio = (Math.max(a,b)+.05)/(Math.min(a,b)+.05);
    if (ratio < least.ratio) least = {ratio, text: e.textContent.trim().slice(0,60)};
  }
  return least;
})()`

// untold are the parts of the page that a keyboard or a screen reader could not use.
const untold = `(() => {
  const faults = [];
  for (const t of document.querySelectorAll('table')) if (!t.caption || !t.caption.textContent.trim()) faults.push('a table without a caption');
  for (const h of document.querySelectorAll('thead th')) if (h.scope !== 'col') faults.push('a column head without scope');
  for (const s of document.querySelectorAll('svg')) for (const id of s.getAttribute('aria-labelledby').split(' '))
    if (!document.getElementById(id)?.textContent.trim()) faults.push('a drawing without the words ' + id);
  for (const a of document.querySelectorAll('[aria-labelledby]')) for (const id of a.getAttribute('aria-labelledby').split(' '))
    if (!document.getElementById(id)) faults.push('no element is called ' + id);
  let level = 0;
  for (const h of document.querySelectorAll('h1,h2,h3,h4')) { const n = +h.tagName[1]; if (n > level + 1) faults.push('from h' + level + ' to ' + h.tagName); level = n; }
  const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
  if (new Set(ids).size !== ids.length) faults.push('an id stands twice');
  for (const n of ['header', 'main', 'footer', 'h1']) if (document.querySelectorAll(n).length !== 1) faults.push('not one ' + n);
  for (const a of document.querySelectorAll('a')) if (!document.querySelector(a.getAttribute('href'))) faults.push('a link to nothing');
  if (!document.documentElement.lang || !document.title) faults.push('no language or no title');
  return faults;
})()`

// sticksOut is the first element that is wider than the window, if the page is.
const sticksOut = `(() => {
  document.querySelectorAll('details').forEach(d => d.open = true);
  if (document.documentElement.scrollWidth <= innerWidth) return '';
  for (const e of document.querySelectorAll('body *')) if (e.getBoundingClientRect().right > innerWidth + 1) return e.outerHTML.slice(0, 200);
  return 'the page is ' + document.documentElement.scrollWidth + ' wide';
})()`

// Check looks at the page that is shown: nothing sticks out, all text can be read, colours follow the scheme, nothing needs eyes or a mouse, and no
// script ran. A script of a stranger's text gives itself away by setting window.pwned.
func (b *Browser) Check(name string, width int, scheme string) {
	b.T.Helper()
	b.shot(fmt.Sprintf("%s-%d-%s", name, width, scheme), width)
	var wide string
	if b.Eval(sticksOut, &wide); wide != "" {
		b.T.Errorf("wider than %d: %s", width, wide)
	}
	var least struct {
		Ratio float64
		Text  string
	}
	if b.Eval(contrasts, &least); least.Ratio < 4.5 {
		b.T.Errorf("the contrast of %q is %.1f", least.Text, least.Ratio)
	}
	var dark bool
	if b.Eval(`getComputedStyle(document.body).backgroundColor.match(/\d+/)[0] < 100`, &dark); dark != (scheme == "dark") {
		b.T.Errorf("a page in %s is dark: %t", scheme, dark)
	}
	var faults []string
	if b.Eval(untold, &faults); len(faults) > 0 {
		b.T.Errorf("not for everybody: %v", faults)
	}
	var pwned string
	if b.Eval(`String(window.pwned)`, &pwned); pwned != "undefined" {
		b.T.Error("a script of a stranger ran")
	}
}

// Keyboard checks that the first key leads past the header, visibly. Show the page on a screen before.
func (b *Browser) Keyboard() {
	b.T.Helper()
	var focused string
	for range 2 { // the first key goes to the page, the second moves on
		b.Call("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}, nil)
		if focused == "" {
			b.Eval(`document.activeElement.className + ' ' + (document.activeElement.getBoundingClientRect().left >= 0)`, &focused)
		}
	}
	if focused != "skip true" {
		b.T.Errorf("the first key stop is %q, and not the visible way to the report", focused)
	}
	var outline string
	if b.Eval(`getComputedStyle(document.activeElement).outlineStyle`, &outline); outline != "solid" {
		b.T.Errorf("what has the focus shows it by %q", outline)
	}
}

// Paper checks that closed tables are printed, on white. Show the page for print before.
func (b *Browser) Paper() {
	b.T.Helper()
	var shown struct{ Closed, Visible int }
	b.Eval(`({closed: document.querySelectorAll('details:not([open])').length,
	  visible: [...document.querySelectorAll('details table')].filter(t => t.checkVisibility({contentVisibilityAuto: true}) && t.offsetHeight > 0).length})`, &shown)
	if shown.Closed == 0 || shown.Visible != shown.Closed {
		b.T.Errorf("of %d closed tables %d are printed", shown.Closed, shown.Visible)
	}
	var white bool
	if b.Eval(`getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)'`, &white); !white {
		b.T.Error("paper is not white")
	}
	var pdf struct{ Data []byte }
	if b.Call("Page.printToPDF", nil, &pdf); !bytes.HasPrefix(pdf.Data, []byte("%PDF")) {
		b.T.Error("nothing is printed")
	}
}
