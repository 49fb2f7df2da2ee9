import { readFileSync } from 'node:fs'
import { readdir, readlink, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { connect } from 'node:tls'
import { fail } from '../../base/issue.ts'
import { caLayout } from '../../ca/layout.ts'
import { parseCertificate } from '../../ca/x509/certificate.ts'
import { parsePuppetConf, type Sections } from '../../machine/settings/puppet-conf.ts'
import { installedPuppetVersion } from '../../machine/settings/puppet7.ts'
import { readServerConf, type ServerConf } from '../../machine/settings/server-conf/read-server-conf.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import { migrationIssues as issues } from './issues.ts'

/** A Puppet Server on disk. */
export interface PuppetServer {
  readonly confD: string
  /** Its settings, in our terms. */
  readonly settings: Settings
  /** Its puppet.conf as it is written. */
  readonly sections: Sections
  readonly serverConf: ServerConf
  /** The version of its Puppet; `undefined` if it is not found. */
  readonly version: string | undefined
  readonly cadir: string
  /** The file that r10k deploys by; none where r10k does not. */
  readonly r10k: string | undefined
}

/** Folders of a Puppet Server that are named by hand; those of its packages otherwise. */
export interface PuppetPlaces {
  readonly confD?: string | undefined
  readonly confdir?: string | undefined
  readonly cadir?: string | undefined
  /** `none` where r10k is to be left alone. */
  readonly r10k?: string | undefined
  /** The version of its Puppet; by default the version of the installed packages. */
  readonly version?: string | undefined
}

/** Folders of packages: Puppet's own, OpenVox's, and Debian's. */
const knownConfD = ['/etc/puppetlabs/puppetserver/conf.d', '/etc/puppet/puppetserver/conf.d']
const knownR10k = ['/etc/puppetlabs/r10k/r10k.yaml', '/etc/r10k/r10k.yaml', '/etc/r10k.yaml']

/** Finds a Puppet Server. Throws NO_PUPPET_SERVER, and what is wrong with its files. */
export async function findPuppetServer(places: PuppetPlaces): Promise<PuppetServer> {
  const confD = places.confD ?? (await firstOf(knownConfD)) ?? knownConfD[0]!
  if ((await localFiles.list(confD)) === undefined) fail(issues.NO_PUPPET_SERVER, { folder: confD })
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
    version: places.version ?? (await installedPuppetVersion(confD)),
    cadir: places.cadir ?? (await cadirOf(settings)),
    r10k: places.r10k === 'none' ? undefined : (places.r10k ?? (await firstOf(knownR10k))),
  }
}

/** Puppet 6 had it below ssldir, Debian has it beside conf.d; Puppet: defaults.rb. */
async function cadirOf({ cadir, ssldir, confdir }: Settings): Promise<string> {
  const places = [cadir, join(ssldir, 'ca'), join(confdir, 'puppetserver/ca'), join(confdir, '../puppetserver/ca')]
  for (const place of places) if ((await localFiles.stat(caLayout(place).certificate)) !== undefined) return place
  return cadir
}

async function firstOf(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if ((await localFiles.stat(path)) !== undefined) return path
  return undefined
}

/** Throws PUPPET_SERVER_RUNS while a Puppet Server works on these folders. */
export async function refuseRunning({ confD, settings }: PuppetServer): Promise<void> {
  const pid = await processOn(confD)
  if (pid !== undefined) fail(issues.PUPPET_SERVER_RUNS, { what: `the process ${pid}` })
  if (await showsCertificate(settings))
    fail(issues.PUPPET_SERVER_RUNS, { what: `it answers on port ${settings.serverport} with ${settings.hostcert}` })
}

/** Beginnings of the names of Puppet Server's programs. */
const jars = ['puppetserver', 'puppet-server-release', 'openvox-server-release']

function isJar(word: string): boolean {
  const name = basename(word)
  return name.endsWith('.jar') && jars.some((jar) => name.startsWith(jar))
}

/** The number of a process that is a Puppet Server with this configuration. */
async function processOn(confD: string): Promise<number | undefined> {
  const own = await realpath(confD)
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue
    const words = wordsOf(name)
    if (!words.some((word) => isJar(word))) continue
    const config = words[words.indexOf('--config') + 1] ?? ''
    const folder = config.startsWith('/') ? config : join(await readlink(`/proc/${name}/cwd`).catch(() => '/'), config)
    if (words.includes('--config') && (await realpath(folder).catch(() => folder)) === own) return Number(name)
  }
  return undefined
}

function wordsOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

const patienceMs = 3_000

/** True where whoever listens on its port shows its certificate: it may run in a container of its own. */
async function showsCertificate({ bindaddress, serverport: port, hostcert }: Settings): Promise<boolean> {
  const text = await localFiles.readText(hostcert)
  if (text === undefined) return false
  const own = parseCertificate(text).der
  const host = ['*', '0.0.0.0', '::', ''].includes(bindaddress) ? 'localhost' : bindaddress
  return new Promise((done) => {
    const socket = connect({ host, port, rejectUnauthorized: false, timeout: patienceMs })
    const end = (answer: boolean) => {
      done(answer)
      socket.destroy()
    }
    socket.once('secureConnect', () => end(own.equals(socket.getPeerCertificate().raw ?? Buffer.alloc(0))))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}
