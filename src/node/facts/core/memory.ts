import { defineFacts, formatBytes, formatPercentage, readTextFile } from '../fact.ts'

const names = [
  ...['memory.system.available', 'memory.system.available_bytes', 'memory.system.capacity', 'memory.system.total'],
  ...['memory.system.total_bytes', 'memory.system.used', 'memory.system.used_bytes'],
  ...['memory.swap.available', 'memory.swap.available_bytes', 'memory.swap.capacity', 'memory.swap.total'],
  ...['memory.swap.total_bytes', 'memory.swap.used', 'memory.swap.used_bytes'],
] as const

/** Facts of main memory and swap. */
export const memory = defineFacts(names, async (machine) => {
  const rows = (await readTextFile(machine, '/proc/meminfo')) ?? ''
  const getKilobytes = (name: string) => new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rows)?.[1]
  const getBytes = (name: string) => Number(getKilobytes(name) ?? 0) * 1024
  if (getKilobytes('MemTotal') === undefined) return {}
  const free = getBytes('MemFree') + getBytes('Buffers') + getBytes('Cached')
  const available = getKilobytes('MemAvailable') === undefined ? free : getBytes('MemAvailable')
  const swap = getBytes('SwapTotal')
  return {
    ...createUsageFacts('memory.system', getBytes('MemTotal'), available),
    ...(swap === 0 ? {} : createUsageFacts('memory.swap', swap, getBytes('SwapFree'))),
  }
})

/** Facts of main memory or swap, in bytes and as readable sizes. */
export function createUsageFacts(name: 'memory.system' | 'memory.swap', total: number, available: number) {
  const used = total - available
  return {
    [`${name}.available`]: formatBytes(available),
    [`${name}.available_bytes`]: available,
    [`${name}.capacity`]: formatPercentage(used, total),
    [`${name}.total`]: formatBytes(total),
    [`${name}.total_bytes`]: total,
    [`${name}.used`]: formatBytes(used),
    [`${name}.used_bytes`]: used,
  }
}
