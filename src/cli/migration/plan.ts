import { readdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fail } from '../../base/issue.ts'
import { counted } from '../../base/text/counted.ts'
import { caLayout } from '../../ca/layout.ts'
import { parsePuppetConf, type Sections } from '../../machine/settings/puppet-conf.ts'
import { printSetting, type Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import { parseAuthConf } from '../../server/auth/auth-conf.ts'
import { factsDirectory } from '../../server/termini/facts/files.ts'
import { keptDefaults, remarkOnDefaults } from './changed-defaults.ts'
import { codeFolders, importCode } from './code.ts'
import { copyTree } from './copy-tree.ts'
import { factsFiles, writeFacts } from './facts.ts'
import { migrationIssues as issues } from './issues.ts'
import { isAutosignFile, type MovedSetting, movedSettings, withSettings } from './moved-settings.ts'
import type { PuppetServer } from './puppet-server.ts'
import type { Part, Unit } from './unit.ts'

/** The plan of a migration. */
export interface Plan {
  readonly units: readonly Unit[]
  readonly settings: readonly MovedSetting[]
  /** Notes for the administrator. */
  readonly remarks: readonly string[]
}

/** Input of a plan. */
export interface Planned {
  readonly from: PuppetServer
  readonly to: Settings
  readonly wanted: ReadonlySet<Part>
  /** The path of the new repository. */
  readonly repository: string
}

/** Plans a migration without writing anything. Throws NO_AUTHORITY, SAME_FOLDER, or an error in auth.conf. */
export async function planMigration(planned: Planned): Promise<Plan> {
  const { from, to, wanted } = planned
  const remarks: string[] = []
  const code = wanted.has('code') ? await planCode(planned, remarks) : { units: [], setting: undefined }
  const kept = wanted.has('settings') ? keptDefaults(from.version, from.sections, await readSections(to.config)) : []
  const settings = wanted.has('settings') ? [...movedSettings(from, code.setting), ...kept] : []
  remarks.push(...remarkOnDefaults(from.version, kept))
  const units = [
    ...(wanted.has('ca') ? await planAuthority(from, to) : []),
    ...(wanted.has('certificates') ? await planCertificates(from, to) : []),
    ...(wanted.has('settings') ? await planSettings(planned, settings, remarks) : []),
    ...(wanted.has('auth') ? await planRules(from, to) : []),
    ...(wanted.has('facts') ? await planFacts(from, to, remarks) : []),
    ...code.units,
  ]
  for (const unit of units) await refuseSame(unit)
  return { units, settings, remarks }
}

/** Reads the settings of a puppet.conf; empty if the file does not exist. */
async function readSections(file: string): Promise<Sections> {
  const text = await localFiles.readText(file)
  return text === undefined ? new Map() : parsePuppetConf({ file, text })
}

/** Throws SAME_FOLDER if the source and destination of a unit are the same. */
async function refuseSame({ from, to }: Unit): Promise<void> {
  const real = async (path: string) => realpath(path).catch(() => path)
  if ((await real(from)) === (await real(to))) fail(issues.SAME_FOLDER, { path: to })
}

async function planAuthority({ cadir }: PuppetServer, to: Settings): Promise<Unit[]> {
  const { certificate, signed, requests } = caLayout(cadir)
  if ((await localFiles.stat(certificate)) === undefined) fail(issues.NO_AUTHORITY, { cadir })
  const count = async (folder: string) => ((await localFiles.list(folder)) ?? []).length
  return [
    {
      part: 'ca',
      from: cadir,
      to: to.cadir,
      note: `${counted(await count(signed), 'certificate')}, ${counted(await count(requests), 'request')}`,
      stage: (path) => copyTree(cadir, path, ['.lock']),
    },
  ]
}

async function planCertificates({ settings: from }: PuppetServer, to: Settings): Promise<Unit[]> {
  // This server adopts the certname of the Puppet Server, which is part of the paths.
  const named = (path: string) => join(dirname(path), `${from.certname}.pem`)
  const pairs: [string, string, string][] = [
    [from.hostprivkey, named(to.hostprivkey), 'private key of the server'],
    [from.hostcert, named(to.hostcert), 'certificate of the server'],
    [from.hostpubkey, named(to.hostpubkey), 'public key of the server'],
    [from.localcacert, to.localcacert, 'trusted CA certificates'],
    [from.hostcrl, to.hostcrl, 'revocation lists'],
  ]
  return copies('certificates', pairs)
}

/** Units that copy existing files unchanged. */
async function copies(part: Part, pairs: readonly (readonly [string, string, string])[]): Promise<Unit[]> {
  const units: Unit[] = []
  for (const [from, to, note] of pairs)
    if ((await localFiles.stat(from)) !== undefined)
      units.push({ part, from, to, note, stage: async (path) => copyTree(await realpath(from), path) })
  return units
}

async function planSettings(
  { from, to }: Planned,
  settings: readonly MovedSetting[],
  remarks: string[],
): Promise<Unit[]> {
  const taken = settings.filter(({ left }) => left === undefined)
  const left = settings.length - taken.length
  const before = (await localFiles.readText(to.config)) ?? ''
  const beside = (settings: Settings, name: string) => join(settings.confdir, name)
  const pairs: [string, string, string][] = [
    [from.settings.hiera_config, to.hiera_config, 'global hiera.yaml'],
    [from.settings.route_file, to.route_file, 'routes of indirections'],
    [from.settings.trusted_oid_mapping_file, to.trusted_oid_mapping_file, 'names of certificate extensions'],
    [from.settings.csr_attributes, to.csr_attributes, 'attributes of certificate requests'],
    [beside(from.settings, 'puppetdb.conf'), beside(to, 'puppetdb.conf'), 'PuppetDB addresses'],
    [beside(from.settings, 'fileserver.conf'), beside(to, 'fileserver.conf'), 'file server mounts'],
  ]
  if (isAutosignFile(from.settings.autosign))
    pairs.push([from.settings.autosign, beside(to, 'autosign.conf'), 'autosigned names'])
  await remarkOnPrograms(from.settings, remarks)
  return [
    {
      part: 'settings',
      from: from.settings.config,
      to: to.config,
      note: `${counted(taken.length, 'setting')} migrated, ${left} skipped`,
      async stage(path) {
        await writeFile(path, withSettings(before, settings), { mode: 0o640, flush: true })
      },
    },
    ...(await copies('settings', pairs)),
  ]
}

/** Adds notes about programs named in settings, which are not copied. */
async function remarkOnPrograms(settings: Settings, remarks: string[]): Promise<void> {
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

async function planRules({ settings, serverConf }: PuppetServer, to: Settings): Promise<Unit[]> {
  const file = serverConf.values.get('auth_conf')?.text
  if (file === undefined || file !== settings.auth_conf) return []
  const text = (await localFiles.readText(file)) ?? ''
  const { rules } = parseAuthConf({ file, text })
  return copies('auth', [[file, to.auth_conf, counted(rules.length, 'rule')]])
}

async function planFacts({ settings }: PuppetServer, to: Settings, remarks: string[]): Promise<Unit[]> {
  const files = await factsFiles(settings.vardir)
  if (files.length === 0) return []
  const folder = factsDirectory(to)
  return [
    {
      part: 'facts',
      from: join(settings.vardir, '*/facts'),
      to: folder,
      note: `facts of ${counted(files.length, 'node')}`,
      async stage(path) {
        remarks.push(...(await writeFacts(files, folder, path)))
      },
    },
  ]
}

async function planCode(
  { from, repository }: Planned,
  remarks: string[],
): Promise<{ readonly units: readonly Unit[]; readonly setting: { name: string; value: string } | undefined }> {
  const { environmentpath, basemodulepath } = from.settings
  const shared: string[] = []
  for (const folder of basemodulepath) if ((await readdir(folder).catch(() => [])).length > 0) shared.push(folder)
  if (shared.length > 0)
    remarks.push(
      `Modules in ${shared.join(':')} belong to no environment. Add them to each environment, or set basemodulepath to ${printSetting(from.settings, 'basemodulepath')}.`,
    )
  if (from.r10k !== undefined) return { units: [], setting: { name: 'code_sources', value: from.r10k } }
  const folders = await codeFolders(environmentpath)
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
        note: `${counted(folders.length, 'environment')} (${folders.map(({ name }) => name).join(', ')}), ${counted(files, 'file')}, ${Math.ceil(bytes / 1024)} KiB`,
        stage: (path) => importCode(folders, path),
      },
    ],
  }
}
