import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { plumbMain } from '../../support/plumb.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** A Puppet Server's folders, and folders of ours that hold something already. */
interface Site {
  readonly theirs: string
  readonly ours: string
  migrate(...words: string[]): Promise<{ status: number; out: string; err: string }>
}

let authority: string

beforeAll(async () => {
  const folder = scratchFolder('migrate-ca')
  const places = [
    '--confdir',
    folder,
    '--vardir',
    join(folder, 'var'),
    '--cadir',
    join(folder, 'ca'),
    '--keylength',
    '2048',
    '--ssldir',
    join(folder, 'ssl'),
  ]
  for (const words of [
    ['setup', '--certname', 'puppet.example.com'],
    ['generate', '--certname', 'web1.example.com'],
  ])
    expect(await runHere(['ca', ...words, ...places])).toMatchObject({ status: 0 })
  authority = folder
})

const put = (root: string, files: Readonly<Record<string, string | Buffer>>) => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
}

/** A module that ends its process, as `kill -9` does, when that is about to rename a file for the so-manieth time. */
const killAtRename = (at: number) =>
  `data:text/javascript,${encodeURIComponent(`
    import files from 'node:fs/promises'
    import { syncBuiltinESMExports } from 'node:module'
    const { rename } = files
    let count = 0
    files.rename = (...places) => (++count === ${at} ? process.kill(process.pid, 'SIGKILL') : rename(...places))
    syncBuiltinESMExports()`)}`

const binary = Buffer.from(Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256))

function site(conf = ''): Site {
  const theirs = scratchFolder('migrate-theirs')
  const ours = scratchFolder('migrate-ours')
  for (const name of ['ca', 'ssl']) execFileSync('cp', ['-a', join(authority, name), join(theirs, name)])
  put(theirs, {
    'conf.d/puppetserver.conf': `jruby-puppet: {\n  server-conf-dir: ${theirs}/etc\n  server-code-dir: ${theirs}/code\n  server-var-dir: ${theirs}/var\n  max-active-instances: 3\n  ruby-load-path: [/opt]\n}\n`,
    'conf.d/webserver.conf': 'webserver: { ssl-port: 1, ssl-host: 127.0.0.1, client-auth: want }\n',
    'conf.d/auth.conf':
      'authorization: { version: 1, rules: [{ name: all, sort-order: 500, match-request: { path: "/", type: path }, allow: "*" }] }\n',
    'etc/puppet.conf': `[main]\ncertname = puppet.example.com\nssldir = ${theirs}/ssl\n[master]\ncadir = ${theirs}/ca\nnode_terminus = exec\nexternal_nodes = ${theirs}/classify --all\ndns_alt_names = puppet\nthinning = 3\nca_ttl = 2y\ntrusted_external_command = $confdir/who\n[agent]\nruninterval = 10m\n${conf}`,
    'etc/autosign.conf': '*.example.com\n',
    'etc/who': '#!/bin/sh\necho "{}"\n',
    classify: '#!/bin/sh\necho "--- {classes: [], environment: production}"\n',
    'etc/hiera.yaml': 'version: 5\n',
    'code/environments/production/manifests/site.pp': 'include demo\n',
    'code/environments/production/modules/demo/manifests/init.pp': 'class demo {}\n',
    'code/environments/production/modules/demo/.git/HEAD': 'ref: refs/heads/main\n',
    'code/environments/production/modules/demo/files/a "b" ü.bin': binary,
    'code/environments/production/modules/demo/files/empty': '',
    'code/environments/staging/manifests/site.pp': 'notice("staging")\n',
    'code/environments/not-a-name/x': 'x',
    'var/yaml/facts/web1.example.com.yaml': `--- !ruby/object:Puppet::Node::Facts\nname: web1.example.com\nvalues:\n  os:\n    family: Debian\n    release:\n      major: '12'\n  uptime: 17\n  ratio: 1.0\ntimestamp: 2026-11-24T10:00:00.000000000+00:00\nexpiration: 2026-11-24T10:30:00.000000000+00:00\n`,
    'var/server_data/facts/db1.example.com.json':
      '{"name":"db1.example.com","values":{"kernel":"Linux"},"timestamp":"2026-11-24T10:00:00Z"}',
    'var/yaml/facts/bad.example.com.yaml': '--- !ruby/object:Puppet::Node::Facts\nname: evil.example.com\nvalues: {}\n',
    'var/yaml/facts/worse.example.com.yaml': '--- !ruby/object:Kernel\nname: x\n',
  })
  for (const name of ['classify', 'etc/who']) chmodSync(join(theirs, name), 0o755)
  chmodSync(join(theirs, 'code/environments/production/modules/demo/files/empty'), 0o755)
  symlinkSync('site.pp', join(theirs, 'code/environments/production/manifests/link.pp'))
  put(ours, {
    'etc/puppet.conf': '# mine\n[agent]\nserver = old.example.com\n',
    'etc/auth.conf': 'old\n',
    'etc/ca/serial': '0009\n',
    'var/server_data/facts/old.json': '{"name":"old","values":{}}',
  })
  chmodSync(join(ours, 'etc/puppet.conf'), 0o604)
  chmodSync(join(ours, 'etc/ca'), 0o711)
  for (const path of ['etc/puppet.conf', 'etc/ca/serial', 'etc/ca', 'etc/auth.conf', 'etc', 'var'])
    utimesSync(join(ours, path), 1_000_000_000, 1_000_000_000)
  const places = [
    '--confdir',
    join(ours, 'etc'),
    '--vardir',
    join(ours, 'var'),
    '--conf-d',
    join(theirs, 'conf.d'),
    '--r10k',
    'none',
  ]
  return { theirs, ours, migrate: (...words) => runHere(['migrate', 'puppetserver', ...places, ...words]) }
}

/** All that is to be seen of a folder: names, kinds, modes, owners, times of writing, bytes. */
function stateOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name)
      const { mode, uid, gid, mtimeMs } = lstatSync(path)
      const content = lstatSync(path).isFile()
        ? readFileSync(path).toString('base64')
        : lstatSync(path).isSymbolicLink()
          ? readlinkSync(path)
          : ''
      return `${name} ${mode.toString(8)} ${uid}:${gid} ${Math.round(mtimeMs)} ${content}`
    })
}

describe('plumb migrate puppetserver', () => {
  it('shows what it would do, and changes nothing', async () => {
    const { theirs, ours, migrate } = site()
    const before = [stateOf(theirs), stateOf(ours)]
    const answer = await migrate('--render-as', 'json')
    expect(answer).toMatchObject({ status: 0, err: '' })
    const { units, settings, remarks, applied, environments } = JSON.parse(answer.out)
    expect(applied).toBe(false)
    const short = (path: string) => path.replaceAll(theirs, 'THEIRS').replaceAll(ours, 'OURS')
    expect(
      units.map((unit: Record<string, string>) => [unit['part'], short(unit['from']!), short(unit['to']!)]),
    ).toEqual(
      [
        ['ca', 'THEIRS/ca', 'OURS/etc/ca'],
        [
          'certificates',
          'THEIRS/ssl/private_keys/puppet.example.com.pem',
          'OURS/etc/ssl/private_keys/puppet.example.com.pem',
        ],
        ['certificates', 'THEIRS/ssl/certs/puppet.example.com.pem', 'OURS/etc/ssl/certs/puppet.example.com.pem'],
        [
          'certificates',
          'THEIRS/ssl/public_keys/puppet.example.com.pem',
          'OURS/etc/ssl/public_keys/puppet.example.com.pem',
        ],
        ['certificates', 'THEIRS/ssl/certs/ca.pem', 'OURS/etc/ssl/certs/ca.pem'],
        ['certificates', 'THEIRS/ssl/crl.pem', 'OURS/etc/ssl/crl.pem'],
        ['settings', 'THEIRS/etc/puppet.conf', 'OURS/etc/puppet.conf'],
        ['settings', 'THEIRS/etc/hiera.yaml', 'OURS/etc/hiera.yaml'],
        ['settings', 'THEIRS/etc/autosign.conf', 'OURS/etc/autosign.conf'],
        ['auth', 'THEIRS/conf.d/auth.conf', 'OURS/etc/auth.conf'],
        ['facts', 'THEIRS/var/*/facts', 'OURS/var/server_data/facts'],
        ['code', 'THEIRS/code/environments', 'OURS/var/code.git'],
      ].filter(([, from]) => existsSync(from!.replace('THEIRS', theirs)) || from!.includes('*')),
    )
    const taken = (name: string) => settings.find((each: { name: string }) => each.name === name)
    expect(taken('external_nodes')).toMatchObject({ section: 'server', taken: true })
    expect(taken('thinning')).toMatchObject({ taken: false, reason: 'unknown setting' })
    expect(taken('cadir')).toMatchObject({ taken: false })
    expect(remarks).toContain(
      `The program of external_nodes stays at ${theirs}/classify; the user of this server must be able to execute it.`,
    )
    expect(environments).toEqual([
      { environment: 'production', refused: null, nodes: 3, failures: [] },
      { environment: 'staging', refused: null, nodes: 0, failures: [] },
    ])
    expect([stateOf(theirs), stateOf(ours)]).toEqual(before)
    expect((await migrate()).out).toContain('Nothing was changed. Use --apply to execute the plan.')
  })

  it.each(['preview', '--apply'])('tries the code: %s', async (word) => {
    const { theirs, migrate } = site('[main]\nstrict_variables = true\n')
    put(theirs, {
      'code/environments/broken/hiera.yaml': 'version: 5\nhierarchy: 7\n',
      'code/environments/broken/manifests/site.pp': 'notice("x")\n',
      'code/environments/production/manifests/site.pp':
        'include demo\nif $trusted["certname"] == "web1.example.com" { notice($::nothing) }\n',
      'conf.d/webserver.conf': 'webserver: { ssl-port: 1, max-activ: 3 }\n',
    })
    const { status, out } = await migrate(...(word === 'preview' ? [] : [word]))
    expect(status).toBe(2)
    expect(out).toMatch(/^Environment broken: cannot be served: .*hierarchy/m)
    expect(out).toMatch(
      /^Environment production: compiles for 2 of 3 nodes\n {2}1 node \(web1\.example\.com\): .*Unknown variable: '::nothing'/m,
    )
    expect(out).toContain('skipped: [conf.d] webserver.max-activ = 3  (Puppet Server has no such setting')
    expect(out).toContain('  [main] strict = warning\n')
    expect(out).not.toContain('strict_variables = false')
  })

  it('keeps no defaults of a Puppet Server 8', async () => {
    const { out } = await site().migrate('--puppet-version', '8.10.0')
    expect(out).not.toMatch(/strict|include_legacy_facts/)
  })

  it('takes all over, leaves the originals alone, and puts all back', async () => {
    const { theirs, ours, migrate } = site()
    const before = [stateOf(theirs), stateOf(ours)]
    const applied = await migrate('--apply')
    expect(applied, applied.err).toMatchObject({ status: 0 })
    expect(stateOf(theirs)).toEqual(before[0])
    const at = (name: string) => join(ours, name)

    for (const name of ['ca_key.pem', 'ca_crt.pem', 'serial', 'inventory.txt', 'signed/web1.example.com.pem']) {
      expect(readFileSync(at(`etc/ca/${name}`)).equals(readFileSync(join(theirs, 'ca', name)))).toBe(true)
      expect(lstatSync(at(`etc/ca/${name}`)).mode).toBe(lstatSync(join(theirs, 'ca', name)).mode)
    }
    expect(readFileSync(at('etc/puppet.conf'), 'utf8')).toBe(
      `# mine
[main]
certname = puppet.example.com
strict = warning
strict_variables = false
include_legacy_facts = true
number_of_facts_soft_limit = 2048
exclude_unchanged_resources = false
preprocess_deferred = true
[agent]
server = old.example.com
runinterval = 10m
[server]
node_terminus = exec
external_nodes = ${theirs}/classify --all
dns_alt_names = puppet
ca_ttl = 2y
trusted_external_command = ${theirs}/etc/who
compile_workers = 3
serverport = 1
bindaddress = 127.0.0.1
code_repo = ${ours}/var/code.git
`.replace(/^# mine\n(\[main\]\n[^[]*)/, '$1# mine\n'),
    )
    expect(readFileSync(at('etc/auth.conf'), 'utf8')).toContain('name: all')

    const facts = (node: string) => JSON.parse(readFileSync(at(`var/server_data/facts/${node}.json`), 'utf8'))
    expect(facts('web1.example.com').values).toEqual({
      os: { family: 'Debian', release: { major: '12' } },
      uptime: 17,
      ratio: 1,
    })
    expect(readFileSync(at('var/server_data/facts/web1.example.com.json'), 'utf8')).toContain('"ratio":1.0')
    expect([facts('db1.example.com').values, facts('old').name]).toEqual([{ kernel: 'Linux' }, 'old'])
    expect(readdirSync(at('var/server_data/facts'))).toHaveLength(3)
    expect(applied.out).toContain("bad.example.com.yaml: the facts are of node 'evil.example.com'")
    expect(applied.out).toContain('worse.example.com.yaml: ')

    const git = (...words: string[]) =>
      execFileSync('git', ['--git-dir', at('var/code.git'), ...words], { encoding: 'buffer' })
    expect(String(git('branch', '--format', '%(refname:short)'))).toBe('production\nstaging\n')
    expect(String(git('log', '--format=%s', 'production'))).toBe(
      `Import the environment production from ${theirs}/code/environments/production\n`,
    )
    expect(
      String(git('-c', 'core.quotePath=false', 'ls-tree', '-r', '--format=%(objectmode) %(path)', 'production'))
        .split('\n')
        .sort()
        .slice(1),
    ).toEqual([
      '100644 "modules/demo/files/a \\"b\\" ü.bin"',
      '100644 manifests/site.pp',
      '100644 modules/demo/manifests/init.pp',
      '100755 modules/demo/files/empty',
      '120000 manifests/link.pp',
    ])
    expect(git('show', 'production:modules/demo/files/a "b" ü.bin').equals(binary)).toBe(true)
    git('fsck', '--strict')

    expect((await migrate('--apply')).err).toMatch(/A migration has already been applied/)
    const undone = await migrate('--undo')
    expect(undone).toMatchObject({ status: 0, err: '' })
    expect(undone.out).not.toContain('kept')
    expect([stateOf(theirs), stateOf(ours)]).toEqual(before)
    expect((await migrate('--undo')).err).toMatch(/Nothing to undo: .*journal\.json does not exist/)
  })

  it('keeps what has changed since, when it puts all back', async () => {
    const { ours, migrate } = site()
    const before = stateOf(ours)
    await migrate('--apply')
    appendFileSync(join(ours, 'etc/ca/inventory.txt'), 'a certificate that was signed since\n')
    const { out } = await migrate('--undo', '--render-as', 'json')
    expect(JSON.parse(out).kept).toEqual([join(ours, 'etc/ca.undone')])
    expect(readFileSync(join(ours, 'etc/ca.undone/inventory.txt'), 'utf8')).toContain('signed since')
    execFileSync('rm', ['-r', join(ours, 'etc/ca.undone')])
    utimesSync(join(ours, 'etc'), 1_000_000_000, 1_000_000_000)
    expect(stateOf(ours)).toEqual(before)
  })

  it('changes nothing when a step fails', async () => {
    const { theirs, ours, migrate } = site()
    put(ours, { 'etc/ssl': 'a file where a folder has to be' })
    utimesSync(join(ours, 'etc'), 1_000_000_000, 1_000_000_000)
    const before = stateOf(ours)
    expect((await migrate('--apply')).status).toBe(1)
    expect(stateOf(ours)).toEqual(before)
    chmodSync(join(theirs, 'conf.d/auth.conf'), 0o600)
    writeFileSync(join(theirs, 'conf.d/auth.conf'), 'authorization: { version: 2 }')
    expect((await migrate('--apply', '--without', 'certificates')).err).toMatch(/version must be 1/)
    expect(stateOf(ours)).toEqual(before)
  })

  it('is taken back whole, whenever it was killed', async () => {
    const { theirs, ours, migrate } = site()
    const before = stateOf(ours)
    const places = [
      '--confdir',
      join(ours, 'etc'),
      '--vardir',
      join(ours, 'var'),
      '--conf-d',
      join(theirs, 'conf.d'),
      '--r10k',
      'none',
    ]
    const journal = join(ours, 'var/migration/journal.json')
    const seen = new Set<string>()
    // The first rename is that of the journal: before it nothing has changed.
    for (let at = 2; ; at += 4) {
      const words = ['--import', killAtRename(at), plumbMain, 'migrate', 'puppetserver', '--apply', ...places]
      const { signal, status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
      if (signal === null) {
        expect(status, stderr).toBe(0)
        break
      }
      const { entries } = JSON.parse(readFileSync(journal, 'utf8'))
      seen.add(entries.map(({ state }: { state: string }) => state[0]).join(''))
      expect((await migrate('--undo')).status, [...seen].join()).toBe(0)
      expect(stateOf(ours), [...seen].join()).toEqual(before)
    }
    expect(seen.size).toBeGreaterThan(8)
  })

  it('takes r10k’s file for the code where there is one', async () => {
    const { theirs, migrate } = site()
    put(theirs, { 'r10k.yaml': 'sources: {}\n' })
    const { out } = await migrate('--render-as', 'json', '--r10k', join(theirs, 'r10k.yaml'))
    const { units, settings } = JSON.parse(out)
    expect(units.some(({ part }: { part: string }) => part === 'code')).toBe(false)
    expect(settings).toContainEqual(
      expect.objectContaining({ name: 'code_sources', value: join(theirs, 'r10k.yaml'), taken: true }),
    )
  })

  it('leaves parts out, and asks PuppetDB where Puppet Server did', async () => {
    const { migrate } = site('[server]\nstoreconfigs_backend = puppetdb\n')
    const { out } = await migrate('--render-as', 'json', '--without', 'code', '--without', 'facts')
    const { units, settings } = JSON.parse(out)
    expect(new Set(units.map(({ part }: { part: string }) => part))).toEqual(
      new Set(['ca', 'certificates', 'settings', 'auth']),
    )
    expect(settings).toContainEqual(expect.objectContaining({ name: 'store', value: 'puppetdb' }))
  })

  it.each<[string, readonly string[], RegExp]>([
    ['what is no part', ['--without', 'everything'], /Unknown part 'everything'/],
    ['both at once', ['--apply', '--undo'], /--apply and --undo cannot be combined/],
    [
      'a folder without a Puppet Server',
      ['--conf-d', '/nowhere'],
      /Could not find the configuration of a Puppet Server in \/nowhere/,
    ],
    ['a folder without an authority', ['--puppet-cadir', '/nowhere'], /Could not find a CA in \/nowhere/],
  ])('refuses %s', async (_, words, message) => {
    const { ours, migrate } = site()
    const before = stateOf(ours)
    const { status, err } = await migrate(...words)
    expect([status, stateOf(ours)]).toEqual([1, before])
    expect(err).toMatch(message)
  })

  it('refuses to copy folders onto themselves', async () => {
    const { theirs, migrate } = site()
    expect((await migrate('--apply', '--cadir', join(theirs, 'ca'))).err).toMatch(
      /is both the source and the destination of the migration/,
    )
  })

  it('refuses a Puppet Server that runs', async () => {
    const { theirs, ours, migrate } = site()
    const before = stateOf(ours)
    // A process that is called as Debian's unit calls Java.
    const words = [
      '-e',
      'setInterval(() => {}, 60000)',
      '-jar',
      '/usr/share/puppetserver/puppetserver.jar',
      '--config',
      join(theirs, 'conf.d'),
    ]
    const child = spawn(process.execPath, ['-e', words[1]!, '--', ...words.slice(2)], { stdio: 'ignore' })
    await new Promise((done) => child.once('spawn', done))
    await expect.poll(() => readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')).toContain('puppetserver.jar')
    const { status, err } = await migrate('--apply')
    child.kill()
    expect([status, stateOf(ours)]).toEqual([1, before])
    expect(err).toContain(`A Puppet Server is running with these directories: process ${child.pid}`)
  })
})
