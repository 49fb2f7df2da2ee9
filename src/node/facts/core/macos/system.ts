import { getOwnValue } from '../../../../base/own-property.ts'
import { defineFacts, formatBytes, formatHertz, omitUndefined } from '../../fact.ts'
import type { Machine } from '../../machine.ts'
import { createUsageFacts } from '../memory.ts'
import { formatCapacity } from '../storage.ts'
import { createUptimeFacts, toLoadAverages, uptimeNames } from '../system.ts'

/** Facts of the kernel. */
export const kernel = defineFacts(
  ['kernel', 'kernelrelease', 'kernelversion', 'kernelmajversion'],
  async ({ kernel, kernelRelease }) => ({
    kernel,
    kernelrelease: kernelRelease,
    kernelversion: kernelRelease,
    kernelmajversion: /^[0-9]+\.[0-9]+/.exec(kernelRelease)?.[0] ?? '',
  }),
)

/** Facts of the operating system: Darwin and macOS. */
export const os = defineFacts(
  [
    ...['os.architecture', 'os.family', 'os.hardware', 'os.name', 'os.release'],
    ...['os.macosx.build', 'os.macosx.product', 'os.macosx.version'],
  ] as const,
  async (machine) => {
    const { kernel, kernelRelease, hardware } = machine
    const [major = kernelRelease, minor] = kernelRelease.split('.')
    const rows = (await machine.output(['sw_vers'])).replaceAll('\t', '').split('\n')
    const about = Object.fromEntries(rows.map((row) => row.split(':')).filter((pair) => pair.length === 2))
    const { ProductName, ProductVersion, BuildVersion, ProductVersionExtra } = about as Record<
      string,
      string | undefined
    >
    return {
      'os.architecture': hardware,
      'os.family': kernel,
      'os.hardware': hardware,
      'os.name': kernel,
      'os.release': omitUndefined({ full: kernelRelease, major, minor }),
      'os.macosx.build': BuildVersion,
      'os.macosx.product': ProductName,
      'os.macosx.version': ProductVersion && parseMacosVersion(ProductVersion, ProductVersionExtra),
    }
  },
)

/**
 * Parses a version of macOS. Up to 10.15, the second number is part of the major version; patches
 * exist from 11 on, extra versions from 13 on.
 */
function parseMacosVersion(full: string, extra: string | undefined) {
  const [first = full, minor = '0', patch = '0'] = full.split('.')
  if (first === '10') return { full, major: `10.${minor}`, minor: full.split('.').at(-1)! }
  const hasExtra = extra !== undefined && !/11|12/.test(first)
  return { full, major: first, minor, patch, ...(hasExtra && { extra }) }
}

const memoryNames = [
  ...['memory.system.available', 'memory.system.available_bytes', 'memory.system.capacity', 'memory.system.total'],
  ...['memory.system.total_bytes', 'memory.system.used', 'memory.system.used_bytes', 'memory.swap.available'],
  ...['memory.swap.available_bytes', 'memory.swap.capacity', 'memory.swap.encrypted', 'memory.swap.total'],
  ...['memory.swap.total_bytes', 'memory.swap.used', 'memory.swap.used_bytes'],
] as const

/** Facts of main memory and swap. */
export const memory = defineFacts(memoryNames, async (machine) => {
  const [size, pages, swapping] = await Promise.all([
    readSysctl(machine, 'hw.memsize'),
    machine.output(['vm_stat']),
    readSysctl(machine, 'vm.swapusage'),
  ])
  const free = Number(/page size of (\d+) bytes/.exec(pages)?.[1]) * Number(/Pages free:\s+(\d+)/.exec(pages)?.[1])
  const swap = /total = ([\d.]+)M\s+used = ([\d.]+)M\s+free = ([\d.]+)M\s*(\(encrypted\))?/.exec(swapping)
  const [total = 0, left = 0] = swap ? [swap[1], swap[3]].map((text) => Math.trunc(Number(text) * 1024 ** 2)) : []
  return {
    ...(Number(size) > 0 && !Number.isNaN(free) ? createUsageFacts('memory.system', Number(size), free) : {}),
    ...(total > 0
      ? { ...createUsageFacts('memory.swap', total, left), 'memory.swap.encrypted': swap?.[4] !== undefined }
      : {}),
  }
})

const readSysctl = async (machine: Machine, name: string): Promise<string> =>
  (await machine.output(['sysctl', '-n', name])).trim()

/** Facts of the processors, from the kernel. */
export const processors = defineFacts(
  [
    ...['processors.cores', 'processors.count', 'processors.isa', 'processors.models', 'processors.physicalcount'],
    ...['processors.speed', 'processors.threads'],
  ] as const,
  async (machine) => {
    const names = ['hw.logicalcpu_max', 'hw.physicalcpu_max', 'machdep.cpu.brand_string', 'hw.cpufrequency_max']
    const counts = ['machdep.cpu.core_count', 'machdep.cpu.thread_count']
    const rows = (await machine.output(['sysctl', ...names, ...counts])).split('\n').map((each) => each.split(': '))
    const getRow = (name: string) => rows.find(([key]) => key === name)?.[1]
    const getNumber = (name: string) => Number.parseInt(getRow(name) ?? '', 10) || 0
    const [count, cores] = [getNumber('hw.logicalcpu_max'), getNumber('machdep.cpu.core_count')]
    return {
      'processors.cores': cores,
      'processors.count': count,
      'processors.isa': (await machine.output(['uname', '-p'])).trim() || undefined,
      'processors.models': new Array<string>(count).fill(getRow('machdep.cpu.brand_string') ?? ''),
      'processors.physicalcount': getNumber('hw.physicalcpu_max'),
      'processors.speed': formatHertz(getNumber('hw.cpufrequency_max')),
      'processors.threads': cores === 0 ? undefined : Math.floor(getNumber('machdep.cpu.thread_count') / cores),
    }
  },
)

/** Time since boot. */
export const uptime = defineFacts(uptimeNames, async (machine) => {
  const started = /\d+/.exec(await readSysctl(machine, 'kern.boottime'))?.[0]
  return started === undefined ? {} : createUptimeFacts(Math.floor(machine.now() / 1000) - Number(started))
})

/** Load averages. */
export const loadAverages = defineFacts(['load_averages'], async (machine) => {
  const found = (await readSysctl(machine, 'vm.loadavg')).match(/[\d.]+/g)?.map(Number)
  return { load_averages: found && toLoadAverages(found) }
})

/** The fact `dmi.product.name`. */
export const dmi = defineFacts(['dmi.product.name'], async (machine) => ({
  'dmi.product.name': (await readSysctl(machine, 'hw.model')) || undefined,
}))

const optionNames: Readonly<Record<string, string>> = {
  'read-only': 'readonly',
  asynchronous: 'async',
  synchronous: 'noasync',
  quotas: 'quota',
  rootfs: 'root',
  defwrite: 'deferwrites',
}

/** Mounted file systems and their types: `/dev/disk3s5 on /Volumes/Data (apfs, local, journaled)`. */
export const mountFacts = defineFacts(['mountpoints', 'filesystems'], async (machine) => {
  const rows = (await machine.output(['mount'])).split('\n')
  const found = rows.flatMap((row) => {
    const [on, bracket] = [row.indexOf(' on '), row.lastIndexOf(' (')]
    const [device, path] = [row.slice(0, on), row.slice(on + ' on '.length, bracket)]
    const words = row.slice(bracket + ' ('.length, -1).split(',')
    const [filesystem = '', ...options] = words.map((word) => word.trim())
    return on < 0 || bracket < on || !row.endsWith(')')
      ? []
      : [{ device, path, filesystem, options: options.map((each) => getOwnValue(optionNames, each) ?? each) }]
  })
  const entries = await Promise.all(
    found.map(async ({ path, options, ...about }) => {
      const { size, available } = (await machine.space(path)) ?? { size: 0, available: 0 }
      const used = size - available
      const numbers = { size_bytes: size, used_bytes: used, available_bytes: available }
      const shown = { size: formatBytes(size), available: formatBytes(available), used: formatBytes(used) }
      return [
        path,
        {
          ...numbers,
          capacity: formatCapacity(used, size),
          ...shown,
          ...about,
          ...(options.length > 0 && { options }),
        },
      ]
    }),
  )
  const kinds = [...new Set(found.map(({ filesystem }) => filesystem))].sort()
  return { mountpoints: entries.length === 0 ? undefined : Object.fromEntries(entries), filesystems: kinds.join(',') }
})

/** The current user and group, with names from the directory service. */
export const identityFacts = defineFacts(
  ['identity.gid', 'identity.group', 'identity.privileged', 'identity.uid', 'identity.user'],
  async (machine) => ({
    'identity.gid': machine.user.gid,
    'identity.group': (await machine.output(['id', '-gn'])).trim() || undefined,
    'identity.privileged': machine.user.uid === 0,
    'identity.uid': machine.user.uid,
    'identity.user': (await machine.output(['id', '-un'])).trim() || undefined,
  }),
)
