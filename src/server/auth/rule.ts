import type { SourceSpan } from '../../base/source.ts'
import type { LinearPattern } from '../../base/text/linear-pattern.ts'
import type { AltNames } from '../http/client.ts'

/** One rule of auth.conf. */
export interface Rule {
  readonly name: string
  /**
   * Number from 1 to 999. Rules are evaluated in ascending order; rules with the same number are
   * evaluated by name.
   */
  readonly sortOrder: number
  readonly path: PathMatch
  /** Lowercase method names; `undefined` matches every method. */
  readonly methods: ReadonlySet<string> | undefined
  /** Accepted values of each query parameter that the rule requires, by parameter name. */
  readonly query: ReadonlyMap<string, readonly string[]>
  readonly allowUnauthenticated: boolean
  /** Entries that deny access; checked before `allow`. */
  readonly deny: readonly RuleEntry[]
  readonly allow: readonly RuleEntry[]
  /** Scopes that give a token access, in addition to the entries of `allow`. */
  readonly allowTokens: ReadonlySet<string>
  /** Position of the rule's name in auth.conf; undefined for built-in rules. */
  readonly span?: SourceSpan | undefined
  /** Restricts `allowTokens` to tokens of these names; `undefined` allows every name. */
  readonly tokenNames?: ReadonlySet<string> | undefined
}

/** Path condition of a rule: a prefix, or a pattern that may match anywhere in the path. */
export type PathMatch =
  | { readonly kind: 'prefix'; readonly prefix: string }
  | { readonly kind: 'pattern'; readonly pattern: LinearPattern }

/** An entry of `allow` or `deny`. Names are compared with the common name and the DNS names of a certificate. */
export type RuleEntry =
  | { readonly kind: 'any' }
  /** A name in lower case, without a trailing period. */
  | { readonly kind: 'name'; readonly name: string }
  /** `*.example.com` matches the domain itself and every name below it. In lower case. */
  | { readonly kind: 'domain'; readonly domain: string }
  | { readonly kind: 'pattern'; readonly pattern: LinearPattern }
  /** Exactly this common name; from PuppetDB's allow-list, not from auth.conf. */
  | { readonly kind: 'common name'; readonly certname: string }
  /** A name with references such as `$1` to the capture groups of the path match. */
  | { readonly kind: 'template'; readonly template: string }
  /**
   * A certificate with all of these extensions, by short name or OID. Each extension must have one of its listed
   * values.
   */
  | {
      readonly kind: 'extensions'
      readonly extensions: ReadonlyMap<string, readonly string[]>
      /** Names from `subject-alt-name`; the certificate must have at least one of them. */
      readonly altNames?: AltNames
    }
  /** An entry that matches no client in Puppet Server. `written` is its text in auth.conf. */
  | { readonly kind: 'nobody'; readonly written: string }
