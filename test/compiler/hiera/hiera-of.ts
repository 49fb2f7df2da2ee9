import { dataFunctions } from '../../../src/compiler/hiera/data-functions.ts'
import { createHiera, type HieraOptions } from '../../../src/compiler/hiera/hiera.ts'
import type { HieraCode } from '../../../src/compiler/hiera/layers.ts'
import { evaluateNode } from '../../../src/language/evaluator/evaluation.ts'
import { defineFunction } from '../../../src/language/functions/definition/define-function.ts'
import { builtinFunctions } from '../../../src/language/functions/table.ts'
import type { CallContext } from '../../../src/language/host.ts'
import { parseManifest } from '../../../src/language/syntax/parser/parser.ts'
import { toLiteral } from '../../../src/language/types/printing/text.ts'
import type { Callable } from '../../../src/language/values/callable.ts'
import { Hash } from '../../../src/language/values/hash.ts'
import type { Value } from '../../../src/language/values/value.ts'
import { hostOf, type TestHost, worthOf } from '../../support/host.ts'
import { treeOf } from '../../support/map-tree.ts'

/** The facts that real Puppet was asked with. */
const facts = Hash.from({ os: Hash.from({ family: 'Debian', name: 'Debian' }), many: ['a', 'b'] })

/** A function in Puppet's words, with parameters that take anything. */
export function puppetFunction(name: string, parameters: readonly string[], body: string): Callable {
  const program = parseManifest({ file: `${name}.pp`, text: body })
  const signature = parameters.map((each) => `Any $${each}`).join(', ')
  return defineFunction(name, 'For a test.', {
    [signature]: (...all) => {
      const { host, scope } = all.at(-1) as CallContext
      const local = scope.local()
      for (const [index, each] of parameters.entries()) local.set(each, all[index] as Value)
      return evaluateNode(program, host, local)
    },
  })
}

/** A host whose data is in files given as a map, with Hiera over them. */
export function hieraHost(
  files: Readonly<Record<string, string>>,
  more: Partial<HieraCode> = {},
  functions: readonly Callable[] = [],
  options: HieraOptions = {},
): TestHost & { readonly root: string } {
  const tree = treeOf(files)
  const code = { name: 'production', tree, modulepath: [{ tree, path: 'modules' }], globalHiera: undefined, ...more }
  const host = hostOf({ variables: { facts, os: facts.get('os'), environment: 'production' } })
  const byName = new Map(functions.map((each) => [each.name, each]))
  const hiera = createHiera(code, host, options)
  return Object.assign(host, {
    root: tree.root,
    lookup: hiera.lookup,
    findFunction: (name: string) => byName.get(name) ?? builtinFunctions.get(name) ?? dataFunctions.get(name),
  })
}

/** What an expression is worth there, or `! ` and the error, as the case files say it. */
export function said(code: string, host: TestHost): string {
  try {
    return toLiteral(worthOf(code, host))
  } catch (error) {
    return `! ${(error as Error).message}`
  }
}
