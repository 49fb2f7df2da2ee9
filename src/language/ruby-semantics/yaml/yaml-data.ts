import type { ExactJson } from '../../../base/json/exact-json.ts'
import { type PlainData, PlainSymbol, plainForm } from '../data/plain-form.ts'
import { plainJson } from '../data/plain-json.ts'
import type { Permitted } from './permitted.ts'
import { readYaml } from './psych.ts'

/** The data of a YAML text as Ruby's Psych reads it, as JSON. Throws YamlError. */
export function yamlToJson(text: string, permitted: Permitted): ExactJson {
  return plainJson(readYaml(text, plainForm, permitted))
}

/** A file of Puppet's own, in Ruby's classes; symbols are permitted. Throws YamlError. */
export function plainYaml(text: string): PlainData {
  return readYaml(text, plainForm, { Symbol: (name) => new PlainSymbol(name) })
}
