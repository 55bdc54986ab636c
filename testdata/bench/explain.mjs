// The same grouping in DuckDB's SQL: refusals and the sends of the 300 seconds before each, by pair.
import { DuckDBInstance } from "@duckdb/node-api";

const connection = await (await DuckDBInstance.create(":memory:", { threads: process.env.THREADS ?? "2" })).connect();
const reader = await connection.runAndReadAll(`
  with entries as (select unnest(entry) as e from read_json('${process.argv[2]}', format = 'newline_delimited', columns = {
         entry: 'STRUCT(changes STRUCT("value" STRUCT(metadata STRUCT(phone_number_id VARCHAR), statuses STRUCT(id VARCHAR, status VARCHAR, "timestamp" VARCHAR, recipient_id VARCHAR, errors STRUCT(code BIGINT)[])[]))[])[]'})),
  changes as (select unnest(e.changes) as c from entries),
  statuses as (select c.value.metadata.phone_number_id as number, unnest(c.value.statuses) as s from changes),
  sends as (select number, s.recipient_id as recipient, s.id as id, s.status as status, cast(s.timestamp as bigint) as ts, coalesce(s.errors[1].code, 0) as code from statuses where s.status in ('sent', 'failed')),
  history as (select *, count(*) filter (status = 'sent') over (partition by number, recipient order by ts range between 300 preceding and current row) as before from sends)
  select count(distinct (number, recipient)) as pairs, count(*) as refused, sum(before)::bigint as before from history where code = 131056`);
console.log(reader.getRowObjects());
