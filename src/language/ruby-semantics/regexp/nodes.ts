import type { CharacterSet } from './character-set.ts'

/**
 * A part of a Ruby pattern that JavaScript can match in the same way. Its character sets already include the effect of
 * options.
 */
export type RegexpNode =
  | Characters
  | Sequence
  | Alternatives
  | Repeat
  | Capture
  | Atomic
  | Lookaround
  | Anchor
  | BackReference

/** One character of a set: `a`, `[a-z]`, `.`, `\w`. */
export interface Characters {
  readonly kind: 'Characters'
  readonly set: CharacterSet
}

/** Consecutive parts of a pattern. */
export interface Sequence {
  readonly kind: 'Sequence'
  readonly parts: readonly RegexpNode[]
}

/** Alternatives in a pattern: `a|b`. */
export interface Alternatives {
  readonly kind: 'Alternatives'
  readonly branches: readonly RegexpNode[]
}

/** A repeated part of a pattern: `a*`, `a{2,3}?`. */
export interface Repeat {
  readonly kind: 'Repeat'
  readonly body: RegexpNode
  readonly min: number
  readonly max: number
  readonly lazy: boolean
}

/** A capturing group: `(a)`, `(?<name>a)`. */
export interface Capture {
  readonly kind: 'Capture'
  readonly number: number
  readonly body: RegexpNode
}

/** An atomic group or a possessive repeat: `(?>a)`, `a++`. */
export interface Atomic {
  readonly kind: 'Atomic'
  readonly body: RegexpNode
}

/** A lookahead or lookbehind: `(?=a)`, `(?<!a)`. */
export interface Lookaround {
  readonly kind: 'Look'
  readonly direction: 'ahead' | 'behind'
  readonly negated: boolean
  readonly body: RegexpNode
}

/** An anchor: `^`, `\z`, `\b`. */
export interface Anchor {
  readonly kind: 'Anchor'
  readonly at: 'line start' | 'line end' | 'start' | 'end' | 'last line end' | 'word bound' | 'inside'
}

/** A back-reference to a group: `\1`, `\k<name>`. */
export interface BackReference {
  readonly kind: 'BackReference'
  readonly number: number
}

/** A whole pattern. */
export interface Pattern {
  readonly root: RegexpNode
  readonly groupCount: number
  readonly names: ReadonlyMap<string, readonly number[]>
  /**
   * True if case is ignored. The character sets already contain both cases of ASCII letters; other letters need Ruby's
   * engine.
   */
  readonly ignoresCase: boolean
  /** True if the pattern calls a group (`\g<name>`). The text matched by the call becomes the text of the group. */
  readonly callsGroups: boolean
}
