import type { Distribution } from '../telemetry/distribution.ts'
import type { Rates } from '../telemetry/rates.ts'
import type { Timer } from '../telemetry/timer.ts'

/** Attributes of an MBean, by name. */
export type Attributes = Readonly<Record<string, unknown>>

/** A Java managed bean: a name with attributes. */
export interface MBean {
  /** `DOMAIN:KEY=VALUE,…`, with sorted keys. */
  readonly name: string
  /** Class of the corresponding bean in Puppet Server. */
  readonly class: string
  /** Java types of the attributes. */
  readonly types: Readonly<Record<string, string>>
  read(): Attributes | Promise<Attributes>
}

const reporter = 'com.codahale.metrics.JmxReporter$Jmx'
const percentiles = {
  ...{ '50thPercentile': 50, '75thPercentile': 75, '95thPercentile': 95, '98thPercentile': 98 },
  ...{ '99thPercentile': 99, '999thPercentile': 99.9 },
}
const doubles = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'double']))
const spreadNames = ['Mean', 'StdDev', 'Min', 'Max', ...Object.keys(percentiles)]
const rateNames = ['MeanRate', 'OneMinuteRate', 'FiveMinuteRate', 'FifteenMinuteRate']
const count = { Count: 'long' } as const
const rateUnit = { RateUnit: 'java.lang.String' } as const

/** A bean whose value is computed on each read. */
export function gauge(name: string, value: () => unknown): MBean {
  const types = { Value: 'java.lang.Object' }
  return { name, class: `${reporter}Gauge`, types, read: async () => ({ Value: await value() }) }
}

/** A bean with a number of events. */
export function counter(name: string, value: () => number): MBean {
  return { name, class: `${reporter}Counter`, types: count, read: () => ({ Count: value() }) }
}

/** A bean with durations and their rates. */
export function timer(name: string, times: Timer): MBean {
  const types = { ...doubles(...spreadNames, ...rateNames), ...count, ...rateUnit, DurationUnit: 'java.lang.String' }
  const read = () => ({
    ...spread(times.lately()),
    ...rateAttributes(times.rates()),
    Count: times.count,
    DurationUnit: 'milliseconds',
  })
  return { name, class: `${reporter}Timer`, types, read }
}

/** A bean with a distribution of sizes. */
export function histogram(name: string, sizes: Distribution): MBean {
  const read = () => {
    const summary = sizes.summary()
    return { ...spread(summary), Count: summary.count }
  }
  return { name, class: `${reporter}Histogram`, types: { ...doubles(...spreadNames), ...count }, read }
}

/** A bean with event rates. */
export function meter(name: string, rates: Rates, number: () => number): MBean {
  const types = { ...doubles(...rateNames), ...count, ...rateUnit }
  const read = () => ({ ...rateAttributes(rates.rates()), Count: number() })
  return { name, class: `${reporter}Meter`, types, read }
}

function spread({ mean, stddev, min, max, percentile }: ReturnType<Distribution['summary']>): Attributes {
  const parts = Object.entries(percentiles).map(([name, part]) => [name, percentile(part)])
  return { Mean: mean, StdDev: stddev, Min: min, Max: max, ...Object.fromEntries(parts) }
}

function rateAttributes({ mean, oneMinute, fiveMinutes, fifteenMinutes }: ReturnType<Rates['rates']>): Attributes {
  return {
    MeanRate: mean,
    OneMinuteRate: oneMinute,
    FiveMinuteRate: fiveMinutes,
    FifteenMinuteRate: fifteenMinutes,
    RateUnit: 'events/second',
  }
}
