import type { ValueDistribution } from '../telemetry/distribution.ts'
import type { Rates } from '../telemetry/rates.ts'
import type { Timer } from '../telemetry/timer.ts'

/** Attributes of an MBean, by name. */
export type BeanAttributes = Readonly<Record<string, unknown>>

/** A Java managed bean: a name with attributes. */
export interface MBean {
  /** Name of the bean: `DOMAIN:KEY=VALUE,…`, with sorted keys. */
  readonly name: string
  /** Class of the corresponding bean in Puppet Server. */
  readonly class: string
  /** Java types of the attributes. */
  readonly types: Readonly<Record<string, string>>
  read(): BeanAttributes | Promise<BeanAttributes>
}

const reporter = 'com.codahale.metrics.JmxReporter$Jmx'
const percentiles = {
  ...{ '50thPercentile': 50, '75thPercentile': 75, '95thPercentile': 95, '98thPercentile': 98 },
  ...{ '99thPercentile': 99, '999thPercentile': 99.9 },
}
const createDoubleTypes = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'double']))
const spreadNames = ['Mean', 'StdDev', 'Min', 'Max', ...Object.keys(percentiles)]
const rateNames = ['MeanRate', 'OneMinuteRate', 'FiveMinuteRate', 'FifteenMinuteRate']
const count = { Count: 'long' } as const
const rateUnit = { RateUnit: 'java.lang.String' } as const

/** A bean whose value is computed on each read. */
export function createGaugeBean(name: string, value: () => unknown): MBean {
  const types = { Value: 'java.lang.Object' }
  return { name, class: `${reporter}Gauge`, types, read: async () => ({ Value: await value() }) }
}

/** A bean with a number of events. */
export function createCounterBean(name: string, value: () => number): MBean {
  return { name, class: `${reporter}Counter`, types: count, read: () => ({ Count: value() }) }
}

/** A bean with durations and their rates. */
export function createTimerBean(name: string, times: Timer): MBean {
  const types = {
    ...createDoubleTypes(...spreadNames, ...rateNames),
    ...count,
    ...rateUnit,
    DurationUnit: 'java.lang.String',
  }
  const readAttributes = () => ({
    ...toSpreadAttributes(times.lately()),
    ...toRateAttributes(times.rates()),
    Count: times.count,
    DurationUnit: 'milliseconds',
  })
  return { name, class: `${reporter}Timer`, types, read: readAttributes }
}

/** A bean with a distribution of sizes. */
export function createHistogramBean(name: string, sizes: ValueDistribution): MBean {
  const readAttributes = () => {
    const summary = sizes.summary()
    return { ...toSpreadAttributes(summary), Count: summary.count }
  }
  return {
    name,
    class: `${reporter}Histogram`,
    types: { ...createDoubleTypes(...spreadNames), ...count },
    read: readAttributes,
  }
}

/** A bean with event rates. */
export function createMeterBean(name: string, rates: Rates, number: () => number): MBean {
  const types = { ...createDoubleTypes(...rateNames), ...count, ...rateUnit }
  const readAttributes = () => ({ ...toRateAttributes(rates.rates()), Count: number() })
  return { name, class: `${reporter}Meter`, types, read: readAttributes }
}

function toSpreadAttributes({
  mean,
  stddev,
  min,
  max,
  percentile,
}: ReturnType<ValueDistribution['summary']>): BeanAttributes {
  const parts = Object.entries(percentiles).map(([name, part]) => [name, percentile(part)])
  return { Mean: mean, StdDev: stddev, Min: min, Max: max, ...Object.fromEntries(parts) }
}

function toRateAttributes({
  mean,
  oneMinute,
  fiveMinutes,
  fifteenMinutes,
}: ReturnType<Rates['rates']>): BeanAttributes {
  return {
    MeanRate: mean,
    OneMinuteRate: oneMinute,
    FiveMinuteRate: fiveMinutes,
    FifteenMinuteRate: fifteenMinutes,
    RateUnit: 'events/second',
  }
}
