// Honest agents in their rhythm, first alone, then beside hostile clients of all kinds: what each promise came to.
//   npm run soak [-- --minutes 30] [--agents 200] [--interval SECONDS] [--alone-minutes 3] [--only KIND…] [--loose] [--json FILE]
// The exit status is 1 when a promise was broken, 2 when the machine does not keep up when it is left alone. --loose judges
// only what a busy machine may not break either: that the server lives, and that no honest request fails.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newBlame } from './soak/blame.js'
import { allEnded, honestAgents, hostileClients, killAll } from './soak/helpers.js'
import { brokenPromises, unfit } from './soak/judge.js'
import { describeMachine } from './soak/machine.js'
import { readOptions } from './soak/options.js'
import { phasesOf, until } from './soak/phase.js'
import { makePlace } from './soak/place.js'
import { printReport } from './soak/report.js'
import { startServer } from './soak/server.js'
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
// Whatever was started ends when this process does.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    rmSync(folder, { recursive: true, force: true })
    process.exit(1)
  })
try {
  process.exitCode = await soak()
} finally {
  await clean()
}

async function soak() {
  const machine = describeMachine()
  const blame = newBlame((line) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`))
  const { repository, credentials, settings } = await makePlace(folder, options.agents)
  let watch
  const server = await startServer(folder, settings, { paused: (ms) => watch?.paused(ms), profile: options.profile })
  endings.push(() => server.stop())
  watch = watchServer(server, blame)
  endings.push(() => watch.stop())

  const given = { port: server.port, credentials }
  const { heard, waits, phase } = phasesOf({ server, blame, given, repository })
  const agents = honestAgents({ ...given, agents: options.agents, intervalMs: options.intervalMs }, heard)
  endings.push(() => killAll([agents]))
  await until(performance.now() + warmUpMs, server)
  const alone = { ...(await phase(options.aloneMinutes)), waits: waits() }
  console.log(`Alone for ${options.aloneMinutes} minutes; now beside ${options.kinds.length} kinds of hostile clients`)
  const target = { ...given, repository: repository.bare, pid: server.pid, forMs: options.minutes * 60_000 }
  const attackers = hostileClients(options.kinds, target, (act) => blame.hear(act))
  endings.push(() => killAll(attackers))
  const measured = await phase(options.minutes)
  if (agents.connected) agents.send('stop')
  if (!(await allEnded([agents, ...attackers], server.end() ? 0 : lastAnswersMs)) && !server.end())
    heard({ kind: 'run', failure: `not over ${lastAnswersMs / 1000} s after the end` })
  const beside = { ...measured, waits: waits() }

  const { last, openPeak, childrenPeak } = watch.seen
  return conclude({
    machine,
    asked: options.kinds,
    rhythm: rhythmOf(alone),
    end: server.end(),
    alone,
    beside,
    usage: { ...last, openPeak, childrenPeak },
    kinds: blame.summary(),
    breaches: blame.breaches,
    lost: blame.lost,
    incidents: blame.incidents,
  })
}

/** Judges, says it, and answers the exit status. */
function conclude(measured) {
  const broken = brokenPromises(measured, options.loose)
  const result = { ...measured, broken, unfit: options.loose ? [] : unfit(measured) }
  printReport(result)
  const json = JSON.stringify(result)
  if (options.json) writeFileSync(options.json, json)
  else console.log(`\n${json}`)
  if (broken.length > 0) return 1
  return result.unfit.length > 0 ? 2 : 0
}

function rhythmOf({ processor, busy }) {
  const { agents, intervalMs } = options
  const perSecond = ((1000 * agents) / intervalMs).toFixed(2)
  const share = (part) => (part === undefined ? '?' : `${(part * 100).toFixed(0)} %`)
  return `${agents} agents, a run of each every ${intervalMs / 1000} s: ${perSecond} runs a second. Alone, the server takes ${share(processor)} of one core; the machine is ${share(busy)} busy`
}
