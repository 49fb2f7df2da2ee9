import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { CatalogError } from '../../compiler/request/catalog-error.ts'
import type { CompileLog } from '../../compiler/request/compile-request.ts'
import { formatLogLine } from '../../compiler/request/log-line.ts'
import { runScript } from '../../compiler/script-evaluation.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { listDefaultProviders } from '../../node/agent/facts/default-providers.ts'
import { collectNodeFacts } from '../../node/facts/node-facts.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { createTerminalFactLog, printMessage } from '../command/messages.ts'
import { atOption, hieraOption, loadCodeSettings, openCodeWithOverrides, repoOption } from '../input/code-source.ts'
import { buildCompileRequest, emptyClassification } from '../input/compile-options.ts'
import { readStream } from '../input/manifest-files.ts'
import { withLibraries } from '../module/module-files.ts'

const issues = defineIssues({
  NO_SUCH_SCRIPT: { text: (a: { file: string }) => `Could not find file ${a.file}` },
})

/** The command `plumb script`. */
export const script = defineCommand({
  name: 'script',
  summary: 'Run a manifest as a script, without a catalog.',
  description: `Runs code that can use functions, types and data of modules, but not declare resources. Without a file, runs standard
input. Modules are those of the environment, in the repository of --repo or code_repo or in its directory, or those of
--modulepath. Exits with 0, or with 1 for an error.

  plumb script check.pp
  plumb script --modulepath modules -e 'notice("hello world")'`,
  usage: '[manifests...]',
  options: [
    { flags: '-e, --execute <code>', doc: 'Run this code instead of a file.' },
    hieraOption,
    repoOption,
    atOption,
  ],
  async run(invocation) {
    const { args, options, io } = invocation
    const settings = loadCodeSettings(invocation, 'user')
    const { certname } = settings
    const manifest = await readScriptManifest(args, options.execute, io)
    const { hiera } = options
    const environment = await openCodeWithOverrides(invocation, settings, { manifest, hiera })
    const facts = await withLibraries(environment, (libraries, factFolders) =>
      collectNodeFacts(localSystem, settings, {
        legacy: true,
        log: createTerminalFactLog(io),
        libraries,
        factFolders,
        providers: (core) => listDefaultProviders(localSystem, core),
      }),
    )
    const verbose = options.debug ? 2 : options.verbose ? 1 : 0
    try {
      const request = buildCompileRequest(
        { node: certname, facts: undefined, classified: emptyClassification },
        environment,
        settings,
      )
      printScriptLogs(runScript({ ...request, facts }).logs, verbose, io)
      return 0
    } catch (error) {
      if (error instanceof CatalogError) printScriptLogs(error.logs, verbose, io)
      throw error
    }
  },
})

async function readScriptManifest([file, ...others]: readonly string[], execute: string | undefined, io: Io) {
  if (execute !== undefined) return { text: execute }
  if (file === undefined) return { text: await readStream(io.stdin) }
  if (!existsSync(file)) throwIssue(issues.NO_SUCH_SCRIPT, { file })
  if (others.length > 0) printMessage('Warning', `Only one file can be used per run. Skipping ${others.join(', ')}`, io)
  return { file: resolve(file) }
}

/** Prints messages up to level notice on standard output, and warnings and errors on standard error. */
function printScriptLogs(logs: readonly CompileLog[], verbose: number, io: Io): void {
  for (const log of logs) {
    if ((log.level === 'debug' && verbose < 2) || (log.level === 'info' && verbose < 1)) continue
    const isGood = ['debug', 'info', 'notice'].includes(log.level)
    ;(isGood ? io.out : io.err)(`${formatLogLine(log)}\n`)
  }
}
