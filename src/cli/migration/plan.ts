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

/** All that a migration would do. */
export interface Plan {
  readonly units: readonly Unit[]
  readonly settings: readonly MovedSetting[]
  /** Things that a person has to know or to do. */
  readonly remarks: readonly string[]
}

/** A Puppet Server, our own settings, and the parts that are wanted. */
export interface Planned {
  readonly from: PuppetServer
  readonly to: Settings
  readonly wanted: ReadonlySet<Part>
  /** The path of the repository that is made of the code. */
  readonly repository: string
}

/** Plans a migration; nothing is written. Throws NO_AUTHORITY, SAME_FOLDER, and what is wrong with auth.conf. */
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

/** The settings of a puppet.conf; empty without a file. */
async function readSections(file: string): Promise<Sections> {
  const text = await localFiles.readText(file)
  return text === undefined ? new Map() : parsePuppetConf({ file, text })
}

/** Throws SAME_FOLDER where a unit would be put on what it is made of. */
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
  // Ours are named by the certname, which is the Puppet Server's from now on.
  const named = (path: string) => join(dirname(path), `${from.certname}.pem`)
  const pairs: [string, string, string][] = [
    [from.hostprivkey, named(to.hostprivkey), 'the key of this host'],
    [from.hostcert, named(to.hostcert), 'its certificate'],
    [from.hostpubkey, named(to.hostpubkey), 'its public key'],
    [from.localcacert, to.localcacert, 'the authorities that are trusted'],
    [from.hostcrl, to.hostcrl, 'their revocation lists'],
  ]
  return copies('certificates', pairs)
}

/** Units that copy files as they are, where there are any. */
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
    [from.settings.hiera_config, to.hiera_config, 'data above all environments'],
    [from.settings.route_file, to.route_file, 'routes of indirections'],
    [from.settings.trusted_oid_mapping_file, to.trusted_oid_mapping_file, 'names of extensions'],
    [from.settings.csr_attributes, to.csr_attributes, 'attributes of requests'],
    [beside(from.settings, 'puppetdb.conf'), beside(to, 'puppetdb.conf'), 'addresses of PuppetDBs'],
    [beside(from.settings, 'fileserver.conf'), beside(to, 'fileserver.conf'), 'mounts of files'],
  ]
  if (isAutosignFile(from.settings.autosign))
    pairs.push([from.settings.autosign, beside(to, 'autosign.conf'), 'names that are signed at once'])
  await remarkOnPrograms(from.settings, remarks)
  return [
    {
      part: 'settings',
      from: from.settings.config,
      to: to.config,
      note: `${counted(taken.length, 'setting')} taken, ${left} left`,
      async stage(path) {
        await writeFile(path, withSettings(before, settings), { mode: 0o640, flush: true })
      },
    },
    ...(await copies('settings', pairs)),
  ]
}

/** Programs that settings name stay where they are, and have to. */
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
        ? `The program of ${name}, ${program}, is not there.`
        : `The program of ${name} stays at ${program}: the user of our server has to be able to run it.`,
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
      `Modules in ${shared.join(':')} are no environment's: bring them into each, or set basemodulepath to ${printSetting(from.settings, 'basemodulepath')}.`,
    )
  if (from.r10k !== undefined) return { units: [], setting: { name: 'code_sources', value: from.r10k } }
  const folders = await codeFolders(environmentpath)
  if (folders.length === 0) return { units: [], setting: undefined }
  const files = folders.reduce((sum, each) => sum + each.files.length, 0)
  const bytes = folders.reduce((sum, each) => sum + each.bytes, 0)
  remarks.push(
    `Code is pushed to ${repository} from now on: 'plumb code install-hooks ${repository}' has pushes checked.`,
  )
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
