"""The same grouping in plain Python: refusals and earlier sends of each pair."""
import json
import sys

pairs = {}
for line in open(sys.argv[1], "rb"):
    for entry in json.loads(line).get("entry", ()):
        for change in entry["changes"]:
            value = change["value"]
            number = value["metadata"]["phone_number_id"]
            for status in value.get("statuses", ()):
                code = status["errors"][0]["code"] if "errors" in status else 0
                if status["status"] == "sent" or code == 131056:
                    pairs.setdefault((number, status["recipient_id"]), []).append((int(status["timestamp"]), code))

refused = 0
failing = 0
for events in pairs.values():
    if not any(code for _, code in events):
        continue
    failing += 1
    events.sort()
    clear = 0
    for at, code in events:
        if code:
            refused += 1
        else:
            clear = max(clear, at) + 6
print({"pairs": failing, "refused": refused})
