"""The plain way in Python: csv, phonenumbers, a set. python3 normalize.py LIST OUT"""
import csv
import sys

import phonenumbers


def main(source, target):
    seen = set()
    with open(source, newline="", encoding="utf-8") as src, open(target, "w", newline="", encoding="utf-8") as dst:
        rows, out = csv.reader(src), csv.writer(dst, lineterminator="\n")
        header = next(rows)
        out.writerow(header)
        phone = header.index("phone")
        for row in rows:
            try:
                n = phonenumbers.parse(row[phone], "BR")
            except phonenumbers.NumberParseException:
                continue
            if not phonenumbers.is_valid_number(n):
                continue
            phonenumbers.number_type(n)
            e164 = phonenumbers.format_number(n, phonenumbers.PhoneNumberFormat.E164)
            if e164 in seen:
                continue
            seen.add(e164)
            row[phone] = e164
            out.writerow(row)
    print(len(seen))


main(*sys.argv[1:])
