import type { Diagnostic } from 'vscode-languageserver'
import type { Diagnostic as PuppetDiagnostic } from '../../base/issue.ts'
import { runCooperatively } from '../../base/threads/cooperative-tasks.ts'
import type { CodeWorkspace } from '../code-index/code-workspace.ts'
import { isDataFile } from '../code-index/data-keys.ts'
import type { LintSettings } from '../lint/options/lint-settings.ts'
import type { CodeSession } from './code-session.ts'
import { listDataDiagnostics } from './data/data-documents.ts'
import { isMetadataFile, listMetadataDiagnostics } from './data/module-metadata.ts'
import { listDiagnostics, toDiagnostics } from './diagnostics.ts'
import { listLintDiagnostics } from './lint-problems.ts'
import type { DocumentCheck } from './open-documents.ts'
import { isCodeFile, isPuppetfile } from './positions.ts'
import { listSemanticDiagnostics } from './semantic-problems.ts'

/** Finds the errors of a Puppetfile. */
export type CheckPuppetfile = (text: string, file: string) => Promise<readonly PuppetDiagnostic[]>

/**
 * Publishes the diagnostics of a document, semantic ones included. Until the index has read all files, publishes the
 * diagnostics of the document's own text first.
 */
export async function checkDocument(
  session: CodeSession,
  path: string,
  { isCurrent, publish }: DocumentCheck,
  checkPuppetfile: CheckPuppetfile,
): Promise<void> {
  const settings = await session.lintSettings
  if (isPuppetfile(path)) {
    const text = session.workspace.text(path)
    return publish(text === undefined ? [] : toDiagnostics(await checkPuppetfile(text, path)))
  }
  const own = listOwnDiagnostics(session.workspace, path, settings)
  if (!session.workspace.index.isLoaded) await publish(own)
  const workspace = await session.loaded()
  const semantic = await runCooperatively(runWhile(isCurrent, listSemanticDiagnostics(workspace, path, settings)))
  if (semantic) await publish([...own, ...semantic])
}

/** The diagnostics that need no other file. */
function listOwnDiagnostics(workspace: CodeWorkspace, path: string, settings: LintSettings): readonly Diagnostic[] {
  if (isDataFile(path)) return listDataDiagnostics(workspace, path)
  if (isMetadataFile(path)) return listMetadataDiagnostics(workspace, path)
  const file = isCodeFile(path) ? workspace.file(path) : undefined
  return file ? [...listDiagnostics(file), ...listLintDiagnostics(file, settings)] : []
}

/** Runs a generator to its end; returns undefined as soon as the condition is false. */
function* runWhile<Result>(
  condition: () => boolean,
  work: Generator<void, Result>,
): Generator<void, Result | undefined> {
  while (condition()) {
    const { done, value } = work.next()
    if (done) return value
    yield
  }
  return undefined
}
