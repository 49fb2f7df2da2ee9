import type { CallContext } from '../language/host.ts'
import { Hash } from '../language/values/hash.ts'
import type { Regexp } from '../language/values/regexp.ts'
import type { Value } from '../language/values/value.ts'
import type { RubySession } from './session.ts'

/** What the Ruby code of a type of resources says of it, as plain data. */
export interface TypeShape {
  readonly parameters: ReadonlySet<string>
  readonly properties: ReadonlySet<string>
  /** In the order of their definition. */
  readonly namevars: readonly string[]
  /** The words and patterns (`/…/`) that are all an attribute takes, where it says so; it is agents that check them. */
  readonly values: ReadonlyMap<string, readonly string[]>
  readonly isomorphic: boolean
  /** How a title tells attributes; `undefined` when it is the one namevar. */
  readonly titlePatterns: readonly TitlePattern[] | undefined
}

/** The groups of the pattern are the values of attributes. */
export interface TitlePattern {
  readonly pattern: Regexp
  readonly parts: readonly TitlePart[]
}

/** An attribute that a part of a title gives; `changed` when code makes the value of that part. */
export interface TitlePart {
  readonly attribute: string
  readonly changed: boolean
}

/** Runs the Ruby code of a type; nothing when it defines none of that name. */
export function reflectType(session: RubySession, name: string): TypeShape | undefined {
  const shape = session.run('reflect_type', [name], contextOf(session))
  if (!(shape instanceof Hash)) return undefined
  const patterns = shape.get('patterns') as readonly (readonly [Regexp, readonly (readonly [string, boolean])[]])[]
  return {
    parameters: new Set(shape.get('parameters') as readonly string[]),
    properties: new Set(shape.get('properties') as readonly string[]),
    namevars: shape.get('namevars') as readonly string[],
    values: new Map([...(shape.get('values') as Hash)] as [string, string[]][]),
    isomorphic: shape.get('isomorphic') === true,
    titlePatterns: patterns?.map(([pattern, parts]) => ({
      pattern,
      parts: parts.map(([attribute, changed]) => ({ attribute, changed })),
    })),
  }
}

/** What the code of a type makes of a part of a title. */
export function changedTitlePart(
  session: RubySession,
  type: string,
  at: readonly [number, number],
  text: Value,
): Value {
  return session.run('changed_title_part', [type, ...at, text], contextOf(session))
}

/** No code of the manifest's asks for it. */
function contextOf({ host, top }: RubySession): CallContext {
  return { host, scope: top, span: undefined }
}
