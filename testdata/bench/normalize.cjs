// The plain way in Node: read a list line by line, let libphonenumber-js judge each number, keep the first row of each, write the rest.
// node normalize.cjs LIST OUT; libphonenumber-js is found through NODE_PATH.
const fs = require('fs');
const readline = require('readline');
const { parsePhoneNumberFromString } = require('libphonenumber-js/max');

// fields cuts a line at its commas outside of quotes.
function fields(line) {
  if (!line.includes('"')) return line.split(',');
  const out = [];
  let cell = '', quoted = false;
  for (let i = 0; i < line.length; i++) {
    const c = line[i];
    if (quoted && c === '"' && line[i + 1] === '"') { cell += '"'; i++; }
    else if (c === '"') quoted = !quoted;
    else if (c === ',' && !quoted) { out.push(cell); cell = ''; }
    else cell += c;
  }
  out.push(cell);
  return out;
}

const quote = (cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

async function main([list, out]) {
  const seen = new Set();
  const to = fs.createWriteStream(out, { highWaterMark: 1 << 20 });
  let first = true, phone = 0, rows = 0;
  for await (const line of readline.createInterface({ input: fs.createReadStream(list, { highWaterMark: 1 << 20 }) })) {
    const row = fields(line);
    if (first) {
      first = false;
      phone = row.indexOf('phone');
      to.write(line + '\n');
      continue;
    }
    const n = parsePhoneNumberFromString(row[phone], 'BR');
    if (!n || !n.isValid() || seen.has(n.number)) continue;
    n.getType();
    seen.add(n.number);
    row[phone] = n.number;
    rows++;
    if (!to.write(row.map(quote).join(',') + '\n')) await new Promise((r) => to.once('drain', r));
  }
  await new Promise((r) => to.end(r));
  console.log(rows);
}

main(process.argv.slice(2));
