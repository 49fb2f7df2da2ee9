import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository, gitIdentity } from '../support/control-repository.ts'
import { debianModules } from '../support/debian-modules.ts'
import { without } from '../support/needs.ts'
import { plumb, type RunningServer, startServer } from '../support/plumb.ts'
import { noModules } from '../support/real-puppet.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

// Each case starts from what the peer's own tool or package creates; PuppetDB's is in puppetdb-ssl-setup.oracle.test.ts, and
// that of `puppetserver ca setup` in ../migration/standard-authority.oracle.test.ts.

const withoutPuppet = without('real Puppet 7.23')

/** The environment `production` as the packages puppet-agent 5 to 8 and openvox-agent install it, comments shortened. */
const skeleton = {
  'environment.conf':
    '# Each environment can have an environment.conf file.\n# modulepath = ./modules:$basemodulepath\n# environment_timeout = 3m\n',
  'hiera.yaml': `---
version: 5
defaults:
  # The default value for "datadir" is "data" under the same directory as the hiera.yaml
  # datadir: data
  # data_hash: yaml_data
hierarchy:
  - name: "Per-node data (yaml version)"
    path: "nodes/%{::trusted.certname}.yaml"
  - name: "Other YAML hierarchy levels"
    paths:
      - "common.yaml"
`,
}

/** Files of a folder by their paths. */
function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

const places = (folder: string) =>
  ['vardir', 'ssldir', 'codedir', 'rundir', 'logdir', 'publicdir'].flatMap((name) => [`--${name}`, join(folder, name)])

describe.skipIf(withoutPuppet)(`a new environment of Puppet's packages, and Debian's agent${withoutPuppet}`, () => {
  const folder = scratchFolder('packaged')
  let repository: ControlRepository
  let server: RunningServer

  beforeAll(async () => {
    repository = controlRepository({
      ...skeleton,
      'manifests/site.pp': `file { '${folder}/out': content => 'made' }\n`,
    })
    server = await startServer({ repository: repository.bare, settings: { autosign: 'true' } })
  })
  afterAll(async () => {
    await server?.stop()
  })

  it.each(['puppet', 'plumb'])('is applied by %s with the configuration of the package', async (program) => {
    const home = join(folder, program)
    cpSync('/etc/puppet', join(home, 'confdir'), { recursive: true })
    const who = ['--certname', `${program}.example.test`, '--server', 'localhost', '--serverport', String(server.port)]
    const words = ['agent', '--test', '--color', 'false', '--keylength', '2048', '--confdir', join(home, 'confdir')]
    const all = [...words, ...places(home), ...who]
    const run =
      program === 'puppet'
        ? await execa('puppet', [...all, ...noModules], { reject: false, all: true })
        : await plumb(all)
    expect(run.exitCode, `${run.all ?? ''}${String(run.stdout)}${String(run.stderr)}`).toBe(
      program === 'puppet' ? 2 : 0,
    )
    expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('made')
  })
})

const withoutEyaml = without('real Puppet 7.23', 'hiera-eyaml')

describe.skipIf(withoutEyaml)(`eyaml createkeys${withoutEyaml}`, () => {
  it('makes keys whose secrets both decrypt', async () => {
    const folder = scratchFolder('eyaml')
    execFileSync('eyaml', ['createkeys'], { cwd: folder, stdio: 'pipe' })
    const key = (name: string) => join(folder, 'keys', `${name}_key.pkcs7.pem`)
    const secret = execFileSync(
      'eyaml',
      ['encrypt', '--quiet', '--output', 'string', '--string', 'geheim', '--pkcs7-public-key', key('public')],
      { encoding: 'utf8', cwd: folder },
    ).trim()
    const options = `{ pkcs7_private_key: ${key('private')}, pkcs7_public_key: ${key('public')} }`
    put(folder, {
      'environments/production/hiera.yaml': `---\nversion: 5\nhierarchy:\n  - name: Secrets\n    lookup_key: eyaml_lookup_key\n    path: secrets.eyaml\n    options: ${options}\n`,
      'environments/production/data/secrets.eyaml': `---\nsecret: >\n    ${secret}\n`,
      'facts.yaml': 'kernel: Linux\n',
    })
    const words = ['lookup', 'secret', '--node', 'a.example.test', '--facts', join(folder, 'facts.yaml')]
    const where = ['--confdir', join(folder, 'confdir'), ...places(folder)]
    const all = [...words, ...where, '--environmentpath', join(folder, 'environments'), '--render-as', 's']
    const theirs = await execa('puppet', [...all, ...noModules], { reject: false, all: true })
    const ours = await plumb([...all, '--eyaml_keydirs', join(folder, 'keys')])
    expect(String(ours.stdout), String(ours.stderr)).toContain('geheim')
    expect(String(theirs.stdout), theirs.all).toContain('geheim')
  })
})

const withoutR10k = without('r10k')

describe.skipIf(withoutR10k)(`r10k deploy${withoutR10k}`, () => {
  it('leaves environments that compile, with the modules of their Puppetfiles', async () => {
    const folder = scratchFolder('r10k')
    const module = controlRepository({
      'manifests/init.pp': 'class demo { notify { "of the module": } }\n',
      'metadata.json':
        '{"name": "me-demo", "version": "1.0.0", "author": "me", "license": "Apache-2.0", "summary": "", "source": "", "dependencies": []}\n',
    })
    const control = controlRepository({
      ...skeleton,
      'manifests/site.pp': 'include demo\n',
      Puppetfile: `mod 'demo', git: '${module.bare}', branch: 'production'\n`,
    })
    control.push({ 'manifests/site.pp': 'include demo\nnotify { "of the branch": }\n' }, 'feature/two')
    const environments = join(folder, 'environments')
    put(folder, {
      'r10k.yaml': `---\n:cachedir: ${folder}/cache\n:sources:\n  :main:\n    remote: ${control.bare}\n    basedir: ${environments}\n`,
    })
    execFileSync('r10k', ['deploy', 'environment', '--modules', '--config', join(folder, 'r10k.yaml')], {
      env: { ...process.env, ...gitIdentity },
      stdio: 'pipe',
    })
    expect(readdirSync(environments).sort()).toEqual(['feature_two', 'production'])
    expect(existsSync(join(environments, 'production/.r10k-deploy.json'))).toBe(true)
    for (const [name, titles] of [
      ['production', ['of the module']],
      ['feature_two', ['of the module', 'of the branch']],
    ] as const) {
      const where = ['--confdir', join(folder, 'confdir'), '--vardir', join(folder, 'vardir')]
      const words = ['catalog', 'compile', '--node', 'a.example.test', '--environment', name]
      const { exitCode, stdout, stderr } = await plumb([...words, ...where, '--environmentpath', environments])
      expect(exitCode, String(stderr)).toBe(0)
      const { resources } = JSON.parse(String(stdout)) as { resources: { type: string; title: string }[] }
      expect(resources.filter(({ type }) => type === 'Notify').map(({ title }) => title)).toEqual(titles)
    }
  })
})

const withoutModules = without("Debian's modules")

describe.skipIf(withoutModules)(`modules that PDK made${withoutModules}`, () => {
  it('pass the checks of a push as they are, with their tests and tools', async () => {
    const isOfPdk = (name: string) =>
      ((text) => text.includes('"pdk-version"'))(
        existsSync(join(debianModules, name, 'metadata.json'))
          ? readFileSync(join(debianModules, name, 'metadata.json'), 'utf8')
          : '',
      )
    const names = readdirSync(debianModules).filter(isOfPdk)
    expect(names.length).toBeGreaterThan(10)
    const repository = controlRepository({ ...skeleton, 'manifests/site.pp': '' })
    for (const name of names)
      cpSync(join(debianModules, name), join(repository.work, 'modules', name), { recursive: true, dereference: true })
    repository.push({})
    const folder = scratchFolder('pdk')
    const where = ['--confdir', join(folder, 'confdir'), '--vardir', join(folder, 'vardir')]
    const checked = await plumb(['code', 'check', 'production', '--repo', repository.bare, ...where])
    expect(checked.exitCode, `${String(checked.stdout)}${String(checked.stderr)}`).toBe(0)
  })
})
