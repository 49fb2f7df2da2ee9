import { parseType } from '../../language/types/from-code/type-parser.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Type } from '../../language/values/type.ts'
import type { Value } from '../../language/values/value.ts'
import type { HierarchyEntry } from './config.ts'
import {
  assertConfigType,
  type ConfigPlace,
  failAtConfigNode,
  fillConfigDefaults,
  getChildPlace,
} from './config-location.ts'
import { hieraIssues } from './issues.ts'

const configText = `Struct[{
  version => Integer[4, 4], Optional[datadir] => String[1],
  Optional[hierarchy] => Array[Struct[{
    backend => String[1], name => String[1], Optional[datadir] => String[1], Optional[path] => String[1],
    Optional[paths] => Array[String[1]] }]] }]`

let configType: Type | undefined

const defaults: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['datadir', 'data'],
  ['hierarchy', [Hash.from({ name: 'common', backend: 'yaml' })]],
])

/**
 * Returns the hierarchy levels in a hiera.yaml of version 4. Throws LOOKUP_HIERA_…. Puppet: hiera_config.rb,
 * HieraConfigV4.
 */
export function parseVersion4Hierarchy(given: Hash, place: ConfigPlace): HierarchyEntry[] {
  configType ??= parseType(configText)
  const config = fillConfigDefaults(given, defaults)
  assertConfigType(place, configType, config)
  const datadir = config.get('datadir') as string
  return (config.get('hierarchy') as readonly Hash[]).map((entry, index) =>
    parseBackendLevel(entry, datadir, getChildPlace(place, 'hierarchy', index)),
  )
}

/** File extensions of data files by backend name. */
const endings: Readonly<Record<string, string>> = { yaml: '.yaml', json: '.json', hocon: '.conf' }

function parseBackendLevel(entry: Hash, datadir: string, place: ConfigPlace): HierarchyEntry {
  const backend = entry.get('backend') as string
  const name = entry.get('name') as string
  const ending = Object.hasOwn(endings, backend) ? endings[backend]! : undefined
  if (ending === undefined)
    return failAtConfigNode(getChildPlace(place, 'backend'), hieraIssues.LOOKUP_HIERA_NO_PROVIDER_FOR_BACKEND, {
      name: backend,
    })
  const paths = (entry.get('paths') as readonly string[] | undefined) ?? [(entry.get('path') as string) ?? name]
  return {
    name,
    kind: 'data_hash',
    functionName: `${backend}_data`,
    datadir: (entry.get('datadir') as string | undefined) ?? datadir,
    locations: { kind: 'paths', values: paths, ending },
    options: Hash.empty,
  }
}
