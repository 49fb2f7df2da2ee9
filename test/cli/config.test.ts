import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

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
    [['set', 'runinterval', 'soon'], 1, "Invalid value 'soon' for parameter: runinterval"],
    [['set', 'noop', 'true\n[agent]'], 1, 'A setting is one line'],
    [['set', 'certnme', 'a'], 0, "Setting 'certnme' is not known\n  Did you mean 'certname'?"],
    [['set', 'environment', 'test'], 0, 'The environment should be set in either the `[user]`'],
    [['set', 'vardir', '$confdir/var'], 0, ''],
    [['set', 'noop'], 1, 'takes 2 arguments'],
    [['delete', 'noop'], 0, 'The puppet.conf file does not exist'],
  ])('%j answers %i', async (words, status, said) => {
    const answer = await fresh().config(...words)
    expect([answer.status, answer.err]).toEqual([status, expect.stringContaining(said)])
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
