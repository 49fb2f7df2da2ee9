import { randomUUID } from 'node:crypto'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { formatResourceReference } from '../../model/catalog.ts'
import type { SignedCatalog } from '../../model/catalog-signature.ts'
import { createAgentCatalogs } from '../../node/agent/catalog/agent-catalogs.ts'
import { createCatalogFiles, jsonCatalogFormat, yamlCatalogFormat } from '../../node/agent/catalog/catalog-files.ts'
import { internCatalog } from '../../node/agent/catalog/intern-catalog.ts'
import { requestCatalog } from '../../node/agent/catalog/request-catalog.ts'
import { checkSignature } from '../../node/agent/catalog/signature-check.ts'
import { listDefaultProviders } from '../../node/agent/facts/default-providers.ts'
import { saveClasses } from '../../node/agent/last-run.ts'
import { resolveNodeName } from '../../node/agent/node-name.ts'
import { collectNodeFacts } from '../../node/facts/node-facts.ts'
import { type CommandInvocation, defineCommand } from '../command/command.ts'
import { createTerminalFactLog } from '../command/messages.ts'
import { type MayHave, type Option, renderAs } from '../command/options.ts'
import { createCommandLog, withServerSession } from '../connection/server-session.ts'

const issues = defineIssues({
  NO_CATALOG: {
    text: (a: { name: string; terminus: string }) => `Could not find catalog for ${a.name}`,
    hint: (a) =>
      a.terminus === 'rest'
        ? 'The server returned no catalog.'
        : "Store the catalog with 'plumb catalog download', or request it with '--terminus rest'.",
  },
})

const terminusOption = {
  flags: '--terminus <name>',
  doc: 'Source of the catalog: rest for the server, or json or yaml for the cache.',
  choices: ['rest', 'json', 'yaml'],
  default: 'rest',
} as const satisfies Option

/** The part of a command line that selects a catalog. */
type Asked = Pick<CommandInvocation, 'io'> & {
  readonly options: MayHave<readonly [typeof terminusOption]> & CommandInvocation['options']
}

/** The command `plumb catalog find`. */
export const catalogFind = defineCommand({
  name: 'find',
  summary: 'Print the catalog of this node, from the server or from the cache.',
  description: `Requests the catalog as the agent does, with the facts of this machine, and prints it as JSON. Nothing is applied or
cached. The server rejects requests for other nodes; use 'plumb catalog compile' for those.

  plumb catalog find
  plumb catalog find --terminus json`,
  usage: '[certname]',
  options: [terminusOption],
  async run({ args: [name], options, settings: given, io }) {
    const settings = loadSettings({ given, runMode: 'agent' })
    const { wire } = await findCatalog({ options, io }, settings, name)
    io.out(`${formatExactJson(wire, 2)}\n`)
    return 0
  },
})

/** The command `plumb catalog select`. */
export const catalogSelect = defineCommand({
  name: 'select',
  summary: 'List the resources of a type in the catalog of this node.',
  description: `Prints one resource reference on each line. The type '*' matches all types.

  plumb catalog select web1.example.com file --terminus json`,
  usage: '<certname> <type>',
  options: [terminusOption, renderAs],
  async run({ args: [name, type = ''], options, settings: given, io }) {
    const settings = loadSettings({ given, runMode: 'agent' })
    const { wire } = await findCatalog({ options, io }, settings, name)
    const { resources } = await internCatalog(wire, () => localSystem.files.readText(settings.hostprivkey))
    const wanted = resources.filter((each) => type === '*' || each.type.toLowerCase() === type.toLowerCase())
    const references = wanted.map(formatResourceReference)
    if (options.renderAs === 'json') io.out(`${JSON.stringify(references)}\n`)
    else for (const reference of references) io.out(`${reference}\n`)
    return 0
  },
})

/** The command `plumb catalog download`. */
export const catalogDownload = defineCommand({
  name: 'download',
  summary: 'Fetch the catalog of this node from the server and cache it.',
  description: `Replaces the cached catalog, like an agent run. 'plumb agent --use_cached_catalog' applies the cached catalog, and
'plumb catalog find --terminus json' prints it.

  plumb catalog download --environment test`,
  options: [],
  async run({ options, settings: given, io }) {
    const settings = loadSettings({ given, runMode: 'agent' })
    const log = createCommandLog(io, options)
    const signed = await findCatalog({ options, io }, settings, undefined)
    const catalog = await internCatalog(signed.wire, () => localSystem.files.readText(settings.hostprivkey))
    await checkSignature(signed, catalog.name, { settings, system: localSystem, log })
    await saveClasses(localSystem.files, settings, catalog.classes)
    const { save } = await createAgentCatalogs({ files: localSystem.files, settings, ask: async () => signed })
    await save?.(catalog.name, signed)
    log.notice(`Saved catalog for ${catalog.name} to ${settings.client_datadir}`)
    return 0
  },
})

async function findCatalog(asked: Asked, settings: Settings, name: string | undefined): Promise<SignedCatalog> {
  const { terminus = 'rest' } = asked.options
  const key = name ?? resolveNodeName(settings, undefined)
  const catalog =
    terminus === 'rest'
      ? await requestServerCatalog(asked, settings, name)
      : await readCachedCatalog(settings, terminus, key)
  return catalog ?? throwIssue(issues.NO_CATALOG, { name: key, terminus })
}

function readCachedCatalog(
  settings: Settings,
  terminus: 'json' | 'yaml',
  key: string,
): Promise<SignedCatalog | undefined> {
  const { files } = localSystem
  const kept =
    terminus === 'json'
      ? createCatalogFiles(files, settings.client_datadir, jsonCatalogFormat)
      : createCatalogFiles(files, settings.clientyamldir, yamlCatalogFormat)
  return kept.find({ key })
}

function requestServerCatalog(
  { io, options }: Asked,
  settings: Settings,
  name: string | undefined,
): Promise<SignedCatalog> {
  return withServerSession(settings, { io, options }, async (session) => {
    const facts = await collectNodeFacts(localSystem, settings, {
      legacy: settings.include_legacy_facts,
      log: createTerminalFactLog(io),
      providers: (core) => listDefaultProviders(localSystem, core),
    })
    return requestCatalog({
      ...{ settings, session, facts },
      system: localSystem,
      environment: settings.environment,
      nodeName: name ?? resolveNodeName(settings, facts),
      transactionUuid: randomUUID(),
    })
  })
}
