import { Hash } from '../../language/values/hash.ts'
import type { Regexp } from '../../language/values/regexp.ts'
import type { ExpectationContent, Reference } from './expectation.ts'

/** A function that records an expectation. */
interface ExpectationFunction {
  readonly name: string
  readonly doc: string
  readonly signature: string
  /** Receives the arguments that the signature accepts. */
  // biome-ignore lint/suspicious/noExplicitAny: the signature checks the arguments
  build(...args: any[]): ExpectationContent
}

const reference = 'Variant[Type[Resource], Type[Class]]'

/** The functions that record expectations. */
export const expectationFunctions: readonly ExpectationFunction[] = [
  {
    name: 'expect_resource',
    doc: 'The catalog contains a resource whose attributes have or match the given values.',
    signature: `${reference} $resource, Hash[String[1], Any] $attributes?`,
    build: (resource: Reference, attributes: Hash = Hash.empty) => ({
      kind: 'resource',
      reference: resource,
      attributes,
    }),
  },
  {
    name: 'expect_no_resource',
    doc: 'The catalog does not contain a resource.',
    signature: `${reference} $resource`,
    build: (resource: Reference) => ({ kind: 'no resource', reference: resource }),
  },
  {
    name: 'expect_count',
    doc: 'The catalog contains a number of resources of a type.',
    signature: `${reference} $type, Integer[0] $count`,
    build: (type: Reference, count: number) => ({ kind: 'count', type, count }),
  },
  {
    name: 'expect_order',
    doc: 'Each resource is applied before the next one.',
    signature: `${reference} $first, ${reference} +$next`,
    build: (first: Reference, next: readonly Reference[]) => ({ kind: 'order', references: [first, ...next] }),
  },
  {
    name: 'expect_error',
    doc: 'The compilation fails with a message that contains a text or matches a pattern.',
    signature: 'Variant[String[1], Regexp] $message',
    build: (message: string | Regexp) => ({ kind: 'error', message }),
  },
  {
    name: 'expect_catalog',
    doc: 'The catalog equals a golden catalog, a file beside the test manifest.',
    signature: 'Pattern[/\\A[A-Za-z0-9_][A-Za-z0-9_-]*\\z/] $name',
    build: (name: string) => ({ kind: 'catalog', name }),
  },
]
