import type { SourceSpan } from '../../base/source.ts'
import type { Hash } from '../../language/values/hash.ts'
import type { Regexp } from '../../language/values/regexp.ts'
import type { ClassType, ResourceType } from '../../language/values/type.ts'

/** A reference to a resource or a class, with its title. */
export type Reference = ResourceType | ClassType

/** A statement of a test about its catalog, checked after the compilation; `span` is the location of the call. */
export type Expectation = ExpectationContent & { readonly span: SourceSpan | undefined }

/** The kind of an expectation and its values. */
export type ExpectationContent =
  | { readonly kind: 'resource'; readonly reference: Reference; readonly attributes: Hash }
  | { readonly kind: 'no resource'; readonly reference: Reference }
  | { readonly kind: 'count'; readonly type: Reference; readonly count: number }
  /** Each resource is applied before the next one. */
  | { readonly kind: 'order'; readonly references: readonly Reference[] }
  | { readonly kind: 'error'; readonly message: string | Regexp }
  /** The catalog equals a golden catalog. */
  | { readonly kind: 'catalog'; readonly name: string }
