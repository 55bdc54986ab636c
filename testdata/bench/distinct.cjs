// DuckDB, which only drops rows whose phone cell is the same text; it knows nothing of numbers and the order is lost.
// node distinct.cjs LIST OUT; @duckdb/node-api is found through NODE_PATH.
const { DuckDBInstance } = require('@duckdb/node-api');

const text = (s) => `'${s.replaceAll("'", "''")}'`;

async function main([list, out]) {
  const db = await (await DuckDBInstance.create(':memory:')).connect();
  await db.run('SET preserve_insertion_order = false');
  await db.run(`COPY (SELECT phone, any_value(columns(* EXCLUDE phone)) FROM read_csv(${text(list)}, header = true, all_varchar = true) GROUP BY phone)
    TO ${text(out)} (FORMAT csv, HEADER)`);
}

main(process.argv.slice(2));
