import { printJson } from '../../base/json/json-text.ts'
import { compile } from '../../compiler/compile.ts'
import type { Catalog } from '../../model/catalog.ts'
import { type CatalogDiff, diffCatalogs, isEmpty, printDiff } from '../../model/catalog-diff.ts'
import { fileName } from '../../model/indirector/file-name.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { type MayHave, renderAs } from '../command/options.ts'
import { detailedOption, diffNodes } from '../fleet/diff.ts'
import { classOption, fleetFrom, fleetOptions, refuseBesideNodes } from '../fleet/fleet.ts'
import { classify } from '../input/classify.ts'
import { codeSettings, openCode, repoOption } from '../input/code-source.ts'
import { requestFor } from '../input/compile-options.ts'
import { exportsOption, knownExports, searching } from '../input/known-exports.ts'
import { asking, inputsOption } from '../input/known-inputs.ts'
import { factsOption, factsToCompile, nodeOption } from '../input/node-facts.ts'
import { askOptions } from '../query/asked.ts'
import { diffStored, storedIn } from './stored-diff.ts'

/** `plumb catalog diff` */
export const catalogDiff = defineCommand({
  name: 'diff',
  summary: 'Compare the catalogs of a node from two commits or two points in time.',
  description: `Compiles the catalog of the node from both commits, and prints added (+), removed (-) and changed (~) resources. Exits
with 0, or with 1 if a catalog does not compile. With --detailed-exitcodes, exits with 2 for changes; with --nodes also
with 4 for failed catalogs and with 6 for both.

The commits are in the repository of --repo or code_repo; for code in directories, environments are compared. The facts
are those stored on the server, merged with --facts.

NODE@CODE_ID and NODE@TIME name catalogs in the store, which the node received: nothing is compiled. The store contains
no secrets, so secrets are not compared. With --server, the store of that server is queried.

With --nodes, compares the catalogs of several nodes: prints the changed nodes, and each changed resource with its
number of nodes.

  plumb catalog diff production feature --nodes nodes.txt --facts-dir facts --repo control.git
  plumb catalog diff production feature --node web1.example.com --repo control.git --facts web1.json
  plumb catalog diff web1.example.com@2026-11-20 web1.example.com@4f1c2ab90d17`,
  usage: '<from> <to>',
  options: [
    nodeOption,
    factsOption,
    exportsOption,
    inputsOption,
    ...fleetOptions,
    classOption,
    repoOption,
    renderAs,
    detailedOption,
    ...askOptions,
  ],
  async run(invocation) {
    const { args, options, io } = invocation
    const [from, to] = args.map(storedIn)
    if (from && to) return showDiff(await diffStored(invocation, [from, to]), options, io)
    const settings = codeSettings(invocation)
    const node = fileName('catalog', options.node ?? settings.certname)
    const classes = options.class ?? []
    const exports = await knownExports({ options }, settings)
    // Both environments have the same name, so that catalogs differ by their code only.
    const name = settings.environment
    const open = (at: string | undefined) => openCode(invocation, settings, { at, name })
    if (options.nodes !== undefined) {
      refuseBesideNodes({ node: options.node, facts: options.facts })
      const fleet = fleetFrom(options.nodes, options)
      return diffNodes({ fleet, options, io }, [await open(args[0]), await open(args[1])], exports, settings)
    }
    const classified = await classify(node, classes, settings)
    const facts = await factsToCompile(invocation, settings)
    const catalogs: Catalog[] = []
    const { requireAll, ...ways } = asking(options, settings)
    const outside = { ...searching(exports), ...ways }
    for (const ref of args) {
      const { environment } = await open(ref)
      const request = requestFor({ node, facts, classified }, environment, settings)
      try {
        catalogs.push(compile({ ...request, ...outside }).catalog)
        requireAll()
      } catch (error) {
        io.err(`Could not compile the catalog from '${ref}':\n`)
        throw error
      }
    }
    return showDiff(diffCatalogs(catalogs[0]!, catalogs[1]!), options, io)
  },
})

/** Prints a difference, and returns the exit status. */
function showDiff(
  diff: CatalogDiff,
  { renderAs: format, detailedExitcodes }: MayHave<readonly [typeof detailedOption, typeof renderAs]>,
  io: Io,
): number {
  io.out(format === 'json' ? `${printJson(diff, 2)}\n` : printDiff(diff))
  return detailedExitcodes && !isEmpty(diff) ? 2 : 0
}
