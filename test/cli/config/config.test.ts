import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

function fresh() {
  const confdir = scratchFolder('config')
  const conf = join(confdir, 'puppet.conf')
  const config = (...words: string[]) => runHere(['config', ...words, '--confdir', confdir])
  return { confdir, conf, config, text: () => readFileSync(conf, 'utf8') }
}

describe('plumb config', () => {
  it('sets, prints and deletes', async () => {
    const { config, text } = fresh()
    expect(await config('set', 'server', 'a.test', '--section', 'agent')).toEqual({ status: 0, out: '', err: '' })
    await config('set', 'certname', 'me.test')
    expect(text()).toBe('[main]\ncertname = me.test\n[agent]\nserver = a.test\n')
    expect((await config('print', 'server', '--section', 'agent')).out).toBe('a.test\n')
    const deleted = await config('delete', 'server', '--section', 'agent')
    expect(deleted).toEqual({ status: 0, out: "Deleted setting from 'agent': 'server = a.test'\n", err: '' })
    expect(text()).toBe('[main]\ncertname = me.test\n[agent]\n')
    expect(await config('delete', 'server')).toEqual({
      status: 0,
      out: '',
      err: "Warning: No setting found in configuration file for section 'main' setting name 'server'\n",
    })
  })

  it('prints the default rules of auth.conf, which a server reads as they are', async () => {
    const { confdir, config } = fresh()
    expect(await config('auth')).toMatchObject({ status: 1, out: '' })
    const { status, out } = await config('auth', '--defaults')
    expect(status).toBe(0)
    for (const path of ['/plumb/v1/', '/ui', '/pdb/', '/ocsp', '/metrics']) expect(out).toContain(path)
    writeFileSync(join(confdir, 'auth.conf'), out)
    const listed = await runHere(['server', 'auth', 'list', '--confdir', confdir, '--no-auth_default_rules'])
    expect(listed).toMatchObject({ status: 0, err: '' })
    expect(listed.out).toContain('/plumb/v1/')
  })

  it('takes master for what server was called', async () => {
    const { config, conf, text } = fresh()
    writeFileSync(conf, '[master]\nnoop = false\nautosign = true\n')
    expect((await config('set', 'noop', 'true', '--section', 'master')).out).toBe(
      "Deleted setting from 'master': 'noop = false', and adding it to 'server' section\n",
    )
    expect(text()).toBe('[master]\nautosign = true\n[server]\nnoop = true\n')
    expect((await config('delete', 'autosign', '--section', 'server')).out).toBe(
      "Deleted setting from 'master': 'autosign '\n",
    )
  })

  it('leaves modes and links', async () => {
    const { confdir, conf, config } = fresh()
    const real = join(confdir, 'kept.conf')
    writeFileSync(real, '[main]\nnoop = false\n', { mode: 0o600 })
    symlinkSync(real, conf)
    await config('set', 'noop', 'true')
    expect(lstatSync(conf).isSymbolicLink()).toBe(true)
    expect([readFileSync(real, 'utf8'), statSync(real).mode & 0o777]).toEqual(['[main]\nnoop = true\n', 0o600])
  })

  it.each([
    [['set', 'runinterval', 'soon'], 1, 'Invalid duration format \'"soon"\' for parameter: runinterval'],
    [['set', 'noop', 'true\n[agent]'], 1, 'must not contain line breaks'],
    [
      ['set', 'certnme', 'a'],
      1,
      "Could not find setting 'certnme'\n  Did you mean 'certname'? Use --force to write it anyway.",
    ],
    [['set', 'certnme', 'a', '--force'], 0, ''],
    [
      ['set', 'node_terminus', 'exce'],
      1,
      "Unknown name 'exce' in the value of setting node_terminus\n  Did you mean 'exec'?",
    ],
    [['set', 'reports', 'stor'], 1, "Unknown name 'stor' in the value of setting reports\n  Did you mean 'store'?"],
    [['set', 'reports', 'chat', '--force'], 0, ''],
    [['set', 'certname', 'Web1.test'], 1, 'Error: Certificate names must be lower case'],
    [['set', 'vendormoduledir', '/x'], 0, "Setting 'vendormoduledir' has no effect"],
    [['set', 'environment', 'test'], 0, 'The environment should be set in either the `[user]`'],
    [['set', 'vardir', '$confdir/var'], 0, ''],
    [['set', 'noop'], 1, 'takes 2 arguments'],
    [['delete', 'noop'], 0, 'The puppet.conf file does not exist'],
  ])('%j answers %i', async (words, status, said) => {
    const answer = await fresh().config(...words)
    expect([answer.status, answer.err]).toEqual([status, expect.stringContaining(said)])
  })

  it('corrects a value with which nothing starts', async () => {
    const { config, conf, text } = fresh()
    writeFileSync(conf, '[main]\nserverport = 80a\n')
    expect((await config('print', 'serverport')).status).toBe(1)
    expect(await config('set', 'serverport', '8140')).toEqual({ status: 0, out: '', err: '' })
    expect(text()).toBe('[main]\nserverport = 8140\n')
  })

  it('makes the file that --config names', async () => {
    const file = join(scratchFolder('config'), 'new/web1.conf')
    const answer = await runHere(['config', 'set', 'certname', 'web1.test', '--config', file])
    expect([answer.status, answer.err, readFileSync(file, 'utf8')]).toEqual([0, '', '[main]\ncertname = web1.test\n'])
  })

  it('prints what the environment says, in the order of names', async () => {
    const { confdir, config } = fresh()
    const folder = join(confdir, 'code/environments/test')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'environment.conf'), 'modulepath = site:$basemodulepath\nconfig_version = version.sh\n')
    const { out } = await config('print', 'modulepath', 'manifest', 'config_version', '--environment', 'test')
    expect(out).toBe(
      `config_version = version.sh\nmanifest = ${folder}/manifests\nmodulepath = ${folder}/site:${confdir}/code/modules\n`,
    )
    const given = await config('print', 'modulepath', '--environment', 'test', '--modulepath', '/m')
    expect(given.out).toBe('/m\n')
    expect((await config('print', 'modulepath', '--environment', 'absent')).out).toBe('\n')
  })
})

// Each row was run with Puppet 7.23: filebucket and apply have the run mode user, lookup has the run mode server.
describe('--configprint', () => {
  it.each([
    ['filebucket', 'certname,environment', 'certname = a.test\nenvironment = users\n'],
    ['apply', 'environment', 'users\n'],
    ['lookup', 'environment', 'servers\n'],
  ])('of %s prints %s', async (command, names, out) => {
    const { confdir, conf } = fresh()
    writeFileSync(conf, '[main]\ncertname = a.test\n[user]\nenvironment = users\n[server]\nenvironment = servers\n')
    const answer = await runHere([command, '--configprint', names, '--confdir', confdir])
    expect(answer).toEqual({ status: 0, out, err: '' })
  })
})
