import { Gauge, type Registry } from 'prom-client'
import type { RolloutTable } from './rollout-table.ts'

/** Registers the metrics of rollouts: one series for each environment with a rollout. */
export function addRolloutMetrics(registry: Registry, table: Pick<RolloutTable, 'entries'>): void {
  new Gauge({
    name: 'plumb_rollout_phase',
    help: "1 for the phase of an environment's current or last rollout.",
    labelNames: ['environment', 'phase'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { environment, state } of table.entries)
        if (state?.rollout) this.set({ environment, phase: state.rollout.phase }, 1)
    },
  })
  new Gauge({
    name: 'plumb_rollout_waves_started',
    help: "Started waves of an environment's current or last rollout.",
    labelNames: ['environment'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { environment, state } of table.entries)
        if (state?.rollout) this.set({ environment }, state.rollout.started.length)
    },
  })
}
