import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

it('names the server as the cause when a hook cannot read its settings', async () => {
  const confdir = scratchFolder('hook-settings')
  mkdirSync(confdir, { recursive: true })
  writeFileSync(join(confdir, 'puppet.conf'), '[main]\ngate = refuze\n')
  const { status, err } = await runHere(['code', 'check', '--stdin', '--repo', confdir, '--confdir', confdir])
  expect([status, err]).toEqual([
    1,
    "Error: The server cannot check pushes, because its settings are invalid: Invalid value 'refuze' for parameter: gate\n" +
      "  Your code is not the cause. Ask an administrator of the server, who can run 'plumb doctor' there.\n",
  ])
})

it('rejects the command line of a hook that an earlier version installed', async () => {
  const confdir = scratchFolder('hook-settings')
  const words = ['code', 'check', '--stdin', '--repo', confdir, '--confdir', confdir]
  expect(await runHere([...words, '--storeconfigs', 'false'])).toEqual({
    status: 1,
    out: '',
    err:
      'Error: The hooks of this repository were installed by an earlier version, and contain `--NAME false`\n' +
      "  Run 'plumb code install-hooks' again, with `--no-NAME`.\n",
  })
})

async function startWith(name: string, value: string) {
  const confdir = scratchFolder('server-settings')
  const vardir = join(confdir, 'var')
  writeFileSync(join(confdir, 'puppet.conf'), `[server]\n${name} = ${value}\n`)
  const places = ['--confdir', confdir, '--vardir', vardir, '--bindaddress', '127.0.0.1', '--serverport', '0']
  return { ...(await runHere(['server', ...places, '--keylength', '2048'])), vardir }
}

it.each([
  ['gate', 'refuze'],
  ['autosign', 'yess'],
  ['runinterval', '30mm'],
])('the server rejects %s = %s before it creates a file', async (name, value) => {
  const { status, out, err, vardir } = await startWith(name, value)
  expect([status, out, existsSync(vardir)]).toEqual([1, '', false])
  expect(err).toMatch(/^Error: Invalid /)
  expect(err).toContain(value)
})

it.each([
  ['node_terminus', 'exce', 'Could not find terminus exce for indirection node'],
  ['reports', 'stor', "'stor'"],
])('the server does not start with %s = %s', async (name, value, message) => {
  const { status, out, err } = await startWith(name, value)
  expect([status, out]).toEqual([1, ''])
  expect(err).toContain(message)
})
