import { defineFacts, formatHertz, readTextFile, readTrimmedText } from '../fact.ts'
import type { Machine } from '../machine.ts'
import { readOsRelease } from './os/os-release.ts'

/** Feature levels of x86-64, each with the CPU flags that it adds. */
const levels: Readonly<Record<string, string>> = {
  'x86_64-v1': 'cmov cx8 fpu fxsr lm mmx syscall sse2',
  'x86_64-v2': 'cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3',
  'x86_64-v3': 'abm avx avx2 bmi1 bmi2 f16c fma movbe xsave',
  'x86_64-v4': 'avx512f avx512bw avx512cd avx512dq avx512vl',
}

/** Facts of the processors, from the kernel. */
export const processors = defineFacts(
  [
    ...['processors.cores', 'processors.count', 'processors.extensions', 'processors.isa', 'processors.models'],
    ...['processors.physicalcount', 'processors.speed', 'processors.threads'],
  ] as const,
  async (machine) => {
    const rows = ((await readTextFile(machine, '/proc/cpuinfo')) ?? '').split('\n').map(splitColumns)
    const getValues = (...names: readonly string[]) =>
      rows.filter(([name]) => names.includes(name)).map(([, value]) => value.trim())
    const isa = await readIsa(machine)
    const speeds = [...getValues('cpu MHz'), ...getValues('clock')]
    return {
      ...(await readTopology(machine, Number(getValues('siblings')[0]), Number(getValues('cpu cores')[0]))),
      'processors.count': getValues('processor').length,
      'processors.extensions': isa && listExtensions(isa, getValues('flags')),
      'processors.isa': isa,
      'processors.models': getValues('model name', 'cpu'),
      'processors.physicalcount': new Set(getValues('physical id')).size || (await countSockets(machine)),
      'processors.speed': formatHertz(Number.parseInt(speeds.at(-1) ?? '', 10) * 1e6),
    }
  },
)

function splitColumns(row: string): readonly [name: string, value: string] {
  const parts = row.split(':')
  return [parts[0]!.trim(), parts.at(-1)!]
}

/** Cores per socket and threads per core; from `lscpu` if /proc/cpuinfo does not contain them. */
async function readTopology(machine: Machine, siblings: number, cores: number) {
  if (siblings > 0 && cores > 0)
    return { 'processors.cores': cores, 'processors.threads': Math.max(1, siblings / cores) }
  const printed = await machine.output(['lscpu'])
  const parseNumber = (name: RegExp) => {
    const found = name.exec(printed)?.[1]
    return found === undefined ? undefined : Number.parseInt(found, 10) || 0
  }
  return {
    'processors.cores': parseNumber(/^[ \t]{0,8}Core\(s\)[^:\r\n]{0,60}:[ \t]{0,60}(\S+)/m),
    'processors.threads': parseNumber(/^[ \t]{0,8}Thread\(s\)[^:\r\n]{0,60}:[ \t]{0,60}(\S+)/m),
  }
}

/** The processor type as printed by `uname -p`. On Debian `unknown`, because the kernel does not report it. */
async function readIsa(machine: Machine): Promise<string | undefined> {
  if ((await machine.once(readOsRelease))['id'] === 'debian') return 'unknown'
  return (await machine.output(['uname', '-p'])).trim() || undefined
}

function listExtensions(isa: string, flags: readonly string[]): string[] {
  const able = new Set((flags.at(-1) ?? '').split(' '))
  const reached = Object.entries(levels).filter(([, needed]) => needed.split(' ').every((flag) => able.has(flag)))
  return [isa, ...(isa === 'x86_64' ? reached.map(([level]) => level) : [])].sort()
}

/** The number of sockets, if /proc/cpuinfo does not contain it. */
async function countSockets(machine: Machine): Promise<number> {
  const folder = '/sys/devices/system/cpu'
  const numbered = ((await machine.files.list(folder)) ?? []).filter((name) => /^cpu\d+$/.test(name))
  const ids = await Promise.all(
    numbered.map((name) => readTrimmedText(machine, `${folder}/${name}/topology/physical_package_id`)),
  )
  return new Set(ids.filter((id) => id !== undefined)).size
}
