package normalize

import (
	"testing"
	"unicode"
)

// TestPhoneHeaders holds which headers mean a phone, and how good a one.
func TestPhoneHeaders(t *testing.T) {
	tests := map[string]int{
		"Celular (WhatsApp)": rankWhatsApp, "No. HP/WA": rankWhatsApp, "رقم الواتساب": rankWhatsApp, "whatsapp_number": rankWhatsApp, "wa_id": rankWhatsApp,
		"Mobile Phone Number": rankMobile, "Handynummer": rankMobile, "رقم الجوال 2": rankMobile, "モバイル": 0, "携帯": rankMobile, "cep telefonu": rankMobile,
		"Phone 2 - Value": rankPhone, "Telefon": rankPhone, "phone2": rankPhone, "電話番号": rankPhone,
		"Default Address Phone": rankOther, "Mother's phone": rankOther, "Telefone do cliente": rankOther, "Shipping Phone": rankOther,
		"number":         rankLoose,
		"Phone 1 - Type": 0, "phone_country_code": 0, "WhatsApp opt-in": 0, "Phone verified": 0, "telefone_tipo": 0, "text": 0, "body.1": 0, "header.text": 0,
	}
	for header, want := range tests {
		got := 0
		for _, m := range meaningsOf(header) {
			if m.role == RolePhone {
				got = m.kind
			}
		}
		if got != want {
			t.Errorf("%q has rank %d, want %d", header, got, want)
		}
	}
}

// TestDigitsOfAllScripts holds the value of every decimal digit against its Unicode name.
func TestDigitsOfAllScripts(t *testing.T) {
	seen := 0
	for c := rune(0); c <= unicode.MaxRune; c++ {
		if !unicode.Is(unicode.Nd, c) {
			continue
		}
		seen++
		if want := writtenDigits(string(c)); want != "" && want != string('0'+digitValue(c)) {
			t.Errorf("%U has the value %d, its name says %s", c, digitValue(c), want)
		}
	}
	if seen < 600 {
		t.Fatalf("only %d digits: this test proves nothing", seen)
	}
}
