import { join } from 'node:path'
import type { Value } from '../../../language/values/value.ts'
import type { System } from '../../../machine/system/system.ts'
import type { Catalog } from '../../../model/catalog.ts'
import { computeFitness } from '../../resources/provider.ts'
import { findProvider } from '../../resources/providers.ts'
import { types } from '../../resources/types.ts'
import { findDefaultProvider } from '../inspect-resources.ts'

/** A built-in type that has providers in the Ruby code of modules. */
export interface ExtendedType {
  readonly name: string
  /** Names of the modules' providers, taken from their file names. */
  readonly providers: ReadonlySet<string>
  /** True if one of the modules' providers could be the default provider of this machine. */
  readonly mayBeDefault: boolean
}

/** Built-in types whose Ruby definition comes from Puppet itself, not from a module. */
const ofPuppet: readonly string[] = ['package', 'service', 'user', 'group']

/** Built-in types with at least one resource that a module's provider could manage. */
export async function findExtendedTypes(
  { resources }: Catalog,
  loadPath: readonly string[],
  { files }: Pick<System, 'files'>,
): Promise<readonly ExtendedType[]> {
  const found: ExtendedType[] = []
  for (const name of new Set(resources.map(({ type }) => type.toLowerCase()))) {
    if (!types.has(name)) continue
    const brought = await findModuleProviders(name, loadPath, files)
    const wishes = resources.filter(({ type }) => type.toLowerCase() === name).map(getRequestedProvider)
    const isNamed = wishes.some((wish) => wish !== undefined && brought.providers.has(wish))
    const isOpen = brought.mayBeDefault && wishes.includes(undefined)
    if ((isNamed || isOpen) && (await hasRubyType(name, loadPath, files))) found.push(brought)
  }
  return found
}

/** The provider that a resource sets; undefined if the resource sets none. */
export function getRequestedProvider({
  parameters,
}: {
  readonly parameters: ReadonlyMap<string, Value>
}): string | undefined {
  const wish = parameters.get('provider')
  return wish === undefined ? undefined : String(wish)
}

/** The default built-in provider of a type on this machine, and the number of facts that matched for it. */
export async function findNativeDefault(
  type: string,
  system: System,
  facts: Parameters<typeof findDefaultProvider>[2],
): Promise<readonly [name: string | null, facts: number]> {
  const name = await findDefaultProvider(type, system, facts)
  return name === undefined ? [null, 0] : [name, computeFitness((await findProvider(type, name))!, facts)]
}

async function findModuleProviders(
  type: string,
  loadPath: readonly string[],
  files: System['files'],
): Promise<ExtendedType> {
  const found = new Set<string>()
  let mayBeDefault = false
  for (const path of loadPath) {
    const folder = join(path, 'puppet', 'provider', type)
    for (const file of (await files.list(folder)) ?? []) {
      const name = file.endsWith('.rb') ? file.slice(0, -'.rb'.length) : ''
      if (name === '' || (await findProvider(type, name))) continue
      found.add(name)
      mayBeDefault ||= /\bdefaultfor\b/.test((await files.readText(join(folder, file))) ?? '')
    }
  }
  return { name: type, providers: found, mayBeDefault }
}

async function hasRubyType(type: string, loadPath: readonly string[], files: System['files']): Promise<boolean> {
  if (ofPuppet.includes(type)) return true
  for (const path of loadPath) if (await files.stat(join(path, 'puppet', 'type', `${type}.rb`))) return true
  return false
}
