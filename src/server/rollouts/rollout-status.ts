import type { HealthResult } from '../../deploy/rollout/health-checks.ts'
import type { MemberIndex } from '../../deploy/rollout/rollout-document.ts'
import type { RolloutPlan } from '../../deploy/rollout/rollout-plan.ts'
import { measureWaves, type Waiting } from '../../deploy/rollout/rollout-progress.ts'
import type {
  EndedRollout,
  EnvironmentRollout,
  Rollout,
  RolloutPhase,
  RolloutStep,
} from '../../deploy/rollout/rollout-state.ts'
import type { RolloutProgress } from './rollout-engine.ts'
import type { NodeReport } from './rollout-observation.ts'

/** The rollout of an environment for people and programs, as plain data. Times are milliseconds since 1970. */
export interface RolloutStatus {
  readonly environment: string
  readonly stable: string
  readonly queued: string | undefined
  readonly rollout: CurrentRollout | undefined
  readonly history: readonly EndedRollout[]
}

/** The current or the last rollout. */
export interface CurrentRollout {
  readonly number: number
  readonly from: string
  readonly to: string
  readonly phase: RolloutPhase
  readonly reason: string | undefined
  readonly begun: number
  readonly ended: number | undefined
  /** The reason why the next wave has not started; undefined unless the rollout is running. */
  readonly waiting: Waiting | undefined
  readonly waves: readonly WaveStatus[]
  /** Number of nodes that the push does not change. */
  readonly unaffected: number
  readonly checks: readonly HealthResult[]
  readonly steps: readonly RolloutStep[]
}

/** A wave with its nodes. */
export interface WaveStatus {
  readonly name: string
  /** `rolled back` after a halt of a wave that had started. */
  readonly state: 'waiting' | 'started' | 'done' | 'rolled back'
  readonly started: number | undefined
  readonly waitSeconds: number | undefined
  readonly approve: boolean
  readonly approved: boolean
  readonly nodes: number
  readonly reported: number
  /** Certnames; a list has at most 1,000. */
  readonly failed: readonly string[]
  readonly failedBefore: readonly string[]
  readonly corrective: readonly string[]
  readonly missing: readonly string[]
  /** Hash of the last report of each failed node, by certname. */
  readonly reports: Readonly<Record<string, string>>
}

/** Largest number of certnames in a list. */
const maxNames = 1000

/** Describes the rollout of an environment. */
export function describeRollout(
  environment: string,
  { stable, queued, rollout, history }: EnvironmentRollout,
  { index, progress }: { readonly index: MemberIndex | undefined; readonly progress: RolloutProgress | undefined },
): RolloutStatus {
  const own = progress?.number === rollout?.number ? progress : undefined
  return {
    ...{ environment, stable, queued: queued?.commit, history },
    rollout: rollout && {
      ...{ number: rollout.number, from: rollout.from, to: rollout.to, phase: rollout.phase },
      ...{ reason: rollout.reason, begun: rollout.begun, ended: rollout.ended, steps: rollout.steps },
      waiting: rollout.phase === 'running' ? own?.waiting : undefined,
      waves: index ? describeWaves(rollout, index, own) : [],
      unaffected: index?.members.unaffected.length ?? 0,
      checks: own?.checks ?? [],
    },
  }
}

function describeWaves(
  rollout: Rollout,
  index: MemberIndex,
  progress: RolloutProgress | undefined,
): readonly WaveStatus[] {
  const { plan, waves } = index.members
  const reports = progress?.reports ?? getRecordedFailures(rollout)
  const health = new Map([...reports].map(([certname, report]) => [certname, report.health]))
  const measured = measureWaves(rollout, index, health)
  return plan.waves.map(({ name, waitSeconds, approve }, at) => {
    const { failed = [], failedBefore = [], corrective = [], waiting = [], reported = 0 } = measured[at]?.health ?? {}
    const names = (list: readonly string[]) => list.slice(0, maxNames)
    const failures = names([...failed, ...failedBefore])
    return {
      ...{ name, waitSeconds, approve, approved: rollout.approved.includes(at), reported },
      state: getWaveState(rollout, at, plan),
      started: measured[at]?.start.at,
      nodes: waves[at]?.length ?? 0,
      ...{ failed: names(failed), failedBefore: names(failedBefore), corrective: names(corrective) },
      missing: names(waiting),
      reports: Object.fromEntries(
        failures.flatMap((node) => (reports.has(node) ? [[node, reports.get(node)!.hash]] : [])),
      ),
    }
  })
}

/** The failures recorded with a halt, for a server that has not observed the rollout. */
function getRecordedFailures({ failed = {} }: Rollout): ReadonlyMap<string, NodeReport> {
  return new Map(Object.entries(failed).map(([certname, hash]) => [certname, { health: 'failed', hash }]))
}

function getWaveState(
  { phase, started }: Rollout,
  at: number,
  { waves }: Pick<RolloutPlan, 'waves'>,
): WaveStatus['state'] {
  if (phase === 'complete') return 'done'
  if (at >= started.length) return 'waiting'
  if (phase === 'halted' || phase === 'aborted') return 'rolled back'
  return at === Math.min(started.length, waves.length) - 1 ? 'started' : 'done'
}
