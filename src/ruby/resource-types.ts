import type { CallContext } from '../language/host.ts'
import { Hash } from '../language/values/hash.ts'
import { Regexp } from '../language/values/regexp.ts'
import type { Value } from '../language/values/value.ts'
import type { RubySession } from './session/session.ts'

/** A resource type defined in Ruby, in a form that threads can exchange. */
export interface TypeDescription {
  readonly parameters: readonly string[]
  readonly properties: readonly string[]
  readonly namevars: readonly string[]
  readonly values: readonly (readonly [attribute: string, values: readonly string[]])[]
  readonly isomorphic: boolean
  readonly titlePatterns: readonly { readonly pattern: string; readonly parts: readonly TitlePart[] }[] | undefined
}

/** A resource type defined in Ruby, as plain data. */
export interface TypeShape {
  readonly parameters: ReadonlySet<string>
  readonly properties: ReadonlySet<string>
  /** Names in the order of definition. */
  readonly namevars: readonly string[]
  /** Accepted words and patterns (`/…/`), by attribute. Agents check the values. */
  readonly values: ReadonlyMap<string, readonly string[]>
  readonly isomorphic: boolean
  /** Patterns that split a title into attributes; `undefined` if the title is the single namevar. */
  readonly titlePatterns: readonly TitlePattern[] | undefined
}

/** A title pattern, whose groups are the values of attributes. */
export interface TitlePattern {
  readonly pattern: Regexp
  readonly parts: readonly TitlePart[]
}

/** An attribute set by a part of a title; `changed` is true if code converts the part. */
export interface TitlePart {
  readonly attribute: string
  readonly changed: boolean
}

/** Runs the Ruby code of a type; `undefined` if it defines no type of this name. */
export function describeType(session: RubySession, name: string): TypeDescription | undefined {
  const shape = session.load('reflect_type', [name], createCallContext(session), session.surroundings.typeFile(name))
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

/** Converts a type description to the form that the compiler reads. */
export function toTypeShape({ parameters, properties, values, titlePatterns, ...rest }: TypeDescription): TypeShape {
  return {
    ...rest,
    parameters: new Set(parameters),
    properties: new Set(properties),
    values: new Map(values),
    titlePatterns: titlePatterns?.map(({ pattern, parts }) => ({ pattern: new Regexp(pattern), parts })),
  }
}

/** Returns the value that a resource type's code computes from a part of a title. */
export function computeTitlePart(
  session: RubySession,
  type: string,
  at: readonly [number, number],
  text: Value,
): Value {
  return session.run(
    'changed_title_part',
    [type, ...at, text],
    createCallContext(session),
    session.surroundings.typeFile(type),
  )
}

/** Returns the context for a call that no manifest code makes; it has no source location. */
function createCallContext({ host, top }: RubySession): CallContext {
  return { host, scope: top, span: undefined }
}
