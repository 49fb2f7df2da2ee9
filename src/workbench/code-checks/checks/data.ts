import { dirname, join } from 'node:path'
import { budgets } from '../../../base/budgets/budgets.ts'
import { formatSuggestion } from '../../../base/text/name-suggestions.ts'
import { describeMismatch } from '../../../language/types/mismatch/mismatch.ts'
import { Hash } from '../../../language/values/hash.ts'
import type { Value } from '../../../language/values/value.ts'
import { listDataKeys } from '../../code-index/data-keys.ts'
import { type KeyPattern, listKeyPatterns } from '../../code-index/used-names.ts'
import type { CheckedCode } from '../code/checked-code.ts'
import { parseDataFile } from '../code/data-file.ts'
import { indexParameters } from '../code/file-names.ts'
import type { DataCheck } from '../code-check.ts'

/** Keys of Hiera data that no parameter of a class and no lookup reads. */
export const unreadDataKey: DataCheck = {
  name: 'unread_data_key',
  *check(path, text, code, report) {
    // The keys of a text with a syntax error are not certain.
    if (!isHieraData(path, code) || 'error' in parseDataFile(text)) return
    for (const { name, span } of listDataKeys({ file: path, text })) {
      yield
      if (!isRead(name, path, code)) report(`nothing reads the key '${name}'${describeAbsence(name, code)}`, span)
    }
  },
}

/** Values of Hiera data that are no instances of the type of their parameter. */
export const wrongDataType: DataCheck = {
  name: 'wrong_type',
  *check(path, text, code, report) {
    if (!isHieraData(path, code)) return
    const file = parseDataFile(text)
    const data = 'data' in file ? file.data : undefined
    const options = listKeyPatterns(code.uses.lookupOptions)
    for (const { name, span } of data ? listDataKeys({ file: path, text }) : []) {
      yield
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
      const problem = describeMismatch(formatParameter(name), type, value)
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

/** The class of a key and its nearest parameter, if the class exists. */
function describeAbsence(name: string, code: CheckedCode): string {
  const [owner, leaf] = splitKey(name)
  const found = owner === '' ? undefined : code.definitions.findClass(owner)
  if (!found) return ''
  const suggestion = formatSuggestion(
    leaf,
    found.node.parameters.map((each) => each.name),
  )
  const absence = `: ${formatClass(owner)} has no parameter '${leaf}'`
  return suggestion === undefined ? absence : `${absence}. ${suggestion}`
}

/** `Class[Ntp]: parameter 'servers'`, as Puppet names the parameter of a key. */
function formatParameter(name: string): string {
  const [owner, leaf] = splitKey(name)
  return `${formatClass(owner)}: parameter '${leaf}'`
}

function formatClass(name: string): string {
  return `Class[${name.replace(/(^|::)[a-z]/g, (each) => each.toUpperCase())}]`
}

/** The class and the parameter of a key. */
function splitKey(name: string): readonly [owner: string, leaf: string] {
  const at = name.lastIndexOf('::')
  return at === -1 ? ['', name] : [name.slice(0, at), name.slice(at + 2)]
}

function isRead(name: string, path: string, code: CheckedCode): boolean {
  const { lookupKeys, dynamicLookups, strings } = code.uses
  const lookupPatterns = listKeyPatterns(code.uses.lookupPatterns)
  if (name === 'lookup_options' || lookupKeys.has(name) || strings.has(name)) return true
  if (lookupPatterns.length > budgets.workbench.keyPatterns.bound || lookupPatterns.some((each) => matches(each, name)))
    return true
  const own = code.workspace.moduleOf(path)?.name ?? ''
  if (dynamicLookups.has(own)) return true
  const [module = ''] = name.split('::', 1)
  // A module that is absent may look up a key without a namespace.
  if (!name.includes('::'))
    return own === '' && (dynamicLookups.list().length > 0 || !code.definitions.isComplete(path))
  if (!code.workspace.modules.has(module)) return own === ''
  return dynamicLookups.has(module) || findParameter(name, code) !== undefined
}

function matches({ start, end }: KeyPattern, name: string): boolean {
  return name.startsWith(start) && name.endsWith(end)
}

function findParameter(name: string, code: CheckedCode) {
  const [owner, leaf] = splitKey(name)
  const found = code.definitions.findClass(owner)
  return found && indexParameters(found.node.parameters).get(leaf)
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
