import { defineIssues, fail } from '../../../base/issue.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import { toRichData } from '../../../language/rich-data/rich-data.ts'
import { toText } from '../../../language/types/printing/text.ts'
import { rubyClass } from '../../../language/types/ruby-class.ts'
import { Hash } from '../../../language/values/hash.ts'
import type { Value } from '../../../language/values/value.ts'
import { parseYaml } from '../../../language/values/yaml.ts'
import type { Node } from '../../../model/node.ts'

const issues = defineIssues({
  EXTERNAL_NODE_KEY: { text: (a: { type: string }) => `key is a ${a.type}, not a string or symbol` },
  EXTERNAL_NODE_SHAPE: {
    // For such values Puppet fails with a NoMethodError.
    text: (a: { what: string; expected: string; value: Value }) =>
      `${a.what} must be ${a.expected}, not a value of the class ${rubyClass(a.value)}`,
  },
})

/**
 * Parses the YAML output of an external node classifier. A value of null or false counts as missing. Puppet:
 * node/exec.rb and `Compiler#evaluate_node_classes`. Throws EXTERNAL_NODE_…, YamlError.
 */
export function classification(yaml: string, name: string): Node {
  const said = new Map<string, Value>()
  for (const [key, value] of hashOf(parseYaml(yaml), 'the output')) {
    if (typeof key !== 'string') fail(issues.EXTERNAL_NODE_KEY, { type: rubyClass(key) })
    said.set(key, value)
  }
  const given = (key: string) => said.get(key) || undefined
  return {
    name,
    environment: environmentFrom(given('environment')),
    parameters: parametersFrom(given('parameters'), 'parameters'),
    classes: classesFrom(given('classes')),
  }
}

function environmentFrom(value: Value): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  return fail(issues.EXTERNAL_NODE_SHAPE, { what: 'environment', expected: 'a name', value })
}

function classesFrom(value: Value): Node['classes'] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value.map(classNameFrom)
  const expected = 'a list of names, or a hash of names and their parameters'
  if (!(value instanceof Hash)) return fail(issues.EXTERNAL_NODE_SHAPE, { what: 'classes', expected, value })
  const entries = Array.from(value, ([key, parameters]) => {
    const name = classNameFrom(key)
    return [name, isNothing(parameters) ? null : parametersFrom(parameters, `the parameters of ${name}`)] as const
  })
  return Object.fromEntries(entries)
}

function classNameFrom(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  return fail(issues.EXTERNAL_NODE_SHAPE, { what: 'the name of a class', expected: 'a string', value })
}

function isNothing(value: Value): boolean {
  return value === undefined || value === false || value === '' || (Array.isArray(value) && value.length === 0)
}

function parametersFrom(value: Value, what: string): Record<string, ExactJson> {
  if (value === undefined) return {}
  return Object.fromEntries(Array.from(hashOf(value, what), ([key, each]) => [toText(key), toRichData(each)]))
}

function hashOf(value: Value, what: string): Hash {
  return value instanceof Hash ? value : fail(issues.EXTERNAL_NODE_SHAPE, { what, expected: 'a hash', value })
}
