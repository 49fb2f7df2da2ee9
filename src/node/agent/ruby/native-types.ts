import { join } from 'node:path'
import type { Value } from '../../../language/values/value.ts'
import type { System } from '../../../machine/system/system.ts'
import type { Catalog } from '../../../model/catalog.ts'
import { fitness } from '../../resources/provider.ts'
import { namedProvider } from '../../resources/providers.ts'
import { types } from '../../resources/types.ts'
import { defaultProviderOf } from '../inspect-resources.ts'

/** A built-in type for which modules bring providers in Ruby. */
export interface ExtendedType {
  readonly name: string
  /** Names of these providers, by their files. */
  readonly providers: ReadonlySet<string>
  /** True where one of them may be this machine's default. */
  readonly mayBeDefault: boolean
}

/** Types whose Ruby side is Puppet's own, and not a module's. */
const ofPuppet: readonly string[] = ['package', 'service', 'user', 'group']

/** Built-in types of a catalog with a resource that a module's provider may manage. */
export async function extendedTypes(
  { resources }: Catalog,
  loadPath: readonly string[],
  { files }: Pick<System, 'files'>,
): Promise<readonly ExtendedType[]> {
  const found: ExtendedType[] = []
  for (const name of new Set(resources.map(({ type }) => type.toLowerCase()))) {
    if (!types.has(name)) continue
    const brought = await broughtProviders(name, loadPath, files)
    const wishes = resources.filter(({ type }) => type.toLowerCase() === name).map(providerWish)
    const isNamed = wishes.some((wish) => wish !== undefined && brought.providers.has(wish))
    const isOpen = brought.mayBeDefault && wishes.includes(undefined)
    if ((isNamed || isOpen) && (await hasRubySide(name, loadPath, files))) found.push(brought)
  }
  return found
}

/** The provider that a resource names; `undefined` where it names none. */
export function providerWish({ parameters }: { readonly parameters: ReadonlyMap<string, Value> }): string | undefined {
  const wish = parameters.get('provider')
  return wish === undefined ? undefined : String(wish)
}

/** This machine's default among the built-in providers of a type, and how many of its facts that fits. */
export async function nativeDefault(
  type: string,
  system: System,
  facts: Parameters<typeof defaultProviderOf>[2],
): Promise<readonly [name: string | null, facts: number]> {
  const name = await defaultProviderOf(type, system, facts)
  return name === undefined ? [null, 0] : [name, fitness((await namedProvider(type, name))!, facts)]
}

async function broughtProviders(
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
      if (name === '' || (await namedProvider(type, name))) continue
      found.add(name)
      mayBeDefault ||= /\bdefaultfor\b/.test((await files.readText(join(folder, file))) ?? '')
    }
  }
  return { name: type, providers: found, mayBeDefault }
}

async function hasRubySide(type: string, loadPath: readonly string[], files: System['files']): Promise<boolean> {
  if (ofPuppet.includes(type)) return true
  for (const path of loadPath) if (await files.stat(join(path, 'puppet', 'type', `${type}.rb`))) return true
  return false
}
