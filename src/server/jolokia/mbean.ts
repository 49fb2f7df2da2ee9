import type { Distribution } from '../telemetry/distribution.ts'
import type { Rates } from '../telemetry/rates.ts'
import type { Timer } from '../telemetry/timer.ts'
import { type ObjectName, parseObjectName } from './object-name.ts'

/** Attributes of an MBean, by name. */
export type Attributes = Readonly<Record<string, unknown>>

/** A managed bean of Java's, as far as its clients see one: figures with a name. */
export interface MBean {
  readonly name: ObjectName
  /** The class in Puppet Server that it stands for. */
  readonly class: string
  /** Java's types of the attributes. */
  readonly types: Readonly<Record<string, string>>
  read(): Attributes | Promise<Attributes>
}

/** A bean whose attributes have the types of what they are now. */
export function bean(name: string, javaClass: string, types: MBean['types'], read: MBean['read']): MBean {
  return { name: parseObjectName(name), class: javaClass, types, read }
}

const reporter = 'com.codahale.metrics.JmxReporter$Jmx'
const percentiles = { '50thPercentile': 50, '75thPercentile': 75, '95thPercentile': 95, '98thPercentile': 98 } as const
const highPercentiles = { '99thPercentile': 99, '999thPercentile': 99.9 } as const
const doubles = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'double']))
const spreadNames = ['Mean', 'StdDev', 'Min', 'Max', ...Object.keys({ ...percentiles, ...highPercentiles })]
const rateNames = ['MeanRate', 'OneMinuteRate', 'FiveMinuteRate', 'FifteenMinuteRate']
const count = { Count: 'long' } as const
const rateUnit = { RateUnit: 'java.lang.String' } as const

/** A value that is read when it is asked for. */
export function gauge(name: string, value: () => unknown): MBean {
  const types = { Value: 'java.lang.Object' }
  return bean(name, `${reporter}Gauge`, types, async () => ({ Value: await value() }))
}

/** A number of events. */
export function counter(name: string, value: () => number): MBean {
  return bean(name, `${reporter}Counter`, count, () => ({ Count: value() }))
}

/** Times, and the rates at which they come. */
export function timer(name: string, times: Timer): MBean {
  const types = { ...doubles(...spreadNames, ...rateNames), ...count, ...rateUnit, DurationUnit: 'java.lang.String' }
  return bean(name, `${reporter}Timer`, types, () => ({
    ...spreadOf(times.lately()),
    ...ratesOf(times.rates()),
    Count: times.count,
    DurationUnit: 'milliseconds',
  }))
}

/** Sizes. */
export function histogram(name: string, sizes: Distribution): MBean {
  return bean(name, `${reporter}Histogram`, { ...doubles(...spreadNames), ...count }, () => {
    const summary = sizes.summary()
    return { ...spreadOf(summary), Count: summary.count }
  })
}

/** The rates of an event. */
export function meter(name: string, rates: Rates, number: () => number): MBean {
  const types = { ...doubles(...rateNames), ...count, ...rateUnit }
  return bean(name, `${reporter}Meter`, types, () => ({ ...ratesOf(rates.rates()), Count: number() }))
}

function spreadOf(summary: ReturnType<Distribution['summary']>): Attributes {
  const of = (percent: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(percent).map(([name, part]) => [name, summary.percentile(part)]))
  const { mean, stddev, min, max } = summary
  return { Mean: mean, StdDev: stddev, Min: min, Max: max, ...of(percentiles), ...of(highPercentiles) }
}

function ratesOf({ mean, oneMinute, fiveMinutes, fifteenMinutes }: ReturnType<Rates['rates']>): Attributes {
  return {
    MeanRate: mean,
    OneMinuteRate: oneMinute,
    FiveMinuteRate: fiveMinutes,
    FifteenMinuteRate: fifteenMinutes,
    RateUnit: 'events/second',
  }
}
