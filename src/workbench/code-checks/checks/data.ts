import { dirname, join } from 'node:path'
import { budgets } from '../../../base/budgets/budgets.ts'
import { symbolsAsNames } from '../../../language/ruby-semantics/yaml/permitted-classes.ts'
import { YamlError } from '../../../language/ruby-semantics/yaml/yaml-error.ts'
import { describeMismatch } from '../../../language/types/mismatch/mismatch.ts'
import { Hash } from '../../../language/values/hash.ts'
import type { Value } from '../../../language/values/value.ts'
import { parseYaml } from '../../../language/values/yaml.ts'
import { listDataKeys } from '../../code-index/data-keys.ts'
import type { CheckedCode } from '../code/checked-code.ts'
import type { KeyPattern } from '../code/code-uses.ts'
import { indexParameters } from '../code/file-names.ts'
import type { DataCheck } from '../code-check.ts'

/** Keys of Hiera data that no parameter of a class and no lookup reads. */
export const unreadDataKey: DataCheck = {
  name: 'unread_data_key',
  check(path, text, code, report) {
    if (!isHieraData(path, code)) return
    for (const { name, span } of listDataKeys({ file: path, text }))
      if (!isRead(name, path, code)) report(`nothing reads the key '${name}'`, span)
  },
}

/** Values of Hiera data that are no instances of the type of their parameter. */
export const wrongDataType: DataCheck = {
  name: 'wrong_type',
  check(path, text, code, report) {
    if (!isHieraData(path, code)) return
    const data = readData(text)
    const options = code.uses.names.lookupOptions
    for (const { name, span } of data ? listDataKeys({ file: path, text }) : []) {
      const value = data!.get(name)
      const parameter = value === undefined ? undefined : findParameter(name, code)
      const type = parameter?.type && code.types.resolve(parameter.type)
      if (
        !type ||
        options.length > budgets.workbench.keyPatterns.bound ||
        options.some((each) => matches(each, name)) ||
        hasInterpolation(value)
      )
        continue
      const problem = describeMismatch(`the value of '${name}'`, type, value)
      if (problem !== '') report(problem, span)
    }
  },
}

/** True for a file below a folder of data of a module or a control repository with a hiera.yaml. */
function isHieraData(path: string, { workspace }: CheckedCode): boolean {
  const root = workspace.moduleOf(path)?.folder ?? workspace.root
  const [folder = ''] = path.slice(root.length + 1).split('/', 1)
  return (
    ['data', 'hieradata', 'hiera'].includes(folder) &&
    dirname(path) !== root &&
    workspace.text(join(root, 'hiera.yaml')) !== undefined
  )
}

function isRead(name: string, path: string, code: CheckedCode): boolean {
  const { lookupKeys, lookupPatterns, dynamicLookups, strings } = code.uses.names
  if (name === 'lookup_options' || lookupKeys.has(name) || strings.has(name)) return true
  if (lookupPatterns.length > budgets.workbench.keyPatterns.bound || lookupPatterns.some((each) => matches(each, name)))
    return true
  const own = code.workspace.moduleOf(path)?.name ?? ''
  if (dynamicLookups.has(own)) return true
  const [module = ''] = name.split('::', 1)
  // A module that is absent may look up a key without a namespace.
  if (!name.includes('::')) return own === '' && (dynamicLookups.size > 0 || !code.definitions.isComplete(path))
  if (!code.workspace.modules.has(module)) return own === ''
  return dynamicLookups.has(module) || findParameter(name, code) !== undefined
}

function matches({ start, end }: KeyPattern, name: string): boolean {
  return name.startsWith(start) && name.endsWith(end)
}

function findParameter(name: string, code: CheckedCode) {
  const owner = name.split('::').slice(0, -1).join('::')
  const leaf = name.split('::').at(-1)!
  const found = code.definitions.findClass(owner)
  return found && indexParameters(found.node.parameters).get(leaf)
}

function readData(text: string): Hash | undefined {
  try {
    const data = parseYaml(text, symbolsAsNames)
    return data instanceof Hash ? data : undefined
  } catch (error) {
    if (error instanceof YamlError) return undefined
    throw error
  }
}

/** True if a text in a value is only known at run time: an interpolation or an encrypted text. */
function hasInterpolation(root: Value): boolean {
  const pending: Value[] = [root]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value === 'string' && /%\{|^ENC\[/.test(value)) return true
    if (Array.isArray(value)) pending.push(...value)
    else if (value instanceof Hash) for (const [key, item] of value) pending.push(key, item)
  }
  return false
}
