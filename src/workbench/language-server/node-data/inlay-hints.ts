import { relative } from 'node:path'
import { type InlayHint, InlayHintKind, type Range } from 'vscode-languageserver'
import { budgets } from '../../../base/budgets/budgets.ts'
import { normalizeName } from '../../../compiler/code/code-definition.ts'
import type { CodeFile } from '../../code-index/code-file.ts'
import type { CodeWorkspace } from '../../code-index/code-workspace.ts'
import { toPosition } from '../positions.ts'
import { findParameterValue } from './node-hover.ts'
import type { NodeValues } from './node-values.ts'

/** The data of Hiera behind the parameters of classes in a range: `= 'value' from data/common.yaml`. */
export function listInlayHints(
  workspace: CodeWorkspace,
  { program, source }: CodeFile,
  range: Range,
  values: NodeValues,
): readonly InlayHint[] {
  const hints: InlayHint[] = []
  for (const definition of program?.definitions ?? []) {
    if (definition.kind !== 'HostClassDefinition') continue
    const owner = normalizeName(definition.name)
    for (const { name, span } of definition.parameters) {
      const position = toPosition(source, span.end)
      if (position.line < range.start.line || position.line > range.end.line) continue
      if (hints.length >= budgets.workbench.inlayHints.bound) return hints
      const found = findParameterValue(workspace, owner, name, values)
      if (!found) continue
      const files = found.files.map((path) => relative(workspace.root, path)).join(', ')
      const text = found.text.length > labelCharacters ? `${found.text.slice(0, labelCharacters)}…` : found.text
      hints.push({
        ...{ position, kind: InlayHintKind.Parameter, paddingLeft: true },
        ...{ label: `= ${text} from ${files}`, tooltip: `${found.text} on ${values.node.name}` },
      })
    }
  }
  return hints
}

/** Largest number of characters of a value in a hint. */
const labelCharacters = 60
