import { fail } from '../../base/issue.ts'
import { type ExactJson, memberOf } from '../../base/json/exact-json.ts'
import type { LogLevel } from '../../language/host.ts'
import type { RunOptions, RunResult, System } from '../../machine/system/system.ts'
import type { FileMetadata } from '../../model/file-metadata.ts'
import { issues } from './issues.ts'
import type { AnyResource, ManagedResource } from './managed-resource.ts'
import { redacted } from './secrets.ts'
import type { Attributes, TypeDefinition } from './type.ts'

/** The state of a thing as it was seen: a value for each property; `absent` for a property that is not there. */
export type Seen = Readonly<Record<string, unknown>>

/** Everything of the world that providers use. */
export interface Services {
  readonly system: System
  readonly sources: FileSources
  readonly buckets: Buckets
  readonly settings: ProviderSettings
  readonly facts: Readonly<Record<string, ExactJson>>
  readonly catalog: CatalogView
  /** All things of a type on this machine, as resources that ask for nothing yet; throws where none can be listed. */
  instances(type: string): Promise<readonly Instance[]>
}

/** A thing of this machine, and the provider that knows it. */
export interface Instance {
  readonly type: TypeDefinition
  readonly provider: AnyProvider | undefined
  readonly seen: Seen & { readonly name: string }
  /** Prepares a resource that is to remove the thing, of a type of others' own; false where that knows no absence. */
  readonly prepareRemoval?: (resource: AnyResource) => Promise<boolean>
}

/** The catalog as providers see it. */
export interface CatalogView {
  readonly environment: string
  readonly metadata: ReadonlyMap<string, FileMetadata>
  readonly recursiveMetadata: ReadonlyMap<string, ReadonlyMap<string, readonly FileMetadata[]>>
  find(type: string, title: string): AnyResource | undefined
  ofType(type: string): readonly AnyResource[]
}

/** Settings that providers follow. */
export interface ProviderSettings {
  readonly show_diff: boolean
  readonly digest_algorithm: string
}

/** Sources of files: the server, this machine, the web. */
export interface FileSources {
  /** `undefined` when there is nothing there. */
  metadata(source: string, options: SourceOptions): Promise<FileMetadata | undefined>
  search(source: string, options: SourceOptions & SearchOptions): Promise<readonly FileMetadata[] | undefined>
  /** The bytes of what `metadata` described. */
  content(metadata: FileMetadata, source: string): Promise<AsyncIterable<Uint8Array> | Uint8Array>
}

/** Options of a query for the metadata of a source. */
export interface SourceOptions {
  readonly links: 'manage' | 'follow'
  readonly checksumType: string
  readonly sourcePermissions: string
}

/** Options of a query for the metadata of all files below a source. */
export interface SearchOptions {
  readonly recurse: boolean
  readonly recurselimit: number | undefined
  readonly maxFiles: number | undefined
  readonly ignore: readonly string[]
}

/** The checksum of bytes in a bucket; without an algorithm, by that of the settings. */
export interface BucketChecksum {
  readonly algorithm?: string | undefined
  readonly sum: string
}

/** Bytes to back up. A large file is read in parts, once for the checksum and once for the copy. */
export type BackupContent = Uint8Array | { parts(): Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>> }

/** Buckets for old contents of files. */
export interface Buckets {
  /** Keeps the bytes; answers their sum. `undefined` when there is no bucket of that name. */
  backup(bucket: string, path: string, content: BackupContent): Promise<{ name: string; sum: string } | undefined>
  /** The bytes of a sum; throws, in Puppet's words, when the bucket does not have them whole. */
  find?(bucket: string, checksum: BucketChecksum): Promise<Uint8Array>
}

/** Logs in Puppet's own name. */
export type RunLog = (level: LogLevel, message: string) => void

/** The work on one resource: the argument of a provider's functions. */
export interface Work<Of extends Attributes = Attributes, State = unknown> extends Services {
  readonly resource: ManagedResource<Of>
  readonly state: State
  readonly noop: boolean
  /** Logs in the name of the resource, of one of its properties, with `provider` of its provider, with `''` of Puppet. */
  log(level: LogLevel, message: string, property?: string): void
  /** Logs in the name of anything else. */
  logAs(source: string, level: LogLevel, message: string): void
  /** Runs a program that must succeed. */
  run(...command: readonly string[]): Promise<RunResult>
  runWith(options: RunOptions, ...command: readonly string[]): Promise<RunResult>
}

/** Values that facts may have, by their paths; all of the facts have one of them. */
export type FactValuesWanted = Readonly<Record<string, readonly string[]>>

/** A provider: functions that manage the things of a type. */
export interface ProviderDefinition<Of extends Attributes = Attributes, State = unknown> {
  readonly name: string
  readonly type: TypeDefinition<Of>
  readonly doc: string
  /** Programs and files that must be there, facts, and what else must hold (Puppet: commands, confine). */
  readonly suitable?: {
    readonly commands?: readonly string[]
    readonly files?: readonly string[]
    readonly facts?: FactValuesWanted
    readonly when?: (services: Services) => Promise<boolean>
  }
  /** Machines that it is the usual provider of. The more facts match, the better it suits. */
  readonly defaultFor?: FactValuesWanted | readonly FactValuesWanted[]
  /** Machines of these that it is not the usual provider of after all. */
  readonly notDefaultFor?: readonly FactValuesWanted[]
  readonly features?: readonly string[]
  /** The state of one resource between the calls. */
  readonly begin?: () => State
  /** Looks at the machine once for all resources, before the first has its turn; answers what begins each of them. */
  readonly prefetch?: (
    services: Services,
    resources: readonly ManagedResource<Of>[],
    log: RunLog,
  ) => Promise<(resource: ManagedResource<Of>) => State>
  readonly validate?: (resource: ManagedResource<Of>) => void
  read(work: Work<Of, State>): Promise<Seen>
  /** Sets a property; without an entry for `ensure`, `create` and `remove` do it. */
  readonly set?: Readonly<Record<string, (work: Work<Of, State>, should: never, is: unknown) => Promise<void>>>
  readonly create?: (work: Work<Of, State>) => Promise<void>
  readonly remove?: (work: Work<Of, State>) => Promise<void>
  /** Comparison of a property with its wanted values; takes the place of the type's. */
  readonly inSync?: Readonly<
    Record<string, (work: Work<Of, State>, is: unknown, choices: readonly unknown[]) => boolean | Promise<boolean>>
  >
  /** Words for a change of a property: `undefined` for the usual ones. */
  readonly changeText?: Readonly<Record<string, (work: Work<Of, State>, is: unknown) => string | undefined>>
  /** Wanted values as events have them, where that is not the value itself. */
  readonly desiredValues?: Readonly<Record<string, (work: Work<Of, State>, is: unknown) => unknown>>
  /** Words for values of a property, present or wanted; `undefined` for the usual ones. */
  readonly show?: Readonly<
    Record<string, (work: Work<Of, State>, value: unknown, isWanted: boolean) => string | undefined>
  >
  /** Names of events that are not `<property>_changed`. */
  readonly eventNames?: Readonly<
    Record<string, string | ((should: unknown, work: Work<Of, State>) => string | undefined)>
  >
  /** Values of ensure after which queued refreshes are needless: a service that was just started. */
  readonly invalidatesRefreshes?: readonly string[]
  /** Once after all properties of a resource that changed. */
  readonly flush?: (work: Work<Of, State>) => Promise<void>
  readonly refresh?: (work: Work<Of, State>) => Promise<void>
  /** Resources that follow from this one before any has its turn (Puppet: generate). */
  readonly generate?: (work: Work<Of, State>) => Promise<readonly AnyResource[]>
  /** Resources that follow from this one, seen once it has its turn (Puppet: eval_generate). */
  readonly children?: (work: Work<Of, State>) => Promise<readonly AnyResource[]>
  /** All that there are, for `plumb resource` and for purging. */
  readonly list?: (services: Services) => Promise<readonly (Seen & { readonly name: string })[]>
}

/** Declares a provider; the names of features are checked against the type's. */
export function defineProvider<Of extends Attributes, State = undefined>(
  type: TypeDefinition<Of>,
  name: string,
  definition: Omit<ProviderDefinition<Of, State>, 'name' | 'type'>,
): ProviderDefinition<Of, State> {
  for (const feature of definition.features ?? [])
    if (!type.features || !(feature in type.features))
      throw new TypeError(`provider ${name} of ${type.name} claims ${feature}, which the type does not know`)
  return { name, type, ...definition }
}

/** True of a provider that can work on this machine. */
export async function isSuitable({ suitable = {} }: AnyProvider, services: Services): Promise<boolean> {
  const { commands = [], files = [], facts = {}, when } = suitable
  if (!hasFacts(services.facts, facts)) return false
  for (const path of files) if ((await services.system.files.stat(path)) === undefined) return false
  for (const command of commands) if ((await services.system.commands.find(command)) === undefined) return false
  return (await when?.(services)) ?? true
}

/** Number of this machine's facts that a provider fits: 0 when it is no default here. */
export function fitness({ defaultFor = [], notDefaultFor = [] }: AnyProvider, facts: Services['facts']): number {
  if (notDefaultFor.some((wanted) => hasFacts(facts, wanted))) return 0
  const fitting = [defaultFor].flat().filter((wanted) => hasFacts(facts, wanted as FactValuesWanted))
  return Math.max(0, ...fitting.map((wanted) => Object.keys(wanted).length))
}

function hasFacts(facts: Services['facts'], wanted: FactValuesWanted): boolean {
  return Object.entries(wanted).every(([path, values]) => {
    const fact = String(path.split('.').reduce<ExactJson | undefined>(memberOf, facts)).toLowerCase()
    return values.some((value) => value.toLowerCase() === fact)
  })
}

/** The environment of any program: nobody's. Puppet: util/execution.rb */
export const nobodys = { HOME: undefined, USER: undefined, LOGNAME: undefined } as const

/** The environment of a program whose output is read: English, too. */
const programEnvironment = { LANG: 'C', LC_ALL: 'C', ...nobodys }

/** Runs a program whose output is read; its status is an answer. */
export function runProgram(system: System, command: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return system.commands.run(command, { ...options, env: { ...programEnvironment, ...options.env } })
}

/** Runs a program for a resource; a status other than 0 is an error that says what it printed. */
export async function mustRun(
  system: System,
  resource: AnyResource,
  command: readonly string[],
  options?: RunOptions,
): Promise<RunResult> {
  const { status, output, ...rest } = await runProgram(system, command, options)
  if (status !== 0) {
    const [name = '', ...words] = command
    const path = (await system.commands.find(name)) ?? name
    failCommand(resource, [path, ...words], { status, output })
  }
  return { status, output, ...rest }
}

/** Throws COMMAND_FAILED, without the secrets of the resource. */
export function failCommand(
  resource: AnyResource,
  command: readonly string[],
  { status, output }: Pick<RunResult, 'status' | 'output'>,
): never {
  // Any word may come from any attribute. Puppet: util/execution.rb, `sensitive`.
  const shown = resource.hasSecrets ? redacted : command.join(' ')
  fail(issues.COMMAND_FAILED, { command: shown, status, output: resource.withoutSecrets(output.trim()) })
}

/** A provider of whatever type. */
// biome-ignore lint/suspicious/noExplicitAny: the attributes and the state are those of some provider
export type AnyProvider = ProviderDefinition<any, any>
