import { basename, join } from 'node:path'
import { type CompletionItem, CompletionItemKind, type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver'
import { budgets } from '../../../base/budgets/budgets.ts'
import { PuppetError } from '../../../base/issue.ts'
import type { CodeWorkspace } from '../../code-index/code-workspace.ts'
import { parseModuleMetadata, readModuleDescription } from '../../code-index/module-description.ts'
import type { PointedPlace } from '../navigation.ts'
import { isPuppetfile, toOffset, toPosition } from '../positions.ts'

/** True for the metadata.json of a module. */
export function isMetadataFile(path: string): boolean {
  return basename(path) === 'metadata.json'
}

/** Keys of metadata.json with their contents. */
const keys: Readonly<Record<string, string>> = {
  name: 'Full name of the module: the name of its author, a hyphen, and its own name.',
  version: 'Semantic version of the module.',
  author: 'Name of the author.',
  license: 'SPDX identifier of the license.',
  summary: 'One line about the module.',
  source: 'Address of the repository.',
  project_page: 'Address of the web page.',
  issues_url: 'Address of the list of issues.',
  dependencies: 'Modules that this module needs, each with `name` and `version_requirement`.',
  requirements: 'Versions of Puppet that the module supports.',
  operatingsystem_support: 'Operating systems that the module supports, each with its releases.',
  tags: 'Words by which the module is found.',
  version_requirement: 'Range of versions, such as `>= 1.0.0 < 2.0.0`.',
  operatingsystem: 'Name of an operating system, as in the fact `os.name`.',
  operatingsystemrelease: 'Releases of the operating system.',
}

/**
 * Completes keys of a metadata.json, and names of modules after `"name":` in Puppetfile and metadata.json; undefined in
 * another file.
 */
export function completeMetadata(
  workspace: CodeWorkspace,
  { path, position }: PointedPlace,
): readonly CompletionItem[] | undefined {
  const isInPuppetfile = isPuppetfile(path)
  if (!isInPuppetfile && !isMetadataFile(path)) return undefined
  const text = workspace.text(path) ?? ''
  const offset = toOffset(text, position)
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  const quote = Math.max(line.lastIndexOf('"'), isInPuppetfile ? line.lastIndexOf("'") : -1)
  if (quote === -1) return []
  const before = line.slice(0, quote).trim()
  if (isInPuppetfile) return ['mod', 'mod('].includes(before) ? completeModules(workspace) : []
  if (before.endsWith(':')) return before.slice(0, -1).trimEnd().endsWith('"name"') ? completeModules(workspace) : []
  if (before !== '' && !before.endsWith('{') && !before.endsWith(',')) return []
  return Object.entries(keys).map(([label, documentation]) => ({
    ...{ label, documentation, kind: CompletionItemKind.Property },
  }))
}

/** Full names of the modules of the workspace, as their metadata.json give them. */
function completeModules(workspace: CodeWorkspace): readonly CompletionItem[] {
  const modules = [...workspace.modules.values()].slice(0, budgets.workbench.completions.bound)
  return modules.map(({ name, folder }) => {
    const text = workspace.text(join(folder, 'metadata.json'))
    const { forgeName = name, version = '' } = (text !== undefined && readModuleDescription(text)) || {}
    return { label: forgeName.replace('/', '-'), kind: CompletionItemKind.Module, detail: version }
  })
}

/** The syntax error of a metadata.json. */
export function listMetadataDiagnostics(workspace: CodeWorkspace, path: string): readonly Diagnostic[] {
  const text = workspace.text(path) ?? ''
  try {
    parseModuleMetadata(text)
    return []
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof PuppetError)) throw error
    const start = toPosition({ file: path, text }, Math.min(readOffset(error.message), text.length))
    const range = { start, end: { line: start.line, character: start.character + 1 } }
    return [{ source: 'plumb', severity: DiagnosticSeverity.Error, message: error.message, range }]
  }
}

/** The offset in an error of JSON; 0 without one. */
function readOffset(message: string): number {
  return Number(/position (\d+)/.exec(message)?.[1] ?? 0)
}
