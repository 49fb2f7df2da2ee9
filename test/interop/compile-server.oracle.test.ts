import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../support/control-repository.ts'
import { plumb, type RunningServer, startServer } from '../support/plumb.ts'
import { hasPuppet, withoutPuppet } from '../support/real-puppet.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const routes = `server:
  certificate: {terminus: rest}
  certificate_request: {terminus: rest}
  certificate_revocation_list: {terminus: rest}
  report: {terminus: rest}
`

const rule = (name: string, path: string, methods: string, who: string) =>
  `{name: "${name}", match-request: {path: "${path}", type: path, method: [${methods}]}, ${who}, sort-order: 400}`
/** The rules of an authority that takes the reports of another server. */
const authConf = `authorization: {version: 1, rules: [
  ${rule('reports', '/puppet/v3/report/', 'put', 'allow: compiler.test')}
  ${rule('certificates', '/puppet-ca/v1/certificate', 'get, put', 'allow-unauthenticated: true')}
]}
`

describe.skipIf(!hasPuppet)(`a server that asks the authority of another one${withoutPuppet}`, () => {
  let authority: RunningServer
  let compiler: RunningServer

  beforeAll(async () => {
    const repository = controlRepository({ 'manifests/site.pp': "notify { 'from the compiler': }\n" })
    const home = scratchFolder('authority')
    mkdirSync(join(home, 'etc'), { recursive: true })
    writeFileSync(join(home, 'etc/auth.conf'), authConf)
    authority = await startServer({
      repository: repository.bare,
      folder: home,
      settings: { autosign: 'true', 'allow-subject-alt-names': 'true' },
    })
    const folder = scratchFolder('compiler')
    const port = String(authority.port)
    const reports = { report_server: 'localhost', report_port: port }
    const there = { certname: 'compiler.test', ca_server: 'localhost', ca_port: port, ...reports }
    const settings = { ...there, dns_alt_names: 'localhost,compiler.test' }
    const words = Object.entries({ ...settings, server: 'localhost', serverport: String(authority.port) })
    const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
    const made = await plumb(['ssl', 'bootstrap', ...places, ...words.flatMap(([name, value]) => [`--${name}`, value])])
    expect(made.exitCode, `${made.stdout}${made.stderr}`).toBe(0)
    mkdirSync(join(folder, 'etc'), { recursive: true })
    writeFileSync(join(folder, 'etc/routes.yaml'), routes)
    compiler = await startServer({
      repository: repository.bare,
      folder,
      settings: { ...there, facts_terminus: 'yaml' },
    })
  })

  afterAll(async () => {
    await Promise.all([compiler?.stop(), authority?.stop()])
  })

  it('has no authority itself', () => {
    expect(compiler.output()).not.toContain('certificate authority')
  })

  it.each(['real.example.test', 'ours.example.test'])('gives an agent all that it needs: %s', async (certname) => {
    const home = scratchFolder(certname)
    const port = String(compiler.port)
    const common = [
      ...['agent', '--onetime', '--no-daemonize', '--verbose', '--no-splay', '--color', 'false'],
      ...['--server', 'localhost', '--serverport', port, '--ca_server', 'localhost', '--ca_port', port],
      ...['--certname', certname, '--waitforcert', '2', '--detailed-exitcodes'],
    ]
    const isReal = certname.startsWith('real')
    const folders = isReal
      ? ['confdir', 'vardir', 'ssldir', 'codedir', 'rundir', 'logdir', 'publicdir']
      : ['confdir', 'vardir']
    const words = [...common, ...folders.flatMap((name) => [`--${name}`, join(home, name)])]
    const run = isReal
      ? await execa('puppet', words, { all: true, reject: false })
      : await plumb(words).then(({ exitCode, stdout, stderr }) => ({ exitCode, all: `${stdout}${stderr}` }))
    expect(run.exitCode, run.all).toBe(2)
    expect(run.all).toContain('from the compiler')
    const ssl = join(home, isReal ? 'ssldir' : 'confdir/ssl')
    expect(readdirSync(join(authority.vardir, 'reports', certname))).toHaveLength(1)
    expect(existsSync(join(compiler.vardir, 'reports', certname))).toBe(false)
    const facts = readFileSync(join(compiler.vardir, 'yaml/facts', `${certname}.yaml`), 'utf8')
    expect(facts).toMatch(new RegExp(`^--- !ruby/object:Puppet::Node::Facts\\nname: ${certname}\\n`))
    const inventory = String((await plumb(['ca', 'list', '--all', ...authority.places])).stdout)
    expect(inventory).toContain(certname)
    const bundle = readFileSync(join(authority.confdir, 'ssl/certs/ca.pem'), 'utf8')
    expect(readFileSync(join(ssl, 'certs/ca.pem'), 'utf8').trim()).toBe(bundle.trim())
  })
})
