import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** Nothing listens on port 1: a command that asked for a certificate would report a refused connection. */
const elsewhere = ['--server', 'localhost', '--serverport', '1', '--certname', 'me.test']

it.each([
  ['query', 'nodes {}'],
  ['node', 'list'],
  ['node', 'history', 'a.test'],
  ['node', 'show', 'a.test'],
  ['facts', 'upload'],
  ['plugin', 'download'],
  ['catalog', 'find'],
  ['catalog', 'download'],
  ['filebucket', 'get', 'f'.repeat(64)],
])('plumb %s %s fails at once without a certificate', async (...words) => {
  const confdir = join(scratchFolder('own-certificate'), 'conf')
  const { status, err } = await runHere([...words, ...elsewhere, '--confdir', confdir, '--vardir', confdir])
  expect([status, existsSync(join(confdir, 'ssl'))]).toEqual([1, false])
  expect(err).toBe(
    `Error: This host has no certificate for me.test: ${confdir}/ssl/certs/me.test.pem does not exist\n` +
      "  Request a certificate with 'plumb ssl bootstrap', and sign it with 'plumb ca sign --certname me.test' on the server." +
      " 'plumb query' and 'plumb node' also accept a token: --token-file FILE, from 'plumb token create'.\n",
  )
})

it('plumb query fails at once without the key of its certificate', async () => {
  const confdir = scratchFolder('own-certificate')
  mkdirSync(join(confdir, 'ssl/certs'), { recursive: true })
  writeFileSync(join(confdir, 'ssl/certs/me.test.pem'), '')
  const { status, err } = await runHere(['query', 'nodes {}', ...elsewhere, '--confdir', confdir, '--vardir', confdir])
  expect([status, err]).toEqual([1, expect.stringContaining('ssl/private_keys/me.test.pem does not exist\n')])
})

it('plumb apply reports that facts for the server need a certificate, and requests none', async () => {
  const confdir = scratchFolder('own-certificate')
  writeFileSync(join(confdir, 'routes.yaml'), 'apply: {facts: {terminus: facter, cache: rest}}\n')
  const places = ['--confdir', confdir, '--vardir', confdir]
  const { status, err } = await runHere(['apply', '-e', '', ...elsewhere, ...places])
  expect([status, existsSync(join(confdir, 'ssl/certificate_requests/me.test.pem'))]).toEqual([1, false])
  expect(err).toContain('Error: This host has no certificate for me.test: ')
})
