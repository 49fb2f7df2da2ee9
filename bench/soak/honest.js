// The honest agents, a process: spread evenly over the interval, each of an address of its own.
import { readFileSync } from 'node:fs'
import { agentRun } from './agent-run.js'
import { nodeName } from './place.js'

const { port, credentials, agents, intervalMs } = JSON.parse(process.argv[2])
const { ca, known } = JSON.parse(readFileSync(credentials, 'utf8'))
const underWay = new Set()
let count = 0
let stopped = false

process.on('disconnect', () => process.exit())
process.on('message', (order) => {
  if (order !== 'stop') return
  clearInterval(rhythm)
  stopped = true
  endWhenDone()
})
/** Whoever listened may be gone. */
const say = (what) => process.connected && process.send?.(what, () => {})
const rhythm = setInterval(next, intervalMs / agents)

/** An agent whose last run still goes on begins no other. */
async function next() {
  const [number, run] = [count % agents, Math.floor(count / agents)]
  count++
  if (underWay.has(number)) return say({ kind: 'run', failure: 'the last run of this agent still goes on' })
  underWay.add(number)
  const certname = nodeName(number)
  const started = performance.now()
  const heard = (answer) => say({ ...answer, certname })
  const localAddress = `127.1.${Math.floor(number / 250)}.${(number % 250) + 1}`
  await agentRun({ port, ca, identity: known[certname], certname, localAddress, run, heard })
  say({ kind: 'run', certname, ms: performance.now() - started })
  underWay.delete(number)
  endWhenDone()
}

/** What was asked before the end is answered first. */
function endWhenDone() {
  if (stopped && underWay.size === 0 && process.connected) process.disconnect()
}
