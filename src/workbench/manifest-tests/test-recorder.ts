import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import type { SourceSpan } from '../../base/source.ts'
import { defineFunction, type FunctionBlock } from '../../language/functions/definition/define-function.ts'
import type { CallContext } from '../../language/host.ts'
import type { Callable } from '../../language/values/callable.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Regexp } from '../../language/values/regexp.ts'
import type { Expectation, Reference } from './expectation.ts'
import { manifestTestIssues } from './issues.ts'

/** A call of `test()` in a test manifest. */
export interface ManifestTest {
  readonly name: string
  readonly options: Hash
  readonly span: SourceSpan | undefined
}

const optionTypes = `Struct[{
  Optional[facts] => Hash[String[1], Data], Optional[trusted] => Hash[String[1], Data],
  Optional[data] => Hash[String[1], RichData], Optional[certname] => Pattern[/\\A[a-z0-9._-]+\\z/],
  Optional[on] => Variant[Enum[none, supported], Array[String[1], 1]]
}] $options`
/** A resource or a class; \`Class\` and \`File\` without a title are rejected by the functions that need one. */
const reference = 'Variant[Type[Resource], Type[Class]]'

/**
 * The functions of test manifests. Evaluating a manifest lists its tests, and runs the block of the selected test, whose
 * resources then are in the catalog and whose expectations are recorded.
 */
export class TestRecorder {
  readonly tests: ManifestTest[] = []
  readonly expectations: Expectation[] = []
  readonly functions: ReadonlyMap<string, Callable>
  readonly #selected: number | undefined
  #current: string | undefined

  /** `selected`: number of the test to run, from 0; undefined to list the tests only. */
  constructor(selected?: number) {
    this.#selected = selected
    const functions = [this.#defineTest(), ...this.#defineExpectations()]
    this.functions = new Map(functions.map((each) => [each.name, each]))
  }

  #defineTest() {
    const run = (name: string, options: Hash, block: FunctionBlock, { span }: CallContext) => {
      if (this.#current !== undefined) throwIssue(manifestTestIssues.TEST_NESTED, { name }, span)
      const most = budgets.workbench.tests.bound
      if (this.tests.push({ name, options, span }) > most) throwIssue(manifestTestIssues.TESTS_TOO_MANY, { most }, span)
      if (this.tests.length - 1 !== this.#selected) return undefined
      this.#current = name
      block()
      this.#current = undefined
      return undefined
    }
    return defineFunction('test', 'Defines a test: code for a catalog, and expectations about the catalog.', {
      'String[1] $name, Callable[0, 0] &$block': (name: string, block: FunctionBlock, context: CallContext) =>
        run(name, Hash.empty, block, context),
      [`String[1] $name, ${optionTypes}, Callable[0, 0] &$block`]: run,
    })
  }

  #defineExpectations() {
    const add = (name: string, { span }: CallContext, expectation: Expectation) => {
      if (this.#current === undefined) throwIssue(manifestTestIssues.TEST_OUTSIDE, { name }, span)
      this.expectations.push(expectation)
      return undefined
    }
    const define = (
      name: string,
      doc: string,
      signature: string,
      // biome-ignore lint/suspicious/noExplicitAny: the signature checks the arguments
      build: (span: SourceSpan | undefined, ...args: any[]) => Expectation,
    ) =>
      defineFunction(name, doc, {
        // biome-ignore lint/suspicious/noExplicitAny: as above
        [signature]: (...args: any[]) => {
          const context = args.pop() as CallContext
          return add(name, context, build(context.span, ...args))
        },
      })
    return [
      define(
        'expect_resource',
        'The catalog contains a resource whose attributes have or match the given values.',
        `${reference} $resource, Hash[String[1], Any] $attributes?`,
        (span, resource: Reference, attributes: Hash = Hash.empty) => ({
          ...{ kind: 'resource', span, reference: resource, attributes },
        }),
      ),
      define(
        'expect_no_resource',
        'The catalog does not contain a resource.',
        `${reference} $resource`,
        (span, resource: Reference) => ({ kind: 'no resource', span, reference: resource }),
      ),
      define(
        'expect_count',
        'The catalog contains a number of resources of a type.',
        `${reference} $type, Integer[0] $count`,
        (span, type: Reference, count: number) => ({ kind: 'count', span, type, count }),
      ),
      define(
        'expect_order',
        'Each resource is applied before the next one.',
        `${reference} $first, ${reference} +$next`,
        (span, first: Reference, next: readonly Reference[]) => ({ kind: 'order', span, references: [first, ...next] }),
      ),
      define(
        'expect_error',
        'The compilation fails with a message that contains a text or matches a pattern.',
        'Variant[String[1], Regexp] $message',
        (span, message: string | Regexp) => ({ kind: 'error', span, message }),
      ),
      define(
        'expect_catalog',
        'The catalog equals a golden catalog, a file beside the test manifest.',
        'Pattern[/\\A[A-Za-z0-9_][A-Za-z0-9_-]*\\z/] $name',
        (span, name: string) => ({ kind: 'catalog', span, name }),
      ),
    ]
  }
}
