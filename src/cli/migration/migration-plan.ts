import { readdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { throwIssue } from '../../base/issue.ts'
import { formatQuantity } from '../../base/text/quantity.ts'
import { getCaLayout } from '../../ca/file-layout.ts'
import { parsePuppetConf, type Sections } from '../../machine/settings/puppet-conf.ts'
import { formatSetting, type Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import { parseAuthConf } from '../../server/auth/auth-conf.ts'
import { getFactsDirectory } from '../../server/termini/facts/files.ts'
import { importCode, listEnvironmentFolders } from './code-import.ts'
import { copyTree } from './directory-copy.ts'
import { findFactsFiles, writeFactsFolder } from './facts-files.ts'
import { migrationIssues as issues } from './issues.ts'
import type { MigrationPart, MigrationUnit } from './migration-unit.ts'
import { describeKeptDefaults, listKeptDefaults } from './puppet-defaults.ts'
import type { PuppetServer } from './puppet-server.ts'
import { addMigratedSettings, isAutosignFile, listMovedSettings, type MovedSetting } from './setting-migration.ts'

/** The plan of a migration. */
export interface MigrationPlan {
  readonly units: readonly MigrationUnit[]
  readonly settings: readonly MovedSetting[]
  /** Notes for the administrator. */
  readonly remarks: readonly string[]
}

/** Input of a plan. */
export interface MigrationPlanInput {
  readonly from: PuppetServer
  readonly to: Settings
  readonly wanted: ReadonlySet<MigrationPart>
  /** The path of the new Git repository for the code. */
  readonly repository: string
}

/** Plans a migration without writing anything. Throws NO_AUTHORITY, SAME_FOLDER, or an error in auth.conf. */
export async function planMigration(planned: MigrationPlanInput): Promise<MigrationPlan> {
  const { from, to, wanted } = planned
  const remarks: string[] = []
  const code = wanted.has('code') ? await planCode(planned, remarks) : { units: [], setting: undefined }
  const kept = wanted.has('settings')
    ? listKeptDefaults(from.version, from.sections, await readSections(to.config))
    : []
  const settings = wanted.has('settings') ? [...listMovedSettings(from, code.setting), ...kept] : []
  remarks.push(...describeKeptDefaults(from.version, kept))
  const units = [
    ...(wanted.has('ca') ? await planAuthority(from, to) : []),
    ...(wanted.has('certificates') ? await planCertificates(from, to) : []),
    ...(wanted.has('settings') ? await planSettings(planned, settings, remarks) : []),
    ...(wanted.has('auth') ? await planRules(from, to) : []),
    ...(wanted.has('facts') ? await planFacts(from, to, remarks) : []),
    ...code.units,
  ]
  for (const unit of units) await checkDifferentPaths(unit)
  return { units, settings, remarks }
}

/** Reads the settings of a puppet.conf; empty if the file does not exist. */
async function readSections(file: string): Promise<Sections> {
  const text = await localFiles.readText(file)
  return text === undefined ? new Map() : parsePuppetConf({ file, text })
}

/** Throws SAME_FOLDER if the source and destination of a unit are the same. */
async function checkDifferentPaths({ from, to }: MigrationUnit): Promise<void> {
  const resolveRealPath = async (path: string) => realpath(path).catch(() => path)
  if ((await resolveRealPath(from)) === (await resolveRealPath(to))) throwIssue(issues.SAME_FOLDER, { path: to })
}

async function planAuthority({ cadir }: PuppetServer, to: Settings): Promise<MigrationUnit[]> {
  const { certificate, signed, requests } = getCaLayout(cadir)
  if ((await localFiles.stat(certificate)) === undefined) throwIssue(issues.NO_AUTHORITY, { cadir })
  const countFiles = async (folder: string) => ((await localFiles.list(folder)) ?? []).length
  return [
    {
      part: 'ca',
      from: cadir,
      to: to.cadir,
      note: `${formatQuantity(await countFiles(signed), 'certificate')}, ${formatQuantity(await countFiles(requests), 'request')}`,
      stage: (path) => copyTree(cadir, path, ['.lock']),
    },
  ]
}

async function planCertificates({ settings: from }: PuppetServer, to: Settings): Promise<MigrationUnit[]> {
  // This server adopts the certname of the Puppet Server, which is part of the paths.
  const toCertnamePath = (path: string) => join(dirname(path), `${from.certname}.pem`)
  const pairs: [string, string, string][] = [
    [from.hostprivkey, toCertnamePath(to.hostprivkey), 'private key of the server'],
    [from.hostcert, toCertnamePath(to.hostcert), 'certificate of the server'],
    [from.hostpubkey, toCertnamePath(to.hostpubkey), 'public key of the server'],
    [from.localcacert, to.localcacert, 'trusted CA certificates'],
    [from.hostcrl, to.hostcrl, 'revocation lists'],
  ]
  return planCopies('certificates', pairs)
}

/** Units that copy existing files unchanged. */
async function planCopies(
  part: MigrationPart,
  pairs: readonly (readonly [string, string, string])[],
): Promise<MigrationUnit[]> {
  const units: MigrationUnit[] = []
  for (const [from, to, note] of pairs)
    if ((await localFiles.stat(from)) !== undefined)
      units.push({ part, from, to, note, stage: async (path) => copyTree(await realpath(from), path) })
  return units
}

async function planSettings(
  { from, to }: MigrationPlanInput,
  settings: readonly MovedSetting[],
  remarks: string[],
): Promise<MigrationUnit[]> {
  const taken = settings.filter(({ left }) => left === undefined)
  const left = settings.length - taken.length
  const before = (await localFiles.readText(to.config)) ?? ''
  const toConfdirPath = (settings: Settings, name: string) => join(settings.confdir, name)
  const pairs: [string, string, string][] = [
    [from.settings.hiera_config, to.hiera_config, 'global hiera.yaml'],
    [from.settings.route_file, to.route_file, 'routes of indirections'],
    [from.settings.trusted_oid_mapping_file, to.trusted_oid_mapping_file, 'names of certificate extensions'],
    [from.settings.csr_attributes, to.csr_attributes, 'attributes of certificate requests'],
    [toConfdirPath(from.settings, 'puppetdb.conf'), toConfdirPath(to, 'puppetdb.conf'), 'PuppetDB addresses'],
    [toConfdirPath(from.settings, 'fileserver.conf'), toConfdirPath(to, 'fileserver.conf'), 'file server mounts'],
  ]
  if (isAutosignFile(from.settings.autosign))
    pairs.push([from.settings.autosign, toConfdirPath(to, 'autosign.conf'), 'autosigned names'])
  await addProgramRemarks(from.settings, remarks)
  return [
    {
      part: 'settings',
      from: from.settings.config,
      to: to.config,
      note: `${formatQuantity(taken.length, 'setting')} migrated, ${left} skipped`,
      async stage(path) {
        await writeFile(path, addMigratedSettings(before, settings), { mode: 0o640, flush: true })
      },
    },
    ...(await planCopies('settings', pairs)),
  ]
}

/** Adds notes about programs named in settings, which are not copied. */
async function addProgramRemarks(settings: Settings, remarks: string[]): Promise<void> {
  const [classifier = ''] = settings.external_nodes.split(/\s+/)
  const programs: [string, string][] = [
    ['external_nodes', settings.node_terminus === 'exec' ? classifier : ''],
    ['autosign', isAutosignFile(settings.autosign) ? '' : settings.autosign],
    ['trusted_external_command', settings.trusted_external_command],
    ['code_id_command', settings.code_id_command],
  ]
  for (const [name, program] of programs) {
    if (!program.startsWith('/')) continue
    const stat = await localFiles.stat(program)
    remarks.push(
      stat === undefined
        ? `The program of ${name}, ${program}, does not exist.`
        : `The program of ${name} stays at ${program}; the user of this server must be able to execute it.`,
    )
  }
}

async function planRules({ settings, serverConf }: PuppetServer, to: Settings): Promise<MigrationUnit[]> {
  const file = serverConf.values.get('auth_conf')?.text
  if (file === undefined || file !== settings.auth_conf) return []
  const text = (await localFiles.readText(file)) ?? ''
  const { rules } = parseAuthConf({ file, text })
  return planCopies('auth', [[file, to.auth_conf, formatQuantity(rules.length, 'rule')]])
}

async function planFacts({ settings }: PuppetServer, to: Settings, remarks: string[]): Promise<MigrationUnit[]> {
  const files = await findFactsFiles(settings.vardir)
  if (files.length === 0) return []
  const folder = getFactsDirectory(to)
  return [
    {
      part: 'facts',
      from: join(settings.vardir, '*/facts'),
      to: folder,
      note: `facts of ${formatQuantity(files.length, 'node')}`,
      async stage(path) {
        remarks.push(...(await writeFactsFolder(files, folder, path)))
      },
    },
  ]
}

async function planCode(
  { from, repository }: MigrationPlanInput,
  remarks: string[],
): Promise<{
  readonly units: readonly MigrationUnit[]
  readonly setting: { name: string; value: string } | undefined
}> {
  const { environmentpath, basemodulepath } = from.settings
  const shared: string[] = []
  for (const folder of basemodulepath) if ((await readdir(folder).catch(() => [])).length > 0) shared.push(folder)
  if (shared.length > 0)
    remarks.push(
      `Modules in ${shared.join(':')} belong to no environment. Add them to each environment, or set basemodulepath to ${formatSetting(from.settings, 'basemodulepath')}.`,
    )
  if (from.r10k !== undefined) return { units: [], setting: { name: 'code_sources', value: from.r10k } }
  const folders = await listEnvironmentFolders(environmentpath)
  if (folders.length === 0) return { units: [], setting: undefined }
  const files = folders.reduce((sum, each) => sum + each.files.length, 0)
  const bytes = folders.reduce((sum, each) => sum + each.bytes, 0)
  remarks.push(`Push code to ${repository} from now on. Run 'plumb code install-hooks ${repository}' to check pushes.`)
  return {
    setting: { name: 'code_repo', value: repository },
    units: [
      {
        part: 'code',
        from: environmentpath.join(':'),
        to: repository,
        note: `${formatQuantity(folders.length, 'environment')} (${folders.map(({ name }) => name).join(', ')}), ${formatQuantity(files, 'file')}, ${Math.ceil(bytes / 1024)} KiB`,
        stage: (path) => importCode(folders, path),
      },
    ],
  }
}
