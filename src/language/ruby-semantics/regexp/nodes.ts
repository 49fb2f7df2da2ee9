import type { CharacterSet } from './character-set.ts'

/** A part of a Ruby pattern that JavaScript can match as Ruby does. Options are resolved: they are in the sets. */
export type Node = Characters | Sequence | Alternatives | Repeat | Capture | Atomic | Look | Anchor | BackReference

/** `a`, `[a-z]`, `.`, `\w`: one character of a set. */
export interface Characters {
  readonly kind: 'Characters'
  readonly set: CharacterSet
}

/** One after the other. */
export interface Sequence {
  readonly kind: 'Sequence'
  readonly parts: readonly Node[]
}

/** `a|b` */
export interface Alternatives {
  readonly kind: 'Alternatives'
  readonly branches: readonly Node[]
}

/** `a*`, `a{2,3}?` */
export interface Repeat {
  readonly kind: 'Repeat'
  readonly body: Node
  readonly min: number
  readonly max: number
  readonly lazy: boolean
}

/** `(a)`, `(?<name>a)` */
export interface Capture {
  readonly kind: 'Capture'
  readonly number: number
  readonly body: Node
}

/** `(?>a)`, `a++` */
export interface Atomic {
  readonly kind: 'Atomic'
  readonly body: Node
}

/** `(?=a)`, `(?<!a)` */
export interface Look {
  readonly kind: 'Look'
  readonly direction: 'ahead' | 'behind'
  readonly negated: boolean
  readonly body: Node
}

/** `^`, `\z`, `\b` */
export interface Anchor {
  readonly kind: 'Anchor'
  readonly at: 'line start' | 'line end' | 'start' | 'end' | 'last line end' | 'word bound' | 'inside'
}

/** `\1`, `\k<name>` */
export interface BackReference {
  readonly kind: 'BackReference'
  readonly number: number
}

/** A whole pattern. */
export interface Pattern {
  readonly root: Node
  readonly groupCount: number
  readonly names: ReadonlyMap<string, readonly number[]>
  /** True when a letter stands for both its cases: resolved for ASCII; for letters beyond ASCII only Ruby knows how. */
  readonly ignoresCase: boolean
  /** True when a group is called (`\g<name>`): the text found by the call becomes the group's. */
  readonly callsGroups: boolean
}
