import { Counter, Gauge, type Registry } from 'prom-client'
import type { SourceFigures, Tally } from './source-tallies.ts'

/**
 * Registers the metrics of fetches and webhooks. Label values are source names and webhook vendors.
 */
export function addSourceMetrics(registry: Registry, figures: Pick<SourceFigures, 'fetches' | 'hooks'>): void {
  addTallies(registry, {
    ...{ name: 'plumb_source_fetch', label: 'source', what: 'Fetches of a code source' },
    read: () => figures.fetches,
  })
  addTallies(registry, {
    ...{ name: 'plumb_webhook', label: 'vendor', what: 'Webhooks of a Git host vendor' },
    read: () => figures.hooks,
  })
}

interface Tallies {
  readonly name: string
  readonly label: string
  readonly what: string
  read(): ReadonlyMap<string, Tally<string>>
}

function addTallies(registry: Registry, { name, label, what, read }: Tallies): void {
  const registers = [registry]
  const plural = name.endsWith('h') ? `${name}es` : `${name}s`
  new Counter({
    ...{ name: `${plural}_total`, help: `${what}, by result.`, labelNames: [label, 'result'], registers },
    collect() {
      this.reset()
      for (const [of, { counts }] of read())
        for (const [result, count] of Object.entries(counts)) this.inc({ [label]: of, result }, count)
    },
  })
  new Counter({
    ...{ name: `${name}_seconds_total`, help: `${what}: total time in seconds.`, labelNames: [label], registers },
    collect() {
      this.reset()
      for (const [of, { seconds }] of read()) this.inc({ [label]: of }, seconds)
    },
  })
  new Gauge({
    ...{ name: `${name}_last_success_timestamp_seconds`, registers, labelNames: [label] },
    help: `${what}: time of the last success, in seconds since the Unix epoch.`,
    collect() {
      this.reset()
      for (const [of, { lastSuccess }] of read())
        if (lastSuccess !== undefined) this.set({ [label]: of }, lastSuccess / 1000)
    },
  })
}
