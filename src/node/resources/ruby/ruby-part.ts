import type { Json } from '../../../base/json/wire.ts'
import type { LogLevel } from '../../../language/host.ts'
import type { RubyLine } from '../../../ruby/node/host.ts'
import type { AnyResource } from '../managed-resource.ts'

/** Calls of a node's Ruby; what it says meanwhile goes to the log. Throws an error with Ruby's message. */
export interface RubyCalls {
  call(operation: string, args: readonly Json[], log?: (line: RubyLine) => void): Promise<Json>
}

/** The provider that Ruby chose for a resource, `null` where none can work yet. */
export interface ChosenProvider {
  readonly provider: string | null
  readonly prefetches: boolean
}

/** A resource of a type of Ruby's, as Ruby made it. */
export interface RubyDescription extends ChosenProvider {
  readonly id: number
  readonly error?: string
  readonly name: string | null
  /** Attributes with their values, as munged. */
  readonly values: { readonly [name: string]: Json }
  readonly sensitive: readonly string[]
}

/** A resource that another one generated: of Ruby's or of another type. */
export interface GeneratedDescription extends RubyDescription {
  readonly type: string
  readonly title: string
  readonly tags: readonly string[]
  readonly file: string | null
  readonly line: number | null
  readonly parameters: { readonly [name: string]: Json }
}

/** Ruby's part in a resource. */
export interface RubyPart {
  readonly id: number
  readonly path: string
  readonly description: RubyDescription
}

/** The keeper of Ruby's part in the resources of a run. */
export interface RubyOwner {
  readonly ruby: RubyCalls
  partOf(resource: AnyResource): RubyPart
  /** Resources that one of Ruby's generated. */
  generated(described: readonly GeneratedDescription[], parent: RubyPart): Promise<readonly AnyResource[]>
}

/** Lines of Ruby's in the name of a resource, one of its attributes, or of something else. */
export function lineTo(
  { path }: RubyPart,
  log: (level: LogLevel, message: string, property?: string) => void,
  logAs: (source: string, level: LogLevel, message: string) => void,
): (line: RubyLine) => void {
  return ({ level, message, source }) => {
    const at = level as LogLevel
    if (source === undefined) log(at, message, '')
    else if (source === path) log(at, message)
    else if (source.startsWith(`${path}/`)) log(at, message, source.slice(path.length + 1))
    else logAs(source, at, message)
  }
}
