// Puppet Server as Debian packages it, started by hand on the loopback interface with folders of its own.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const jar = '/usr/share/puppetserver/puppetserver.jar'
const packaged = '/etc/puppet/puppetserver'

/** What to say where there is no Puppet Server; `undefined` where there is one. */
export function missingPuppetServer() {
  return existsSync(jar)
    ? undefined
    : 'Puppet Server is not installed (Debian 12: apt-get install puppetserver); only Ruby is compared with.'
}

/**
 * Starts it: as packaged, but for folders, port and certificates, and a rule by which the cache may be flushed. With a
 * `puppetdb`, the address of one, facts, catalogs, reports and exported resources go there. Without an `identity` it has an
 * authority of its own, which signs whatever comes; `versioned` has programs that print the code id, and content by it.
 * Doubtful code is an error, but as `settings` say, of which `null` leaves one out; `rules` of auth.conf come before those
 * that are packaged. `configured` is called with the folder, whose configuration is complete, before the start.
 * @param {string} folder
 * @param {{ codedir: any, port: any, instances: number, identity?: any, deployer: string, flush: any, puppetdb?: string, versioned?: { id: string, content: string }, settings?: Record<string, string | null>, rules?: readonly string[], configured?: (home: string) => void }} given
 */
export async function startPuppetServer(folder, { flush, configured, ...given }) {
  const home = join(folder, 'puppetserver')
  writeConfiguration(home, given)
  configured?.(home)
  return runPuppetServer(home, { flush, port: given.port })
}

/**
 * Starts it in a folder that has its configuration already.
 * @param {string} home
 * @param {{ flush: any, port: any }} given
 */
export async function runPuppetServer(home, { flush, port }) {
  const memory = /^JAVA_ARGS="(.*)"$/m.exec(readFileSync('/etc/default/puppetserver', 'utf8'))?.[1].split(' ') ?? []
  const words = [
    ...memory,
    '-Djruby.lib=/usr/share/jruby/lib',
    '-jar',
    jar,
    '--config',
    join(home, 'conf.d'),
    '--bootstrap-config',
    join(home, 'services.d'),
    '--restart-file',
    join(home, 'restart'),
  ]
  rmSync(join(home, 'restart'), { force: true })
  const output = openSync(join(home, 'output'), 'w')
  const server = spawn('/usr/bin/java', words, { cwd: home, stdio: ['ignore', output, output] })
  const ended = new Promise((done) => server.once('exit', done))
  const restarts = () => (existsSync(join(home, 'restart')) ? Number(readFileSync(join(home, 'restart'), 'utf8')) : 0)
  while (restarts() < 1) {
    if (server.exitCode !== null) throw new Error(readFileSync(join(home, 'output'), 'utf8').slice(-4000))
    await new Promise((done) => setTimeout(done, 200))
  }
  return {
    name: `Puppet Server ${versionOf()}`,
    pid: server.pid,
    port,
    /** The working tree has the code already: that is taken for granted here, and not timed. */
    deploy() {
      return flush(this)
    },
    async stop() {
      server.kill('SIGTERM')
      await ended
    },
  }
}

function versionOf() {
  return /^puppetserver version: (.*)$/m.exec(execFileSync('puppetserver', ['--version'], { encoding: 'utf8' }))?.[1]
}

/** @param {string} home @param {any} given */
function writeConfiguration(home, given) {
  const { codedir, port, instances, identity, deployer, puppetdb, versioned, settings, rules = [] } = given
  for (const each of ['conf.d', 'etc/ssl', 'var', 'run', 'log', 'gems'])
    mkdirSync(join(home, each), { recursive: true })
  cpSync(join(packaged, 'conf.d'), join(home, 'conf.d'), { recursive: true })
  cpSync(join(packaged, 'services.d'), join(home, 'services.d'), { recursive: true })
  const put = (path, text) => writeFileSync(join(home, path), text)
  if (identity) {
    // Its own authority stays out: both servers have certificates of one.
    const services = readFileSync(join(home, 'services.d/ca.cfg'), 'utf8')
    put('services.d/ca.cfg', services.replace(/^(puppetlabs.*)$/m, '#$1').replace(/^#(.*disabled-service)$/m, '$1'))
  }
  if (versioned)
    put(
      'conf.d/versioned-code.conf',
      `versioned-code: { code-id-command: ${versioned.id}, code-content-command: ${versioned.content} }\n`,
    )
  put('conf.d/global.conf', `global: { logging-config: ${home}/logback.xml }\n`)
  put(
    'logback.xml',
    `<configuration><appender name="F1" class="ch.qos.logback.core.FileAppender"><file>${home}/log/server.log</file>
<encoder><pattern>%d %-5p [%c{2}] %m%n</pattern></encoder></appender><root level="info"><appender-ref ref="F1"/></root></configuration>`,
  )
  put(
    'conf.d/webserver.conf',
    `webserver: { client-auth: want, ssl-host: 127.0.0.1, ssl-port: ${port}${identity ? certificatesOf(identity) : ''} }\n`,
  )
  const jruby = readFileSync(join(home, 'conf.d/puppetserver.conf'), 'utf8')
    .replace(/^( *server-conf-dir:).*/m, `$1 ${home}/etc`)
    .replace(/^( *server-code-dir:).*/m, `$1 ${codedir}`)
    .replace(/^( *server-(var|run|log)-dir:).*/gm, `$1 ${home}/$2`)
    .replace(/^( *gem-home:).*/m, `$1 ${home}/gems`)
    .replace(/^( *)#(max-active-instances:).*/m, `$1$2 ${instances}`)
  put('conf.d/puppetserver.conf', jruby)
  const auth = readFileSync(join(home, 'conf.d/auth.conf'), 'utf8')
  const flush = `{ match-request: { path: "/puppet-admin-api/v1/environment-cache", type: path, method: delete }, allow: "${deployer}", sort-order: 400, name: "bench flush" }`
  put('conf.d/auth.conf', auth.replace(/rules: \[/, `rules: [\n${[flush, ...rules].join(',\n')},`))
  put(
    'etc/puppet.conf',
    `[main]
certname = localhost
codedir = ${codedir}
environmentpath = ${codedir}/environments
basemodulepath = ${codedir}/modules
ssldir = ${home}/etc/ssl
${identity ? `hostprivkey = ${identity.key}\nhostcert = ${identity.cert}\nlocalcacert = ${identity.ca}\nhostcrl = ${identity.crl}` : ''}
[server]
${identity ? '' : `cadir = ${home}/etc/ca\nautosign = true\n`}environment_timeout = unlimited
${linesOf({ strict: 'error', strict_variables: 'true', ...settings })}
${puppetdb === undefined ? 'storeconfigs = false' : 'storeconfigs = true\nstoreconfigs_backend = puppetdb\nreports = puppetdb'}
`,
  )
  if (puppetdb === undefined) return
  put('etc/puppetdb.conf', `[main]\nserver_urls = ${puppetdb}\n`)
  put('etc/routes.yaml', 'master:\n  facts:\n    terminus: puppetdb\n    cache: yaml\n')
}

/** @param {Record<string, string | null>} settings */
function linesOf(settings) {
  return Object.entries(settings)
    .filter(([, value]) => value !== null)
    .map((setting) => setting.join(' = '))
    .join('\n')
}

function certificatesOf({ key, cert, ca, crl }) {
  return `, ssl-key: ${key}, ssl-cert: ${cert}, ssl-ca-cert: ${ca}, ssl-crl-path: ${crl}`
}
