import type { ExactJson } from '../../../base/json/exact-json.ts'
import { type PlainData, PlainSymbol, plainForm } from '../data/plain-form.ts'
import { toPlainJson } from '../data/plain-json.ts'
import type { PermittedClasses } from './permitted-classes.ts'
import { readYaml } from './psych.ts'

/** Reads YAML like Psych and converts it to JSON. Throws YamlError. */
export function convertYamlToJson(text: string, permitted: PermittedClasses): ExactJson {
  return toPlainJson(readYaml(text, plainForm, permitted))
}

/** Reads a YAML file written by Puppet and keeps Ruby's classes; permits symbols. Throws YamlError. */
export function readPlainYaml(text: string): PlainData {
  return readYaml(text, plainForm, { Symbol: (name) => new PlainSymbol(name) })
}
