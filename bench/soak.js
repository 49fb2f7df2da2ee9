// Honest agents in their rhythm, first alone, then beside hostile clients of all kinds: what each promise came to.
//   npm run soak [-- --minutes 30] [--agents 200] [--interval SECONDS] [--alone-minutes 3] [--only KIND…] [--loose] [--json FILE]
// The exit status is 1 when a promise was broken, 2 when the machine does not keep up when it is left alone. --loose judges
// only what a busy machine may not break either: that the server lives, and that no honest request fails.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { newBlame } from './soak/blame.js'
import { allEnded, honestAgents, hostileClients, killAll } from './soak/helpers.js'
import { brokenPromises, unfit } from './soak/judge.js'
import { honestOperator } from './soak/operator.js'
import { readOptions } from './soak/options.js'
import { makePlace } from './soak/place.js'
import { printReport } from './soak/report.js'
import { startServer } from './soak/server.js'
import { newWaits } from './soak/waits.js'
import { watchServer } from './soak/watch.js'

const options = readOptions(process.argv.slice(2))
const warmUpMs = 10_000
/** What was asked at the end of a phase is answered in this time, or has failed by then. */
const lastAnswersMs = 70_000
const folder = mkdtempSync(join(tmpdir(), 'plumb-soak-'))
const endings = []
const clean = async () => {
  for (const end of endings.splice(0).reverse()) await end()
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => clean().then(() => process.exit(1)))
try {
  process.exitCode = await soak()
} finally {
  await clean()
}

async function soak() {
  const machine = `${cpus()[0].model}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} at the start`
  const blame = newBlame((line) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`))
  const place = await makePlace(folder, options.agents)
  let watch
  const server = await startServer(folder, place.settings, (ms) => watch?.paused(ms))
  endings.push(() => server.stop())
  watch = watchServer(server, blame)
  endings.push(async () => watch.stop())

  const given = { port: server.port, credentials: place.credentials }
  let waits = newWaits(() => {})
  const heard = (answer) => waits.add(answer)
  const agents = honestAgents({ ...given, agents: options.agents, intervalMs: options.intervalMs }, heard)
  endings.push(() => agents.kill('SIGKILL'))
  const phase = async (minutes) => {
    await server.mark()
    waits = newWaits((what) => blame.incident(what))
    const [started, before] = [performance.now(), server.usage()]
    const stopOperator = honestOperator({ ...given, repository: place.repository, heard })
    await until(started + minutes * 60_000, server)
    await stopOperator()
    const [usage, loop] = [server.usage(), await server.mark()]
    const share = (name) => usage && before && (usage[name] - before[name]) / (performance.now() - started)
    return { waits: waits.summary(), loop, usage, processor: share('processorMs'), waited: share('waitedMs') }
  }
  await until(performance.now() + warmUpMs, server)
  const alone = await phase(options.aloneMinutes)
  console.log(`Alone for ${options.aloneMinutes} minutes; now beside ${options.kinds.length} kinds of hostile clients`)
  const forMs = options.minutes * 60_000
  const attackers = hostileClients(
    options.kinds,
    { ...given, repository: place.repository.bare, pid: server.pid, forMs },
    (act) => blame.hear(act),
  )
  endings.push(() => killAll(attackers))
  const beside = await phase(options.minutes)
  if (agents.connected) agents.send('stop')
  await allEnded(attackers, server.end() ? 0 : lastAnswersMs)
  beside.waits = waits.summary()

  const { last, openPeak, childrenPeak } = watch.seen
  const result = {
    machine,
    rhythm: rhythmOf(alone),
    end: server.end(),
    alone,
    beside,
    usage: { ...last, openPeak, childrenPeak },
    kinds: blame.summary(),
    breaches: blame.breaches,
    incidents: blame.incidents,
  }
  result.broken = brokenPromises(result, options.loose)
  result.unfit = options.loose ? [] : unfit(result)
  printReport(result)
  const json = JSON.stringify(result)
  if (options.json) writeFileSync(options.json, json)
  else console.log(`\n${json}`)
  if (result.broken.length > 0) return 1
  return result.unfit.length > 0 ? 2 : 0
}

/** Until then, or until the server has ended. */
async function until(time, server) {
  while (performance.now() < time && server.end() === undefined) await new Promise((done) => setTimeout(done, 200))
}

function rhythmOf({ processor }) {
  const { agents, intervalMs } = options
  const perSecond = (1000 * agents) / intervalMs
  const load = processor === undefined ? '' : `: alone, ${(processor * 100).toFixed(0)} % of one core for the server`
  return `${agents} agents, a run of each every ${intervalMs / 1000} s, ${perSecond.toFixed(2)} runs a second${load}`
}
