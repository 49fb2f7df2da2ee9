import { lookup } from 'node:dns/promises'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getSystemErrorCode, isMissingFileError } from '../../../base/system-error.ts'
import { readEnvironmentConf } from '../../../code/environments/environment-conf.ts'
import { findBlob } from '../../../code/git/blob-path.ts'
import { openRepository } from '../../../code/git/repository-opener.ts'
import { formatError } from '../../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { type DoctorFinding, defineFaults } from '../finding.ts'
import type { Check } from '../installation.ts'

const faults = defineFaults('environments', {
  ENVIRONMENT_CONF: {
    severity: 'warning',
    what: (a: { environment: string; why: string }) => `environment.conf of ${a.environment}: ${a.why}`,
    why: 'The line has no effect.',
    fix: () => 'Correct environment.conf, and push it.',
  },
  ENVIRONMENT_CONF_BROKEN: {
    severity: 'error',
    what: (a: { environment: string; why: string }) => `environment.conf of ${a.environment} cannot be read: ${a.why}`,
    why: 'The environment is not served, or stays at its last valid commit.',
    fix: () => 'Correct environment.conf, and push it.',
  },
  PUPPETFILE_SOURCE: {
    severity: 'warning',
    what: (a: { environment: string; url: string; why: string }) =>
      `The Puppetfile of ${a.environment} contains ${a.url}: ${a.why}`,
    why: 'The code of modules runs on every node, so its source must be authentic.',
    fix: () => 'Use an https:// or ssh:// URL with a valid host name.',
  },
})

/** Maximum number of environments that are checked. */
const mostEnvironments = 100
const mostHosts = 20
const maxFileBytes = 1024 * 1024

/** Reads a file in the root of an environment. */
type Reader = (name: string) => Promise<string | undefined>

/** Checks environment.conf and the Puppetfile of each environment. */
export const environmentsCheck: Check = {
  name: 'environments',
  doc: 'environment.conf and the sources of the Puppetfile of each environment',
  async run({ server }) {
    if (!server) return []
    return server.code_repo === '' ? checkFolders(server) : checkRepository(server)
  },
}

async function checkRepository(settings: Settings): Promise<DoctorFinding[]> {
  // Another check reports a repository that cannot be opened.
  const source = await openRepository(settings.code_repo).catch(() => undefined)
  if (!source) return []
  try {
    const findings: DoctorFinding[] = []
    const refs = [...(await source.listRefs('refs/heads/')).commits.keys()].slice(0, mostEnvironments)
    for (const ref of refs) {
      const commit = await source.resolveRef(ref)
      if (commit === undefined) continue
      const read: Reader = async (name) => {
        const oid = await findBlob(source, commit, name)
        return oid === undefined ? undefined : (await source.readBlob(oid, { maxBytes: maxFileBytes })).toString('utf8')
      }
      // Another check reports missing objects.
      findings.push(...(await checkEnvironment(ref.slice('refs/heads/'.length), read, settings).catch(() => [])))
    }
    return findings
  } finally {
    await source.close()
  }
}

async function checkFolders(settings: Settings): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  for (const path of settings.environmentpath) {
    const names = (await readdir(path).catch(() => [])).slice(0, mostEnvironments)
    for (const name of names)
      findings.push(...(await checkEnvironment(name, createFolderReader(join(path, name)), settings)))
  }
  return findings
}

const createFolderReader =
  (folder: string): Reader =>
  async (name) => {
    try {
      return await readFile(join(folder, name), 'utf8')
    } catch (error) {
      if (isMissingFileError(error) || getSystemErrorCode(error) !== undefined) return undefined
      throw error
    }
  }

async function checkEnvironment(environment: string, read: Reader, settings: Settings): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  const text = await read('environment.conf')
  try {
    const file = `${environment}/environment.conf`
    const { warnings } = readEnvironmentConf({ file, text }, environment, settings)
    findings.push(...warnings.map((why) => faults.ENVIRONMENT_CONF({ environment, why })))
  } catch (error) {
    findings.push(faults.ENVIRONMENT_CONF_BROKEN({ environment, why: formatError(error) }))
  }
  return [...findings, ...(await checkPuppetfile(environment, (await read('Puppetfile')) ?? ''))]
}

/** Checks the URLs in the text of a Puppetfile, without evaluating its Ruby code. */
async function checkPuppetfile(environment: string, text: string): Promise<DoctorFinding[]> {
  const lines = text.split('\n').filter((line) => !/^\s*#/.test(line))
  const urls = new Set(
    lines.flatMap((line) =>
      [...line.matchAll(/(?:git|forge|http)\b[^'"\n]{0,20}['"]([^'"\n]{1,500})['"]/g)].map(([, url]) => url!),
    ),
  )
  const hosts = new Set<string>()
  const findings: DoctorFinding[] = []
  for (const url of urls) {
    const why = /^(?:-|ext::)/.test(url)
      ? 'the server never fetches such URLs'
      : /^(?:git|http):\/\//.test(url)
        ? 'the connection is not encrypted'
        : undefined
    if (why !== undefined) findings.push(faults.PUPPETFILE_SOURCE({ environment, url, why }))
    const [, host] = /^(?:https|ssh):\/\/(?:[^/@]{0,200}@)?([A-Za-z0-9.-]{1,253})/.exec(url) ?? []
    if (host === undefined || hosts.has(host) || hosts.size >= mostHosts) continue
    hosts.add(host)
    const isKnown = await lookup(host).then(
      () => true,
      (error: unknown) => getSystemErrorCode(error) !== 'ENOTFOUND',
    )
    if (!isKnown) findings.push(faults.PUPPETFILE_SOURCE({ environment, url, why: `the host ${host} is unknown` }))
  }
  return findings
}
