// Facts as nodes send them: some change from run to run, as uptime, load and free memory do.

let runs = 0

/** The facts of a node at this moment, for both who compile. */
export function factsAt(nodes, name) {
  const run = ++runs
  const seconds = 86_400 + 1800 * run
  const uptime = { seconds, hours: Math.floor(seconds / 3600), days: Math.floor(seconds / 86_400), uptime: '1 day' }
  const values = {
    ...nodes.get(name),
    load_averages: { '1m': run / 100, '5m': run / 200, '15m': run / 300 },
    memoryfree_mb: 20_000 - run / 7,
    system_uptime: uptime,
  }
  return { name, values, timestamp: new Date().toISOString(), expiration: new Date().toISOString() }
}
