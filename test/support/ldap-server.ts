import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { freePort } from '../../bench/free-port.js'
import { eventually } from './eventually.js'

/** Schema of entries of nodes, as Puppet shipped it: names of classes, variables, a parent, an environment. */
const schema = `
attributetype ( 1.3.6.1.4.1.34380.1.1.3.10 NAME 'puppetClass' EQUALITY caseIgnoreIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 )
attributetype ( 1.3.6.1.4.1.34380.1.1.3.9 NAME 'parentNode' EQUALITY caseIgnoreIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 )
attributetype ( 1.3.6.1.4.1.34380.1.1.3.11 NAME 'environment' EQUALITY caseIgnoreIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 )
attributetype ( 1.3.6.1.4.1.34380.1.1.3.12 NAME 'puppetVar' EQUALITY caseIgnoreIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 )
objectclass ( 1.3.6.1.4.1.34380.1.1.1.2 NAME 'puppetClient' SUP top AUXILIARY
  MAY ( puppetclass $ parentnode $ environment $ puppetvar ) )
`

/** A running directory of a test's own. */
export interface LdapServer {
  readonly port: number
  readonly tlsPort: number
  /** The authority of its certificate. */
  readonly ca: string
  stop(): Promise<void>
}

/** The DN of its administrator, whose password is `secret`. */
export const administrator = 'cn=admin,dc=example,dc=test'

/** Starts OpenLDAP's server on loopback, with entries in LDIF; only those who are known may read. */
export async function ldapServer(folder: string, entries: string): Promise<LdapServer> {
  const at = (name: string) => join(folder, name)
  mkdirSync(at('data'), { recursive: true })
  certificate(folder)
  writeFileSync(at('puppet.schema'), schema)
  writeFileSync(
    at('slapd.conf'),
    `include /etc/ldap/schema/core.schema
include ${at('puppet.schema')}
modulepath /usr/lib/ldap
moduleload back_mdb
TLSCertificateFile ${at('tls.pem')}
TLSCertificateKeyFile ${at('tls.key')}
database mdb
suffix "dc=example,dc=test"
rootdn "${administrator}"
rootpw secret
directory ${at('data')}
access to * by users read by anonymous auth
`,
  )
  writeFileSync(at('entries.ldif'), entries)
  execFileSync('/usr/sbin/slapadd', ['-f', at('slapd.conf'), '-l', at('entries.ldif')], { stdio: 'pipe' })
  const [port, tlsPort] = [await freePort(), await freePort()]
  const urls = `ldap://127.0.0.1:${port}/ ldaps://127.0.0.1:${tlsPort}/`
  const child = spawn('/usr/sbin/slapd', ['-f', at('slapd.conf'), '-h', urls, '-d', '0'], { stdio: 'ignore' })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  await eventually(() => answers(port))
  return {
    ...{ port, tlsPort, ca: at('tls.pem') },
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

function certificate(folder: string): void {
  const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=localhost'
  const files = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', 'tls.key', '-out', 'tls.pem']
  execFileSync('openssl', [...words.split(' '), ...files], { cwd: folder, stdio: 'ignore' })
}

function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = createConnection({ host: '127.0.0.1', port })
    socket.once('connect', () => done(true)).once('error', () => done(false))
    socket.once('connect', () => socket.destroy())
  })
}
