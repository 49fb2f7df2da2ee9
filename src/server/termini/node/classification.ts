import { defineIssues, throwIssue } from '../../../base/issue.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import { toRichData } from '../../../language/rich-data/rich-data.ts'
import { toText } from '../../../language/types/printing/text.ts'
import { getRubyClassName } from '../../../language/types/ruby-class.ts'
import { Hash } from '../../../language/values/hash.ts'
import type { Value } from '../../../language/values/value.ts'
import { parseYaml } from '../../../language/values/yaml.ts'
import type { PuppetNode } from '../../../model/node.ts'

const issues = defineIssues({
  EXTERNAL_NODE_KEY: { text: (a: { type: string }) => `key is a ${a.type}, not a string or symbol` },
  EXTERNAL_NODE_SHAPE: {
    // Puppet fails with a NoMethodError for a value of the wrong type.
    text: (a: { what: string; expected: string; value: Value }) =>
      `${a.what} must be ${a.expected}, not a value of the class ${getRubyClassName(a.value)}`,
  },
})

/**
 * Parses the YAML output of an external node classifier. A value of null or false counts as missing. Puppet:
 * node/exec.rb and `Compiler#evaluate_node_classes`. Throws EXTERNAL_NODE_…, YamlError.
 */
export function parseClassification(yaml: string, name: string): PuppetNode {
  const said = new Map<string, Value>()
  for (const [key, value] of requireHash(parseYaml(yaml), 'the output')) {
    if (typeof key !== 'string') throwIssue(issues.EXTERNAL_NODE_KEY, { type: getRubyClassName(key) })
    said.set(key, value)
  }
  const getValue = (key: string) => said.get(key) || undefined
  return {
    name,
    environment: toEnvironmentName(getValue('environment')),
    parameters: toParameters(getValue('parameters'), 'parameters'),
    classes: toClasses(getValue('classes')),
  }
}

function toEnvironmentName(value: Value): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  return throwIssue(issues.EXTERNAL_NODE_SHAPE, { what: 'environment', expected: 'a name', value })
}

function toClasses(value: Value): PuppetNode['classes'] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value.map(toClassName)
  const expected = 'an array of names, or a hash of names and their parameters'
  if (!(value instanceof Hash)) return throwIssue(issues.EXTERNAL_NODE_SHAPE, { what: 'classes', expected, value })
  const entries = Array.from(value, ([key, parameters]) => {
    const name = toClassName(key)
    return [name, isEmptyValue(parameters) ? null : toParameters(parameters, `the parameters of ${name}`)] as const
  })
  return Object.fromEntries(entries)
}

function toClassName(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  return throwIssue(issues.EXTERNAL_NODE_SHAPE, { what: 'a class name', expected: 'a string', value })
}

function isEmptyValue(value: Value): boolean {
  return value === undefined || value === false || value === '' || (Array.isArray(value) && value.length === 0)
}

function toParameters(value: Value, what: string): Record<string, ExactJson> {
  if (value === undefined) return {}
  return Object.fromEntries(Array.from(requireHash(value, what), ([key, each]) => [toText(key), toRichData(each)]))
}

function requireHash(value: Value, what: string): Hash {
  return value instanceof Hash ? value : throwIssue(issues.EXTERNAL_NODE_SHAPE, { what, expected: 'a hash', value })
}
