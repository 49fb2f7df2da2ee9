import { Counter, type Registry } from 'prom-client'
import { phases } from '../../compiler/profile/phase-clock.ts'
import { rubyCallOutcomes } from '../../compiler/profile/ruby-call-counts.ts'
import type { CompileCosts } from '../../compiler/request/compile-request.ts'

/** Counters for Prometheus: time and Ruby calls of compiled catalogs. */
export class CompileCostMetrics {
  readonly #seconds: Counter<'phase'>
  readonly #rubyCalls: Counter<'result'>

  constructor(registry: Registry) {
    this.#seconds = new Counter({
      name: 'plumb_compile_phase_seconds_total',
      help: 'Time in each phase of compilations, in seconds.',
      labelNames: ['phase'],
      registers: [registry],
    })
    this.#rubyCalls = new Counter({
      name: 'plumb_ruby_calls_total',
      help: 'Calls of Ruby functions and templates in compilations: recalled, recorded for later catalogs, or run for a reason that prevents recall.',
      labelNames: ['result'],
      registers: [registry],
    })
    for (const phase of phases) this.#seconds.inc({ phase }, 0)
    for (const result of rubyCallOutcomes) this.#rubyCalls.inc({ result }, 0)
  }

  /** Adds the costs of a catalog that was compiled. */
  add({ phases: durations, rubyCalls }: CompileCosts): void {
    for (const phase of phases) this.#seconds.inc({ phase }, durations[phase] / 1000)
    for (const result of rubyCallOutcomes) this.#rubyCalls.inc({ result }, rubyCalls[result] ?? 0)
  }
}
