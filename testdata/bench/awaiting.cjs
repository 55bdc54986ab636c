// The plain way in Node: a queue that awaits each answer, then sleeps one gap of its pace. It prints messages a second.
// node awaiting.cjs URL MPS SECONDS
async function main([url, mps, seconds]) {
  const gap = 1000 / Number(mps);
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const start = performance.now();
  let sent = 0;
  while (performance.now() - start < Number(seconds) * 1000) {
    const body = { messaging_product: 'whatsapp', to: `+55119${81000000 + sent}`, type: 'text', text: { body: 'Oi' } };
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body),
      headers: { Authorization: 'Bearer any', 'Content-Type': 'application/json' } });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    await answer.json();
    sent++;
    await sleep(gap);
  }
  console.log(sent / ((performance.now() - start) / 1000));
}
main(process.argv.slice(2));
