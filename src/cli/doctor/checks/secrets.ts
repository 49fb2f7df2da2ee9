import { budgets } from '../../../base/budgets/budgets.ts'
import { formatQuantity } from '../../../base/text/quantity.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { type DoctorFinding, defineFaults } from '../finding.ts'
import { type Check, type Installation, listRoleSettings } from '../installation.ts'
import { type CachedCatalogs, readCachedCatalogs } from '../secrets/cached-catalogs.ts'
import { type FoundSecret, type SearchResult, searchFiles } from '../secrets/file-search.ts'
import { compileSecretPatterns } from '../secrets/secret-patterns.ts'
import { createRedaction } from '../secrets/secret-redaction.ts'

const faults = defineFaults('secrets', {
  SECRET_COPY: {
    severity: 'error',
    what: (a: { file: string; form: string; origin: string }) =>
      `${a.file} contains a secret as ${a.form}: ${a.origin}`,
    why: 'Everyone who can read the file, its backups or the disk can use the secret.',
    fix: (a) => `Find the program that wrote ${a.file}, and remove the file. Replace the secret if others had access.`,
  },
  MORE_COPIES: {
    severity: 'error',
    what: (a: { count: number }) => `Files contain secrets in ${formatQuantity(a.count, 'further place')}`,
    why: 'Only the first copies are listed.',
    fix: () => "Remove the listed copies, and run 'plumb doctor secrets' again.",
  },
  CATALOG_PLAIN: {
    severity: 'warning',
    what: (a: { files: readonly string[] }) =>
      `The cached catalog contains secrets in plain text: ${formatPaths(a.files)}`,
    why: 'The catalog is stored as the server sent it. Root, and everyone who can read backups or the disk, can read it.',
    fix: () => 'Set catalog_secrets = encrypt on the server.',
  },
  CATALOG_UNREADABLE: {
    severity: 'warning',
    what: (a: { file: string; why: string }) => `The secrets in the cached catalog ${a.file} are unknown: ${a.why}`,
    why: 'Files are not searched for these secrets.',
    fix: () => "Run 'plumb agent --test', which replaces the cached catalog.",
  },
  NOT_READABLE: {
    severity: 'warning',
    what: (a: { paths: readonly string[]; why: string }) =>
      `Not completely searched for secrets (${a.why}): ${formatPaths(a.paths)}`,
    why: 'Copies of secrets in these files and directories are not reported.',
    fix: () => "Run 'plumb doctor secrets' as root. Decompress a damaged or large gzip file, and search its content.",
  },
  NOT_SEARCHED: {
    severity: 'warning',
    what: (a: { directories: readonly string[] }) =>
      `Not completely searched for secrets: ${formatPaths(a.directories)}`,
    why: 'The search of a run with all checks has limits on bytes and time.',
    fix: () => "Run 'plumb doctor secrets', which searches all files.",
  },
  TOO_MANY_SECRETS: {
    severity: 'warning',
    what: (a: { count: number }) => `Files are not searched for the ${formatQuantity(a.count, 'largest secret')}`,
    why: 'The secrets together exceed the memory of the search.',
    fix: () => 'Search with fewer secrets at a time: plumb doctor secrets --secrets FILE.',
  },
})

/** Maximum number of paths in a finding. */
const shownPaths = 20

function formatPaths(paths: readonly string[]): string {
  const others = paths.length - shownPaths
  return paths.slice(0, shownPaths).join(', ') + (others > 0 ? ` and ${others} others` : '')
}

/** Searches the state of this machine for copies of secrets. */
export const secretsCheck: Check = {
  name: 'secrets',
  doc: 'copies of secrets in state, logs, caches and backups',
  isUnlimited: ({ secretSearch }) => secretSearch.isComplete,
  async run(installation) {
    const { system, secretSearch } = installation
    const roles = listRoleSettings(installation)
    const catalogs = await readCachedCatalogs(roles, system.files)
    const secrets = [...secretSearch.secrets, ...[...catalogs.secrets.values()].flatMap((each) => each.secrets)]
    const patterns = compileSecretPatterns(secrets)
    const result = secrets.length > 0 ? await searchFiles(patterns, createScope(installation)) : undefined
    const findings = [
      ...describeCatalogs(catalogs, result?.found ?? [], secretSearch.isComplete),
      ...(result ? describeResult(result, catalogs) : []),
      ...(patterns.omitted > 0 ? [faults.TOO_MANY_SECRETS({ count: patterns.omitted })] : []),
    ]
    const redact = createRedaction(secrets.map(({ value }) => value))
    // Names of files, and titles of resources, may contain a secret.
    return findings.map((finding) => ({ ...finding, what: redact(finding.what), fix: redact(finding.fix) }))
  },
}

function createScope(installation: Installation) {
  const { isComplete, file } = installation.secretSearch
  const { secretSearch, secretSearchTime } = budgets.machine
  const roles = listRoleSettings(installation)
  return {
    roots: [...new Set(roles.flatMap(listStatePaths))].filter((path) => path !== ''),
    excluded: [...roles.map(({ privatekeydir }) => privatekeydir), ...(file === undefined ? [] : [file])],
    mostBytes: isComplete ? Number.POSITIVE_INFINITY : secretSearch.bound,
    mostMs: isComplete ? Number.POSITIVE_INFINITY : secretSearchTime.bound,
  }
}

/**
 * Directories of state, from the small to the large. Most are in vardir, unless a setting moves them; the store is in
 * server_datadir.
 */
function listStatePaths(settings: Settings): readonly string[] {
  const { statedir, client_datadir, clientyamldir, rundir, logdir, clientbucketdir, graphdir, publicdir } = settings
  const { reportdir, auditdir, bucketdir, yamldir, server_datadir, confdir, vardir } = settings
  return [
    ...[statedir, client_datadir, clientyamldir, rundir, logdir, clientbucketdir, graphdir, publicdir],
    ...[reportdir, auditdir, bucketdir, yamldir],
    ...[server_datadir, confdir, vardir],
  ]
}

/**
 * One finding for all cached catalogs with secrets, even if the secrets come from other sources. A run of all checks
 * does not report them, since a Puppet Server always sends catalogs in plain text.
 */
function describeCatalogs(
  { secrets, unreadable }: CachedCatalogs,
  found: readonly FoundSecret[],
  isComplete: boolean,
): readonly DoctorFinding[] {
  const withCopies = new Set(found.map(({ file }) => file))
  const files = [...secrets]
    .filter(([file, { hasSecrets }]) => isComplete && (hasSecrets || withCopies.has(file)))
    .map(([file]) => file)
  return [
    ...(files.length > 0 ? [faults.CATALOG_PLAIN({ files })] : []),
    ...Array.from(unreadable, ([file, why]) => faults.CATALOG_UNREADABLE({ file, why })),
  ]
}

function describeResult(result: SearchResult, catalogs: CachedCatalogs): readonly DoctorFinding[] {
  const copies = listCopies(result.found, catalogs)
  const most = budgets.machine.foundSecrets.bound
  const skipped = [...new Set(result.skipped)]
  const reasons = [...new Set(result.unreadable.map(({ reason }) => reason))]
  return [
    ...copies.slice(0, most),
    ...(copies.length > most ? [faults.MORE_COPIES({ count: copies.length - most })] : []),
    ...reasons.map((why) => {
      const paths = result.unreadable.filter(({ reason }) => reason === why).map(({ path }) => path)
      return faults.NOT_READABLE({ paths, why })
    }),
    ...(skipped.length > 0 ? [faults.NOT_SEARCHED({ directories: skipped })] : []),
  ]
}

/** The copies outside the cached catalogs and the files that a catalog manages, each once. */
function listCopies(found: readonly FoundSecret[], { secrets }: CachedCatalogs): readonly DoctorFinding[] {
  const copies = new Map<string, DoctorFinding>()
  for (const { file, form, secret } of found) {
    if (secrets.has(file) || secret.destination === file) continue
    const copy = faults.SECRET_COPY({ file, form, origin: secret.origin })
    copies.set(copy.what, copy)
  }
  return [...copies].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, copy]) => copy)
}
