import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import type { SourceSpan } from '../../base/source.ts'
import { defineFunction, type FunctionBlock } from '../../language/functions/definition/define-function.ts'
import type { CallContext } from '../../language/host.ts'
import type { Callable } from '../../language/values/callable.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Expectation } from './expectation.ts'
import { expectationFunctions } from './expectation-functions.ts'
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
    const add = (name: string, expectation: Expectation, { span }: CallContext) => {
      if (this.#current === undefined) throwIssue(manifestTestIssues.TEST_OUTSIDE, { name }, span)
      this.expectations.push(expectation)
      return undefined
    }
    return expectationFunctions.map(({ name, doc, signature, build }) =>
      defineFunction(name, doc, {
        // biome-ignore lint/suspicious/noExplicitAny: the signature checks the arguments
        [signature]: (...args: any[]) => {
          const context: CallContext = args.pop()
          return add(name, { span: context.span, ...build(...args) }, context)
        },
      }),
    )
  }
}
