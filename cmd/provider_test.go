package cmd

import (
	"testing"

	"github.com/wactl/wactl/campaign/cloudapi"
	"github.com/wactl/wactl/campaign/emulator"
	"github.com/wactl/wactl/campaign/journal"
)

// TestQuestion names the provider where it is not the platform, and any host that is not the provider's own.
func TestQuestion(t *testing.T) {
	for _, c := range []struct{ provider, url, want string }{
		{"cloud", "https://graph.facebook.com", "Send from number 12?"},
		{"cloud", "https://example.com", "Send from number 12 to example.com, which is not Meta's own host?"},
		{"cloud", "https://graph.facebook.com.example.com", "Send from number 12 to graph.facebook.com.example.com, which is not Meta's own host?"},
		{"cloud", "https://apis.vectalk.com.br", "Send from number 12 to apis.vectalk.com.br, which is not Meta's own host?"},
		{"cloud", "http://127.0.0.1:8025", "Send from number 12 to 127.0.0.1:8025?"},
		{"vectalk", "https://apis.vectalk.com.br", "Send from number 12 through Vectalk?"},
		{"vectalk", "https://apis.vectalk.com.br:8443", "Send from number 12 through Vectalk to apis.vectalk.com.br:8443, which is not Vectalk's own host?"},
		{"genuka", "https://WA.genuka.com", "Send from number 12 through Genuka WA?"},
		{"genuka", "https://graph.facebook.com", "Send from number 12 through Genuka WA to graph.facebook.com, which is not Genuka WA's own host?"},
		{"genuka", "http://localhost:1", "Send from number 12 through Genuka WA to localhost:1?"},
	} {
		if got := question(journal.Target{Provider: c.provider, BaseURL: c.url, NumberID: "12"}, "number 12"); got != c.want {
			t.Errorf("%s at %s: %q, want %q", c.provider, c.url, got, c.want)
		}
	}
}

// TestProviderTable holds that each provider opens with its own address, and that the emulator has a face for it.
func TestProviderTable(t *testing.T) {
	if len(providers) != 3 {
		t.Fatalf("%d providers", len(providers))
	}
	for _, p := range providers {
		if _, err := p.open(cloudapi.Config{BaseURL: p.baseURL, Token: "x"}, p.path, p.digits); err != nil {
			t.Errorf("%s: %v", p.name, err)
		}
		if err := (emulator.Options{Provider: p.name}).Validate(); err != nil {
			t.Errorf("%s: %v", p.name, err)
		}
		if providerOf(p.name).title != p.title || !p.ownHost(p.baseURL) || p.idHint == "" {
			t.Errorf("%s: its row is not whole", p.name)
		}
	}
}

// TestTokenOfAProvider shows no provider the key that another's variable holds.
func TestTokenOfAProvider(t *testing.T) {
	env := map[string]string{"WHATSAPP_TOKEN": "meta", "GENUKA_WA_API_KEY": "genuka"}
	for provider, want := range map[string]string{"cloud": "meta", "vectalk": "", "genuka": "genuka"} {
		a, c, _ := tokenCommand(env, "")
		choiceFlag(c, "provider", "", providerNames()...)
		if err := c.Flags().Set("provider", provider); err != nil {
			t.Fatal(err)
		}
		if token, _, err := a.token(c); token != want || (err != nil) != (want == "") {
			t.Errorf("%s: %q, %v; want %q", provider, token, err, want)
		}
	}
}
