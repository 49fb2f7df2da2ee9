import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createTls } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../bench/free-port.js'
import { getCaLayout } from '../../../src/ca/file-layout.ts'
import { buildCertificate, parseCertificate, toCertificatePem } from '../../../src/ca/x509/certificate.ts'
import { computeKeyIdentifier, parsePrivateKey } from '../../../src/ca/x509/keys.ts'
import { buildRevocationList, parseRevocationLists, toRevocationListPem } from '../../../src/ca/x509/revocation-list.ts'
import { createKeySigner } from '../../../src/ca/x509/signature.ts'
import { checks } from '../../../src/cli/doctor/check-runner.ts'
import { findInstalledPuppetVersion } from '../../../src/machine/settings/puppet7-defaults.ts'
import { parseStoreSetting } from '../../../src/store/store-location.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { whyNotMount } from '../../support/may-mount.ts'
import { plumb, plumbMain, type RunningServer, startServer } from '../../support/plumb.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** An installation to put a fault into: a copy of a sound one. */
interface Machine {
  readonly confdir: string
  readonly vardir: string
  readonly repo: string
  /** Words of the command line. */
  readonly places: readonly string[]
  conf(lines: string): void
  ssl(name: string): string
  plumb(...words: string[]): Promise<void>
}

let running: RunningServer
let folder: string
const closing: { close(): unknown }[] = []

beforeAll(async () => {
  folder = scratchFolder('doctor')
  const { bare } = await repositoryIn(folder)
  const port = await freePort()
  writeConf(folder, [`serverport = ${port}`, `code_repo = ${bare}`])
  running = await startServer({ repository: bare, folder, settings: { serverport: String(port) } })
  const installed = await plumb(['code', 'install-hooks', bare, ...running.places])
  if (installed.exitCode !== 0) throw new Error(String(installed.stderr))
})

afterAll(async () => {
  for (const each of closing) each.close()
  await running?.stop()
})

async function repositoryIn(place: string) {
  const repository = controlRepository({
    'manifests/site.pp': 'notice("hello")\n',
    'environment.conf': 'modulepath = modules\n',
  })
  cpSync(repository.bare, join(place, 'code.git'), { recursive: true })
  return { bare: join(place, 'code.git') }
}

function writeConf(place: string, lines: readonly string[]): void {
  const common = [
    '[main]',
    'certname = localhost',
    'server = localhost',
    'bindaddress = 127.0.0.1',
    'environment = production',
  ]
  mkdirSync(join(place, 'etc'), { recursive: true })
  writeFileSync(join(place, 'etc/puppet.conf'), `${[...common, ...lines].join('\n')}\n`, { mode: 0o600 })
}

/** A copy of the sound machine, on which no server runs: the one that its agent asks goes on. */
async function machine(): Promise<Machine> {
  const own = scratchFolder('doctor-case')
  for (const part of ['etc', 'var', 'code.git'])
    cpSync(join(folder, part), join(own, part), {
      recursive: true,
      filter: (path) => !path.endsWith('.sock') && !path.endsWith('.lock'),
    })
  const repo = join(own, 'code.git')
  const confdir = join(own, 'etc')
  const vardir = join(own, 'var')
  const port = await freePort()
  const conf = (lines: string) => appendFileSync(join(confdir, 'puppet.conf'), `${lines}\n`)
  writeConf(own, ['[agent]', `serverport = ${running.port}`, '[server]', `serverport = ${port}`, `code_repo = ${repo}`])
  const places = ['--confdir', confdir, '--vardir', vardir]
  return {
    confdir,
    vardir,
    repo,
    places,
    conf,
    ssl: (name) => join(confdir, 'ssl', name),
    async plumb(...words) {
      const { status, err } = await runHere([...words, ...places])
      if (status !== 0) throw new Error(err)
    },
  }
}

interface Examined {
  readonly status: number
  readonly codes: readonly string[]
  readonly findings: readonly {
    readonly code: string
    readonly what: string
    readonly why: string
    readonly fix: string
  }[]
}

async function examine({ places }: Pick<Machine, 'places'>): Promise<Examined> {
  const { status, out, err } = await runHere(['doctor', '--role', 'both', '--render-as', 'json', ...places])
  const findings = out === '' ? [] : JSON.parse(out).findings
  if (out === '') throw new Error(err)
  return { status, codes: findings.map(({ code }: { code: string }) => code), findings }
}

const authorityOf = ({ confdir }: Machine) => {
  const { key, certificate, revocationList } = getCaLayout(join(confdir, 'ca'))
  return {
    key: parsePrivateKey(readFileSync(key, 'utf8')),
    certificate: parseCertificate(readFileSync(certificate, 'utf8')),
    revocationList,
  }
}

/** The host's certificate, once more with other dates. */
async function redate(here: Machine, from: number, until: number): Promise<void> {
  const { key } = authorityOf(here)
  const file = here.ssl('certs/localhost.pem')
  const own = parseCertificate(readFileSync(file, 'utf8'))
  const day = (days: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + days * 86_400_000)
  writeFileSync(
    file,
    toCertificatePem(
      await buildCertificate({ ...own, notBefore: day(from), notAfter: day(until) }, createKeySigner(key)),
    ),
  )
}

async function endList(here: Machine, days: number): Promise<void> {
  const { key, certificate, revocationList } = authorityOf(here)
  const [previous] = parseRevocationLists(readFileSync(revocationList, 'utf8'))
  const issuer = {
    name: certificate.subject,
    signer: createKeySigner(key),
    keyIdentifier: computeKeyIdentifier(certificate.spki),
  }
  const nextUpdate = new Date(Date.now() + days * 86_400_000)
  const list = await buildRevocationList(issuer, {
    previous: previous!,
    thisUpdate: new Date(Date.now() - 86_400_000),
    nextUpdate,
  })
  writeFileSync(revocationList, toRevocationListPem(list))
}

async function listening<Kind extends Pick<Server, 'listen' | 'address' | 'close'>>(server: Kind): Promise<number> {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', () => done()))
  closing.push(server)
  return (server.address() as AddressInfo).port
}

const isRoot = process.getuid?.() === 0
const installedPuppet = await findInstalledPuppetVersion('/etc/puppet/puppetserver/conf.d')
type Row = [fault: string, status: number, codes: readonly string[], put: (here: Machine) => unknown]

const rows: Row[] = [
  ['a certificate that has expired', 2, ['CERTIFICATE_NOT_IN_FORCE'], (here) => redate(here, -400, -3)],
  ['a certificate that begins tomorrow', 2, ['CERTIFICATE_NOT_IN_FORCE'], (here) => redate(here, 1, 400)],
  ['a certificate that ends in nine days', 1, ['CERTIFICATE_ENDS'], (here) => redate(here, -400, 9.5)],
  [
    'the key of another certificate',
    2,
    ['KEY_MISMATCH'],
    (here) =>
      execFileSync('openssl', [
        'ecparam',
        '-name',
        'prime256v1',
        '-genkey',
        '-noout',
        '-out',
        here.ssl('private_keys/localhost.pem'),
      ]),
  ],
  ['a key that is gone', 2, ['KEY_MISSING'], (here) => rmSync(here.ssl('private_keys/localhost.pem'))],
  [
    'half a certificate',
    2,
    ['CERTIFICATE_UNREADABLE'],
    (here) => {
      const file = here.ssl('certs/localhost.pem')
      writeFileSync(file, readFileSync(file, 'utf8').slice(0, 200))
    },
  ],
  ['no certificate', 1, ['CERTIFICATE_MISSING'], (here) => rmSync(here.ssl('certs/localhost.pem'))],
  [
    'a certificate that is revoked',
    2,
    ['CERTIFICATE_UNTRUSTED'],
    (here) => here.plumb('ca', 'revoke', '--certname', 'localhost'),
  ],
  [
    'a certname that is not the certificate’s',
    2,
    ['CERTIFICATE_NAME'],
    (here) => {
      const text = readFileSync(join(here.confdir, 'puppet.conf'), 'utf8')
      writeFileSync(
        join(here.confdir, 'puppet.conf'),
        text.replace(
          'certname = localhost',
          `certname = 127.0.0.1\nhostcert = ${here.ssl('certs/localhost.pem')}\nhostprivkey = ${here.ssl('private_keys/localhost.pem')}`,
        ),
      )
    },
  ],
  ['a revocation list that ends soon', 1, ['CRL_ENDS'], (here) => endList(here, 2)],
  ['a revocation list that has ended', 2, ['CERTIFICATE_UNTRUSTED'], (here) => endList(here, -0.5)],
  [
    'a private key that all may read',
    2,
    ['KEY_MODE'],
    (here) => chmodSync(here.ssl('private_keys/localhost.pem'), 0o644),
  ],
  [
    'the authority’s key that all may read',
    2,
    ['KEY_MODE'],
    (here) => chmodSync(join(here.confdir, 'ca/ca_key.pem'), 0o604),
  ],
  [
    'a key of encrypted data that all may read',
    2,
    ['KEY_MODE'],
    (here) => {
      mkdirSync(join(here.confdir, 'eyaml'))
      writeFileSync(join(here.confdir, 'eyaml/age.txt'), 'AGE-SECRET-KEY-1', { mode: 0o644 })
    },
  ],
  [
    'a password that all may read',
    1,
    ['SECRET_MODE'],
    (here) => {
      here.conf('reporturl = http://reports:secret@localhost:3000/')
      chmodSync(join(here.confdir, 'puppet.conf'), 0o644)
    },
  ],
  [
    'a file of tomorrow',
    1,
    ['CLOCK_FILES'],
    (here) => utimesSync(join(here.confdir, 'ca/serial'), new Date(), new Date(Date.now() + 86_400_000)),
  ],
  [
    'a server whose clock is wrong',
    2,
    ['SERVER_UNTRUSTED', 'CLOCK_PEER'],
    async (here) => {
      const pem = scratchFolder('doctor-tls')
      execFileSync(
        'openssl',
        [
          'req',
          '-x509',
          '-newkey',
          'ec',
          '-pkeyopt',
          'ec_paramgen_curve:prime256v1',
          '-nodes',
          '-subj',
          '/CN=localhost',
          '-keyout',
          join(pem, 'key'),
          '-out',
          join(pem, 'cert'),
        ],
        { stdio: 'ignore' },
      )
      const tls = createTls(
        { key: readFileSync(join(pem, 'key')), cert: readFileSync(join(pem, 'cert')) },
        (_, answer) => {
          answer.setHeader('date', new Date(Date.now() - 600_000).toUTCString())
          answer.end('running')
        },
      )
      here.conf(`[agent]\nserverport = ${await listening(tls)}`)
    },
  ],
  [
    'a certname without an address',
    1,
    ['CERTNAME_UNRESOLVED'],
    async (here) => {
      const text = readFileSync(join(here.confdir, 'puppet.conf'), 'utf8')
      await here.plumb('ca', 'generate', '--certname', 'nowhere.invalid')
      writeFileSync(
        join(here.confdir, 'puppet.conf'),
        text.replace('certname = localhost', 'certname = nowhere.invalid'),
      )
    },
  ],
  ['a server without an address', 2, ['SERVER_UNRESOLVED'], (here) => here.conf('[agent]\nserver = nowhere.invalid')],
  [
    'a server that does not listen',
    2,
    ['SERVER_UNREACHABLE'],
    async (here) => here.conf(`[agent]\nserverport = ${await freePort()}`),
  ],
  [
    'another program on the port',
    2,
    ['PORT_TAKEN'],
    async (here) => here.conf(`serverport = ${await listening(createServer())}`),
  ],
  ['no repository', 2, ['REPOSITORY_UNREADABLE'], (here) => rmSync(here.repo, { recursive: true })],
  [
    'a repository that lacks an object',
    2,
    ['REPOSITORY_DAMAGED'],
    (here) => {
      const tree = execFileSync('git', ['--git-dir', here.repo, 'rev-parse', 'production:manifests/site.pp'], {
        encoding: 'utf8',
      }).trim()
      rmSync(join(here.repo, 'objects', tree.slice(0, 2), tree.slice(2)))
    },
  ],
  [
    'a branch whose hiera.yaml is broken',
    2,
    ['ENVIRONMENT_NOT_SERVED'],
    ({ repo }) => {
      const git = (words: readonly string[], input = '') =>
        execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '--git-dir', repo, ...words], {
          input,
          encoding: 'utf8',
        }).trim()
      const blob = git(['hash-object', '-w', '--stdin'], 'version: 5\nhierarchy: 7\n')
      const tree = git(['mktree'], `100644 blob ${blob}\thiera.yaml\n`)
      git(['update-ref', 'refs/heads/production', git(['commit-tree', tree, '-p', 'production', '-m', 'broken'])])
    },
  ],
  [
    'a repository without a branch',
    1,
    ['NO_BRANCH'],
    (here) => execFileSync('git', ['--git-dir', here.repo, 'update-ref', '-d', 'refs/heads/production']),
  ],
  [
    'no branch of the usual environment',
    1,
    ['DEFAULT_ENVIRONMENT'],
    (here) => {
      execFileSync('git', ['--git-dir', here.repo, 'branch', '-m', 'production', 'prod'])
    },
  ],
  [
    'a HEAD that is no branch',
    1,
    ['DEFAULT_BRANCH'],
    (here) => execFileSync('git', ['--git-dir', here.repo, 'symbolic-ref', 'HEAD', 'refs/heads/main']),
  ],
  ['a hook that is gone', 1, ['HOOK_MISSING'], (here) => rmSync(join(here.repo, 'hooks/post-receive'))],
  [
    'a hook that is not executable',
    2,
    ['HOOK_BROKEN'],
    (here) => chmodSync(join(here.repo, 'hooks/pre-receive'), 0o644),
  ],
  [
    'a hook whose program is gone',
    2,
    ['HOOK_BROKEN'],
    (here) => {
      const file = join(here.repo, 'hooks/pre-receive')
      writeFileSync(file, readFileSync(file, 'utf8').replace(`'${process.execPath}'`, `'/opt/gone/node'`))
    },
  ],
  [
    'mistakes in an environment.conf',
    1,
    ['ENVIRONMENT_CONF'],
    (here) => commit(here, 'environment.conf', 'modulpath = x\n'),
  ],
  [
    'a Puppetfile that names what is never fetched',
    1,
    ['PUPPETFILE_SOURCE'],
    (here) => commit(here, 'Puppetfile', "mod 'x',\n  git: 'ext::sh -c id'\n"),
  ],
  [
    'a store that is no database',
    2,
    ['STORE_UNAVAILABLE'],
    (here) => {
      here.conf('store = sqlite')
      const store = parseStoreSetting({
        store: 'sqlite',
        store_replicas: [],
        server_datadir: join(here.vardir, 'server_data'),
      })
      if (store.kind !== 'own' || store.database.kind !== 'sqlite') throw new Error('no file')
      mkdirSync(store.folder, { recursive: true })
      writeFileSync(store.database.file, 'x'.repeat(5000))
    },
  ],
  ['an unknown setting', 1, ['SETTING_UNKNOWN'], (here) => here.conf('severport = 1')],
  ...(['gate = refuze', 'node_terminus = exce', 'reports = stor', 'autosign = yess', 'store = sqllite'] as const).map(
    (line): Row => [`the invalid value ${line}`, 2, ['SETTING_INVALID'], (here) => here.conf(line)],
  ),
  [
    'a key of Puppet Server without effect',
    1,
    ['SETTING_WITHOUT_EFFECT', ...(installedPuppet === undefined || installedPuppet < '8' ? ['DEFAULTS_CHANGED'] : [])],
    (here) => {
      mkdirSync(join(here.confdir, 'conf.d'))
      writeFileSync(join(here.confdir, 'conf.d/webserver.conf'), 'webserver.max-threads: 4\n')
      here.conf(`server_config = ${join(here.confdir, 'conf.d')}`)
    },
  ],
  [
    'rules that cannot be read',
    2,
    ['AUTH_CONF_BROKEN'],
    (here) => writeFileSync(join(here.confdir, 'auth.conf'), 'authorization: {'),
  ],
  [
    'rules that allow nobody to use the endpoints that Puppet Server does not have',
    1,
    ['AUTH_ENDPOINT_DENIED'],
    (here) => {
      const rule = '{name: a, match-request: {path: "/puppet", type: path}, allow: "*", sort-order: 500}'
      writeFileSync(join(here.confdir, 'auth.conf'), `authorization: {version: 1, rules: [${rule}]}`)
      here.conf('auth_default_rules = false')
    },
  ],
  [
    'a hiera.yaml that cannot be read',
    2,
    ['FILE_BROKEN'],
    (here) => writeFileSync(join(here.confdir, 'hiera.yaml'), 'version: 7\n'),
  ],
  ['certificates for everybody', 1, ['AUTOSIGN_ALL'], (here) => here.conf('autosign = true')],
  [
    'a lock of a process that is no more',
    1,
    ['LOCK_LEFT'],
    (here) => {
      mkdirSync(join(here.vardir, 'state'), { recursive: true })
      writeFileSync(join(here.vardir, 'state/agent_catalog_run.lock'), String(deadProcess()))
    },
  ],
  [
    'a socket of a server that was killed',
    1,
    ['SOCKET_LEFT'],
    (here) => {
      mkdirSync(join(here.vardir, 'run'), { recursive: true })
      const listen = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`
      spawnSync(process.execPath, ['-e', listen, join(here.vardir, 'run/control.sock')])
    },
  ],
  ['a disabled agent', 1, ['AGENT_DISABLED'], (here) => here.plumb('agent', '--disable', 'for the upgrade')],
]

function commit({ repo }: Machine, name: string, text: string): void {
  const git = (words: readonly string[], input = '') =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '--git-dir', repo, ...words], {
      input,
      encoding: 'utf8',
    }).trim()
  const blob = git(['hash-object', '-w', '--stdin'], text)
  const others = git(['ls-tree', 'production'])
    .split('\n')
    .filter((line) => !line.endsWith(`\t${name}`))
  const tree = git(['mktree'], `${[...others, `100644 blob ${blob}\t${name}`].join('\n')}\n`)
  git(['update-ref', 'refs/heads/production', git(['commit-tree', tree, '-m', name])])
}

const deadProcess = (): number => spawnSync('true').pid

describe('plumb doctor', () => {
  it('finds nothing wrong where a server runs, and an agent', async () => {
    const sound = await examine(running)
    expect(sound.findings).toEqual([])
    expect(sound.status).toBe(0)
    const text = await runHere(['doctor', ...running.places])
    expect(text).toEqual({ status: 0, out: `${checks.length} checks of this server: no problems found\n`, err: '' })
  })

  it('finds nothing wrong where no server runs', async () => {
    expect((await examine(await machine())).findings).toEqual([])
  })

  it.each(rows)('finds %s', async (_, status, codes, put) => {
    const here = await machine()
    await put(here)
    const before = listOf(here)
    const found = await examine(here)
    expect(found.codes, JSON.stringify(found.findings, null, 1)).toEqual(expect.arrayContaining([...codes]))
    expect([...new Set(found.codes)].sort()).toEqual([...codes].sort())
    expect(found.status).toBe(status)
    for (const { what, why, fix } of found.findings)
      expect([what, why, fix].every((text) => text.length > 10)).toBe(true)
    expect(listOf(here)).toEqual(before)
  })

  it.skipIf(!isRoot)('finds a repository of another user (needs root)', async () => {
    const here = await machine()
    chownSync(join(here.repo, 'objects'), 65534, 65534)
    expect(await examine(here)).toMatchObject({ status: 1, codes: ['REPOSITORY_OWNER'] })
  })

  it('finds an unknown time zone and too few descriptors', async () => {
    const here = await machine()
    const words = ['doctor', '--role', 'both', '--render-as', 'json', ...here.places]
    const script = 'ulimit -n 300; exec "$0" "$@"'
    const { stdout, status } = spawnSync('sh', ['-c', script, process.execPath, plumbMain, ...words], {
      env: { ...process.env, TZ: 'Midgard/Bifrost' },
      encoding: 'utf8',
    })
    expect(JSON.parse(stdout).findings.map(({ code }: { code: string }) => code)).toEqual(['TIME_ZONE', 'DESCRIPTORS'])
    expect(status).toBe(1)
  })

  const why = whyNotMount()
  it.skipIf(why !== '')(`finds a disk that is full, of bytes and of files${why}`, async () => {
    const here = await machine()
    const mount = 'mount -t tmpfs -o size=1m,nr_inodes=64 none "$1"; shift; exec "$@"'
    const words = [
      process.execPath,
      plumbMain,
      'doctor',
      'disk',
      '--role',
      'agent',
      '--render-as',
      'json',
      ...here.places,
    ]
    const { stdout, status } = spawnSync('unshare', ['-m', 'sh', '-c', mount, 'sh', here.vardir, ...words], {
      encoding: 'utf8',
    })
    expect(JSON.parse(stdout).findings.map(({ code }: { code: string }) => code)).toEqual(['DISK_FULL', 'INODES'])
    expect(status).toBe(2)
  })

  it('says what is wrong, why, and what to do, with nothing raw from outside', async () => {
    const here = await machine()
    here.conf('\u001b[31mx = 1'.replace('\u001b[31m', 'runintervall'))
    const { out, status } = await runHere(['doctor', 'configuration', ...here.places])
    expect(status).toBe(1)
    expect(out).toContain("Warning: Unknown setting 'runintervallx' in section [server] of ")
    expect(out).toContain('  why: The setting has no effect.\n')
    expect(out).toMatch(/\n1 check of this server: 0 errors, 1 warning\n$/)
  })

  it('refuses a check that there is not, with the nearest', async () => {
    const { status, err } = await runHere(['doctor', 'certificate'])
    expect([status, err]).toEqual([1, "Error: Unknown check 'certificate'\n  Did you mean 'certificates'?\n"])
  })

  it('is the command of the package', async () => {
    const { stdout, exitCode } = await plumb(['doctor', 'machine', ...running.places])
    expect([stdout, exitCode]).toEqual(['1 check of this server: no problems found', 0])
  })
})

/** Names, sizes and modes of all files: what doctor must leave alone. */
function listOf({ confdir, vardir }: Machine): readonly string[] {
  return [confdir, vardir].flatMap((root) =>
    existsSync(root)
      ? readdirSync(root, { recursive: true }).map((name) => {
          const { size, mode } = statSync(join(root, String(name)), { throwIfNoEntry: false }) ?? { size: 0, mode: 0 }
          return `${name} ${mode} ${size}`
        })
      : [],
  )
}
