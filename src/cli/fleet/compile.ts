import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { OpenedEnvironment } from '../../code/environments/environment-opener.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { ExportTable } from '../../store/exports/memory-exports.ts'
import type { Io } from '../command/command.ts'
import type { MayHave, Option } from '../command/options.ts'
import { type inputsOption, openFleetQuerySources } from '../input/query-answers.ts'
import { compileFleet, createProgressCounter, type Fleet, type FleetFailure, formatFailureLines } from './fleet.ts'

const issues = defineIssues({
  UNWRITABLE_CATALOG: { text: (a: { file: string; reason: string }) => `Could not write ${a.file}: ${a.reason}` },
})

/** The nodes to compile, and the output options. */
interface FleetOrder {
  readonly fleet: Fleet
  readonly options: MayHave<readonly [typeof outputOption, typeof inputsOption]> & { readonly renderAs?: string }
  readonly io: Io
}

/** The directory for compiled catalogs. */
export const outputOption = {
  flags: '--output <folder>',
  doc: 'Directory to which the catalogs of --nodes are written, as NAME.json.',
} as const satisfies Option

/** Compiles the catalogs of several nodes into `--output`, and prints a summary. Returns 1 if a node failed, otherwise 0. */
export async function compileNodes(
  { fleet, options, io }: FleetOrder,
  opened: OpenedEnvironment,
  exports: ExportTable | undefined,
  settings: Settings,
): Promise<number> {
  const { output } = options
  if (output !== undefined) createFolder(output)
  const progress = createProgressCounter(fleet.nodes.length, io)
  const failures = new Map<string, FleetFailure>()
  const sizes = new Map<string, number>()
  const asked = await openFleetQuerySources(options, settings, io)
  await compileFleet(fleet, { opened: [opened], exports, asked }, settings, (node, answers) => {
    const answer = answers[0]!
    if ('error' in answer) {
      failures.set(node, answer)
      if (sizes.delete(node) && output !== undefined) rmSync(join(output, `${node}.json`))
    } else {
      failures.delete(node)
      sizes.set(node, answer.catalog.body.length)
      if (output !== undefined) writeCatalogFile(join(output, `${node}.json`), answer.catalog.body)
    }
    progress.done(node)
  })
  progress.clear()
  for (const node of fleet.nodes)
    if (failures.has(node)) io.err(`${formatFailureLines(failures.get(node)!, `${node}: `).join('\n')}\n`)
  const { codeId } = opened.environment.tree
  if (options.renderAs === 'json') {
    const nodes = fleet.nodes.map((node) => ({
      node,
      error: failures.get(node)?.error ?? null,
      hint: failures.get(node)?.hint ?? null,
      bytes: sizes.get(node) ?? null,
    }))
    const summary = { environment: opened.environment.name, code_id: codeId ?? null, failed: failures.size, nodes }
    io.out(`${JSON.stringify(summary, null, 2)}\n`)
  } else {
    const at = codeId === undefined ? '' : ` at ${codeId}`
    io.out(`${sizes.size} of ${fleet.nodes.length} catalogs compiled in environment ${opened.environment.name}${at}\n`)
  }
  return failures.size === 0 ? 0 : 1
}

function createFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
  } catch (error) {
    throwIssue(issues.UNWRITABLE_CATALOG, { file: path, reason: formatError(error) })
  }
}

/** Writes a file atomically. Throws UNWRITABLE_CATALOG. */
function writeCatalogFile(file: string, body: Uint8Array): void {
  try {
    writeFileSync(`${file}.new`, body, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  } catch (error) {
    rmSync(`${file}.new`, { force: true, recursive: true })
    throwIssue(issues.UNWRITABLE_CATALOG, { file, reason: formatError(error) })
  }
}
