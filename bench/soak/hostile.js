// One kind of hostile client, a process that has a processor when nobody else wants one: its machine would not be the server's.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Breach, newAttack } from './attack.js'
import { kinds } from './kinds/index.js'

const { name, credentials, forMs, ...rest } = JSON.parse(process.argv[2])
const { every, act, prepare, withinMs } = kinds[name]
const until = performance.now() + forMs
execFileSync('chrt', ['--idle', '--all-tasks', '--pid', '0', String(process.pid)])
process.on('disconnect', () => process.exit())
// Whatever an act forgets: this process ends by itself.
setTimeout(() => process.exit(), forMs + 60_000).unref()

/** Whoever listened may be gone. */
const say = (what) => process.connected && process.send?.({ kind: name, ...what }, () => {})
const place = { ...rest, ...JSON.parse(readFileSync(credentials, 'utf8')) }
const ready = await newAttack(place).perform(async (attack) => ({ prepared: await prepare?.(attack) }))
if (typeof ready === 'string') throw new Error(`${name} could not prepare itself: ${ready}`)
place.prepared = ready.prepared
while (performance.now() < until) {
  const started = performance.now()
  say({ event: 'begins' })
  try {
    const outcome = await newAttack(place).perform(act, withinMs)
    say({ event: 'ends', outcome: [outcome].flat().map(String) })
  } catch (error) {
    if (!(error instanceof Breach)) throw error
    say({ event: 'breach', breach: error.message })
  }
  const next = Math.max(started + every * 1000, performance.now() + 100)
  await new Promise((done) => setTimeout(done, Math.min(next, until) - performance.now()))
}
process.disconnect()
