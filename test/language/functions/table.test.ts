import { expect, it } from 'vitest'
import { builtinFunctions } from '../../../src/language/functions/table.ts'
import { functionsOfPuppet } from './of-puppet.js'

/** Those of Hiera's data are in `hiera/`, those of ERB in `ruby/`. */
const notFunctionsHere = ['eyaml_lookup_key', 'hocon_data', 'inline_template', 'json_data', 'template', 'yaml_data']

it('has every function of Puppet, and no other', () => {
  expect([...builtinFunctions.keys()].sort()).toEqual(
    functionsOfPuppet.filter((name) => !notFunctionsHere.includes(name)).sort(),
  )
})

it('reads the signatures of each', () => {
  for (const [name, callable] of builtinFunctions) {
    expect(callable.signatures.length, name).toBeGreaterThan(0)
    expect(callable.parameterNames.length, name).toBe(callable.signatures.length)
  }
})
