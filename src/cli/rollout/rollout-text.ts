import { toPrintable } from '../../base/text/printable.ts'
import { formatQuantity } from '../../base/text/quantity.ts'
import type { HealthResult } from '../../deploy/rollout/health-checks.ts'
import type { RolloutPhase, RolloutStep } from '../../deploy/rollout/rollout-state.ts'
import type { CurrentRollout, RolloutStatus, WaveStatus } from '../../server/rollouts/rollout-status.ts'
import { formatIsoSeconds } from '../code/status.ts'
import type { Io } from '../command/command.ts'
import { createTable } from '../query/text-table.ts'

/** Largest number of certnames on one line. */
const maxNames = 20

/** Exit status for the phase of a rollout: 0 unless it was stopped, 2 if a later push replaced it. */
export function getPhaseStatus(phase: RolloutPhase): number {
  if (phase === 'superseded') return 2
  return phase === 'halted' || phase === 'aborted' ? 1 : 0
}

/** Prints a line for each environment. */
export function printRolloutTable(all: readonly RolloutStatus[], io: Io): void {
  const table = createTable(io, ['environment', 'rollout', 'state', 'commit', 'wave', 'reported', 'failed'])
  table.add(
    all.map(({ environment, stable, rollout }) => {
      if (!rollout) return [environment, '', '', stable.slice(0, 12)]
      const { waves } = rollout
      const started = waves.filter((wave) => wave.started !== undefined)
      const current = started.at(-1)
      return [
        ...[environment, String(rollout.number), rollout.phase, rollout.to.slice(0, 12)],
        current ? `${waves.indexOf(current) + 1}/${waves.length} ${current.name}` : `0/${waves.length}`,
        `${sum(started, ({ reported }) => reported)}/${sum(waves, ({ nodes }) => nodes)}`,
        String(sum(started, ({ failed }) => failed.length)),
      ]
    }),
  )
  table.end()
}

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((all, item) => all + of(item), 0)

/** Prints a rollout with its waves, failed nodes, checks and steps. */
export function printRollout(status: RolloutStatus, io: Io): void {
  const { environment, stable, queued, rollout, history } = status
  const out = (line: string) => io.out(`${line === '' ? '' : toPrintable(line)}\n`)
  if (!rollout) {
    out(`${environment}: no rollout; all nodes receive ${stable}`)
    return
  }
  out(formatHeadline(environment, rollout))
  out(`  From ${rollout.from}, begun ${formatIsoSeconds(rollout.begun)}${formatEnd(rollout)}`)
  if (rollout.phase !== 'complete') out(`  Nodes without the commit receive ${stable}`)
  const waiting = formatWaiting(environment, rollout)
  if (waiting !== undefined) out(`  ${waiting}`)
  if (queued !== undefined) out(`  The next rollout is queued: ${queued}`)
  if (rollout.unaffected > 0)
    out(`  ${formatQuantity(rollout.unaffected, 'node')} with an unchanged catalog received the commit at once`)
  printWaves(rollout.waves, io)
  for (const wave of rollout.waves) for (const line of formatWaveNodes(wave)) out(line)
  for (const check of rollout.checks) out(formatCheck(check))
  out('Steps:')
  for (const step of rollout.steps) out(`  ${formatStep(step)}`)
  if (history.length > 0) out('Earlier rollouts:')
  for (const { number, to, phase, ended, reason } of history)
    out(
      `  ${formatIsoSeconds(ended)}  ${number}  ${to.slice(0, 12)}  ${phase}${reason === undefined ? '' : `: ${reason}`}`,
    )
}

/** A line with the phase of a rollout, and the reason of a halt. */
export function formatHeadline(environment: string, { number, to, phase, reason }: CurrentRollout): string {
  return toPrintable(
    `${environment}: rollout ${number} of ${to} is ${phase}${reason === undefined ? '' : `: ${reason}`}`,
  )
}

function formatEnd({ ended }: CurrentRollout): string {
  return ended === undefined ? '' : `, ended ${formatIsoSeconds(ended)}`
}

/** A sentence with the reason why the next wave has not started; undefined if there is none. */
export function formatWaiting(environment: string, { waiting, waves }: CurrentRollout): string | undefined {
  const started = waves.filter((wave) => wave.started !== undefined)
  const [current, next] = [started.at(-1), waves[started.length]]
  switch (waiting) {
    case undefined:
      return undefined
    case 'reports':
      return current && formatObservation(current)
    case 'approval':
      return `Wave '${next?.name}' waits for approval: plumb rollout approve ${environment}`
    case 'window':
      return `Wave '${next?.name}' waits for a time window`
    case 'frozen':
      return `Wave '${next?.name}' waits: the environment is frozen (plumb code unfreeze ${environment})`
  }
}

function formatObservation({ name, missing, nodes, reported, started = 0, waitSeconds }: WaveStatus): string {
  const end = waitSeconds === undefined ? '' : ` until ${formatIsoSeconds(started + waitSeconds * 1000)}`
  const left = missing.length === 0 ? '' : `; ${formatQuantity(nodes - reported, 'node')} sent no report yet`
  return `Wave '${name}' is observed${end}${left}`
}

function printWaves(waves: readonly WaveStatus[], io: Io): void {
  const table = createTable(io, ['wave', 'state', 'nodes', 'reported', 'failed', 'started'])
  table.add(
    waves.map(({ name, state, nodes, reported, failed, started, approve, approved }) => [
      ...[name, state === 'waiting' && approve && !approved ? 'needs approval' : state],
      ...[nodes, reported, failed.length].map(String),
      started === undefined ? '' : formatIsoSeconds(started),
    ]),
  )
  table.end()
}

function formatWaveNodes({ name, failed, failedBefore, corrective, missing, reports, started }: WaveStatus) {
  if (started === undefined) return []
  const groups = [
    ['failed', failed],
    ['failed as before the rollout', failedBefore],
    ['corrected manual changes', corrective],
    ['sent no report', missing],
  ] as const
  return groups.flatMap(([what, nodes]) =>
    nodes.length === 0
      ? []
      : `Wave '${name}', ${formatQuantity(nodes.length, 'node')} ${what}: ${formatNodes(nodes, reports)}`,
  )
}

function formatNodes(nodes: readonly string[], reports: WaveStatus['reports']): string {
  const named = nodes
    .slice(0, maxNames)
    .map((node) => (reports[node] === undefined ? node : `${node} (report ${reports[node].slice(0, 12)})`))
  return `${named.join(', ')}${nodes.length > maxNames ? ` and ${nodes.length - maxNames} more` : ''}`
}

function formatCheck({ check, ok, value, status, problem }: HealthResult): string {
  const result = ok === undefined ? 'no result' : ok ? 'ok' : 'failed'
  const found = [
    value === undefined ? [] : `value ${value}`,
    status === undefined ? [] : `status ${status}`,
    problem ?? [],
  ]
  return `Check ${check}: ${[result, ...found.flat()].join(', ')}`
}

/** A line about a step: its time, action, wave, person and reason. */
export function formatStep({ at, action, wave, by, reason }: RolloutStep): string {
  const what = wave === undefined ? action : `${action} wave '${wave}'`
  return `${formatIsoSeconds(at)}  ${what}${by === undefined ? '' : ` by ${by}`}${reason === undefined ? '' : `: ${reason}`}`
}
