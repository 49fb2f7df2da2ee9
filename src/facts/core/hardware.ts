import { statfs } from 'node:fs/promises'
import { cpus } from 'node:os'
import type { ExactJson } from '../../base/exact-json.ts'
import type { System } from '../../system/system.ts'
import { type FactSource, humanBytes, line, present } from '../fact.ts'
import { osRelease } from './os.ts'

/** Main memory and swap. */
export const memory: FactSource = {
  name: 'memory',
  async find(system) {
    const text = (await system.files.readText('/proc/meminfo')) ?? ''
    const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) * 1024
    const swap = bytes('SwapTotal')
    return {
      memory: present({
        swap: swap === 0 ? undefined : usage(swap, bytes('SwapFree')),
        system: usage(bytes('MemTotal'), bytes('MemAvailable')),
      }),
    }
  },
}

function usage(total: number, available: number): Record<string, ExactJson> {
  const used = total - available
  return {
    available: humanBytes(available),
    available_bytes: available,
    capacity: capacity(used, total),
    total: humanBytes(total),
    total_bytes: total,
    used: humanBytes(used),
    used_bytes: used,
  }
}

function capacity(used: number, total: number): string {
  if (total === 0) return '0%'
  return used === 0 ? '0%' : used === total ? '100%' : `${((used / total) * 100).toFixed(2)}%`
}

/** The kind of processor as `uname -p` prints it: on Debian `unknown`, for Linux does not say. */
async function isa(system: System): Promise<string | undefined> {
  if ((await osRelease(system))['ID'] === 'debian') return 'unknown'
  return (await system.commands.run(['uname', '-p']).catch(() => undefined))?.stdout.trim()
}

/** Processors, as the kernel counts them. */
export const processors: FactSource = {
  name: 'processors',
  async find(system) {
    const info = (await system.files.readText('/proc/cpuinfo')) ?? ''
    const all = (name: string) =>
      [...info.matchAll(new RegExp(`^${name}\\s*:\\s*(.*)$`, 'gm'))].map((match) => match[1]!)
    const models = all('model name')
    const count = all('processor').length || cpus().length
    const physical = new Set(all('physical id')).size || 1
    const cores = Number(all('cpu cores')[0] ?? 1)
    const siblings = Number(all('siblings')[0] ?? cores)
    const megahertz = cpus()[0]?.speed ?? 0
    return {
      processors: present({
        cores,
        count,
        isa: await isa(system),
        models,
        physicalcount: physical,
        speed: (await speedOf(system)) ?? (megahertz > 0 ? hertz(megahertz * 1e6) : undefined),
        threads: Math.max(1, Math.round(siblings / cores)),
      }),
    }
  },
}

async function speedOf(system: System): Promise<string | undefined> {
  const khz = await line(system, '/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq')
  return khz === undefined ? undefined : hertz(Number(khz) * 1000)
}

function hertz(value: number): string {
  return value >= 1e9 ? `${(value / 1e9).toFixed(2)} GHz` : `${(value / 1e6).toFixed(2)} MHz`
}

/** Disks, as /sys/block shows them. */
export const disks: FactSource = {
  name: 'disks',
  async find(system) {
    const found: Record<string, ExactJson> = {}
    for (const name of (await system.files.list('/sys/block')) ?? []) {
      const at = `/sys/block/${name}`
      if (!(await system.files.stat(`${at}/device`))) continue
      const size = Number((await line(system, `${at}/size`)) ?? 0) * 512
      const rotational = await line(system, `${at}/queue/rotational`)
      found[name] = present({
        model: await line(system, `${at}/device/model`),
        serial: await line(system, `${at}/device/serial`),
        size: humanBytes(size),
        size_bytes: size,
        type: rotational === undefined ? undefined : rotational === '1' ? 'hdd' : 'ssd',
        vendor: await line(system, `${at}/device/vendor`),
      })
    }
    return present({ disks: Object.keys(found).length === 0 ? undefined : found })
  },
}

/** File systems that are mounted, without those that only the kernel lives in. */
export const mountpoints: FactSource = {
  name: 'mountpoints',
  async find(system) {
    const mounts = (await system.files.readText('/proc/self/mounts')) ?? ''
    const found: Record<string, ExactJson> = {}
    for (const row of mounts.split('\n').filter(Boolean)) {
      const [device = '', escaped = '', filesystem = '', options = ''] = row.split(' ')
      const path = escaped.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
      if (
        (!device.startsWith('/dev/') && filesystem !== 'tmpfs') ||
        path.startsWith('/proc') ||
        path.startsWith('/sys')
      )
        continue
      const stats = await statfs(path).catch(() => undefined)
      if (!stats) continue
      const size = stats.blocks * stats.bsize
      const available = stats.bavail * stats.bsize
      const used = size - stats.bfree * stats.bsize
      found[path] = {
        available: humanBytes(available),
        available_bytes: available,
        capacity: capacity(used, used + available),
        device,
        filesystem,
        options: options.split(','),
        size: humanBytes(size),
        size_bytes: size,
        used: humanBytes(used),
        used_bytes: used,
      }
    }
    return present({ mountpoints: Object.keys(found).length === 0 ? undefined : found })
  },
}

/** Who made the machine. */
export const dmi: FactSource = {
  name: 'dmi',
  async find(system) {
    const at = (name: string) => line(system, `/sys/class/dmi/id/${name}`)
    const group = async (names: Readonly<Record<string, string>>) => {
      const pairs = await Promise.all(Object.entries(names).map(async ([key, file]) => [key, await at(file)] as const))
      const values = present(Object.fromEntries(pairs))
      return Object.keys(values).length === 0 ? undefined : values
    }
    const dmi = present({
      bios: await group({ release_date: 'bios_date', vendor: 'bios_vendor', version: 'bios_version' }),
      board: await group({
        asset_tag: 'board_asset_tag',
        manufacturer: 'board_vendor',
        product: 'board_name',
        serial_number: 'board_serial',
      }),
      chassis: await group({ asset_tag: 'chassis_asset_tag' }),
      manufacturer: await at('sys_vendor'),
      product: await group({
        name: 'product_name',
        serial_number: 'product_serial',
        uuid: 'product_uuid',
        version: 'product_version',
      }),
    })
    return present({ dmi: Object.keys(dmi).length === 0 ? undefined : dmi })
  },
}

/** `virtual` and `is_virtual`: the kind of virtual machine or container. */
export const virtual: FactSource = {
  name: 'virtual',
  async find(system) {
    const kind = await virtualKind(system)
    return { virtual: kind, is_virtual: kind !== 'physical' }
  },
}

const vendors: readonly (readonly [RegExp, string])[] = [
  [/vmware/i, 'vmware'],
  [/virtualbox|innotek/i, 'virtualbox'],
  [/qemu|kvm|openstack|google/i, 'kvm'],
  [/amazon/i, 'kvm'],
  [/microsoft/i, 'hyperv'],
  [/xen/i, 'xen'],
  [/parallels/i, 'parallels'],
]

async function virtualKind(system: System): Promise<string> {
  if (await system.files.stat('/.dockerenv')) return 'docker'
  if (await system.files.stat('/run/.containerenv')) return 'podman'
  const environment = await system.files.readText('/proc/1/environ').catch(() => undefined)
  const container = /(?:^|\0)container=([^\0]+)/.exec(environment ?? '')?.[1]
  if (container !== undefined) return container === 'lxc' ? 'lxc' : container.replace('-', '_')
  const about = await Promise.all(
    ['sys_vendor', 'product_name'].map((name) => line(system, `/sys/class/dmi/id/${name}`)),
  )
  const kind = vendors.find(([pattern]) => pattern.test(about.join(' ')))?.[1]
  const processor = (await system.files.readText('/proc/cpuinfo')) ?? ''
  if (kind !== undefined && processor.split('\n').some((row) => /^flags\s*:/.test(row) && / hypervisor\b/.test(row)))
    return kind
  return (await detectedKind(system)) ?? kind ?? 'physical'
}

/** The kind by `systemd-detect-virt`, where that is installed: the processor knows more than its board. */
async function detectedKind(system: System): Promise<string | undefined> {
  const program = await system.commands.find('systemd-detect-virt')
  if (program === undefined) return undefined
  const detected = await system.commands.run([program, '--vm']).catch(() => undefined)
  if (detected?.status !== 0) return undefined
  const word = detected.stdout.trim()
  return systemdWords[word] ?? word
}

const systemdWords: Readonly<Record<string, string>> = {
  qemu: 'kvm',
  amazon: 'kvm',
  oracle: 'virtualbox',
  microsoft: 'hyperv',
}
