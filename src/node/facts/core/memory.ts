import { defineFacts, humanBytes, percentage, text } from '../fact.ts'

const names = [
  ...['memory.system.available', 'memory.system.available_bytes', 'memory.system.capacity', 'memory.system.total'],
  ...['memory.system.total_bytes', 'memory.system.used', 'memory.system.used_bytes'],
  ...['memory.swap.available', 'memory.swap.available_bytes', 'memory.swap.capacity', 'memory.swap.total'],
  ...['memory.swap.total_bytes', 'memory.swap.used', 'memory.swap.used_bytes'],
] as const

/** Facts of main memory and swap. */
export const memory = defineFacts(names, async (machine) => {
  const rows = (await text(machine, '/proc/meminfo')) ?? ''
  const kilobytes = (name: string) => new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rows)?.[1]
  const bytes = (name: string) => Number(kilobytes(name) ?? 0) * 1024
  if (kilobytes('MemTotal') === undefined) return {}
  const free = bytes('MemFree') + bytes('Buffers') + bytes('Cached')
  const available = kilobytes('MemAvailable') === undefined ? free : bytes('MemAvailable')
  const swap = bytes('SwapTotal')
  return {
    ...usage('memory.system', bytes('MemTotal'), available),
    ...(swap === 0 ? {} : usage('memory.swap', swap, bytes('SwapFree'))),
  }
})

/** Facts of main memory or swap, in bytes and as readable sizes. */
export function usage(name: 'memory.system' | 'memory.swap', total: number, available: number) {
  const used = total - available
  return {
    [`${name}.available`]: humanBytes(available),
    [`${name}.available_bytes`]: available,
    [`${name}.capacity`]: percentage(used, total),
    [`${name}.total`]: humanBytes(total),
    [`${name}.total_bytes`]: total,
    [`${name}.used`]: humanBytes(used),
    [`${name}.used_bytes`]: used,
  }
}
