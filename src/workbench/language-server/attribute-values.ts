import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver'
import { getOwnValue } from '../../base/own-property.ts'
import { metaparameterAttributes } from '../../node/resources/metaparameters.ts'
import type { ResourceAttribute, ResourceAttributes } from '../../node/resources/type.ts'
import { types } from '../../node/resources/types.ts'
import { listPossibleValues } from '../code-checks/checks/possible-values.ts'
import { CheckedCode } from '../code-checks/code/checked-code.ts'
import { indexParameters } from '../code-checks/code/file-names.ts'
import type { CodeWorkspace } from '../code-index/code-workspace.ts'
import { listRubyTypeValues } from '../code-index/ruby-type-values.ts'
import type { OpenValue } from './completion-context.ts'

/** Values of an attribute whose type lists them: of a class, a defined type, or a resource type. */
export function completeAttributeValues(
  workspace: CodeWorkspace,
  path: string,
  value: OpenValue,
): readonly CompletionItem[] {
  return listValues(workspace, path, value).map((each, at) => ({
    ...{ label: each.text, kind: CompletionItemKind.EnumMember, sortText: String(at).padStart(4, '0') },
    ...(value.isInString ? {} : { insertText: each.isText ? `'${each.text}'` : each.text }),
  }))
}

interface ShownValue {
  readonly text: string
  /** True for a string that is written with quotes. */
  readonly isText: boolean
}

function listValues(workspace: CodeWorkspace, path: string, { resource, attribute }: OpenValue): readonly ShownValue[] {
  const code = new CheckedCode(workspace)
  const file = workspace.file(path)
  const { type, title } = resource
  const found =
    type === 'class' ? code.definitions.findClass(title ?? '', file) : code.definitions.findDefinedType(type, file)
  const parameter = found && indexParameters(found.node.parameters).get(attribute)
  if (parameter) {
    const resolved = parameter.type && code.types.resolve(parameter.type)
    return resolved ? listPossibleValues(resolved).map(showValue) : []
  }
  const meta = getOwnValue(metaparameterAttributes as ResourceAttributes, attribute)
  const own =
    type === 'class' ? undefined : getOwnValue((types.get(type)?.attributes ?? {}) as ResourceAttributes, attribute)
  const builtIn = own ?? meta
  if (builtIn) return listBuiltInValues(builtIn).map(showWord)
  const ruby = type === 'class' ? undefined : workspace.findRubyFile('resource type', type)
  return ruby === undefined ? [] : listRubyTypeValues(workspace.text(ruby) ?? '', attribute).map(showWord)
}

function listBuiltInValues({ kind, valueNeeds = {} }: ResourceAttribute<unknown>): readonly string[] {
  const further = Object.keys(valueNeeds).filter((each) => each !== '*')
  return [...new Set([...(kind.values ?? []), ...further])]
}

function showValue(value: string | boolean | undefined): ShownValue {
  if (value === undefined) return { text: 'undef', isText: false }
  return { text: String(value), isText: typeof value === 'string' }
}

/** A value of a resource type, which is written without quotes if it is a word. */
function showWord(text: string): ShownValue {
  return { text, isText: !/^[a-z]\w*$/.test(text) }
}
