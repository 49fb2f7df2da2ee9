import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newAuthority, requestFor } from './fixture.ts'

it('says what the files are now, whoever changed them', async () => {
  const { cadir, ca, reopen } = await newAuthority()
  const other = await reopen({})
  const states = async () => (await ca.statuses()).map(({ name, state }) => `${name} ${state}`)
  for (const name of ['a.test', 'b.test', 'c.test']) await other.submit(name, await requestFor(name))
  expect(await states()).toEqual(['a.test requested', 'b.test requested', 'c.test requested'])
  const first = (await ca.status('c.test'))?.fingerprint
  await other.sign('a.test')
  await other.sign('b.test')
  expect(await states()).toEqual(['a.test signed', 'b.test signed', 'c.test requested'])
  await other.revoke('a.test')
  await other.removeRequest('c.test')
  await other.submit('c.test', await requestFor('c.test'))
  expect(await states()).toEqual(['a.test revoked', 'b.test signed', 'c.test requested'])
  expect((await ca.waiting()).map(({ fingerprint }) => fingerprint)).not.toEqual([first])
  expect((await ca.statuses('revoked')).map(({ name }) => name)).toEqual(['a.test'])
  const signed = (name: string) => join(cadir, 'signed', `${name}.pem`)
  renameSync(signed('b.test'), `${signed('b.test')}.away`)
  writeFileSync(signed('b.test'), 'damaged')
  expect(await states()).toEqual(['a.test revoked', 'b.test broken', 'c.test requested'])
  renameSync(`${signed('b.test')}.away`, signed('b.test'))
  rmSync(signed('a.test'))
  expect(await states()).toEqual(['b.test signed', 'c.test requested'])
})
