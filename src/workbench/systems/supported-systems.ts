/** An operating system in `operatingsystem_support` of a metadata.json. */
export interface SupportedSystem {
  readonly name: string
  /** Releases; empty for a system without releases, such as Arch Linux. */
  readonly releases: readonly string[]
}

/** Reads `operatingsystem_support` of the object in a metadata.json; ignores entries that are not valid. */
export function readSupportedSystems(metadata: Readonly<Record<string, unknown>>): readonly SupportedSystem[] {
  const list = metadata['operatingsystem_support']
  if (!Array.isArray(list)) return []
  return list.flatMap((entry: unknown): SupportedSystem[] => {
    if (typeof entry !== 'object' || entry === null) return []
    const { operatingsystem: name, operatingsystemrelease: releases } = entry as Readonly<Record<string, unknown>>
    if (typeof name !== 'string') return []
    const texts = Array.isArray(releases) ? releases.filter((each) => typeof each === 'string') : []
    return [{ name, releases: texts }]
  })
}

/** Hardware in the names of FacterDB, in order of preference. */
const hardware = ['x86_64', 'amd64', 'i386', 'i86pc', 'aarch64', 'powerpc']

/**
 * The names of FacterDB for supported systems, such as `debian-12-x86_64`: one hardware each. Systems that FacterDB does
 * not contain are left out, as in rspec-puppet-facts.
 */
export function selectSystems(supported: readonly SupportedSystem[], known: readonly string[]): readonly string[] {
  const names = new Set(known)
  const selected = supported.flatMap(({ name, releases }) => {
    const system = name.toLowerCase()
    const prefixes = releases.length === 0 ? [system] : releases.map((release) => `${system}-${release.toLowerCase()}`)
    return prefixes.flatMap((prefix) => {
      const found = hardware.map((each) => `${prefix}-${each}`).find((each) => names.has(each))
      return found ?? []
    })
  })
  return [...new Set(selected)]
}
