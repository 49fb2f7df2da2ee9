import { diagnosticToJson } from '../base/diagnostic-json.ts'
import { CatalogError } from '../compiler/catalog-error.ts'
import { compile } from '../compiler/compile.ts'
import type { CompileLog } from '../compiler/compile-request.ts'
import { logLine } from '../compiler/log-line.ts'
import { fileName } from '../indirector/file-name.ts'
import { catalogText } from '../model/catalog-text.ts'
import type { Settings } from '../settings/settings.ts'
import { classify } from './classify.ts'
import { atOption, type CodeByHand, codeSettings, openCode, openCodeWith, repoOption } from './code-source.ts'
import type { Command, Invocation, Io } from './command.ts'
import { requestFor } from './compile-options.ts'
import { fleetOptions } from './fleet.ts'
import { compileNodes } from './fleet-compile.ts'
import { exportsOption, knownExports, searching } from './known-exports.ts'
import { factsOption, factsToCompile } from './node-facts.ts'

/** `plumb catalog compile` */
export const catalogCompile: Command = {
  name: 'compile',
  summary: 'Compiles the catalog of a node and prints it as an agent would get it.',
  description: `Prints the catalog as JSON on standard output, and what the manifest logs on standard error.
The exit status is 0, or 1 when there is no catalog.

The code is a commit of --repo, or of the repository of the setting code_repo; else the folder of the environment.
--code, --manifest, --modulepath and --hiera stand in place of what is there. Facts are those that the server keeps of
the node, with those of --facts over them; without --node, those of this machine.

With --nodes it compiles those of many nodes: a line on standard error for each that fails, a summary at the end, and 1
when any failed; --render-as json gives the summary as JSON.

  plumb catalog compile --node web1.example.com --repo control.git --at production --facts web1.json
  plumb catalog compile --nodes nodes.txt --facts-dir facts --output catalogs --repo control.git --jobs 4
  plumb catalog compile --code 'notify { "hi": }'
  plumb catalog compile --class ntp --modulepath /usr/share/puppet/modules --facts facts.json`,
  options: [
    { flags: '--node <name>', doc: 'The node; the certname by default.' },
    factsOption,
    exportsOption,
    ...fleetOptions,
    { flags: '--output <folder>', doc: 'Where the catalogs of --nodes go, each as NAME.json.' },
    { flags: '--code <text>', doc: 'A manifest given in place.' },
    { flags: '--class <name...>', doc: 'Classes to declare, as a classifier does.' },
    { flags: '--hiera <file>', doc: 'A hiera.yaml above all environments.' },
    repoOption,
    atOption,
    { flags: '--render-as <format>', doc: "The catalog is JSON always; with 'json', so is what is wrong." },
  ],
  async run(invocation) {
    const { options, io } = invocation
    const settings = codeSettings(invocation)
    const node = fileName('catalog', textOf(options.node) ?? settings.certname)
    const exports = await knownExports({ options }, settings)
    if (options.nodes !== undefined)
      return compileNodes({ options, io }, await openCode(invocation, settings), exports, settings)
    const environment = await openCodeWith(invocation, settings, codeByHand(options, settings))
    const classified = await classify(node, listOf(options.class), settings)
    const facts = await factsToCompile(invocation, settings)
    const target = { node, facts, classified }
    const request = { ...requestFor(target, environment, settings), ...searching(exports) }
    try {
      const { catalog, logs } = compile(request)
      printLogs(logs, io)
      io.out(`${catalogText(catalog, { richData: true })}\n`)
      return 0
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error
      if (options.renderAs !== 'json') {
        printLogs(error.logs, io)
        throw error
      }
      const found = error.logs.flatMap(({ diagnostic }) => diagnostic ?? [])
      const { diagnostic } = error
      io.out(`${JSON.stringify({ diagnostics: [...found, diagnostic].map(diagnosticToJson) }, undefined, 2)}\n`)
      return 1
    }
  },
}

function codeByHand(options: Invocation['options'], { manifest: file }: Settings): CodeByHand {
  const text = textOf(options.code)
  const manifest = text !== undefined ? { text } : file ? { file } : undefined
  return { manifest, hiera: textOf(options.hiera) }
}

function printLogs(logs: readonly CompileLog[], io: Io): void {
  for (const log of logs) if (log.level !== 'debug' && log.level !== 'info') io.err(`${logLine(log)}\n`)
}

function textOf(option: Invocation['options'][string]): string | undefined {
  return typeof option === 'string' ? option : undefined
}

function listOf(option: Invocation['options'][string]): readonly string[] {
  return Array.isArray(option) ? option : typeof option === 'string' ? [option] : []
}
