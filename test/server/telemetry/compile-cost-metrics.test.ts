import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { CompileCostMetrics } from '../../../src/server/telemetry/compile-cost-metrics.ts'

it('adds up the costs of catalogs, and has a row for each phase and result from the start', async () => {
  const registry = new Registry()
  const metrics = new CompileCostMetrics(registry)
  const rows = async () => (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const first = await rows()
  expect(first).toHaveLength(14)
  expect(first.filter((row) => !row.endsWith(' 0'))).toEqual([])
  const phases = { begin: 1, evaluate: 20, finish: 300, write: 4000 }
  metrics.add({ phases, rubyCalls: { recalled: 5, code: 1 } })
  metrics.add({ phases, rubyCalls: { recalled: 2 } })
  expect((await rows()).filter((row) => !row.endsWith(' 0'))).toEqual([
    'plumb_compile_phase_seconds_total{phase="begin"} 0.002',
    'plumb_compile_phase_seconds_total{phase="evaluate"} 0.04',
    'plumb_compile_phase_seconds_total{phase="finish"} 0.6',
    'plumb_compile_phase_seconds_total{phase="write"} 8',
    'plumb_ruby_calls_total{result="recalled"} 7',
    'plumb_ruby_calls_total{result="code"} 1',
  ])
})
