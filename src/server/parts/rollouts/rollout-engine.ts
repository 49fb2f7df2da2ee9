import { computeCommitImpact, haveDifferentFetchedFiles } from '../../gate/commit-impact.ts'
import { RolloutEngine } from '../../rollouts/rollout-engine.ts'
import { addRolloutMetrics } from '../../rollouts/rollout-metrics.ts'
import { RolloutObservation } from '../../rollouts/rollout-observation.ts'
import type { CommitComparison } from '../../rollouts/rollout-preparation.ts'
import { RolloutService } from '../../rollouts/rollout-service.ts'
import { orderStepRuns } from '../../rollouts/step-runs.ts'
import { StepWebhooks } from '../../rollouts/step-webhooks.ts'
import { codePart } from '../code.ts'
import { compileAheadPart } from '../compile-ahead.ts'
import { ordersPart } from '../endpoints/orders.ts'
import { environmentsPart } from '../environments.ts'
import { definePart } from '../part.ts'
import { servicesPart } from '../services.ts'
import { storePart } from '../store.ts'
import { isSharedStore, rolloutStatesPart, rolloutsPart } from './rollouts.ts'

const needs = [rolloutsPart, rolloutStatesPart, codePart, environmentsPart, servicesPart, storePart] as const

/** The engine of rollouts, and its service for commands and pages; undefined without a store. */
export const rolloutEnginePart = definePart('rolloutEngine', needs, (parts) => {
  const { settings, log, rollouts, rolloutStates, code, services, environments } = parts
  const store = parts.store?.store
  if (!rolloutStates || !store) return { value: undefined }
  const { table, rows } = rolloutStates
  const engine = new RolloutEngine({
    ...{ rollouts, table, store, settings, server: settings.certname, isShared: isSharedStore(settings) },
    observation: new RolloutObservation(rows),
    askings: services.askings,
    nodeTtl: settings.node_ttl * 1000,
    isFrozen: (environment) => code.sources?.frozen.some((each) => each.environment === environment) ?? false,
    isServed: async (environment) => (await environments.environments.get(environment)) !== undefined,
    log: (level, message) => log[level](message),
  })
  const webhooks = new StepWebhooks(settings, settings.certname, (message) => log.warn(message))
  rollouts.onStep((taken) => {
    webhooks.send(taken)
    engine.wake()
  })
  const service = new RolloutService(rollouts, table, engine)
  return {
    value: { engine, service },
    metrics: (registry) => addRolloutMetrics(registry, table),
    alerts: () => service.alerts(),
    async close() {
      webhooks.close()
      await engine.close()
    },
  }
})

/** Starts the engine once the server listens. */
export const rolloutWorkPart = definePart(
  'rolloutWork',
  [rolloutsPart, rolloutStatesPart, rolloutEnginePart, ordersPart, codePart, servicesPart, storePart, compileAheadPart],
  ({ settings, log, rollouts, rolloutStates, rolloutEngine, orders, code, services, store, compiling }) => {
    const closing = new AbortController()
    const gate = {
      ...{ settings, services, store: store?.store },
      repository: code.source?.path,
      ready: compiling.requestsRead,
    }
    if (rolloutStates) {
      const warn = (message: string) => log.warn(message)
      const batches = new Map<string, string[]>()
      const parts = {
        ...{ table: rolloutStates.table, orders: orders.dispatch, batches },
        ...{ isShared: isSharedStore(settings), warn },
      }
      rollouts.onStep((taken) => void orderStepRuns(taken, parts))
    }
    const { source } = code
    const comparison: CommitComparison = {
      impact: (commits) => computeCommitImpact(commits, gate, closing.signal),
      haveDifferentFetchedFiles: async (commits) => !source || haveDifferentFetchedFiles(source, commits),
    }
    // The nodes of a rollout are those in the recorded requests.
    void compiling.requestsRead.then(() => rolloutEngine?.engine.begin(comparison))
    return { close: async () => closing.abort() }
  },
)
