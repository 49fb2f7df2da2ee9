import { expect, it } from 'vitest'
import { builtinFunctions } from '../../../src/language/functions/table.ts'

/** Every function of Puppet 8's reference, both generations. */
const ofPuppet =
  `abs alert all annotate any assert_type binary_file break call camelcase capitalize ceiling chomp chop compare
  contain convert_to create_resources crit debug defined dig digest downcase each emerg empty epp err eyaml_lookup_key fail
  file filter find_file find_template flatten floor fqdn_rand generate get getvar group_by hiera hiera_array hiera_hash
  hiera_include hocon_data import include index info inline_epp inline_template join json_data keys length lest lookup lstrip
  map match max md5 min module_directory new next notice partition realize reduce regsubst require return reverse_each round
  rstrip scanf sha1 sha256 shellquote size slice sort split sprintf step strftime strip tag tagged template then tree_each type
  unique unwrap upcase values versioncmp warning with yaml_data`.split(/\s+/)

/** Those of Hiera's data are in `hiera/`, those of ERB in `ruby/`. */
const notFunctionsHere = ['eyaml_lookup_key', 'hocon_data', 'inline_template', 'json_data', 'template', 'yaml_data']

it('has every function of Puppet, and no other', () => {
  expect([...builtinFunctions.keys()].sort()).toEqual(
    ofPuppet.filter((name) => !notFunctionsHere.includes(name)).sort(),
  )
})

it('reads the signatures of each', () => {
  for (const [name, callable] of builtinFunctions) {
    expect(callable.signatures.length, name).toBeGreaterThan(0)
    expect(callable.parameterNames.length, name).toBe(callable.signatures.length)
  }
})
