import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { parseJson } from '../../base/json/json-text.ts'
import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import type { CatalogSigner } from '../../ca/catalog-signer.ts'
import { openCommit } from '../../code/environments/environment-opener.ts'
import { type BundledCatalog, type BundledEnvironment, toCatalogMember } from '../../deploy/bundle/manifest.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import type { CatalogWire } from '../../model/catalog.ts'
import { encryptCatalogSecrets } from '../../model/catalog-secrets.ts'
import { computeCatalogDigest, createCatalogSigner } from '../../model/catalog-signature.ts'
import { jsonCatalogFormat } from '../../node/agent/catalog/catalog-files.ts'
import { printMessage } from '../command/messages.ts'
import {
  compileFleet,
  createFleet,
  createProgressCounter,
  type FleetFailure,
  formatFailureLines,
} from '../fleet/fleet.ts'
import { createEnvironmentNodesReader } from '../input/environment-nodes.ts'
import { readExportedResources } from '../input/exported-resources.ts'
import { createCertificateReader, createTrustedFactsReader } from '../input/node-certificates.ts'
import { openFleetQuerySources } from '../input/query-answers.ts'
import type { BundleStore } from './bundle-store.ts'
import type { CreateInvocation } from './create.ts'

const issues = defineIssues({
  BUNDLE_NODES_UNKNOWN: {
    text: (a: { nodes: readonly string[] }) => `The environment of these nodes is unknown: ${a.nodes.join(', ')}`,
    hint: () => 'Name one environment, whose code is then used for all nodes of --nodes.',
  },
  BUNDLE_NO_NODES: {
    text: () => 'No nodes are known for the environments of the bundle',
    hint: () => 'Name the nodes, and give their facts with --facts-dir.',
  },
  BUNDLE_NODE_CERTIFICATE: {
    text: (a: { node: string; cadir: string }) =>
      `The secrets of ${a.node} cannot be encrypted: its certificate is missing in ${a.cadir}/signed`,
    hint: () => 'Copy the certificate of the node there, or set catalog_secrets = plain.',
  },
})

/** Input for the catalogs of a bundle. */
export interface CatalogsOrder {
  readonly invocation: CreateInvocation
  readonly environments: readonly BundledEnvironment[]
  readonly settings: Settings
  readonly signer: CatalogSigner | undefined
  readonly store: BundleStore
}

/**
 * Compiles, encrypts and signs the catalogs of nodes, in the format of the agent's cache. Prints failed compilations, and
 * returns `undefined` if there are any.
 */
export async function writeCatalogs(
  words: string,
  order: CatalogsOrder,
): Promise<readonly BundledCatalog[] | undefined> {
  const nodes = await selectNodes(words, order)
  const catalogs: BundledCatalog[] = []
  let failed = 0
  for (const environment of order.environments) {
    const own = nodes.get(environment.name) ?? []
    if (own.length === 0) continue
    const { compiled, failures } = await compileNodes(own, environment, order)
    failed += failures.size
    for (const [node, failure] of failures)
      order.invocation.io.err(`${formatFailureLines(failure, `${node}: `).join('\n')}\n`)
    if (failed === 0)
      for (const [node, file] of compiled) catalogs.push(await addCatalog(node, file, environment, order))
  }
  if (failed > 0) return undefined
  return catalogs.sort((one, other) => compareCodeUnits(one.node, other.node))
}

/** Assigns the nodes to the environments of the bundle. */
async function selectNodes(
  words: string,
  { environments, settings }: CatalogsOrder,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = words
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  const [only, ...others] = environments
  if (words !== 'all' && only && others.length === 0) return new Map([[only.name, names]])
  const readNodes = createEnvironmentNodesReader(settings)
  const chosen = new Map<string, readonly string[]>()
  for (const { name } of environments) {
    const { nodes } = await readNodes(name)
    chosen.set(name, words === 'all' ? nodes : nodes.filter((each) => names.includes(each)))
  }
  const found = new Set([...chosen.values()].flat())
  if (words === 'all' && found.size === 0) throwIssue(issues.BUNDLE_NO_NODES, {})
  const unknown = words === 'all' ? [] : names.filter((name) => !found.has(name))
  if (unknown.length > 0) throwIssue(issues.BUNDLE_NODES_UNKNOWN, { nodes: unknown })
  return chosen
}

async function compileNodes(
  nodes: readonly string[],
  { name, codeId }: BundledEnvironment,
  { invocation: { options, io }, settings, store }: CatalogsOrder,
): Promise<{ readonly compiled: ReadonlyMap<string, string>; readonly failures: ReadonlyMap<string, FleetFailure> }> {
  const opened = await openCommit({ repository: settings.code_repo, ref: codeId, name }, settings)
  for (const warning of opened.warnings) printMessage('Warning', warning, io)
  const fleet = { ...createFleet(nodes, options), trusted: createTrustedFactsReader(settings) }
  const exports = await readExportedResources({ options }, settings)
  const asked = await openFleetQuerySources({ inputs: undefined }, settings, io)
  const progress = createProgressCounter(fleet.nodes.length, io)
  const compiled = new Map<string, string>()
  const failures = new Map<string, FleetFailure>()
  await compileFleet(fleet, { opened: [opened], exports, asked }, settings, (node, [answer]) => {
    if (answer === undefined || 'error' in answer) {
      if (answer) failures.set(node, answer)
    } else {
      failures.delete(node)
      const file = compiled.get(node) ?? store.scratch(`compiled-${compiled.size}`)
      writeFileSync(file, answer.catalog.body, { mode: 0o600 })
      compiled.set(node, file)
    }
    progress.done(node)
  })
  progress.clear()
  return { compiled, failures }
}

async function addCatalog(
  node: string,
  file: string,
  { name: environment, codeId }: BundledEnvironment,
  { settings, signer, store }: CatalogsOrder,
): Promise<BundledCatalog> {
  const plain = await readFile(file)
  const body = settings.catalog_secrets === 'encrypt' ? await encryptCatalog(node, plain, settings) : plain
  const text = Buffer.from(body).toString('utf8')
  const wire = parseJson(text) as CatalogWire
  const time = new Date(localSystem.now()).toISOString()
  const digest = computeCatalogDigest(body)
  const statement = { digest, node, environment, codeId, time, transaction: undefined }
  const signature = signer ? createCatalogSigner(signer)(statement) : undefined
  const bytes = Buffer.from(jsonCatalogFormat.print({ wire, text, signature }))
  const stored = await store.addFrom(toCatalogMember, toParts(bytes), budgets.bundle.catalog)
  return { node, environment, ...stored }
}

async function encryptCatalog(node: string, plain: Uint8Array, settings: Settings): Promise<Uint8Array> {
  const certificate = await createCertificateReader(settings)(node)
  if (!certificate) throwIssue(issues.BUNDLE_NODE_CERTIFICATE, { node, cadir: settings.cadir })
  return encryptCatalogSecrets(plain, certificate.der)
}

async function* toParts(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
