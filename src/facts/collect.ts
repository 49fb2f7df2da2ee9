import { homedir } from 'node:os'
import type { ExactJson } from '../base/exact-json.ts'
import { errorText } from '../ruby-semantics/errno.ts'
import type { System } from '../system/system.ts'
import { disks, dmi, memory, mountpoints, processors, virtual } from './core/hardware.ts'
import { networking } from './core/networking.ts'
import { os } from './core/os.ts'
import { identity, miscellany, ssh, uptime } from './core/system.ts'
import { externalFacts } from './external.ts'
import type { FactSource, FactValues } from './fact.ts'
import { factsFromEnvironment } from './from-environment.ts'
import { legacyFacts } from './legacy.ts'

/** The subjects of the core facts. */
const sources: readonly FactSource[] = [
  os,
  networking,
  memory,
  processors,
  disks,
  mountpoints,
  dmi,
  virtual,
  identity,
  uptime,
  ssh,
  miscellany,
]

/** Options of a collection of facts. */
export interface CollectOptions {
  /** Folders of external facts besides the standard ones; a later one wins. */
  readonly factDirectories: readonly string[]
  readonly legacy: boolean
  warn(message: string): void
}

/** All facts of this machine, by name in order of the alphabet. External facts win over core ones, the environment's over all. */
export async function collectFacts(system: System, options: CollectOptions): Promise<FactValues> {
  const found: Record<string, ExactJson> = {}
  const core = await Promise.all(
    sources.map((source) =>
      source.find(system).catch((error: unknown) => {
        options.warn(`Could not find facts of ${source.name}: ${errorText(error)}`)
        return {}
      }),
    ),
  )
  Object.assign(found, ...core)
  if (options.legacy) Object.assign(found, legacyFacts(found))
  const directories = [...standardDirectories(), ...options.factDirectories]
  Object.assign(found, await externalFacts(system, [...new Set(directories)], options.warn))
  Object.assign(found, factsFromEnvironment(process.env))
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function standardDirectories(): string[] {
  if (process.getuid?.() === 0) return ['/etc/puppetlabs/facter/facts.d', '/etc/facter/facts.d', '/etc/plumb/facts.d']
  return [`${homedir()}/.puppetlabs/opt/facter/facts.d`, `${homedir()}/.facter/facts.d`, `${homedir()}/.plumb/facts.d`]
}
