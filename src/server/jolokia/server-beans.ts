import { freemem, hostname, loadavg, release, totalmem } from 'node:os'
import type { CompilePool } from '../../compiler/workers/compile-pool.ts'
import { getDescriptorLimit } from '../../machine/system/descriptor-limit.ts'
import {
  countOpenDescriptors,
  countThreads,
  getMemoryUse,
  getStartTimeMs,
  type ProcessFigures,
} from '../telemetry/process-metrics.ts'
import type { Timers } from '../telemetry/timers.ts'
import {
  createCounterBean,
  createGaugeBean,
  createHistogramBean,
  createMeterBean,
  createTimerBean,
  type MBean,
} from './mbean.ts'

/** Sources of the server's beans. */
export interface ServerBeanSources {
  readonly timers: Timers
  readonly pool: Pick<CompilePool, 'status'>
  readonly process: ProcessFigures
  readonly processors: number
  /** Name of the server within bean names; `localhost` as in Puppet Server's metrics.conf. */
  readonly serverId: string
}

/** Beans with Puppet Server's names; beans without a counterpart in this server are omitted. */
export function createServerBeans(sources: ServerBeanSources): readonly MBean[] {
  const toBeanName = (name: string) => `puppetserver:name=puppetlabs.${sources.serverId}.${name}`
  return [
    ...createCompilerBeans(sources, toBeanName),
    ...createHttpBeans(sources, toBeanName),
    ...createPoolBeans(sources, toBeanName),
    ...createMemoryBeans(toBeanName),
    createGaugeBean(toBeanName('num-cpus'), () => sources.processors),
    createGaugeBean(toBeanName('uptime'), getUptimeMs),
    ...createJavaBeans(sources),
  ]
}

type NameBean = (name: string) => string

function createCompilerBeans({ timers }: ServerBeanSources, of: NameBean): MBean[] {
  const { catalogs, compilations, compilationsOf } = timers
  return [
    createTimerBean(of('compiler'), catalogs),
    createTimerBean(of('compiler.compile'), compilations),
    ...[...compilationsOf].map(([environment, times]) => createTimerBean(of(`compiler.compile.${environment}`), times)),
  ]
}

function createHttpBeans({ timers }: ServerBeanSources, of: NameBean): MBean[] {
  const { requests, byRoute, atOnce } = timers
  const computePercentage = (part: number) => (requests.count === 0 ? 0 : (100 * part) / requests.count)
  return [
    createTimerBean(of('http.total-requests'), requests),
    createHistogramBean(of('http.active-histo'), atOnce),
    createCounterBean(of('http.active-requests'), () => timers.underWay),
    ...[...byRoute].flatMap(([id, times]) => [
      createTimerBean(quoteBeanName(of, `http.${id}-requests`), times),
      createGaugeBean(quoteBeanName(of, `http.${id}-percentage`), () => computePercentage(times.count)),
    ]),
  ]
}

/** Java quotes names with `*`, `?` or `:`. */
function quoteBeanName(of: NameBean, name: string): string {
  const text = of(name)
  if (!/[*?:]/.test(name)) return text
  const [before = '', value = ''] = text.split('name=')
  return `${before}name="${value.replace(/[*?]/g, '\\$&')}"`
}

/** Compile threads are reported as JRuby instances. */
function createPoolBeans({ timers, pool }: ServerBeanSources, of: NameBean): MBean[] {
  const { catalogs, waits, freeThreads, waiting, refusals } = timers
  const countJobs = () => pool.status().compiled + pool.status().recalled + pool.status().failed
  return [
    createGaugeBean(of('jruby.num-jrubies'), () => pool.status().size),
    createGaugeBean(of('jruby.num-free-jrubies'), () => pool.status().free),
    createCounterBean(
      of('jruby.request-count'),
      () => countJobs() + pool.status().queued + pool.status()['slow-queued'],
    ),
    createCounterBean(of('jruby.borrow-count'), countJobs),
    createCounterBean(of('jruby.return-count'), countJobs),
    createCounterBean(of('jruby.borrow-retry-count'), () => 0),
    createCounterBean(of('jruby.borrow-timeout-count'), () => 0),
    createTimerBean(of('jruby.borrow-timer'), catalogs),
    createTimerBean(of('jruby.wait-timer'), waits),
    createHistogramBean(of('jruby.free-jrubies-histo'), freeThreads),
    createHistogramBean(of('jruby.requested-jrubies-histo'), waiting),
    createMeterBean(of('jruby.queue-limit-hit-meter'), refusals, () => pool.status().refused),
  ]
}

function createMemoryBeans(of: NameBean): MBean[] {
  const kinds = { heap: 'heap', 'non-heap': 'nonHeap', total: 'total' } as const
  return Object.entries(kinds).flatMap(([name, kind]) =>
    (['init', 'used', 'committed', 'max'] as const).map((part) =>
      createGaugeBean(of(`memory.${name}.${part}`), () => getMemoryUse()[kind][part]),
    ),
  )
}

function getUptimeMs(): number {
  return Math.round(process.uptime() * 1000)
}

const text = 'java.lang.String'
const composite = 'javax.management.openmbean.CompositeData'

/** Beans of the Java runtime, with figures of this process. */
function createJavaBeans({ process: figures, processors }: ServerBeanSources): MBean[] {
  return [
    createJavaBean('java.lang:type=Memory', 'sun.management.MemoryImpl', {
      HeapMemoryUsage: [composite, () => getMemoryUse().heap],
      NonHeapMemoryUsage: [composite, () => getMemoryUse().nonHeap],
    }),
    createJavaBean('java.lang:type=Runtime', 'sun.management.RuntimeImpl', {
      Name: [text, () => `${process.pid}@${hostname()}`],
      Pid: ['long', () => process.pid],
      StartTime: ['long', getStartTimeMs],
      Uptime: ['long', getUptimeMs],
      VmName: [text, () => 'Node.js'],
      VmVersion: [text, () => process.version],
    }),
    createJavaBean('java.lang:type=Threading', 'sun.management.ThreadImpl', { ThreadCount: ['int', countThreads] }),
    createJavaBean('java.lang:type=OperatingSystem', 'com.sun.management.internal.OperatingSystemImpl', {
      AvailableProcessors: ['int', () => processors],
      SystemLoadAverage: ['double', () => loadavg()[0] ?? 0],
      ProcessCpuLoad: ['double', () => figures.cpu() / 100],
      ProcessCpuTime: ['long', getCpuNanoseconds],
      OpenFileDescriptorCount: ['long', countOpenDescriptors],
      MaxFileDescriptorCount: ['long', () => getDescriptorLimit() ?? -1],
      TotalPhysicalMemorySize: ['long', totalmem],
      FreePhysicalMemorySize: ['long', freemem],
      Arch: [text, () => process.arch],
      Name: [text, () => (process.platform === 'linux' ? 'Linux' : process.platform)],
      Version: [text, release],
    }),
    ...Object.entries(figures.collections).map(([name, { count, time }]) =>
      createJavaBean(
        `java.lang:name=${name},type=GarbageCollector`,
        'com.sun.management.internal.GarbageCollectorExtImpl',
        {
          Name: [text, () => name],
          CollectionCount: ['long', () => count],
          CollectionTime: ['long', () => Math.round(time)],
        },
      ),
    ),
  ]
}

type JavaAttributes = Readonly<Record<string, readonly [type: string, value: () => unknown]>>

function createJavaBean(name: string, javaClass: string, attributes: JavaAttributes): MBean {
  const types = Object.fromEntries(Object.entries(attributes).map(([each, [type]]) => [each, type]))
  const readAttributes = async () => {
    const values = Object.entries(attributes).map(async ([each, [, value]]) => [each, await value()] as const)
    return Object.fromEntries(await Promise.all(values))
  }
  return { name, class: javaClass, types, read: readAttributes }
}

function getCpuNanoseconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1000
}
