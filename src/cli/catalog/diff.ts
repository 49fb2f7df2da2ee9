import { formatExactJson } from '../../base/json/json-text.ts'
import { compile } from '../../compiler/compile.ts'
import type { Catalog } from '../../model/catalog.ts'
import { type CatalogDiff, diffCatalogs, formatCatalogDiff, isEmptyDiff } from '../../model/catalog-diff.ts'
import { checkFileName } from '../../model/indirector/file-name.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { type MayHave, renderAs } from '../command/options.ts'
import { tokenOptions } from '../connection/token-session.ts'
import { detailedOption, diffNodes } from '../fleet/diff.ts'
import { checkNodesOptionConflicts, classOption, fleetOptions, readFleet } from '../fleet/fleet.ts'
import { loadCodeSettings, openCode, repoOption } from '../input/code-source.ts'
import { buildCompileRequest } from '../input/compile-options.ts'
import { exportsOption, readExportedResources, toExportSearch } from '../input/exported-resources.ts'
import { classifyNode } from '../input/node-classification.ts'
import { factsOption, nodeOption, readCompileFacts } from '../input/node-facts.ts'
import { createCatalogQueries, inputsOption } from '../input/query-answers.ts'
import { diffStoredCatalogs, parseStoredReference } from './store-catalog-diff.ts'

/** The command `plumb catalog diff`. */
export const catalogDiff = defineCommand({
  name: 'diff',
  summary: 'Compare the catalogs of a node from two commits or two points in time.',
  description: `Compiles the catalog of the node from both commits, and prints added (+), removed (-) and changed (~) resources. Exits
with 0, or with 1 if a catalog does not compile. With --detailed-exitcodes, exits with 2 for changes. With
--detailed-exitcodes and --nodes, exits with 2 for changes, 4 for failed catalogs, or 6 for both.

The commits are in the repository of --repo or code_repo; for code in directories, environments are compared. The facts
are those stored on the server, merged with --facts.

NODE@CODE_ID and NODE@TIME name catalogs that the node received. These catalogs are read from the store, and nothing is
compiled. The store contains no secrets, so secrets are not compared. With --server, the store of that server is
queried.

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
    ...tokenOptions,
  ],
  async run(invocation) {
    const { args, options, io } = invocation
    const [from, to] = args.map(parseStoredReference)
    if (from && to) return printCatalogDiff(await diffStoredCatalogs(invocation, [from, to]), options, io)
    const settings = loadCodeSettings(invocation)
    const node = checkFileName('catalog', options.node ?? settings.certname)
    const classes = options.class ?? []
    const exports = await readExportedResources({ options }, settings)
    // Both environments have the same name, so that catalogs differ by their code only.
    const name = settings.environment
    const openSide = (at: string | undefined) => openCode(invocation, settings, { at, name })
    if (options.nodes !== undefined) {
      checkNodesOptionConflicts({ node: options.node, facts: options.facts })
      const fleet = readFleet(options.nodes, options)
      return diffNodes({ fleet, options, io }, [await openSide(args[0]), await openSide(args[1])], exports, settings)
    }
    const classified = await classifyNode(node, classes, settings)
    const facts = await readCompileFacts(invocation, settings)
    const catalogs: Catalog[] = []
    const { requireAll, ...ways } = createCatalogQueries(options, settings)
    const outside = { ...toExportSearch(exports), ...ways }
    for (const ref of args) {
      const { environment } = await openSide(ref)
      const request = buildCompileRequest({ node, facts, classified }, environment, settings)
      try {
        catalogs.push(compile({ ...request, ...outside }).catalog)
        requireAll()
      } catch (error) {
        io.err(`Could not compile the catalog from '${ref}':\n`)
        throw error
      }
    }
    return printCatalogDiff(diffCatalogs(catalogs[0]!, catalogs[1]!), options, io)
  },
})

/** Prints a difference, and returns the exit status. */
function printCatalogDiff(
  diff: CatalogDiff,
  { renderAs: format, detailedExitcodes }: MayHave<readonly [typeof detailedOption, typeof renderAs]>,
  io: Io,
): number {
  io.out(format === 'json' ? `${formatExactJson(diff, 2)}\n` : formatCatalogDiff(diff))
  return detailedExitcodes && !isEmptyDiff(diff) ? 2 : 0
}
