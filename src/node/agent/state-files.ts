import { formatError } from '../../language/ruby-semantics/errno.ts'
import { convertYamlToJson } from '../../language/ruby-semantics/yaml/yaml-data.ts'
import type { Files } from '../../machine/system/system.ts'

/** State of resources stored between runs. */
export interface RunState {
  /** Time of the last check of a resource, in Unix milliseconds. */
  checked(reference: string): number | undefined
  setChecked(reference: string, time: number): void
  setSynced(reference: string, time: number): void
  /** The last recorded value of an audited attribute. */
  audited(reference: string, name: string): unknown
  setAudited(reference: string, name: string, value: unknown): void
  /** The value that a property was set to, used to detect corrective changes. */
  systemValue(reference: string, name: string): readonly unknown[] | undefined
  setSystemValue(reference: string, name: string, value: readonly unknown[]): void
  /** Keeps the stored values of a resource that was not evaluated, except values that are now sensitive. */
  keepSystemValues(reference: string, hides: (name: string) => boolean): void
  save(): Promise<void>
}

type Cache = Record<string, Record<string, unknown>>
type SystemValues = Record<string, { parameters: Record<string, { system_value: readonly unknown[] }> }>

interface Places {
  /** Path of state.yaml. */
  readonly statefile: string
  /** Path of transactionstore.yaml; undefined if values are not stored. */
  readonly transactionstorefile: string | undefined
}

/**
 * Reads a state file. A malformed file is renamed, logged as an error and counts as empty. An unreadable file fails
 * the run, because another user may own it.
 */
export async function openRunState(
  files: Files,
  places: Places,
  err: (message: string) => void,
  info: (message: string) => void = () => {},
): Promise<RunState> {
  const { statefile, transactionstorefile } = places
  const isNew = !(await files.stat(statefile))
  const cache = await loadStateFile<Cache>(files, { path: statefile, kind: 'Checksumfile' }, err)
  const kind = 'Transaction store file'
  const store: { resources?: SystemValues } =
    transactionstorefile === undefined ? {} : await loadStateFile(files, { path: transactionstorefile, kind }, err)
  const before = store.resources ?? {}
  const after: SystemValues = {}
  const getResourceState = (reference: string): Record<string, unknown> => {
    cache[reference] ??= {}
    return cache[reference]
  }
  return {
    checked: (reference) => parseStateTime(cache[reference]?.[':checked']),
    setChecked(reference, time) {
      getResourceState(reference)[':checked'] = new Date(time).toISOString()
    },
    setSynced(reference, time) {
      getResourceState(reference)[':synced'] = new Date(time).toISOString()
    },
    audited: (reference, name) => cache[reference]?.[`:${name}`],
    setAudited(reference, name, value) {
      getResourceState(reference)[`:${name}`] = value ?? null
    },
    systemValue: (reference, name) => before[reference]?.parameters[name]?.system_value,
    setSystemValue(reference, name, value) {
      after[reference] ??= { parameters: {} }
      after[reference].parameters[name] = { system_value: value }
    },
    keepSystemValues(reference, hides) {
      const known = before[reference]
      if (!known) return
      const shown = Object.entries(known.parameters).filter(([name]) => !hides(name))
      after[reference] = { parameters: Object.fromEntries(shown) }
    },
    async save() {
      if (transactionstorefile !== undefined)
        await files.write(transactionstorefile, formatState({ resources: after }), 0o660)
      const message = `Creating state file ${statefile}`
      if (isNew) info(message)
      await files.write(statefile, formatState(cache), 0o660)
    },
  }
}

function parseStateTime(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  const time = Date.parse(String(value).replace(/^(\S+) (\S+) (\S+)$/, '$1T$2$3'))
  return Number.isNaN(time) ? undefined : time
}

interface StateFile {
  readonly path: string
  /** The file's name in Puppet's messages. */
  readonly kind: string
}

async function loadStateFile<Shape extends object>(
  files: Files,
  { path, kind }: StateFile,
  err: (message: string) => void,
): Promise<Shape> {
  const text = (await files.readText(path)) ?? '{}'
  try {
    const read = parseState(text)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Shape) : ({} as Shape)
  } catch (error) {
    err(`${kind} ${path} is corrupt (${formatError(error)}); replacing`)
    await files.rename(path, `${path}.bad`)
    return {} as Shape
  }
}

/** Writes JSON, which is valid YAML and parses a hundred times faster: milliseconds for 2,000 resources. */
function formatState(data: object): string {
  return `${JSON.stringify(data, null, 1)}\n`
}

/** Parses the JSON of this program or YAML written by Puppet. */
function parseState(text: string): unknown {
  return text.startsWith('{')
    ? JSON.parse(text)
    : convertYamlToJson(text, { Symbol: (name) => `:${name}`, Time: (time) => time })
}
