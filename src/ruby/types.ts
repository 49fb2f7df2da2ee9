import type { CallContext } from '../language/host.ts'
import { Hash } from '../language/values/hash.ts'
import { Regexp } from '../language/values/regexp.ts'
import type { Value } from '../language/values/value.ts'
import type { RubySession } from './session/session.ts'

/** A resource type as its Ruby code defines it, in a form that threads can exchange. */
export interface TypeDescription {
  readonly parameters: readonly string[]
  readonly properties: readonly string[]
  readonly namevars: readonly string[]
  readonly values: readonly (readonly [attribute: string, values: readonly string[]])[]
  readonly isomorphic: boolean
  readonly titlePatterns: readonly { readonly pattern: string; readonly parts: readonly TitlePart[] }[] | undefined
}

/** A resource type as its Ruby code defines it, as plain data. */
export interface TypeShape {
  readonly parameters: ReadonlySet<string>
  readonly properties: ReadonlySet<string>
  /** In the order of their definition. */
  readonly namevars: readonly string[]
  /** The words and patterns (`/…/`) that are all an attribute takes, where it says so; it is agents that check them. */
  readonly values: ReadonlyMap<string, readonly string[]>
  readonly isomorphic: boolean
  /** The patterns that split a title into attributes; `undefined` when the title is the one namevar. */
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
export function describeType(session: RubySession, name: string): TypeDescription | undefined {
  const shape = session.run('reflect_type', [name], contextOf(session), session.surroundings.typeFile(name))
  if (!(shape instanceof Hash)) return undefined
  const patterns = shape.get('patterns') as readonly (readonly [Regexp, readonly (readonly [string, boolean])[]])[]
  return {
    parameters: shape.get('parameters') as readonly string[],
    properties: shape.get('properties') as readonly string[],
    namevars: shape.get('namevars') as readonly string[],
    values: [...(shape.get('values') as Hash)] as [string, string[]][],
    isomorphic: shape.get('isomorphic') === true,
    titlePatterns: patterns?.map(([pattern, parts]) => ({
      pattern: pattern.source,
      parts: parts.map(([attribute, changed]) => ({ attribute, changed })),
    })),
  }
}

/** A description as the compiler uses it. */
export function typeShape({ parameters, properties, values, titlePatterns, ...rest }: TypeDescription): TypeShape {
  return {
    ...rest,
    parameters: new Set(parameters),
    properties: new Set(properties),
    values: new Map(values),
    titlePatterns: titlePatterns?.map(({ pattern, parts }) => ({ pattern: new Regexp(pattern), parts })),
  }
}

/** The value that a resource type's code makes of a part of a title. */
export function changedTitlePart(
  session: RubySession,
  type: string,
  at: readonly [number, number],
  text: Value,
): Value {
  return session.run('changed_title_part', [type, ...at, text], contextOf(session), session.surroundings.typeFile(type))
}

/** No code of the manifest's asks for it. */
function contextOf({ host, top }: RubySession): CallContext {
  return { host, scope: top, span: undefined }
}
