// Container health: asks the process on the given port whether it is alive. Usage: node healthcheck.mjs PORT [PATH]
const [port, path = '/healthz'] = process.argv.slice(2);
try {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(4000) });
  process.exitCode = answer.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
