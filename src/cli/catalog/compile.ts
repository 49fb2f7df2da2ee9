import { toDiagnosticJson } from '../../base/json/diagnostic-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { compile } from '../../compiler/compile.ts'
import { CompileProfile } from '../../compiler/profile/compile-profile.ts'
import { CatalogError } from '../../compiler/request/catalog-error.ts'
import type { CompileLog } from '../../compiler/request/compile-request.ts'
import { formatLogLine } from '../../compiler/request/log-line.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Catalog, FullCatalog } from '../../model/catalog.ts'
import { formatCatalog } from '../../model/catalog-text.ts'
import { checkFileName } from '../../model/indirector/file-name.ts'
import { saveInputs } from '../../network/outside/inputs-file.ts'
import {
  buildCatalogPayloadV1,
  type CatalogEnvelope,
  encodeCatalogPayload,
} from '../../store/commands/writing/catalog.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { type MayHave, type Option, renderAs } from '../command/options.ts'
import { compileNodes, outputOption } from '../fleet/compile.ts'
import { checkNodesOptionConflicts, classOption, fleetOptions, readFleet } from '../fleet/fleet.ts'
import {
  atOption,
  hieraOption,
  loadCodeSettings,
  type ManualCode,
  openCode,
  openCodeWithOverrides,
  repoOption,
} from '../input/code-source.ts'
import { buildCompileRequest } from '../input/compile-options.ts'
import { exportsOption, readExportedResources, toExportSearch } from '../input/exported-resources.ts'
import { classifyNode } from '../input/node-classification.ts'
import { factsOption, nodeOption, readCompileFacts } from '../input/node-facts.ts'
import { createCatalogQueries, inputsOption, saveInputsOption } from '../input/query-answers.ts'
import { profileOptions, readProfileOptions } from './profile/profile-options.ts'
import { formatProfileReport, reportProfile } from './profile/profile-report.ts'

/** Code given on the command line. */
export const manualCodeOptions = [
  { flags: '--code <text>', doc: 'Compile this code instead of the manifest of the environment.' },
  hieraOption,
] as const satisfies readonly Option[]

/** Format of the catalog: as an agent receives it, or as PuppetDB receives it. */
const compileFormat = {
  ...renderAs,
  doc: 'Output format: text or json (both print catalogs as JSON; json also prints errors as JSON), or the PuppetDB formats pdb-v9 and pdb-v1.',
  choices: [...renderAs.choices, 'pdb-v9', 'pdb-v1'],
} as const satisfies Option

/** The command `plumb catalog compile`. */
export const catalogCompile = defineCommand({
  name: 'compile',
  summary: 'Compile the catalog of a node and print it.',
  description: `Prints the catalog as JSON on standard output, and log messages of the code on standard error. Exits with 0, or with 1
if the catalog does not compile.

The code is a commit in the repository of --repo or code_repo, or the directory of the environment. --code, --manifest,
--modulepath and --hiera replace parts of this code. The facts are those stored on the server, merged with --facts;
without --node, those of this machine. puppetdb_query() queries the store that the setting 'store' selects.
--save-inputs records the answers of the store, DNS, HTTP and generate(); --inputs replays the answers, which gives the
same catalog at any later time.

With --profile, prints the time by phase, class, defined type, function, lambda, template and Hiera level, and the reasons
why Ruby calls are not recalled, instead of the catalog (as JSON with --render-as json). A server recalls Ruby calls of
earlier compilations: --profile-runs 2 shows the costs of a second compilation.

With --nodes, compiles the catalogs of several nodes: prints each failure on standard error and a summary at the end
(as JSON with --render-as json), and exits with 1 if a catalog failed.

  plumb catalog compile --node web1.example.com --repo control.git --at production --facts web1.json
  plumb catalog compile --nodes nodes.txt --facts-dir facts --output catalogs --repo control.git --jobs 4
  plumb catalog compile --node web1.example.com --repo control.git --render-as pdb-v9
  plumb catalog compile --node web1.example.com --repo control.git --at 8f3c2d1 --inputs inputs.json
  plumb catalog compile --node web1.example.com --repo control.git --profile web1.svg --profile-runs 2
  plumb catalog compile --code 'notify { "hi": }'
  plumb catalog compile --class ntp --modulepath /usr/share/puppet/modules --facts facts.json`,
  options: [
    nodeOption,
    factsOption,
    exportsOption,
    inputsOption,
    saveInputsOption,
    ...fleetOptions,
    outputOption,
    ...manualCodeOptions,
    classOption,
    repoOption,
    atOption,
    ...profileOptions,
    compileFormat,
  ],
  async run(invocation) {
    const { options, io } = invocation
    const settings = loadCodeSettings(invocation)
    const node = checkFileName('catalog', options.node ?? settings.certname)
    const profiling = readProfileOptions(options)
    const exports = await readExportedResources({ options }, settings)
    if (options.nodes !== undefined) {
      const { code, hiera, facts } = options
      const { manifest, modulepath } = invocation.settings
      const { node, renderAs: format, saveInputs: saved } = options
      const forOne = { 'render-as': storeFormats[format] && format, 'save-inputs': saved }
      checkNodesOptionConflicts({ profile: options.profile, code, hiera, manifest, modulepath, node, facts, ...forOne })
      const fleet = readFleet(options.nodes, options)
      return compileNodes({ fleet, options, io }, await openCode(invocation, settings), exports, settings)
    }
    const environment = await openCodeWithOverrides(invocation, settings, getManualCode(options, settings))
    const classified = await classifyNode(node, options.class ?? [], settings)
    const facts = await readCompileFacts(invocation, settings)
    const target = { node, facts, classified }
    const write = storeFormats[options.renderAs]
    const { requireAll, ...ways } = createCatalogQueries(options, settings)
    const outside = { ...toExportSearch(exports), ...ways }
    const request = { ...buildCompileRequest(target, environment, settings), ...outside, wantsFull: !!write }
    try {
      for (let run = 1; run < (profiling?.runs ?? 1); run++) compile(request)
      const profile = profiling && new CompileProfile()
      const { catalog, full, logs, asked } = compile(profile ? { ...request, profile } : request)
      requireAll()
      if (options.saveInputs !== undefined) saveInputs(options.saveInputs, asked)
      printCompileLogs(logs, io)
      if (profile) {
        profiling.write(profile, `Catalog of ${node} in environment ${catalog.environment}`)
        const report = reportProfile(profile, catalog, profiling.runs)
        io.out(options.renderAs === 'json' ? `${JSON.stringify(report, null, 2)}\n` : formatProfileReport(report))
        return 0
      }
      const sending = {
        transactionUuid: null,
        jobId: null,
        producer: settings.certname,
        producerTimestamp: getVersionTime(catalog),
      }
      io.out(`${write ? write(full!, sending) : formatCatalog(catalog, { richData: true })}\n`)
      return 0
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error
      if (options.renderAs !== 'json') {
        printCompileLogs(error.logs, io)
        throw error
      }
      const found = error.logs.flatMap(({ diagnostic }) => diagnostic ?? [])
      const { diagnostic } = error
      io.out(`${JSON.stringify({ diagnostics: [...found, diagnostic].map(toDiagnosticJson) }, undefined, 2)}\n`)
      return 1
    }
  },
})

const storeFormats: Readonly<Record<string, ((catalog: FullCatalog, sending: CatalogEnvelope) => string) | undefined>> =
  {
    'pdb-v9': (catalog, sending) => new TextDecoder().decode(encodeCatalogPayload(catalog, sending)),
    'pdb-v1': (catalog, sending) => formatExactJson(buildCatalogPayloadV1(catalog, sending)),
  }

/**
 * Returns the time in the catalog version. It is used instead of the current time, so that equal
 * code gives equal output.
 */
function getVersionTime({ version }: Catalog): string {
  return new Date((Number(version) || 0) * 1000).toISOString()
}

/** Returns the code given on the command line. */
export function getManualCode(
  { code: text, hiera }: MayHave<typeof manualCodeOptions>,
  { manifest: file }: Settings,
): ManualCode {
  const manifest = text !== undefined ? { text } : file ? { file } : undefined
  return { manifest, hiera }
}

/** Prints log messages of the code above level info on standard error. */
export function printCompileLogs(logs: readonly CompileLog[], io: Io): void {
  for (const log of logs) if (log.level !== 'debug' && log.level !== 'info') io.err(`${formatLogLine(log)}\n`)
}
