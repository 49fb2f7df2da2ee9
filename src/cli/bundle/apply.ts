import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { openCommit } from '../../code/environments/environment-opener.ts'
import { runGit } from '../../code/git/git-command.ts'
import { indexPack } from '../../code/git/packs/git-bundle.ts'
import { checkBundleAge, recordBundle } from '../../deploy/bundle/bundle-record.ts'
import { bundleIssues } from '../../deploy/bundle/issues.ts'
import {
  type BundledCatalog,
  type BundledEnvironment,
  codePath,
  toCatalogMember,
} from '../../deploy/bundle/manifest.ts'
import {
  type BundleTrust,
  getBundlesFolder,
  listGemFiles,
  openBundledPack,
  type UnpackedBundle,
  unpackBundle,
  withBundleStaging,
} from '../../deploy/bundle/unpacked-bundle.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import type { CatalogWire } from '../../model/catalog.ts'
import { verifyCatalog } from '../../model/catalog-signature.ts'
import { jsonCatalogFormat } from '../../node/agent/catalog/catalog-files.ts'
import { internCatalog } from '../../node/agent/catalog/intern-catalog.ts'
import { openGemInstaller } from '../../node/gems/configured-gems.ts'
import { applyGivenCatalog, type GivenCatalog } from '../apply/apply.ts'
import { defineCommand } from '../command/command.ts'
import { logdestOption } from '../command/logdest.ts'
import { runExitcodes } from '../command/options.ts'
import {
  createBundleProgress,
  forceOption,
  readBundleTrust,
  requireBundleFile,
  trustOptions,
} from './bundle-options.ts'

const issues = defineIssues({
  BUNDLE_NO_CATALOG: {
    text: (a: { node: string; known: readonly string[] }) => `The bundle contains no catalog for ${a.node}`,
    hint: (a) =>
      formatSuggestion(a.node, a.known) ??
      "Give the name of the node as --certname NAME; 'plumb bundle create --nodes' adds catalogs.",
  },
  BUNDLE_INCOMPLETE: {
    text: () => 'The bundle contains only the commits since another bundle, and cannot be applied without a server',
    hint: () => 'Create a complete bundle without --since.',
  },
})

/** The command `plumb bundle apply`. */
export const bundleApply = defineCommand({
  name: 'apply',
  summary: 'Apply the catalog of this node from a bundle, without a server.',
  description: `Verifies a bundle, verifies the signature of the catalog of this node as the agent does, and applies the catalog with the
files, plug-ins and gems of the bundle. No network is used, unless a resource of the catalog uses it. With --noop, nothing
is changed.

A bundle that is older than the last applied one is rejected, unless --force is given. The exit status is 0; with
--detailed-exitcodes 0 for no changes, 2 for changes, 4 for failures, 6 for both; or 1 if nothing was applied.

  plumb bundle apply site.bundle --trusted-ca ca.pem --noop
  plumb bundle apply site.bundle --trusted-ca ca.pem --certname web1.example.com`,
  usage: '<file>',
  options: [
    ...trustOptions,
    forceOption,
    runExitcodes,
    { flags: '-t, --test', doc: 'Alias of --show_diff --verbose --detailed-exitcodes.' },
    logdestOption,
  ],
  async run(invocation) {
    const { options, settings: given, io } = invocation
    const file = await requireBundleFile(invocation)
    const settings = loadSettings({ given, runMode: 'user' })
    const trust = await readBundleTrust(options, settings)
    const folder = getBundlesFolder(settings)
    return withBundleStaging(folder, async (scratch) => {
      const bundle = await unpackBundle(file, scratch, {
        trust,
        wants: ({ path }, { catalogs }) =>
          !path.startsWith('catalogs/') ||
          catalogs.some((each) => each.node === settings.certname && toCatalogMember(each).path === path),
        progress: createBundleProgress(io),
      })
      const { catalog, environment } = findCatalog(bundle, settings)
      const environments = new Map([[settings.certname, environment]])
      const use = { use: 'applied', environments, folder, files: localFiles } as const
      if (options.force !== true) await checkBundleAge(bundle, use)
      const wire = await readVerifiedCatalog(bundle, { catalog, environment }, trust)
      const run = await openCatalogRun(bundle, environment, { wire, scratch, settings })
      if (!settings.noop) {
        await installGems(bundle, settings)
        await recordBundle(bundle, use)
      }
      const words = { ...given, environment: environment.name }
      return applyGivenCatalog({ file, given: run, options, settings: words, io })
    })
  },
})

/** A catalog and its environment in the manifest. */
interface FoundCatalog {
  readonly catalog: BundledCatalog
  readonly environment: BundledEnvironment
}

function findCatalog({ manifest }: UnpackedBundle, { certname: node }: Settings): FoundCatalog {
  const { since, catalogs, environments } = manifest
  if (since.length > 0) throwIssue(issues.BUNDLE_INCOMPLETE, {})
  const known = catalogs.map((each) => each.node)
  const catalog = catalogs.find((each) => each.node === node) ?? throwIssue(issues.BUNDLE_NO_CATALOG, { node, known })
  return { catalog, environment: environments.find(({ name }) => name === catalog.environment)! }
}

/**
 * Reads a catalog and verifies its signature. Only an unsigned bundle may contain an unsigned catalog. Throws
 * CATALOG_…, BUNDLE_MALFORMED.
 */
async function readVerifiedCatalog(
  { place, signature }: UnpackedBundle,
  { catalog: { node, ...file }, environment: { name, codeId } }: FoundCatalog,
  { trust, now }: BundleTrust,
): Promise<CatalogWire> {
  const path = place(toCatalogMember(file))
  const signed = jsonCatalogFormat.parse(await readFile(path, 'utf8'), path)
  if (signature !== undefined || signed.signature !== undefined) verifyCatalog(signed, { trust, now, node })
  const { name: named, environment, code_id } = signed.wire
  if (named !== node || environment !== name || code_id !== codeId)
    throwIssue(bundleIssues.BUNDLE_MALFORMED, { why: `the catalog of ${node} belongs to other code` })
  return signed.wire
}

/** Opens the commit of the catalog in a temporary repository, which provides files and plug-ins. */
async function openCatalogRun(
  bundle: UnpackedBundle,
  { name, codeId }: BundledEnvironment,
  { wire, scratch, settings }: { readonly wire: CatalogWire; readonly scratch: string; readonly settings: Settings },
): Promise<GivenCatalog> {
  const catalog = await internCatalog(wire, () => localFiles.readText(settings.hostprivkey))
  const repository = join(scratch, 'code.git')
  const place = { gitDir: repository, quarantine: false }
  await runGit(place, ['init', '--quiet', '--bare', `--object-format=${bundle.manifest.objectFormat}`])
  await indexPack(place, openBundledPack(bundle))
  await localFiles.remove(bundle.place({ ...bundle.manifest.code, path: codePath }))
  const { environment: code } = await openCommit({ repository, ref: codeId, name }, settings)
  return { catalog, code }
}

async function installGems(bundle: UnpackedBundle, settings: Settings): Promise<void> {
  const files = listGemFiles(bundle)
  if (files.length === 0) return
  const installer = openGemInstaller(settings, undefined, [])
  await installer.installFiles(files, async () => {}).finally(() => installer.close())
}
