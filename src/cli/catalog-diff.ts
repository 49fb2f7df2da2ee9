import { printJson } from '../base/json-text.ts'
import { compile } from '../compiler/compile.ts'
import { openCommit } from '../environments/open-environment.ts'
import { fileName } from '../indirector/file-name.ts'
import type { Catalog } from '../model/catalog.ts'
import { diffCatalogs, isEmpty, printDiff } from '../model/catalog-diff.ts'
import { classify } from './classify.ts'
import type { Command } from './command.ts'
import { requestFor } from './compile-options.ts'
import { fleetOptions } from './fleet.ts'
import { diffNodes } from './fleet-diff.ts'
import { exportsOption, knownExports, searching } from './known-exports.ts'
import { codeSettings } from './named-environment.ts'

/** `plumb catalog diff` */
export const catalogDiff: Command = {
  name: 'diff',
  summary: 'Shows what changes for a node between two commits.',
  description: `Compiles the node's catalog from both commits and prints what is added (+), removed (-) and changed (~).
The exit status is 0, or 1 when one of the catalogs cannot be compiled. With --detailed-exitcodes it is 2 when something
changes; of many nodes, 4 when one cannot be compiled, and 6 for both.

With --nodes it compares those of many nodes: which change, and which resources on how many of them.

  plumb catalog diff production feature --nodes nodes.txt --facts-dir facts --repo control.git
  plumb catalog diff production feature --node web1.example.com --repo control.git --facts web1.json`,
  usage: '<from> <to>',
  options: [
    { flags: '--node <name>', doc: 'The node; the certname by default.' },
    { flags: '--facts <file>', doc: 'Facts, as JSON or YAML.' },
    exportsOption,
    ...fleetOptions,
    { flags: '--class <name...>', doc: 'Classes to declare, as a classifier does.' },
    { flags: '--repo <path>', doc: 'The Git repository with the code.', default: '.' },
    { flags: '--render-as <format>', doc: 'json' },
    { flags: '--detailed-exitcodes', doc: 'Answer 2 when something changes.' },
  ],
  async run({ args, options, settings: given, io }) {
    const settings = codeSettings(given, String(options.repo))
    const node = fileName('catalog', String(options.node ?? settings.certname))
    const classes = Array.isArray(options.class) ? options.class : []
    const facts = typeof options.facts === 'string' ? options.facts : undefined
    const exports = await knownExports({ options }, settings)
    if (options.nodes !== undefined) {
      const openRef = (ref = '') =>
        openCommit({ repository: String(options.repo), ref, name: given.environment ?? 'production' }, settings)
      return diffNodes({ options, io }, [await openRef(args[0]), await openRef(args[1])], exports, settings)
    }
    const classified = await classify(node, classes, settings)
    const catalogs: Catalog[] = []
    for (const ref of args) {
      const code = { repository: String(options.repo), ref, name: given.environment ?? 'production' }
      const { environment } = await openCommit(code, settings)
      const request = requestFor({ node, facts, classified }, environment, settings)
      try {
        catalogs.push(compile({ ...request, ...searching(exports) }).catalog)
      } catch (error) {
        io.err(`There is no catalog from '${ref}':\n`)
        throw error
      }
    }
    const diff = diffCatalogs(catalogs[0]!, catalogs[1]!)
    io.out(options.renderAs === 'json' ? `${printJson(diff, 2)}\n` : printDiff(diff))
    return options.detailedExitcodes && !isEmpty(diff) ? 2 : 0
  },
}
