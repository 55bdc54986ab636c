package cmd

import (
	"net/url"
	"slices"
	"strings"

	"github.com/wactl/wactl/campaign"
	"github.com/wactl/wactl/campaign/cloudapi"
	"github.com/wactl/wactl/campaign/genuka"
	"github.com/wactl/wactl/campaign/vectalk"
)

// providerRow is one way to the platform, as the command line knows it.
type providerRow struct {
	name    string // of --provider
	title   string // for people
	idHint  string // what --phone-number-id is
	baseURL string // its own host, without a slash at the end
	path    string // of messages below it; empty where --api-path has no meaning
	digits  bool   // recipients go without "+" unless --recipient-format says else
	token   string // the variable that other tools keep its token in; empty where there is none
	lost    string // what its users must know about messages whose answer never came; empty where webhooks settle them
	open    func(c cloudapi.Config, path string, digits bool) (campaign.Provider, error)
}

// providers is the table of providers; the first is the default.
var providers = []providerRow{
	{name: "cloud", title: "the Cloud API", idHint: "it is the number's id, digits only, not the number itself",
		baseURL: cloudapi.DefaultBaseURL, token: "WHATSAPP_TOKEN",
		open: func(c cloudapi.Config, _ string, _ bool) (campaign.Provider, error) { return cloudapi.New(c) }},
	{name: "vectalk", title: "Vectalk", idHint: "it names the number in your records; the instance token says which number sends",
		baseURL: vectalk.DefaultBaseURL, path: vectalk.DefaultPath,
		open: func(c cloudapi.Config, path string, digits bool) (campaign.Provider, error) {
			return vectalk.New(vectalk.Config{Config: c, Path: path, Digits: digits})
		}},
	{name: "genuka", title: "Genuka WA", idHint: "it is the connectionId of the number",
		baseURL: genuka.DefaultBaseURL, path: genuka.DefaultPath, digits: true, token: "GENUKA_WA_API_KEY",
		lost: "Genuka WA passes no callback data on, so no webhook can settle them",
		open: func(c cloudapi.Config, path string, digits bool) (campaign.Provider, error) {
			return genuka.New(genuka.Config{Config: c, Path: path, Plus: !digits})
		}},
}

func providerNames() []string {
	names := make([]string, len(providers))
	for i, p := range providers {
		names[i] = p.name
	}
	return names
}

// providerOf is a provider by its name. The sandbox, and what a newer state may name, count as the platform.
func providerOf(name string) providerRow {
	if i := slices.IndexFunc(providers, func(p providerRow) bool { return p.name == name }); i >= 0 {
		return providers[i]
	}
	return providers[0]
}

// ownHost says that baseURL leads to the provider's own host and to no other.
func (p providerRow) ownHost(baseURL string) bool {
	own, err := url.Parse(p.baseURL)
	if err != nil {
		return false
	}
	u, err := url.Parse(baseURL)
	return err == nil && u.Scheme == own.Scheme && strings.EqualFold(u.Host, own.Host)
}

// whose is the provider's name before the word host.
func (p providerRow) whose() string {
	if p.name == providers[0].name {
		return "Meta's"
	}
	return p.title + "'s"
}
