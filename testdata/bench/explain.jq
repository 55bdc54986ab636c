# Only the extraction that the grouping needs, one line a status: what jq can do without holding the log. The grouping would come on top.
.entry[]?.changes[]?.value | .metadata.phone_number_id as $n | .statuses[]? | [$n, .recipient_id, .timestamp, .status, .errors[0].code // 0] | @tsv
