/** An address with its netmask and network, as in Facter's `bindings`. */
export interface Binding {
  readonly address: string
  readonly netmask?: string
  readonly network?: string
  readonly scope6?: string
  readonly flags?: readonly string[]
}

/** The binding of an address with its netmask. */
export function createBinding(address: string, netmask: string): Binding {
  if (!address.includes(':')) return { address, netmask, network: maskV4(address, netmask) }
  const mask = expandV6(netmask)
  const network = compressV6(expandV6(address).map((group, index) => group & (mask[index] ?? 0)))
  return { address, netmask: compressV6(mask), network, scope6: getAddressScope(address) }
}

/** The netmask of a prefix length: `255.255.255.0` for 24. */
export function toNetmask(length: number, isV6: boolean): string {
  const getGroupBits = (index: number, width: number) => {
    const set = Math.min(width, Math.max(0, length - index * width))
    return (2 ** width - 1) ^ (2 ** (width - set) - 1)
  }
  if (isV6) return compressV6(Array.from({ length: 8 }, (_, index) => getGroupBits(index, 16)))
  return Array.from({ length: 4 }, (_, index) => getGroupBits(index, 8)).join('.')
}

/** The first binding with an address that is not local; otherwise the first binding. */
export function findMainBinding(bindings: readonly Binding[]): Binding | undefined {
  return bindings.find(({ address }) => !isLocalAddress(address)) ?? bindings[0]
}

/** True for addresses valid only on this machine or link: loopback, link-local and unique local IPv6 addresses. */
export function isLocalAddress(address: string): boolean {
  if (!address.includes(':')) return address.startsWith('127.') || address.startsWith('169.254.')
  return address === '::1' || /^f(?:e[89ab]|[cd])/i.test(address)
}

/** The scope of an IPv6 address. */
export function getAddressScope(address: string): string {
  const groups = expandV6(address)
  const isCompatible = groups.slice(0, 6).every((group) => group === 0) && address !== '::1' && address !== '::'
  const compatible = isCompatible ? 'compat,' : ''
  if (address === '::1') return 'host'
  if (/^fe[89ab]/i.test(address)) return `${compatible}link`
  return `${compatible}${/^fe[c-f]/i.test(address) ? 'site' : 'global'}`
}

function maskV4(address: string, netmask: string): string {
  const mask = netmask.split('.').map(Number)
  return address
    .split('.')
    .map((part, index) => Number(part) & (mask[index] ?? 0))
    .join('.')
}

function expandV6(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const parse = (part: string) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16))
  if (tail === undefined) return parse(head)
  const [before, after] = [parse(head), parse(tail)]
  return [...before, ...new Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after]
}

/** Formats an IPv6 address. The longest run of at least two zero groups becomes `::`. */
export function compressV6(groups: readonly number[]): string {
  const formatGroups = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':')
  let [longest, start, run] = [0, 0, 0]
  for (const [index, group] of groups.entries()) {
    run = group === 0 ? run + 1 : 0
    if (run > longest) [longest, start] = [run, index + 1 - run]
  }
  return longest < 2
    ? formatGroups(groups)
    : `${formatGroups(groups.slice(0, start))}::${formatGroups(groups.slice(start + longest))}`
}
