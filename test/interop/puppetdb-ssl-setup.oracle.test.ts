import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../bench/free-port.js'
import { whyNotMount } from '../support/may-mount.ts'
import { without } from '../support/needs.ts'
import { plumb } from '../support/plumb.ts'
import { hasPuppetDb, startPuppetDb } from '../support/real-puppetdb.js'
import { scratchFolder } from '../support/scratch-folder.ts'

const lacking =
  without('Puppet Server 7.9.5', 'PostgreSQL') ||
  whyNotMount() ||
  (hasPuppetDb && existsSync('/usr/bin/augtool') ? '' : ' (left out: no PuppetDB, or no augeas-tools)')

/** `puppetdb ssl-setup` edits files below /etc: it sees a copy of them, in a mount namespace of its own. */
const sslSetup = (folder: string) => `
mkdir ${folder}/overlay && mount -t tmpfs none ${folder}/overlay && mkdir ${folder}/overlay/upper ${folder}/overlay/work
mount -t overlay overlay -o lowerdir=/etc,upperdir=${folder}/overlay/upper,workdir=${folder}/overlay/work /etc
cp ${folder}/etc/puppet.conf /etc/puppet/puppet.conf
puppetdb ssl-setup
cp /etc/puppetdb/conf.d/jetty.ini ${folder}/jetty.ini`

describe.skipIf(lacking)(`PuppetDB after ssl-setup, with a CA of puppetserver ca setup${lacking}`, () => {
  const folder = scratchFolder('ssl-setup')
  const port = freePort()
  let puppetDb: Awaited<ReturnType<typeof startPuppetDb>> | undefined

  beforeAll(async () => {
    mkdirSync(join(folder, 'etc'))
    const conf = ['[main]', 'certname = localhost', `ssldir = ${folder}/etc/ssl`, `cadir = ${folder}/etc/ca`]
    writeFileSync(join(folder, 'etc/puppet.conf'), `${conf.join('\n')}\n`)
    const config = join(folder, 'etc/puppet.conf')
    execFileSync('puppetserver', ['ca', 'setup', '--config', config], { stdio: 'pipe' })
    execFileSync('unshare', ['-m', 'sh', '-ec', sslSetup(folder)], { stdio: 'pipe' })
    const jetty = readFileSync(join(folder, 'jetty.ini'), 'utf8')
      .split('\n')
      .filter((line) => /^ssl-/.test(line))
      .map((line) => line.replace(/^ssl-port.*/, 'ssl-port = PORT').replace(/^ssl-host.*/, 'ssl-host = 127.0.0.1'))
    expect(jetty).toHaveLength(5)
    puppetDb = await startPuppetDb(folder, { jetty: jetty.join('\n').replace('PORT', String(await port)) })
    writeFileSync(join(folder, 'etc/puppetdb.conf'), `[main]\nserver_urls = https://localhost:${await port}\n`)
  }, 1_200_000)
  afterAll(async () => {
    await puppetDb?.stop()
  })

  it.each(['chain', 'leaf', 'false'])('answers our server with certificate_revocation = %s', async (revocation) => {
    const code = 'notify { "nodes": message => String(puppetdb_query("nodes { }")) }'
    const where = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--store', 'puppetdb']
    const words = ['catalog', 'compile', '--code', code, '--certificate_revocation', revocation, ...where]
    const { exitCode, stdout, stderr } = await plumb(words)
    expect(exitCode, String(stderr)).toBe(0)
    expect(String(stdout)).toContain('"message":"[]"')
  })
})
