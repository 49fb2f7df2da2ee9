import { freemem, hostname, loadavg, release, totalmem } from 'node:os'
import type { CompilePool } from '../../compiler/workers/pool.ts'
import { descriptorLimit } from '../../machine/system/descriptor-limit.ts'
import {
  memoryUse,
  openDescriptors,
  type ProcessFigures,
  startTime,
  threadCount,
} from '../telemetry/process-figures.ts'
import type { Timers } from '../telemetry/timers.ts'
import { counter, gauge, histogram, type MBean, meter, timer } from './mbean.ts'

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
export function serverBeans(sources: ServerBeanSources): readonly MBean[] {
  const of = (name: string) => `puppetserver:name=puppetlabs.${sources.serverId}.${name}`
  return [
    ...compilerBeans(sources, of),
    ...httpBeans(sources, of),
    ...poolBeans(sources, of),
    ...memoryBeans(of),
    gauge(of('num-cpus'), () => sources.processors),
    gauge(of('uptime'), uptime),
    ...javaBeans(sources),
  ]
}

type Named = (name: string) => string

function compilerBeans({ timers }: ServerBeanSources, of: Named): MBean[] {
  const { catalogs, compilations, compilationsOf } = timers
  return [
    timer(of('compiler'), catalogs),
    timer(of('compiler.compile'), compilations),
    ...[...compilationsOf].map(([environment, times]) => timer(of(`compiler.compile.${environment}`), times)),
  ]
}

function httpBeans({ timers }: ServerBeanSources, of: Named): MBean[] {
  const { requests, byRoute, atOnce } = timers
  const share = (part: number) => (requests.count === 0 ? 0 : (100 * part) / requests.count)
  return [
    timer(of('http.total-requests'), requests),
    histogram(of('http.active-histo'), atOnce),
    counter(of('http.active-requests'), () => timers.underWay),
    ...[...byRoute].flatMap(([id, times]) => [
      timer(inQuotes(of, `http.${id}-requests`), times),
      gauge(inQuotes(of, `http.${id}-percentage`), () => share(times.count)),
    ]),
  ]
}

/** Java quotes names with `*`, `?` or `:`. */
function inQuotes(of: Named, name: string): string {
  const text = of(name)
  if (!/[*?:]/.test(name)) return text
  const [before = '', value = ''] = text.split('name=')
  return `${before}name="${value.replace(/[*?]/g, '\\$&')}"`
}

/** Compile threads are reported as JRuby instances. */
function poolBeans({ timers, pool }: ServerBeanSources, of: Named): MBean[] {
  const { catalogs, waits, freeThreads, waiting, refusals } = timers
  const taken = () => pool.status().compiled + pool.status().recalled + pool.status().failed
  return [
    gauge(of('jruby.num-jrubies'), () => pool.status().size),
    gauge(of('jruby.num-free-jrubies'), () => pool.status().free),
    counter(of('jruby.request-count'), () => taken() + pool.status().queued + pool.status()['slow-queued']),
    counter(of('jruby.borrow-count'), taken),
    counter(of('jruby.return-count'), taken),
    counter(of('jruby.borrow-retry-count'), () => 0),
    counter(of('jruby.borrow-timeout-count'), () => 0),
    timer(of('jruby.borrow-timer'), catalogs),
    timer(of('jruby.wait-timer'), waits),
    histogram(of('jruby.free-jrubies-histo'), freeThreads),
    histogram(of('jruby.requested-jrubies-histo'), waiting),
    meter(of('jruby.queue-limit-hit-meter'), refusals, () => pool.status().refused),
  ]
}

function memoryBeans(of: Named): MBean[] {
  const kinds = { heap: 'heap', 'non-heap': 'nonHeap', total: 'total' } as const
  return Object.entries(kinds).flatMap(([name, kind]) =>
    (['init', 'used', 'committed', 'max'] as const).map((part) =>
      gauge(of(`memory.${name}.${part}`), () => memoryUse()[kind][part]),
    ),
  )
}

function uptime(): number {
  return Math.round(process.uptime() * 1000)
}

const text = 'java.lang.String'
const composite = 'javax.management.openmbean.CompositeData'

/** Beans of the Java runtime, with figures of this process. */
function javaBeans({ process: figures, processors }: ServerBeanSources): MBean[] {
  return [
    javaBean('java.lang:type=Memory', 'sun.management.MemoryImpl', {
      HeapMemoryUsage: [composite, () => memoryUse().heap],
      NonHeapMemoryUsage: [composite, () => memoryUse().nonHeap],
    }),
    javaBean('java.lang:type=Runtime', 'sun.management.RuntimeImpl', {
      Name: [text, () => `${process.pid}@${hostname()}`],
      Pid: ['long', () => process.pid],
      StartTime: ['long', startTime],
      Uptime: ['long', uptime],
      VmName: [text, () => 'Node.js'],
      VmVersion: [text, () => process.version],
    }),
    javaBean('java.lang:type=Threading', 'sun.management.ThreadImpl', { ThreadCount: ['int', threadCount] }),
    javaBean('java.lang:type=OperatingSystem', 'com.sun.management.internal.OperatingSystemImpl', {
      AvailableProcessors: ['int', () => processors],
      SystemLoadAverage: ['double', () => loadavg()[0] ?? 0],
      ProcessCpuLoad: ['double', () => figures.cpu() / 100],
      ProcessCpuTime: ['long', cpuNanoseconds],
      OpenFileDescriptorCount: ['long', openDescriptors],
      MaxFileDescriptorCount: ['long', () => descriptorLimit() ?? -1],
      TotalPhysicalMemorySize: ['long', totalmem],
      FreePhysicalMemorySize: ['long', freemem],
      Arch: [text, () => process.arch],
      Name: [text, () => (process.platform === 'linux' ? 'Linux' : process.platform)],
      Version: [text, release],
    }),
    ...Object.entries(figures.collections).map(([name, { count, time }]) =>
      javaBean(`java.lang:name=${name},type=GarbageCollector`, 'com.sun.management.internal.GarbageCollectorExtImpl', {
        Name: [text, () => name],
        CollectionCount: ['long', () => count],
        CollectionTime: ['long', () => Math.round(time)],
      }),
    ),
  ]
}

type JavaAttributes = Readonly<Record<string, readonly [type: string, value: () => unknown]>>

function javaBean(name: string, javaClass: string, attributes: JavaAttributes): MBean {
  const types = Object.fromEntries(Object.entries(attributes).map(([each, [type]]) => [each, type]))
  const read = async () => {
    const values = Object.entries(attributes).map(async ([each, [, value]]) => [each, await value()] as const)
    return Object.fromEntries(await Promise.all(values))
  }
  return { name, class: javaClass, types, read }
}

function cpuNanoseconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1000
}
