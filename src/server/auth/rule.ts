import type { LinearPattern } from '../../base/linear-pattern.ts'
import type { Span } from '../../base/source.ts'

/** One rule of auth.conf. */
export interface Rule {
  readonly name: string
  /** 1 to 999; lower ones are asked first, equal ones by name. */
  readonly sortOrder: number
  readonly path: PathMatch
  /** Lower case; `undefined` is every method. */
  readonly methods: ReadonlySet<string> | undefined
  /** Query parameters required by the rule: for each name the accepted values. */
  readonly query: ReadonlyMap<string, readonly string[]>
  readonly allowUnauthenticated: boolean
  /** Asked before `allow`. */
  readonly deny: readonly Who[]
  readonly allow: readonly Who[]
  /** Tokens with one of these scopes are allowed, too. */
  readonly allowTokens: ReadonlySet<string>
  /** The place of its name in auth.conf; none of a rule that comes with the server. */
  readonly span?: Span | undefined
  /** The names of tokens that are let in by their scope; `undefined` is every name. */
  readonly tokenNames?: ReadonlySet<string> | undefined
}

/** Which paths a rule is about: a textual prefix, or a pattern found anywhere. */
export type PathMatch =
  | { readonly kind: 'prefix'; readonly prefix: string }
  | { readonly kind: 'pattern'; readonly pattern: LinearPattern }

/** Whom a rule allows or denies. */
export type Who =
  | { readonly kind: 'any' }
  /** May hold `$1` and so on: what the pattern of the path found. */
  | { readonly kind: 'name'; readonly name: string }
  /** `*.example.com`: ends so. */
  | { readonly kind: 'suffix'; readonly suffix: string }
  | { readonly kind: 'pattern'; readonly pattern: LinearPattern }
  /** All of these extensions, each with one of the values; and the name, when there is one. */
  | {
      readonly kind: 'certificate'
      readonly name: Who | undefined
      readonly extensions: ReadonlyMap<string, readonly string[]>
    }
