import { throwIssue } from '../../base/issue.ts'
import { type ExactJson, getMember } from '../../base/json/exact-json.ts'
import type { LogLevel } from '../../language/host.ts'
import type { Compatibility } from '../../machine/settings/compatibility.ts'
import type { CommandOptions, CommandResult, System } from '../../machine/system/system.ts'
import type { FileMetadata } from '../../model/file-metadata.ts'
import type { GemSettings } from '../gems/configured-gems.ts'
import { issues } from './issues.ts'
import type { AnyResource, ManagedResource } from './managed-resource.ts'
import type { MachineRestart } from './providers/reboot/machine-restart.ts'
import { redacted } from './secrets.ts'
import type { NativeTypeDefinition, ResourceAttributes } from './type.ts'

/** The state of a resource on the machine: a value for each property, or `absent`. */
export type PropertyValues = Readonly<Record<string, unknown>>

/** The services that providers use. */
export interface ProviderServices {
  readonly system: System
  readonly sources: ProviderFileSources
  readonly buckets: Buckets
  readonly settings: ProviderSettings
  /** Settings for gems of the built-in Ruby; undefined where they cannot be managed. */
  readonly gems?: GemSettings | undefined
  readonly facts: Readonly<Record<string, ExactJson>>
  readonly catalog: CatalogView
  /** The restart of the machine after this run. */
  readonly restart: MachineRestart
  /** Returns all resources of a type on this machine, without desired values. Throws if they cannot be listed. */
  instances(type: string): Promise<readonly Instance[]>
}

/** A resource that exists on this machine, and its provider. */
export interface Instance {
  readonly type: NativeTypeDefinition
  readonly provider: AnyProvider | undefined
  readonly seen: PropertyValues & { readonly name: string }
  /** Prepares a resource that removes this instance, for a Ruby type; false if the type has no `ensure => absent`. */
  readonly prepareRemoval?: (resource: AnyResource) => Promise<boolean>
}

/** The part of the catalog that providers can read. */
export interface CatalogView {
  readonly environment: string
  readonly metadata: ReadonlyMap<string, FileMetadata>
  readonly recursiveMetadata: ReadonlyMap<string, ReadonlyMap<string, readonly FileMetadata[]>>
  find(type: string, title: string): AnyResource | undefined
  ofType(type: string): readonly AnyResource[]
}

/** Settings used by providers. */
export interface ProviderSettings {
  readonly show_diff: boolean
  readonly digest_algorithm: string
  /** The version whose messages are used. */
  readonly compatibility: Compatibility
}

/** Sources of files: the server, this machine, or the web. */
export interface ProviderFileSources {
  /** The metadata of a source; `undefined` if the source does not exist. */
  metadata(source: string, options: SourceOptions): Promise<FileMetadata | undefined>
  search(source: string, options: SourceOptions & SearchOptions): Promise<readonly FileMetadata[] | undefined>
  /** The content of a file that `metadata` described. */
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

/** The checksum of content in a bucket. Default algorithm: `digest_algorithm`. */
export interface BucketChecksum {
  readonly algorithm?: string | undefined
  readonly sum: string
}

/** Bytes to back up. A large file is read in parts, once for the checksum and once for the copy. */
export type BackupContent = Uint8Array | { parts(): Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>> }

/** Buckets for old contents of files. */
export interface Buckets {
  /** Stores content and returns its checksum; `undefined` if there is no bucket with that name. */
  backup(bucket: string, path: string, content: BackupContent): Promise<{ name: string; sum: string } | undefined>
  /** Returns the content with a checksum. Throws Puppet's error if it is missing or damaged. */
  find?(bucket: string, checksum: BucketChecksum): Promise<Uint8Array>
}

/** Logs with Puppet as the source. */
export type RunLog = (level: LogLevel, message: string) => void

/** The work on one resource: the argument of a provider's functions. */
export interface ProviderWork<Of extends ResourceAttributes = ResourceAttributes, State = unknown>
  extends ProviderServices {
  readonly resource: ManagedResource<Of>
  readonly state: State
  readonly noop: boolean
  /** Logs with the resource as source; `property` is a property, `provider` for its provider, or `''` for Puppet. */
  log(level: LogLevel, message: string, property?: string): void
  /** Logs with any other source. */
  logAs(source: string, level: LogLevel, message: string): void
  /** Runs a program. Throws COMMAND_FAILED if it fails. */
  run(...command: readonly string[]): Promise<CommandResult>
  runWith(options: CommandOptions, ...command: readonly string[]): Promise<CommandResult>
}

/** Required facts: permitted values by path. Every fact must have one of its permitted values. */
export type RequiredFactValues = Readonly<Record<string, readonly string[]>>

/** A provider: functions that manage the resources of a type. */
export interface ProviderDefinition<Of extends ResourceAttributes = ResourceAttributes, State = unknown> {
  readonly name: string
  readonly type: NativeTypeDefinition<Of>
  readonly doc: string
  /** Requirements: programs, files, facts and other conditions (Puppet: commands, confine). */
  readonly suitable?: {
    readonly commands?: readonly string[]
    readonly files?: readonly string[]
    readonly facts?: RequiredFactValues
    readonly when?: (services: ProviderServices) => Promise<boolean>
  }
  /** True for a provider that is never chosen unless the resource names it. */
  readonly onlyByName?: boolean
  /** Facts of machines on which this is the default provider. The provider with the most matching facts is used. */
  readonly defaultFor?: RequiredFactValues | readonly RequiredFactValues[]
  /** Facts of machines that are exceptions to `defaultFor`. */
  readonly notDefaultFor?: readonly RequiredFactValues[]
  readonly features?: readonly string[]
  /** Creates data for one resource that is kept between calls. */
  readonly begin?: () => State
  /**
   * Reads the machine once for all resources, before the first is evaluated. Returns a function
   * that creates each resource's state.
   */
  readonly prefetch?: (
    services: ProviderServices,
    resources: readonly ManagedResource<Of>[],
    log: RunLog,
  ) => Promise<(resource: ManagedResource<Of>) => State>
  readonly validate?: (resource: ManagedResource<Of>) => void
  read(work: ProviderWork<Of, State>): Promise<PropertyValues>
  /** Sets a property. Without an entry for `ensure`, `create` and `remove` are called to change it. */
  readonly set?: Readonly<Record<string, (work: ProviderWork<Of, State>, should: never, is: unknown) => Promise<void>>>
  readonly create?: (work: ProviderWork<Of, State>) => Promise<void>
  readonly remove?: (work: ProviderWork<Of, State>) => Promise<void>
  /** Compares a property with its desired values. Replaces the comparison of the type. */
  readonly inSync?: Readonly<
    Record<
      string,
      (work: ProviderWork<Of, State>, is: unknown, choices: readonly unknown[]) => boolean | Promise<boolean>
    >
  >
  /** Formats the change of a property; `undefined` for the default message. */
  readonly changeText?: Readonly<Record<string, (work: ProviderWork<Of, State>, is: unknown) => string | undefined>>
  /** Formats desired values for events, if events contain another form of the value. */
  readonly desiredValues?: Readonly<Record<string, (work: ProviderWork<Of, State>, is: unknown) => unknown>>
  /** Text for present or desired values of a property; undefined for the default text. */
  readonly show?: Readonly<
    Record<string, (work: ProviderWork<Of, State>, value: unknown, isWanted: boolean) => string | undefined>
  >
  /** Names of events, if not `<property>_changed`. */
  readonly eventNames?: Readonly<
    Record<string, string | ((should: unknown, work: ProviderWork<Of, State>) => string | undefined)>
  >
  /**
   * Values of `ensure` that make queued refreshes unnecessary when they are set, such as a
   * service's `running`.
   */
  readonly invalidatesRefreshes?: readonly string[]
  /** Called once after all changed properties of a resource are set. */
  readonly flush?: (work: ProviderWork<Of, State>) => Promise<void>
  readonly refresh?: (work: ProviderWork<Of, State>) => Promise<void>
  /** Generates resources before any resource is evaluated (Puppet: generate). */
  readonly generate?: (work: ProviderWork<Of, State>) => Promise<readonly AnyResource[]>
  /** Generates resources when this resource is evaluated (Puppet: eval_generate). */
  readonly children?: (work: ProviderWork<Of, State>) => Promise<readonly AnyResource[]>
  /** Lists all resources on the machine, for `plumb resource` and for purging. */
  readonly list?: (services: ProviderServices) => Promise<readonly (PropertyValues & { readonly name: string })[]>
  /** False for a listed resource that is never purged, given the names of all resources in the catalog. */
  readonly canPurge?: (name: string, managed: readonly string[]) => boolean
}

/** Declares a provider. The compiler checks the feature names against the type. */
export function defineProvider<Of extends ResourceAttributes, State = undefined>(
  type: NativeTypeDefinition<Of>,
  name: string,
  definition: Omit<ProviderDefinition<Of, State>, 'name' | 'type'>,
): ProviderDefinition<Of, State> {
  for (const feature of definition.features ?? [])
    if (!type.features || !(feature in type.features))
      throw new TypeError(`provider ${name} of ${type.name} claims ${feature}, which the type does not know`)
  return { name, type, ...definition }
}

/** True if the provider is suitable for this machine. */
export async function isSuitable({ suitable = {} }: AnyProvider, services: ProviderServices): Promise<boolean> {
  const { commands = [], files = [], facts = {}, when } = suitable
  if (!hasFacts(services.facts, facts)) return false
  for (const path of files) if ((await services.system.files.stat(path)) === undefined) return false
  for (const command of commands) if ((await services.system.commands.find(command)) === undefined) return false
  return (await when?.(services)) ?? true
}

/** Number of facts that make this the default provider on this machine; 0 if it is not a default. */
export function computeFitness(
  { defaultFor = [], notDefaultFor = [] }: AnyProvider,
  facts: ProviderServices['facts'],
): number {
  if (notDefaultFor.some((wanted) => hasFacts(facts, wanted))) return 0
  const fitting = [defaultFor].flat().filter((wanted) => hasFacts(facts, wanted as RequiredFactValues))
  return Math.max(0, ...fitting.map((wanted) => Object.keys(wanted).length))
}

/** True on a system with /bin and processes of POSIX, which is each but Windows (Puppet: feature `posix`). */
export async function isPosix({ facts }: ProviderServices): Promise<boolean> {
  return !hasFacts(facts, { kernel: ['windows'] })
}

function hasFacts(facts: ProviderServices['facts'], wanted: RequiredFactValues): boolean {
  return Object.entries(wanted).every(([path, values]) => {
    const fact = String(path.split('.').reduce<ExactJson | undefined>(getMember, facts)).toLowerCase()
    return values.some((value) => value.toLowerCase() === fact)
  })
}

/** Variables of the user, which are removed from the environment of every program. Puppet: util/execution.rb */
export const noUserVariables = { HOME: undefined, USER: undefined, LOGNAME: undefined } as const

/** The environment of a program whose output is parsed: English messages, and no variables of a user. */
const programEnvironment = { LANG: 'C', LC_ALL: 'C', ...noUserVariables }

/** Runs a program whose output is parsed. A nonzero status is returned, not thrown. */
export function runProviderProgram(
  system: System,
  command: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return system.commands.run(command, { ...options, env: { ...programEnvironment, ...options.env } })
}

/** Runs a program for a resource. Throws an error with its output if the status is not 0. */
export async function runOrFail(
  system: System,
  resource: AnyResource,
  command: readonly string[],
  options?: CommandOptions,
): Promise<CommandResult> {
  const { status, output, ...rest } = await runProviderProgram(system, command, options)
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
  { status, output }: Pick<CommandResult, 'status' | 'output'>,
): never {
  // Any word of the command may contain a sensitive attribute. Puppet: util/execution.rb,
  // `sensitive`.
  const shown = resource.hasSecrets ? redacted : command.join(' ')
  throwIssue(issues.COMMAND_FAILED, { command: shown, status, output: resource.withoutSecrets(output.trim()) })
}

/** A provider of any type. */
// biome-ignore lint/suspicious/noExplicitAny: the attributes and the state are those of some provider
export type AnyProvider = ProviderDefinition<any, any>
