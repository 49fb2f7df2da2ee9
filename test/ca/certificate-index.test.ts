import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { getCaLayout } from '../../src/ca/file-layout.ts'
import { openRecords } from '../../src/ca/pem-folder.ts'
import { CertificateIndex } from '../../src/ca/storage/certificate-index.ts'
import { localFiles } from '../../src/machine/system/files.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { newAuthority, requestFor } from './fixture.ts'

let pem: string
beforeAll(async () => {
  const { ca, cadir } = await newAuthority()
  await ca.submit('a.test', await requestFor('a.test'))
  await ca.sign('a.test')
  pem = readFileSync(join(cadir, 'signed/a.test.pem'), 'utf8')
})

/** A folder with a certificate under many names, which nothing has touched for an hour. */
function folderOf(count: number) {
  const layout = getCaLayout(scratchFolder('index'))
  mkdirSync(layout.signed)
  const file = (at: number) => join(layout.signed, `n${String(at).padStart(4, '0')}.test.pem`)
  for (let at = 0; at < count; at++) writeFileSync(file(at), pem)
  writeFileSync(layout.inventory, '')
  const settle = () => utimesSync(layout.signed, new Date(), new Date(Date.now() - 3_600_000))
  settle()
  /** An index of a process of its own; `work` is what it looked at and read of certificates since it was asked last. */
  const open = () => {
    const work = { looks: 0, reads: 0 }
    const isCertificate = (path: string) => path.startsWith(`${layout.signed}/`)
    const files = {
      ...localFiles,
      stat: (path: string) => {
        if (isCertificate(path)) work.looks++
        return localFiles.stat(path)
      },
      readText: (path: string) => {
        if (isCertificate(path)) work.reads++
        return localFiles.readText(path)
      },
    }
    const index = new CertificateIndex(files, openRecords(files, layout.signed), layout)
    return async () => {
      Object.assign(work, { looks: 0, reads: 0 })
      let found = 0
      for await (const slice of index.slices()) found += slice.length
      return { found, ...work }
    }
  }
  return { layout, file, settle, open }
}

it('looks at no file while neither the folder nor the inventory has changed', async () => {
  const { file, settle, open } = folderOf(3)
  const list = open()
  expect(await list()).toEqual({ found: 3, looks: 3, reads: 3 })
  expect(await list()).toEqual({ found: 3, looks: 0, reads: 0 })
  writeFileSync(file(3), pem)
  settle()
  expect(await list()).toEqual({ found: 4, looks: 4, reads: 1 })
  rmSync(file(0))
  // The folder has just changed, so it may change again and show the same time.
  for (let round = 0; round < 2; round++) expect(await list()).toEqual({ found: 3, looks: 3, reads: 0 })
})

describe('the index of many certificates', () => {
  let folder: ReturnType<typeof folderOf>
  let good: string
  beforeAll(async () => {
    folder = folderOf(2001)
    expect(await folder.open()()).toEqual({ found: 2001, looks: 2001, reads: 2001 })
    good = readFileSync(folder.layout.index, 'utf8')
  })

  it('is kept in a file for the next process', async () => {
    expect(await folder.open()()).toEqual({ found: 2001, looks: 0, reads: 0 })
    writeFileSync(folder.file(2001), pem)
    folder.settle()
    expect(await folder.open()()).toEqual({ found: 2002, looks: 1, reads: 1 })
    writeFileSync(folder.layout.index, good.slice(0, -200))
    expect(await folder.open()()).toEqual({ found: 2002, looks: 2, reads: 2 })
  })

  it.each([
    ['lacks an entry', /\n[^\n]*\n$/, '\n'],
    ['has a name that is none', /\nn0000/, '\n../n0000'],
    ['has an entry of a name alone', /\t[^\n]*\n$/, '\n'],
    ['is of a version to come', 'plumb-ca-index 1', 'plumb-ca-index 2'],
    ['has no version of the folder', /"directory":"[^"]*"/, '"directory":1'],
  ])('is made anew where its file %s', async (_, part, damage) => {
    writeFileSync(folder.layout.index, good.replace(part, damage))
    const { looks, reads } = await folder.open()()
    expect([looks, reads]).toEqual([2002, 2002])
  })
})
