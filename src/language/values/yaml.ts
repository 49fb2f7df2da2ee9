import type { DataForm, HashEntry } from '../ruby-semantics/data/data-form.ts'
import type { PermittedClasses } from '../ruby-semantics/yaml/permitted-classes.ts'
import { readYaml } from '../ruby-semantics/yaml/psych.ts'
import { Float } from './float.ts'
import { Hash } from './hash.ts'
import type { Value } from './value.ts'

/** Builds values of the Puppet language from parsed data. */
export const valueForm: DataForm<Float | Hash> = {
  nil: undefined,
  float: (value) => new Float(value),
  hash: (entries) => Hash.of(entries),
  entriesOf: (data) => (data instanceof Hash ? (data as Iterable<HashEntry<Float | Hash>>) : undefined),
}

/** Parses YAML as Ruby's Psych does. Throws YamlError. */
export function parseYaml(text: string, permitted?: PermittedClasses): Value {
  return readYaml(text, valueForm, permitted)
}
