import { readFileSync } from 'node:fs'
import { readdir, readlink, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { connect } from 'node:tls'
import { throwIssue } from '../../base/issue.ts'
import { getCaLayout } from '../../ca/file-layout.ts'
import { parseCertificate } from '../../ca/x509/certificate.ts'
import { parsePuppetConf, type Sections } from '../../machine/settings/puppet-conf.ts'
import { findInstalledPuppetVersion } from '../../machine/settings/puppet7-defaults.ts'
import { readServerConf, type ServerConf } from '../../machine/settings/server-conf/read-server-conf.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import { migrationIssues as issues } from './issues.ts'

/** The configuration of a Puppet Server. */
export interface PuppetServer {
  readonly confD: string
  /** The settings of the Puppet Server. */
  readonly settings: Settings
  /** The sections of the Puppet Server's puppet.conf. */
  readonly sections: Sections
  readonly serverConf: ServerConf
  /** The Puppet version of the Puppet Server; `undefined` if unknown. */
  readonly version: string | undefined
  readonly cadir: string
  /** The path of the Puppet Server's r10k.yaml; `undefined` without r10k. */
  readonly r10k: string | undefined
}

/** Paths of a Puppet Server given on the command line; the default is detected. */
export interface PuppetPlaces {
  readonly confD?: string | undefined
  readonly confdir?: string | undefined
  readonly cadir?: string | undefined
  /** Path of r10k.yaml; `none` to ignore r10k. */
  readonly r10k?: string | undefined
  /** The Puppet version of the Puppet Server; by default the version of the installed packages. */
  readonly version?: string | undefined
}

/** Default paths in the packages of Puppet, OpenVox and Debian. */
const knownConfD = ['/etc/puppetlabs/puppetserver/conf.d', '/etc/puppet/puppetserver/conf.d']
const knownR10k = ['/etc/puppetlabs/r10k/r10k.yaml', '/etc/r10k/r10k.yaml', '/etc/r10k.yaml']

/** Reads the configuration of a Puppet Server. Throws NO_PUPPET_SERVER, or an error in a configuration file. */
export async function findPuppetServer(places: PuppetPlaces): Promise<PuppetServer> {
  const confD = places.confD ?? (await findFirstExisting(knownConfD)) ?? knownConfD[0]!
  if ((await localFiles.list(confD)) === undefined) throwIssue(issues.NO_PUPPET_SERVER, { folder: confD })
  const { PLUMB_CONFDIR: _, PLUMB_VARDIR: __, ...others } = process.env
  const env = { ...others, PLUMB_FOLDERS: 'puppet' }
  const given = { server_config: confD, ...(places.confdir === undefined ? {} : { confdir: places.confdir }) }
  const settings = loadSettings({ given, env, runMode: 'server' })
  const text = await localFiles.readText(settings.config)
  return {
    confD,
    settings,
    sections: text === undefined ? new Map() : parsePuppetConf({ file: settings.config, text }),
    serverConf: readServerConf(confD, env),
    version: places.version ?? (await findInstalledPuppetVersion(confD)),
    cadir: places.cadir ?? (await findCadir(settings)),
    r10k: places.r10k === 'none' ? undefined : (places.r10k ?? (await findFirstExisting(knownR10k))),
  }
}

/** Finds the CA directory: below ssldir in Puppet 6, next to conf.d in Debian. Puppet: defaults.rb. */
async function findCadir({ cadir, ssldir, confdir }: Settings): Promise<string> {
  const places = [cadir, join(ssldir, 'ca'), join(confdir, 'puppetserver/ca'), join(confdir, '../puppetserver/ca')]
  for (const place of places) if ((await localFiles.stat(getCaLayout(place).certificate)) !== undefined) return place
  return cadir
}

async function findFirstExisting(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if ((await localFiles.stat(path)) !== undefined) return path
  return undefined
}

/** Throws PUPPET_SERVER_RUNS if a Puppet Server is running with these directories. */
export async function checkPuppetServerStopped({ confD, settings }: PuppetServer): Promise<void> {
  const pid = await findPuppetServerProcess(confD)
  if (pid !== undefined) throwIssue(issues.PUPPET_SERVER_RUNS, { what: `process ${pid}` })
  if (await isCertificatePresented(settings))
    throwIssue(issues.PUPPET_SERVER_RUNS, { what: `port ${settings.serverport} answers with ${settings.hostcert}` })
}

/** Prefixes of the JAR files of Puppet Server. */
const jars = ['puppetserver', 'puppet-server-release', 'openvox-server-release']

function isPuppetServerJar(word: string): boolean {
  const name = basename(word)
  return name.endsWith('.jar') && jars.some((jar) => name.startsWith(jar))
}

/** The ID of a Puppet Server process with this configuration. */
async function findPuppetServerProcess(confD: string): Promise<number | undefined> {
  const own = await realpath(confD)
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue
    const words = readProcessArguments(name)
    if (!words.some((word) => isPuppetServerJar(word))) continue
    const config = words[words.indexOf('--config') + 1] ?? ''
    const folder = config.startsWith('/') ? config : join(await readlink(`/proc/${name}/cwd`).catch(() => '/'), config)
    if (words.includes('--config') && (await realpath(folder).catch(() => folder)) === own) return Number(name)
  }
  return undefined
}

function readProcessArguments(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

const patienceMs = 3_000

/** True if a server on the Puppet Server's port presents its certificate. Its process may run in a container. */
async function isCertificatePresented({ bindaddress, serverport: port, hostcert }: Settings): Promise<boolean> {
  const text = await localFiles.readText(hostcert)
  if (text === undefined) return false
  const own = parseCertificate(text).der
  const host = ['*', '0.0.0.0', '::', ''].includes(bindaddress) ? 'localhost' : bindaddress
  return new Promise((done) => {
    const socket = connect({ host, port, rejectUnauthorized: false, timeout: patienceMs })
    const finish = (answer: boolean) => {
      done(answer)
      socket.destroy()
    }
    socket.once('secureConnect', () => finish(own.equals(socket.getPeerCertificate().raw ?? Buffer.alloc(0))))
    socket.once('timeout', () => finish(false))
    socket.once('error', () => finish(false))
  })
}
