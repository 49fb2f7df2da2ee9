import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { digestBytes } from '../../base/bytes/byte-digest.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { formatQuantity } from '../../base/text/quantity.ts'
import { type CatalogSigner, ensureCatalogSigner } from '../../ca/catalog-signer.ts'
import { suggestEnvironments } from '../../code/environments/environment-suggestions.ts'
import { resolveCommit } from '../../code/environments/git/commit-resolution.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { writeGitBundle } from '../../code/git/packs/git-bundle.ts'
import { writeBundle } from '../../deploy/bundle/bundle-archive.ts'
import { signBundleManifest } from '../../deploy/bundle/bundle-signature.ts'
import {
  type BundledEnvironment,
  type BundledGem,
  type BundleFile,
  type BundleManifest,
  codePath,
  formatBundleManifest,
  toGemMember,
} from '../../deploy/bundle/manifest.ts'
import { toGitBundleHeader } from '../../deploy/bundle/unpacked-bundle.ts'
import { findAnyDeployment } from '../../deploy/synthesis/stored-deployments.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { withTemporaryFolder } from '../../machine/system/temporary-folder.ts'
import { requireOutputPath } from '../../machine/system/writable-file.ts'
import { formatBytes } from '../../node/facts/fact.ts'
import { formatFullName } from '../../node/gems/compact-index.ts'
import { openGemDirectory } from '../../node/gems/configured-gems.ts'
import { type CommandInvocation, defineCommand } from '../command/command.ts'
import { type Option, renderAs } from '../command/options.ts'
import { usageIssues } from '../command/usage-errors.ts'
import { jobsOption } from '../fleet/fleet.ts'
import { listEnvironmentSources, loadCodeSettings, openCodeRepository, repositoryOption } from '../input/code-source.ts'
import { exportsOption } from '../input/exported-resources.ts'
import { deployLocally } from '../input/local-deployment.ts'
import { type BundleStore, createBundleStore } from './bundle-store.ts'
import { writeCatalogs } from './create-catalogs.ts'

const issues = defineIssues({
  BUNDLE_NO_SIGNER: {
    text: (a: { file: string }) => `The key that signs bundles does not exist: ${a.file}`,
    hint: (a) =>
      `Run 'plumb ca generate --certname NAME --catalog-signer ${a.file}' on the CA server, or create the bundle with --unsigned.`,
  },
  BUNDLE_ENVIRONMENT_MISSING: {
    text: (a: { name: string; hint: string }) => `Could not find a branch of the environment '${a.name}'`,
    hint: (a) => a.hint,
  },
  BUNDLE_GEM_MISSING: {
    text: (a: { name: string }) => `The file of the gem ${a.name} is missing in $vardir/gems/cache`,
    hint: (a) => `Install the gem again with 'plumb gem install', or use --no-gems. Gem: ${a.name}`,
  },
})

const options = [
  {
    flags: '-o, --output <file>',
    doc: 'The bundle to write. An existing file is replaced when the bundle is complete.',
  },
  {
    flags: '--nodes <names>',
    doc: "Names of nodes whose catalogs are compiled, signed and added, separated by commas; 'all' for the known nodes of the environments.",
  },
  {
    flags: '--facts-dir <folder>',
    doc: 'Directory of facts (NAME.json or NAME.yaml); overrides the facts stored on the server.',
  },
  jobsOption,
  exportsOption,
  {
    flags: '--since <commit>',
    doc: 'Leave out this commit and its history, which the receiving repository already has. May be repeated.',
    repeated: true,
  },
  { flags: '--no-gems', doc: 'Leave out the gems of $vardir/gems.' },
  { flags: '--unsigned', doc: 'Do not sign the bundle and its catalogs.' },
  repositoryOption,
  renderAs,
] as const satisfies readonly Option[]

/** The command line of `plumb bundle create`. */
export type CreateInvocation = CommandInvocation<typeof options>

/** The command `plumb bundle create`. */
export const bundleCreate = defineCommand({
  name: 'create',
  summary: 'Create a bundle of environments, gems and catalogs.',
  description: `Writes one file with the commits of the environments, the modules of their Puppetfiles, the gems in $vardir/gems and, with
--nodes, the catalogs of nodes. The files of the catalogs are in the commits. The key in catalog_signer signs the catalogs
and the bundle.

Catalogs contain secrets in plain text unless catalog_secrets = encrypt: then each is encrypted for the certificate of its
node, which must be in cadir. The file is readable only by its owner.

  plumb bundle create production -o site.bundle
  plumb bundle create production -o update.bundle --since production~5
  plumb bundle create production -o site.bundle --nodes web1.example.com,web2.example.com --facts-dir facts

Exits with 0, or with 1 if the bundle was not created.`,
  usage: '<environments...>',
  options,
  run: createBundle,
})

async function createBundle(invocation: CreateInvocation): Promise<number> {
  const { options: given } = invocation
  const output = given.output ?? throwIssue(usageIssues.MISSING_ARGUMENT, { option: '-o, --output <file>' })
  await requireOutputPath(output)
  const settings = loadCodeSettings(invocation)
  const signer = given.unsigned === true ? undefined : await requireSigner(settings)
  const source = await openCodeRepository(settings)
  try {
    return await withTemporaryFolder('plumb-bundle-', (scratch) =>
      writeBundleFile(invocation, { output, source, settings, signer, store: createBundleStore(scratch) }),
    )
  } finally {
    await source.close()
  }
}

interface BundleParts {
  readonly output: string
  readonly source: GitObjectSource
  readonly settings: Settings
  readonly signer: CatalogSigner | undefined
  readonly store: BundleStore
}

async function writeBundleFile(invocation: CreateInvocation, parts: BundleParts): Promise<number> {
  const { options: given } = invocation
  const { output, source, settings, signer, store } = parts
  const environments = await resolveEnvironments(invocation, source, settings)
  const code = await writeCode(invocation, { environments, source, store })
  const gems = given.gems === false ? [] : await copyGems(settings, store)
  const catalogs =
    given.nodes === undefined
      ? []
      : await writeCatalogs(given.nodes, { invocation, environments, settings, signer, store })
  if (catalogs === undefined) return 1
  const manifest: BundleManifest = { ...code, environments, gems, catalogs }
  const text = formatBundleManifest(manifest)
  const signature = signer ? signBundleManifest(text, signer, new Date(localSystem.now())) : ''
  const hash = createHash('sha256')
  await localFiles.write(output, digestBytes(writeBundle(text, signature, store.open), hash), 0o600)
  report(manifest, { output, sha256: hash.digest('hex'), isSigned: signer !== undefined }, invocation)
  return 0
}

async function requireSigner(settings: Settings): Promise<CatalogSigner> {
  const signer = await ensureCatalogSigner(settings, undefined, localSystem)
  return signer ?? throwIssue(issues.BUNDLE_NO_SIGNER, { file: settings.catalog_signer })
}

/** Finds the commits of the environments. Modules of a Puppetfile are fetched if they were not deployed before. */
async function resolveEnvironments(
  { args, io }: CreateInvocation,
  source: GitObjectSource,
  settings: Settings,
): Promise<readonly BundledEnvironment[]> {
  const known = await listEnvironmentSources(settings)
  const { deployed, close } = deployLocally(source, settings, io)
  try {
    const environments: BundledEnvironment[] = []
    for (const name of [...new Set(args)].sort()) {
      const { ref, commit } = known.find((each) => each.name === name) ?? {}
      if (ref === undefined || commit === undefined)
        return throwIssue(issues.BUNDLE_ENVIRONMENT_MISSING, {
          name,
          hint: suggestEnvironments(name, known, settings.code_repo),
        })
      environments.push({ name, ref, commit, codeId: await deployed({ environment: name, ref, commit }) })
    }
    return environments
  } finally {
    await close()
  }
}

interface CodeParts {
  readonly environments: readonly BundledEnvironment[]
  readonly source: GitObjectSource
  readonly store: BundleStore
}

async function writeCode(
  { options: { since: given = [] } }: CreateInvocation,
  { environments, source, store }: CodeParts,
): Promise<Pick<BundleManifest, 'created' | 'objectFormat' | 'since' | 'code'>> {
  const { objectFormat } = source
  const place = { gitDir: source.path, quarantine: false }
  const since = new Set<string>()
  for (const revision of given) {
    const commit = await resolveCommit(source, revision)
    const deployed = await findAnyDeployment({ place }, commit)
    for (const each of [commit, deployed ?? commit]) since.add(each)
  }
  const times = await Promise.all(environments.map(({ commit }) => source.commitTime(commit)))
  const header = toGitBundleHeader({ objectFormat, since: [...since].sort(), environments })
  const code = await store.add(codePath, writeGitBundle(place, header), budgets.bundle.code)
  return { created: new Date(Math.max(...times) * 1000).toISOString(), objectFormat, since: header.since, code }
}

/** Adds the installed gems, sorted by name. */
async function copyGems(settings: Settings, store: BundleStore): Promise<readonly BundledGem[]> {
  const directory = openGemDirectory(settings)
  const gems: BundledGem[] = []
  for (const gem of await directory.list()) {
    const path = await directory.cachedFile(gem)
    if (path === undefined) return throwIssue(issues.BUNDLE_GEM_MISSING, { name: formatFullName(gem) })
    const file: BundleFile = await store.addFrom(toGemMember, createReadStream(path), budgets.gem.archive)
    gems.push({ name: basename(path), ...file })
  }
  return gems
}

function report(
  { created, since, environments, gems, catalogs, code }: BundleManifest,
  { output, sha256, isSigned }: { readonly output: string; readonly sha256: string; readonly isSigned: boolean },
  { options: { renderAs: format }, io }: CreateInvocation,
): void {
  if (format === 'json') {
    const named = environments.map(({ name, commit, codeId }) => ({ name, commit, code_id: codeId }))
    const nodes = catalogs.map(({ node }) => node)
    const summary = { file: output, sha256, signed: isSigned, created, since, environments: named, nodes }
    io.out(`${JSON.stringify({ ...summary, gems: gems.map(({ name }) => name) }, undefined, 2)}\n`)
    return
  }
  for (const { name, codeId } of environments) io.out(`${name}: ${codeId}\n`)
  const parts = [formatQuantity(gems.length, 'gem'), formatQuantity(catalogs.length, 'catalog')]
  const size = [code, ...gems, ...catalogs].reduce((total, each) => total + each.size, 0)
  io.out(`${toPrintable(output)}: ${parts.join(', ')}, ${formatBytes(size)}, ${isSigned ? 'signed' : 'not signed'}\n`)
  io.out(`SHA-256: ${sha256}\n`)
}
